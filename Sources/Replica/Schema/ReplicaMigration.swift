import GRDB
import Model

/// What must be added and renamed in a replica so that it has what a pack asks for. Nothing that holds data is ever
/// dropped; indexes made by this program that are no longer needed are.
struct ReplicaMigration {
    private(set) var statements: [String] = []
    /// What is added: `calicatas`, `calicatas.side`, `ix_calicatas_side`.
    private(set) var additions: [String] = []
    /// Columns whose fields the pack calls by another name.
    private(set) var renames: [FieldRename] = []
    /// What the file has and the pack no longer names; it stays, unused.
    private(set) var leftovers: [String] = []
    /// What would require a change of existing data: `calicatas.depth_m (REAL → TEXT)`.
    private(set) var obstacles: [String] = []

    var isEmpty: Bool { statements.isEmpty }

    /// - Parameter desired: the schema of the pack.
    init(of db: Database, to pack: Pack, _ desired: ReplicaSchema) throws {
        var actual = try ActualSchema(db)
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        (renames, obstacles) = try FieldRename.all(in: pack, actual, db)
        for rename in renames {
            statements.append("ALTER TABLE \(SQLText.name(rename.entity)) RENAME COLUMN \(SQLText.name(rename.column)) TO \(SQLText.name(rename.field))")
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

    /// A missing table that this version of the replica should have is damage; a table of a later
    /// version is added.
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
        for (index, owner) in indexes.sorted(by: { $0.key < $1.key }) where owner == table.name && index.hasPrefix("ix_") && !wanted.contains(index) {
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
