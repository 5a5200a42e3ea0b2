import Foundation
import GRDB
package import Model

/// The additions and renames that a replica needs for a pack. Data is never dropped, only obsolete
/// indexes that this program created.
struct ReplicaMigration {
    private(set) var statements: [String] = []
    /// Added items, such as `calicatas`, `calicatas.side`, `ix_calicatas_side`.
    private(set) var additions: [String] = []
    /// Columns whose fields have another name in the pack.
    private(set) var renames: [FieldRename] = []
    /// Parts of the file that the pack no longer uses; they are not removed.
    private(set) var leftovers: [String] = []
    /// Changes of existing data that would be required, such as `calicatas.depth_m (REAL → TEXT)`.
    private(set) var obstacles: [String] = []

    var isEmpty: Bool { statements.isEmpty }

    /// - Parameter desired: the schema of the pack.
    init(of db: Database, to pack: Pack, _ desired: ReplicaSchema) throws {
        var actual = try ActualSchema(db)
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        (renames, obstacles) = try FieldRename.all(in: pack, actual, db)
        for rename in renames {
            statements.append(
                """
                ALTER TABLE \(SQLText.name(rename.entity)) RENAME COLUMN \(SQLText.name(rename.column)) TO \
                \(SQLText.name(rename.field))
                """
            )
            actual.rename(rename)
        }
        for table in desired.tables {
            if let columns = actual.tables[table.name] {
                add(table, to: columns, actual.indexes)
            } else {
                statements += table.creation
                additions.append(table.name)
            }
        }
        let known = Set(desired.tables.map(\.name) + ProgramTables.names)
        leftovers += actual.tables.keys.filter { !known.contains($0) }.sorted()
        addProgramTables(to: actual, version)
    }

    /// Adds tables that newer versions of the program need. If a table is missing that this
    /// replica's version should have, the replica is damaged.
    private mutating func addProgramTables(to actual: ActualSchema, _ version: Int) {
        for name in ProgramTables.names where actual.tables[name] == nil {
            guard version < ProgramTables.version, ProgramTables.laterNames.contains(name) else {
                obstacles.append("\(name) (∅)")
                continue
            }
            statements += ProgramTables.creation(of: name)
            additions.append(name)
        }
        if actual.tables["pipeline_runs"]?.contains(where: { $0.name == "pack" }) == false {
            statements.append("ALTER TABLE pipeline_runs ADD COLUMN pack INTEGER")
        }
        if version < ProgramTables.version { statements.append("PRAGMA user_version = \(ProgramTables.version)") }
    }

    private mutating func add(_ table: TableSchema, to columns: [TableSchema.Column], _ indexes: [String: String]) {
        let existing = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0) })
        for column in table.columns {
            let name = table.name + "." + column.name
            guard let found = existing[column.name] else {
                statements.append("ALTER TABLE \(SQLText.name(table.name)) ADD COLUMN \(table.definition(of: column))")
                additions.append(name)
                continue
            }
            if found.storage != column.storage { obstacles.append("\(name) (\(found.storage) → \(column.storage))") }
            if found.references != column.references || found.deletesWithParent != column.deletesWithParent {
                obstacles.append("\(name) (\(description(found)) → \(description(column)))")
            }
        }
        for column in SystemColumn.allCases where existing[column.rawValue] == nil {
            statements.append("ALTER TABLE \(SQLText.name(table.name)) ADD COLUMN \(column.definition)")
            additions.append(table.name + "." + column.rawValue)
        }
        for index in table.indexes where indexes[index.name] == nil {
            statements.append(table.creation(of: index))
            additions.append(index.name)
        }
        let wanted = Set(table.indexes.map(\.name))
        for (index, owner) in indexes.sorted(by: { $0.key < $1.key })
        where owner == table.name && index.hasPrefix("ix_") && !wanted.contains(index) {
            statements.append("DROP INDEX \(SQLText.name(index))")
        }
        let named = Set(table.columns.map(\.name) + SystemColumn.allCases.map(\.rawValue))
        leftovers += columns.map(\.name).filter { !named.contains($0) }.map { table.name + "." + $0 }
    }

    private func description(_ column: TableSchema.Column) -> String {
        guard let target = column.references else { return "∅" }
        return "REFERENCES \(target)" + (column.deletesWithParent ? " ON DELETE CASCADE" : "")
    }
}

extension ProgramTables {
    static let names = creation.compactMap {
        $0.hasPrefix("CREATE TABLE ") ? String($0.dropFirst(13).prefix { $0 != " " }) : nil
    }

    /// Tables that were added after version 1.
    static let laterNames = Set(names).subtracting([
        "fichero_replica", "pipeline_runs", "run_outputs", "imports", "rejects", "export_numbers",
    ])

    /// The statements that create one of these tables and its indexes in an older replica.
    static func creation(of name: String) -> [String] {
        creation.filter { $0.hasPrefix("CREATE TABLE \(name) ") || $0.contains(" ON \(name) (") }
    }
}

/// All tables that a pack needs, in its order.
package struct ReplicaSchema: Sendable, Hashable, Codable {
    package var tables: [TableSchema]

    package init(pack: Pack) {
        tables = pack.entities.map { TableSchema($0, in: pack) }
    }

    /// The text that the replica stores to detect changes of the pack: equal schemas give equal
    /// text.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    init(json: String) throws {
        self = try JSONDecoder().decode(ReplicaSchema.self, from: Data(json.utf8))
    }

    /// Creates every table and index in an empty database, inside the caller's transaction.
    func create(_ db: Database) throws {
        for statement in ProgramTables.creation + tables.flatMap(\.creation) {
            try db.execute(sql: statement)
        }
    }
}

/// A field whose name in the pack differs from the replica's column (`renamedFrom`).
struct FieldRename: Hashable {
    var entity: String
    /// The column's name in the replica.
    var column: String
    /// The field's present name.
    var field: String
    /// All former names of the field; stored rows may contain any of them.
    var formerNames: [String]

    /// Such as `calicatas.depth_m → depth`.
    var text: String { "\(entity).\(column) → \(field)" }

    /// Finds the possible renames, and the obstacles: former columns with values beside the present
    /// column. The program cannot decide which of two values is right.
    static func all(in pack: Pack, _ actual: ActualSchema, _ db: Database) throws -> (
        renames: [FieldRename], obstacles: [String]
    ) {
        var found: (renames: [FieldRename], obstacles: [String]) = ([], [])
        for entity in pack.entities {
            guard let columns = actual.tables[entity.name].map({ Set($0.map(\.name)) }) else { continue }
            for field in entity.fields {
                let rename = {
                    FieldRename(entity: entity.name, column: $0, field: field.name, formerNames: field.formerNames)
                }
                // The newest former column contains the values.
                var former = field.formerNames.reversed().filter(columns.contains)[...]
                if !columns.contains(field.name), let newest = former.popFirst() {
                    found.renames.append(rename(newest))
                }
                for other in former {
                    let hasValues = try Bool.fetchOne(
                        db,
                        sql:
                            """
                            SELECT EXISTS (SELECT 1 FROM main.\(SQLText.name(entity.name)) \
                            WHERE \(SQLText.name(other)) IS NOT NULL)
                            """
                    )
                    if hasValues == true { found.obstacles.append("\(rename(other).text) (∃ \(field.name))") }
                }
            }
        }
        return found
    }
}

/// The present schema of a replica's file, read from SQLite itself.
struct ActualSchema {
    /// Tables by name: their columns with storage and references.
    private(set) var tables: [String: [TableSchema.Column]] = [:]
    /// For each index created by a statement, the index's table.
    private(set) var indexes: [String: String] = [:]

    init(_ db: Database) throws {
        let names = try String.fetchAll(
            db,
            sql:
                """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """
        )
        for name in names { tables[name] = try Self.columns(of: name, db) }
        for row in try Row.fetchAll(
            db, sql: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        {
            indexes[row[0]] = row[1]
        }
    }

    /// Records that a column is renamed, so that the schema is as after the migration.
    mutating func rename(_ rename: FieldRename) {
        guard let index = tables[rename.entity]?.firstIndex(where: { $0.name == rename.column }) else { return }
        tables[rename.entity]?[index].name = rename.field
    }

    private static func columns(of table: String, _ db: Database) throws -> [TableSchema.Column] {
        var references: [String: (target: String, cascades: Bool)] = [:]
        let keys = try Row.fetchAll(
            db, sql: "SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list(?)", arguments: [table])
        for key in keys { references[key[0]] = (key[1], (key[2] as String) == "CASCADE") }
        return try Row.fetchAll(db, sql: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
            .map { row in
            let name: String = row[0]
            let reference = references[name]
                return TableSchema.Column(
                    name: name, storage: row[1], type: nil, references: reference?.target,
                    deletesWithParent: reference?.cascades ?? false)
        }
    }
}
