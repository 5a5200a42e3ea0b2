import GRDB
import JSONReading
import Model

/// Rows as the remote confirmed them last, kept when they are first changed or doubted here: of three versions one sees who changed what.
struct RowBases {
    private let db: Database
    private let changeID: String

    /// - Parameter changeID: the change set that keeps them; when it is taken back, they go.
    init(_ db: Database, changeID: String) { (self.db, self.changeID) = (db, changeID) }

    /// Keeps a row as it is, if the remote has confirmed that; since its own mark or a correction, only if no version is kept.
    func keep(_ importer: EntityImporter, _ id: String, _ existing: EntityImporter.Existing) throws {
        guard existing.syncState == .synced || existing.isOwnMark else { return }
        var values = existing.values
        // Fichero's own mark is the only difference from what the remote knows.
        if existing.syncState != .synced, let states = importer.entity.states, let exported = states.exported,
            let state = importer.entity.position(ofField: states.field), values[state] == .text(exported.to)
        {
            values[state] = .text(exported.from)
        }
        try db.execute(
            sql: "INSERT OR \(existing.syncState == .synced ? "REPLACE" : "IGNORE") INTO row_bases (entity, row_id, row, import_id) VALUES (?, ?, ?, ?)",
            arguments: [importer.entity.name, id, importer.reader.json(values), changeID])
    }

    /// The fields of a row as the remote confirmed it; nil where that is not known.
    static func row(_ entity: String, _ id: String, _ db: Database) throws -> JSONValue? {
        try String.fetchOne(db, sql: "SELECT row FROM row_bases WHERE entity = ? AND row_id = ?", arguments: [entity, id]).flatMap { try? JSONValue.parse($0) }
    }
}
