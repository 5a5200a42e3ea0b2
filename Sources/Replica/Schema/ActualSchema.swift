import GRDB

/// The schema that a replica's file has, read from SQLite itself.
struct ActualSchema {
    /// Tables by name, their columns with storage and references.
    private(set) var tables: [String: [TableSchema.Column]] = [:]
    /// The table of each index that was made by a statement.
    private(set) var indexes: [String: String] = [:]

    init(_ db: Database) throws {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        for name in names { tables[name] = try Self.columns(of: name, db) }
        for row in try Row.fetchAll(db, sql: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL") {
            indexes[row[0]] = row[1]
        }
    }

    /// A column as it will be called.
    mutating func rename(_ rename: FieldRename) {
        guard let index = tables[rename.entity]?.firstIndex(where: { $0.name == rename.column }) else { return }
        tables[rename.entity]?[index].name = rename.field
    }

    private static func columns(of table: String, _ db: Database) throws -> [TableSchema.Column] {
        var references: [String: (target: String, cascades: Bool)] = [:]
        let keys = try Row.fetchAll(
            db, sql: "SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list(?)", arguments: [table])
        for key in keys { references[key[0]] = (key[1], (key[2] as String) == "CASCADE") }
        return try Row.fetchAll(db, sql: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", arguments: [table]).map { row in
            let name: String = row[0]
            let reference = references[name]
            return TableSchema.Column(
                name: name, storage: row[1], type: nil, references: reference?.target, deletesWithParent: reference?.cascades ?? false)
        }
    }
}
