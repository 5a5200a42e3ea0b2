import Databases
import Model

/// Looks up single rows by their ids, on a read-only connection of its own that is opened at the
/// first lookup.
package final class RowLookup {
    private let path: String
    private let pack: Pack
    private var opened: SQLiteConnection?
    private var statements: [String: PreparedStatement] = [:]

    init(path: String, pack: Pack) {
        (self.path, self.pack) = (path, pack)
    }

    /// Whether a table has a row with an id.
    package func isKnown(_ entity: String, _ id: String) throws -> Bool {
        guard pack.entity(entity) != nil else { return false }
        return try ask("1", of: entity, id) { _ in true } ?? false
    }

    /// The row that a row refers to by a field.
    package func parent(_ entity: String, _ field: String, _ id: String) throws -> String? {
        guard pack.entity(entity)?.field(field) != nil else { return nil }
        return try ask(SQLText.name(field), of: entity, id) { $0.text(0) } ?? nil
    }

    /// Closes the connection until the next lookup. A process that has the replica open alone may
    /// write it faster.
    package func close() {
        statements.removeAll()
        opened = nil
    }

    private func ask<T>(_ column: String, of entity: String, _ id: String, _ answer: (PreparedStatement) -> T) throws -> T? {
        let connection = try opened ?? SQLiteConnection(path: path)
        opened = connection
        let sql = "SELECT \(column) FROM \(connection.base).\(SQLText.name(entity)) WHERE id = ?1"
        let statement = try statements[sql] ?? connection.prepare(sql)
        statements[sql] = statement
        try statement.reset([.text(id)])
        let found = try statement.step() ? answer(statement) : nil
        // A statement that is still being stepped would keep an old state of the file in use.
        try statement.reset([.null])
        return found
    }
}

extension Replica {
    /// Looks up single rows of the replica.
    package func rowLookup() -> RowLookup { RowLookup(path: path, pack: pack) }
}
