import Databases
import GRDB
package import Model

/// Stores the rows of a pull in a staging file, before `Replica.pull` applies them to the tables.
/// So the replica is not locked while rows arrive over the network.
package final class PullStaging {
    /// Rows of one entity.
    struct Rows {
        let entity: Entity
        /// The positions of the fields that arrive; the first is the id.
        let fields: [Int]
        let insert: PreparedStatement
        /// The batch columns of number and boolean fields, with these fields.
        let numbers: [(column: Int, field: Field)]
        /// Position in the row of the name whose normalised form the entity stores.
        let name: Int?
        /// Whether the server reports when a row changed.
        let isDated: Bool
        /// Scopes whose rows were all fetched: a row that did not arrive does not exist on the
        /// server. A scope is a project's id; nil: rows of no project, or of all.
        var whole: [String?] = []
        /// Scopes among `whole` that were pulled before the server was restored from a backup. The
        /// server may have lost rows in them that it had confirmed.
        var restored: [String?] = []
        var count = 0

        /// The table on the replica's connection; in the staging file its name has no schema.
        var table: String { "staging." + Self.name(of: entity) }
        static func name(of entity: Entity) -> String { SQLText.name("pulled_" + entity.name) }
        /// SQL names of the arriving fields without the id.
        var names: [String] { fields.dropFirst().map { SQLText.name(entity.fields[$0].name) } }
        /// The columns of the staged row `s` with these fields.
        var arrived: [String] { fields.dropFirst().map { "s." + StagedEntity.column(entity.fields[$0]) } }
        /// SQL condition: the staged row `s` has other values than the replica's row `t`.
        var differs: String {
            names.isEmpty
                ? "false"
                : "(\(names.map { "t." + $0 }.joined(separator: ", "))) IS NOT (\(arrived.joined(separator: ", ")))"
        }
    }

    private let db: Database
    private(set) var staged: [String: Rows] = [:]
    /// Removals, with the scopes that they cover.
    private(set) var removed: [(rows: [RemovedRow], scopes: Set<String?>)] = []
    /// By entity, ids of rows whose absence from the pull does not mean that they were deleted.
    private(set) var spared: [String: Set<String>] = [:]
    private(set) var cursors: [(entity: String, scope: String?)] = []
    private let misfit: PreparedStatement

    init(_ db: Database) throws {
        self.db = db
        try db.execute(
            sql:
                """
                CREATE TABLE misfits (entity TEXT NOT NULL, n INTEGER NOT NULL, field TEXT NOT NULL, type TEXT NOT \
                NULL, PRIMARY KEY (entity, n, field)) WITHOUT ROWID
                """
        )
        misfit = try PreparedStatement(db, "INSERT INTO misfits (entity, n, field, type) VALUES (?, ?, ?, ?)")
    }

    /// Prepares the staging of an entity's rows in one scope.
    ///
    /// - Parameters:
    ///   - fields: positions of the fields of each row, the id first; the version follows them.
    ///   - scope: a project's id; nil: rows of no project, or of all.
    ///   - isWhole: whether all rows of the scope are fetched, and not only the changed ones.
    ///   - isDated: whether the server reports when a row changed.
    ///   - isRestored: whether the scope was pulled before the server was restored from a backup.
    package func begin(
        _ entity: Entity, fields: [Int], scope: String?, isWhole: Bool, isDated: Bool = true, isRestored: Bool = false
    ) throws {
        if staged[entity.name] == nil { staged[entity.name] = try rows(entity, fields, isDated: isDated) }
        if isWhole { staged[entity.name]?.whole.append(scope) }
        if isRestored { staged[entity.name]?.restored.append(scope) }
        cursors.append((entity.name, scope))
    }

    private func rows(_ entity: Entity, _ fields: [Int], isDated: Bool) throws -> Rows {
        let columns = fields.map { "\(StagedEntity.column(entity.fields[$0])) \(entity.fields[$0].type.storage)" }
        let table = Rows.name(of: entity)
        try db.execute(
            sql:
                """
                CREATE TABLE \(table) (n INTEGER PRIMARY KEY, key_text TEXT, \(columns.joined(separator: ", ")), \
                version TEXT)
                """
        )
        let marks = [String](repeating: "?", count: fields.count + 2).joined(separator: ", ")
        let names = fields.map { StagedEntity.column(entity.fields[$0]) }.joined(separator: ", ")
        return Rows(
            entity: entity, fields: fields,
            insert: try PreparedStatement(db, "INSERT INTO \(table) (key_text, \(names), version) VALUES (\(marks))"),
            numbers: fields.enumerated().map { ($0.offset, entity.fields[$0.element]) }.filter {
                $0.1.type.expressionType != .text
            },
            name: entity.keyText.flatMap { entity.position(ofField: $0.name) }.flatMap { fields.firstIndex(of: $0) },
            isDated: isDated)
    }

    /// Stores a batch of arrived rows.
    package func take(_ batch: borrowing RowBatch, of entity: Entity) throws {
        guard let rows = staged[entity.name] else { return }
        let (cells, text, width) = (batch.cells.span, batch.text.span, batch.columnCount)
        for row in 0..<batch.rowCount {
            if let name = rows.name {
                let cell = batch.cell(row, name)
                try rows.insert.bind(
                    KeyText.stored(of: text.extracting(cell.kind == .text ? cell.range : 0..<0)), at: 1)
            }
            try rows.insert.run(binding: cells.extracting(row * width..<(row + 1) * width), text: text, from: 2)
        }
        try dropMisfits(batch, rows)
        staged[entity.name]?.count += batch.rowCount
    }

    /// The replica cannot store a text in a field of numbers or booleans: the field stays empty and
    /// is reported. The server keeps its value, as no local change overwrites it.
    private func dropMisfits(_ batch: borrowing RowBatch, _ rows: Rows) throws {
        for (column, field) in rows.numbers {
            for row in 0..<batch.rowCount where batch.cell(row, column).kind == .text {
                let n = Int64(rows.count + row + 1)
                try db.execute(
                    sql: "UPDATE \(Rows.name(of: rows.entity)) SET \(StagedEntity.column(field)) = NULL WHERE n = ?",
                    arguments: [n])
                try misfit.bind([.text(rows.entity.name), .integer(n), .text(field.name), .text(field.type.rawValue)])
                try misfit.run()
            }
        }
    }

    /// Excludes rows from removal: the server changed or removed them after the snapshot.
    package func spare(_ ids: Set<String>, of entity: Entity) { spared[entity.name, default: []].formUnion(ids) }

    /// Stores removals that the server reports.
    ///
    /// - Parameter scopes: the scopes that the removals cover; rows of other scopes stay.
    package func take(_ removed: [RemovedRow], in scopes: Set<String?>) { self.removed.append((removed, scopes)) }
}
