import Databases
import GRDB
import JSONReading
import Model

/// Rows as the remote confirmed them last, kept when they are first changed or doubted here: of three versions one sees who changed what.
struct RowBases {
    private let changeID: String
    /// Takes the place of what was kept before.
    private let replace: PreparedStatement
    private let add: PreparedStatement

    /// - Parameter changeID: the change set that keeps them; when it is taken back, they go.
    init(_ db: Database, changeID: String) throws {
        self.changeID = changeID
        let values = "INTO row_bases (entity, row_id, row, import_id) VALUES (?, ?, ?, ?)"
        replace = try PreparedStatement(db, "INSERT OR REPLACE " + values)
        add = try PreparedStatement(db, "INSERT OR IGNORE " + values)
    }

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
        let statement = existing.syncState == .synced ? replace : add
        for (index, text) in [importer.entity.name, id, importer.reader.json(values), changeID].enumerated() { try statement.bind(text, at: index + 1) }
        try statement.run()
    }

    /// The fields of a row as the remote confirmed it; nil where that is not known.
    static func row(_ entity: String, _ id: String, _ db: Database) throws -> JSONValue? {
        try String.fetchOne(db, sql: "SELECT row FROM row_bases WHERE entity = ? AND row_id = ?", arguments: [entity, id]).flatMap { try? JSONValue.parse($0) }
    }
}
