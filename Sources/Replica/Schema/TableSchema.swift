package import Model

/// One table of a replica, as the pack needs it or as the file contains it.
package struct TableSchema: Sendable, Hashable, Codable {
    package struct Column: Sendable, Hashable, Codable {
        package var name: String
        /// TEXT, INTEGER or REAL.
        package var storage: String
        /// The field's type in the pack; nil if read from a file, which only contains the storage
        /// class.
        package var type: String?
        package var references: String?
        package var deletesWithParent: Bool
    }

    package struct Index: Sendable, Hashable, Codable {
        package var name: String
        package var columns: [String]
        /// Condition of a partial index.
        package var condition: String?
    }

    package var name: String
    /// The pack's columns in its order, `id` first; in the table, the replica's columns follow.
    package var columns: [Column]
    package var indexes: [Index]

    init(_ entity: Entity, in pack: Pack) {
        name = entity.name
        columns = entity.fields.map { field in
            // The items of a list are checked by validation: SQLite has no foreign keys for them.
            let references = field.type == .list ? nil : field.references
            return Column(
                name: field.name, storage: field.type.storage, type: field.type.rawValue, references: references,
                deletesWithParent: references != nil && field.deletesWithParent)
        }
        indexes = IndexPlan(pack: pack).indexes(of: entity)
    }

    /// SQL that creates the table. It is STRICT, so that a column never contains a value of another
    /// type. Everything but the id may be missing, because incomplete records are common and
    /// validation reports them.
    var creation: [String] {
        let definitions = columns.map(definition) + SystemColumn.allCases.map(\.definition)
        return ["CREATE TABLE \(SQLText.name(name)) (\n  " + definitions.joined(separator: ",\n  ") + "\n) STRICT"]
            + indexes.map(creation)
    }

    func definition(of column: Column) -> String {
        if column.name == "id" { return "id TEXT PRIMARY KEY NOT NULL" }
        var definition = SQLText.name(column.name) + " " + column.storage
        if let target = column.references {
            definition += " REFERENCES \(SQLText.name(target))(id)"
            if column.deletesWithParent { definition += " ON DELETE CASCADE" }
            definition += " DEFERRABLE INITIALLY DEFERRED"
        }
        return definition
    }

    func creation(of index: Index) -> String {
        "CREATE INDEX \(SQLText.name(index.name)) ON \(SQLText.name(name)) (\(SQLText.names(index.columns)))"
            + (index.condition.map { " WHERE " + $0 } ?? "")
    }
}

extension FieldType {
    /// The storage class of the field's column.
    package var storage: String {
        switch self {
        case .integer, .boolean: "INTEGER"
        case .decimal: "REAL"
        case .text, .date, .time, .datetime, .uuid, .json, .point, .polygon, .list: "TEXT"
        }
    }
}
