import Databases
import GRDB
import JSONReading
import Model

/// Rows as the remote confirmed them last, kept when they are first changed or contradicted here.
/// With this third version one can tell which side changed what, and what to send. They are in
/// `row_bases`; in `own_bases` if Fichero itself changed the row, which no undo takes back.
struct RowBases {
    private let changeID: String
    private let add: PreparedStatement
    private let forgetOwn: PreparedStatement

    /// - Parameter changeID: the change set that keeps the versions; an undo of it deletes them.
    init(_ db: Database, changeID: String) throws {
        self.changeID = changeID
        add = try PreparedStatement(db, "INSERT OR REPLACE INTO row_bases (entity, row_id, row, import_id) VALUES (?, ?, ?, ?)")
        forgetOwn = try PreparedStatement(db, "DELETE FROM own_bases WHERE entity = ? AND row_id = ?")
    }

    /// Keeps a row's version if it is what the remote has. Of a row that was changed before, the
    /// version is kept already.
    func keep(_ importer: EntityImporter, _ id: String, _ existing: EntityImporter.Existing) throws {
        guard existing.syncState == .synced else { return }
        try keep(importer.reader.json(existing.values), of: RowKey(entity: importer.entity.name, id: id))
    }

    /// Keeps a row as the remote has it, in place of an earlier one.
    func keep(_ row: String, of key: RowKey) throws {
        for (index, text) in [key.entity, key.id, row, changeID].enumerated() { try add.bind(text, at: index + 1) }
        try add.run()
        for (index, text) in [key.entity, key.id].enumerated() { try forgetOwn.bind(text, at: index + 1) }
        try forgetOwn.run()
    }

    /// Keeps a version on which no change set was made.
    static func keepOwn(_ row: String, of key: RowKey, _ db: Database) throws {
        try db.execute(cachedSQL: "INSERT OR REPLACE INTO own_bases (entity, row_id, row) VALUES (?, ?, ?)", [key.entity, key.id, row])
        try db.execute(cachedSQL: "DELETE FROM row_bases WHERE entity = ? AND row_id = ?", [key.entity, key.id])
    }

    static func forget(_ key: RowKey, _ db: Database) throws {
        for table in ["own_bases", "row_bases"] { try db.execute(cachedSQL: "DELETE FROM \(table) WHERE entity = ? AND row_id = ?", [key.entity, key.id]) }
    }

    static func forgetOwn(_ key: RowKey, _ db: Database) throws {
        try db.execute(cachedSQL: "DELETE FROM own_bases WHERE entity = ? AND row_id = ?", [key.entity, key.id])
    }

    /// A row as the remote confirmed it, as JSON; nil if that is not known.
    static func text(_ key: RowKey, _ db: Database) throws -> String? {
        try Row.fetchOne(
            db,
            cachedSQL: """
                SELECT row FROM own_bases WHERE entity = ?1 AND row_id = ?2
                UNION ALL SELECT row FROM row_bases WHERE entity = ?1 AND row_id = ?2 LIMIT 1
                """, [key.entity, key.id])?[0]
    }

    /// The fields of a row as the remote confirmed it; nil if that is not known.
    static func row(_ entity: String, _ id: String, _ db: Database) throws -> JSONValue? {
        try text(RowKey(entity: entity, id: id), db).flatMap { try? JSONValue.stored($0) }
    }
}
