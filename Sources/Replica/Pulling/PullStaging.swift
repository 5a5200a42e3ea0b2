import Databases
import GRDB
package import Model

/// Takes what a pull brings, within `Replica.pull`, before any of it reaches the tables: while rows
/// arrive over the network, the replica is not locked.
package final class PullStaging {
    /// Rows of one entity.
    struct Rows {
        let entity: Entity
        /// The positions of the fields that arrive; the first is the id.
        let fields: [Int]
        let insert: PreparedStatement
        /// Position of the name within the row, if names have a form in which they are compared.
        let name: Int?
        /// Scopes of which every row was fetched: what did not come is not there.
        var whole: [String?] = []
        var count = 0

        var table: String { "staging." + SQLText.name("pulled_" + entity.name) }
        /// The fields but the id.
        var names: [String] { fields.dropFirst().map { SQLText.name(entity.fields[$0].name) } }
    }

    private let db: Database
    private(set) var staged: [String: Rows] = [:]
    /// Removals, with the scopes of which they tell.
    private(set) var removed: [(rows: [RemovedRow], scopes: Set<String?>)] = []
    /// Ids of rows of which nothing is known now, by entity: that they did not come means nothing.
    private(set) var spared: [String: Set<String>] = [:]
    private(set) var cursors: [(entity: String, scope: String?)] = []

    init(_ db: Database) { self.db = db }

    /// Begins rows of an entity in one scope.
    ///
    /// - Parameters:
    ///   - fields: positions of the fields that each row brings, the id first; the version follows.
    ///   - scope: a project's id; nil: rows of no project, or of all.
    ///   - isWhole: all rows of the scope come, and not only what changed.
    package func begin(_ entity: Entity, fields: [Int], scope: String?, isWhole: Bool) throws {
        if staged[entity.name] == nil { staged[entity.name] = try rows(entity, fields) }
        if isWhole { staged[entity.name]?.whole.append(scope) }
        cursors.append((entity.name, scope))
    }

    private func rows(_ entity: Entity, _ fields: [Int]) throws -> Rows {
        let columns = fields.map { "\(StagedEntity.column(entity.fields[$0])) \(entity.fields[$0].type.storage)" }
        let table = SQLText.name("pulled_" + entity.name)
        try db.execute(sql: "CREATE TABLE \(table) (n INTEGER PRIMARY KEY, key_text TEXT, \(columns.joined(separator: ", ")), version TEXT)")
        let marks = [String](repeating: "?", count: fields.count + 2).joined(separator: ", ")
        let names = fields.map { StagedEntity.column(entity.fields[$0]) }.joined(separator: ", ")
        return Rows(
            entity: entity, fields: fields, insert: try PreparedStatement(db, "INSERT INTO \(table) (key_text, \(names), version) VALUES (\(marks))"),
            name: entity.keyText.flatMap { entity.position(ofField: $0.name) }.flatMap { fields.firstIndex(of: $0) })
    }

    /// Takes the rows of a batch.
    package func take(_ batch: borrowing RowBatch, of entity: Entity) throws {
        guard let rows = staged[entity.name] else { return }
        let (cells, text, width) = (batch.cells.span, batch.text.span, batch.columnCount)
        for row in 0..<batch.rowCount {
            if let name = rows.name {
                let cell = batch.cell(row, name)
                try rows.insert.bind(KeyText.stored(of: text.extracting(cell.kind == .text ? cell.range : 0..<0)), at: 1)
            }
            try rows.insert.run(binding: cells.extracting(row * width..<(row + 1) * width), text: text, from: 2)
        }
        staged[entity.name]?.count += batch.rowCount
    }

    /// Leaves rows alone that changed or went after the moment that the others show.
    package func spare(_ ids: Set<String>, of entity: Entity) { spared[entity.name, default: []].formUnion(ids) }

    /// Takes removals of one entity.
    ///
    /// - Parameter scopes: those of which they tell; rows of others stay.
    package func take(_ removed: [RemovedRow], in scopes: Set<String?>) { self.removed.append((removed, scopes)) }
}
