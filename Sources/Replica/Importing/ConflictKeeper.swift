import Databases
import Foundation
import GRDB
import Model

/// Keeps both versions of a row that differs from its file until somebody decides.
final class ConflictKeeper {
    private let changes: ChangeLog
    private let now: Date
    private let known: PreparedStatement
    private let insert: PreparedStatement

    init(_ db: Database, changes: ChangeLog, now: Date) throws {
        self.changes = changes
        self.now = now
        known = try PreparedStatement(
            db,
            """
            SELECT resolution_status = 'open' FROM conflicts WHERE entity_type = ? AND entity_id = ? AND remote_payload = ?
            ORDER BY detected_at DESC LIMIT 1
            """)
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO conflicts (id, project_id, entity_type, entity_id, local_payload, remote_payload, detected_at, resolution_status)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'open')
            """)
    }

    /// Records a conflict, unless the same one was recorded before. Returns whether it is open,
    /// since somebody may have resolved it already by keeping the local side, and the id of a
    /// conflict that is new.
    func keep(_ importer: EntityImporter, id: String, local: [MemoryRows.Value], remote: String) throws -> (isOpen: Bool, id: String?) {
        let entity = importer.entity.name
        try known.bind(entity, at: 1)
        try known.bind(id, at: 2)
        try known.bind(remote, at: 3)
        let isKnown = try known.step()
        let isOpen = isKnown && known.integer(0) == 1
        known.reset()
        guard !isKnown else { return (isOpen, nil) }
        let made = UUIDv7.make(at: now)
        let project = try importer.reader.project(of: local)
        try insert.bind(made, at: 1)
        try insert.bind(project, at: 2)
        try insert.bind(entity, at: 3)
        try insert.bind(id, at: 4)
        try insert.bind(importer.reader.json(local), at: 5)
        try insert.bind(remote, at: 6)
        try insert.bind(Timestamp.format(now), at: 7)
        try insert.run()
        try importer.markConflict(id)
        try changes.logEntry("conflict_detected", of: entity, id: id, project: project, details: nil)
        return (true, made)
    }
}
