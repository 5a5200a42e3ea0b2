import Databases
import GRDB
import JSONReading
import Model

/// Rows as the remote confirmed them last, kept when they are first changed or contradicted here.
/// With this third version one can tell which side changed what.
struct RowBases {
    private let changeID: String
    /// Replaces the version that was kept before.
    private let replace: PreparedStatement
    private let add: PreparedStatement

    /// - Parameter changeID: the change set that keeps the versions; an undo of it deletes them.
    init(_ db: Database, changeID: String) throws {
        self.changeID = changeID
        let values = "INTO row_bases (entity, row_id, row, import_id) VALUES (?, ?, ?, ?)"
        replace = try PreparedStatement(db, "INSERT OR REPLACE " + values)
        add = try PreparedStatement(db, "INSERT OR IGNORE " + values)
    }

    /// Keeps a row's version if the remote has confirmed it. A row with Fichero's own mark or a
    /// correction is kept only if no version of it is kept yet.
    func keep(_ importer: EntityImporter, _ id: String, _ existing: EntityImporter.Existing) throws {
        guard existing.syncState == .synced || existing.isOwnMark else { return }
        var values = existing.values
        // Fichero's own mark is the only difference from the version that the remote has.
        if existing.syncState != .synced, let states = importer.entity.states, let exported = states.exported,
            let state = importer.entity.position(ofField: states.field), values[state] == .text(exported.to)
        {
            values[state] = .text(exported.from)
        }
        let statement = existing.syncState == .synced ? replace : add
        for (index, text) in [importer.entity.name, id, importer.reader.json(values), changeID].enumerated() { try statement.bind(text, at: index + 1) }
        try statement.run()
    }

    /// The fields of a row as the remote confirmed it; nil if that is not known.
    static func row(_ entity: String, _ id: String, _ db: Database) throws -> JSONValue? {
        try String.fetchOne(db, sql: "SELECT row FROM row_bases WHERE entity = ? AND row_id = ?", arguments: [entity, id]).flatMap { try? JSONValue.parse($0) }
    }
}
