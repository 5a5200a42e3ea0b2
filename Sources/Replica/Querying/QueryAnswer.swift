import Databases
package import Model

/// The rows of an answer with the names of their columns.
package final class QueryAnswer: RowSource {
    package let columnCount: Int
    /// The names, all different.
    package let columns: [String]
    private let statement: PreparedStatement
    private let connection: SQLiteConnection
    private let bounds: QueryBounds
    private let deadline: ContinuousClock.Instant
    private var rows = 0
    private var isAtEnd = false

    init(_ statement: PreparedStatement, on connection: SQLiteConnection, bounds: QueryBounds) {
        (self.statement, self.connection, self.bounds) = (statement, connection, bounds)
        columnCount = statement.columnCount
        columns = Self.unlike(statement.columnNames)
        deadline = .now + .seconds(bounds.seconds)
    }

    package func fill(_ batch: inout RowBatch) throws {
        guard !isAtEnd else { return batch.removeAll() }
        connection.deadline = deadline
        defer { connection.deadline = nil }
        switch try connection.asked({ try statement.fill(&batch) }) {
        case .done(let hasMore): isAtEnd = !hasMore
        case .interrupted:
            try Interruption.check()
            throw ContinuousClock.now > deadline ? QueryFailure.tooSlow(seconds: bounds.seconds) : .tooLarge(limit: "\(bounds.steps) steps")
        case .tooBig: throw QueryFailure.tooLarge(limit: "\(bounds.valueBytes) bytes")
        case .noMemory: throw QueryFailure.tooLarge(limit: "\(QueryBounds.memoryBytes >> 20) MiB")
        case .wrong(let reason): throw QueryFailure.wrong(reason: reason)
        }
        rows += batch.rowCount
        guard rows <= bounds.rows else { throw QueryFailure.tooLarge(limit: "\(bounds.rows) rows") }
    }

    /// Makes names different: `code`, `code` becomes `code`, `code_2`.
    static func unlike(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var (free, number) = (name, 1)
            while !taken.insert(free).inserted {
                number += 1
                free = "\(name)_\(number)"
            }
            return free
        }
    }
}
