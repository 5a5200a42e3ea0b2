import Databases
import Foundation
import GRDB
import Model

/// Stores both versions of a row that is in conflict until somebody decides.
final class ConflictKeeper {
    private let changes: ChangeLog
    private let now: Date
    /// Finds an earlier conflict with the same remote version; the result is 1 if it is open.
    private let known: PreparedStatement
    private let insert: PreparedStatement
    private let openOfRemote: PreparedStatement
    private let replace: PreparedStatement
    /// Checks whether a decision about this remote version waits for the upload.
    private let decided: PreparedStatement

    init(_ db: Database, changes: ChangeLog, now: Date) throws {
        self.changes = changes
        self.now = now
        known = try PreparedStatement(
            db,
            """
            SELECT resolution_status = 'open' FROM conflicts WHERE entity_type = ? AND entity_id = ? \
            AND remote_payload = ?
            ORDER BY detected_at DESC LIMIT 1
            """)
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO conflicts (id, project_id, entity_type, entity_id, local_payload, remote_payload, \
            detected_at, resolution_status)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'open')
            """)
        // Conflicts with files are excluded: the trail records them.
        openOfRemote = try PreparedStatement(
            db,
            """
            SELECT id, remote_payload FROM conflicts AS k WHERE entity_type = ?1 AND entity_id = ?2 \
            AND resolution_status = 'open'
              AND NOT EXISTS (SELECT 1 FROM import_changes WHERE entity = ?1 AND row_id = ?2 AND kind = 'conflict' \
            AND item_id = k.id)
            ORDER BY detected_at DESC LIMIT 1
            """)
        decided = try PreparedStatement(
            db,
            """
            SELECT 1 FROM conflicts AS k JOIN sync_queue AS q ON q.entity_type = k.entity_type \
            AND q.entity_id = k.entity_id AND q.content_stamp = k.content_stamp
            WHERE k.entity_type = ? AND k.entity_id = ? AND k.remote_payload = ? LIMIT 1
            """)
        replace = try PreparedStatement(db, "UPDATE conflicts SET remote_payload = ?, detected_at = ? WHERE id = ?")
    }

    /// Records a conflict with the remote's row. A row has at most one open conflict: the remote's
    /// new version replaces its earlier one. A row that the remote deleted and created anew may be
    /// deleted once more. A decision is valid until the row is uploaded. After the upload, the
    /// remote may have the earlier version once more, without a distinguishable version number.
    ///
    /// Returns the same as `keep`; a conflict whose remote version was replaced counts as new.
    ///
    /// - Parameter isRemoved: whether the row was removed locally. The remote refuses the removal
    ///   while it has parts of the row that are not in this replica.
    func keepRemote(
        _ importer: EntityImporter, id: String, local: [MemoryRows.Value], remote: String, isRemoved: Bool = false
    ) throws -> (isOpen: Bool, id: String?) {
        guard let open = try open(importer.entity.name, id) else {
            return try keep(
                importer, id: id, local: local, remote: remote,
                isRepeatable: isRemoved || RowConflict.isDeletion(remote)
                    || !isDecisionWaiting(importer.entity.name, id, remote))
        }
        guard open.remote != remote else { return (true, nil) }
        try replace.bind(remote, at: 1)
        try replace.bind(Timestamp.format(now), at: 2)
        try replace.bind(open.id, at: 3)
        try replace.run()
        return (true, open.id)
    }

    /// Whether a conflict with this version of a row was ever recorded.
    func knows(_ entity: String, _ id: String, remote: String) throws -> Bool {
        for (index, text) in [entity, id, remote].enumerated() { try known.bind(text, at: index + 1) }
        defer { known.reset() }
        return try known.step()
    }

    private func isDecisionWaiting(_ entity: String, _ id: String, _ remote: String) throws -> Bool {
        for (index, text) in [entity, id, remote].enumerated() { try decided.bind(text, at: index + 1) }
        defer { decided.reset() }
        return try decided.step()
    }

    /// Whether a conflict with the remote's row waits for a decision.
    func isOpenWithRemote(_ entity: String, _ id: String) throws -> Bool { try open(entity, id) != nil }

    private func open(_ entity: String, _ id: String) throws -> (id: String, remote: String)? {
        try openOfRemote.bind(entity, at: 1)
        try openOfRemote.bind(id, at: 2)
        defer { openOfRemote.reset() }
        return try openOfRemote.step() ? (openOfRemote.text(0) ?? "", openOfRemote.text(1) ?? "") : nil
    }

    /// Records a conflict, unless the same one was recorded before. Returns whether the conflict is
    /// open: somebody may already have resolved it in favour of the local version. Also returns the
    /// id of a newly recorded conflict.
    ///
    /// - Parameter isRepeatable: whether a resolved conflict may be recorded anew.
    func keep(
        _ importer: EntityImporter, id: String, local: [MemoryRows.Value], remote: String,
        isRepeatable: @autoclosure () throws -> Bool = false
    ) throws -> (isOpen: Bool, id: String?) {
        let entity = importer.entity.name
        try known.bind(entity, at: 1)
        try known.bind(id, at: 2)
        try known.bind(remote, at: 3)
        let isKnown = try known.step()
        let isOpen = isKnown && known.integer(0) == 1
        known.reset()
        guard try !isKnown || (!isOpen && isRepeatable()) else { return (isOpen, nil) }
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
