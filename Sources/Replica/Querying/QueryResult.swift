import Databases
package import Model

/// The rows of a query's result, with the names of their columns.
package final class QueryResult: RowSource {
    package let columnCount: Int
    /// The column names, made unique.
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
            throw ContinuousClock.now > deadline
                ? QueryFailure.tooSlow(seconds: bounds.seconds) : .tooLarge(limit: "\(bounds.steps) steps")
        case .tooBig: throw QueryFailure.tooLarge(limit: "\(bounds.valueBytes) bytes")
        case .noMemory: throw QueryFailure.tooLarge(limit: "\(QueryBounds.memoryBytes >> 20) MiB")
        case .wrong(let reason): throw QueryFailure.wrong(reason: reason)
        }
        rows += batch.rowCount
        guard rows <= bounds.rows else { throw QueryFailure.tooLarge(limit: "\(bounds.rows) rows") }
    }

    /// Makes names unique: `code`, `code` becomes `code`, `code_2`.
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

/// Limits of one query.
package struct QueryBounds: Sendable, Hashable {
    package var seconds = 60.0
    /// Steps of SQLite's virtual machine.
    package var steps = 4_000_000_000
    package var rows = 5_000_000
    /// Bytes of one value.
    package var valueBytes = 16 << 20
    /// Bytes of the query's text.
    package var questionBytes = 1 << 20
    /// Bytes that SQLite may use, if the process sets that limit before it opens any database
    /// (`Replica.boundMemory`).
    package static let memoryBytes: Int64 = 256 << 20

    package init() {}
}

extension Replica {
    /// Limits SQLite's memory in this process to the limit of a query. Only for a process that does
    /// nothing else, before it opens a database.
    package static func boundMemory() { SQLiteSetup.boundMemory(to: QueryBounds.memoryBytes) }
}

/// Reason why a person's query fails.
package typealias QueryFailure = DeclaredFailure<QuerySession>

extension QueryFailure {
    package static var empty: Self { Self("QUERY-EMPTY", .usage) }
    /// `path` is the file that should contain the query.
    package static func noFile(path: String) -> Self { Self("QUERY-FILE", .noInput, ["path": path]) }
    package static var several: Self { Self("QUERY-SEVERAL", .badInput) }
    /// The reason is SQLite's message, which is English.
    package static func wrong(reason: String) -> Self { Self("QUERY-WRONG", .badInput, ["reason": reason]) }
    package static func unknownTable(_ value: String, nearest: String?, known: [String]) -> Self {
        Self("QUERY-TABLE", .badInput, ["value": value, "nearest": nearest ?? "", "known": known])
    }
    package static func unknownColumn(_ value: String, nearest: String?, known: [String]) -> Self {
        Self("QUERY-COLUMN", .badInput, ["value": value, "nearest": nearest ?? "", "known": known])
    }
    package static func unknownFunction(_ value: String) -> Self { Self("QUERY-FUNCTION", .badInput, ["value": value]) }
    package static func unknownParameter(_ value: String) -> Self {
        Self("QUERY-PARAMETER", .badInput, ["value": value])
    }
    /// A column of a privacy class that the role may not see.
    package static func hidden(_ value: String, role: String) -> Self {
        Self("QUERY-HIDDEN", .notPermitted, ["value": value, "role": role])
    }
    /// Anything other than reading the pack's tables.
    package static func forbidden(known: [String]) -> Self { Self("QUERY-FORBIDDEN", .notPermitted, ["known": known]) }
    package static func tooSlow(seconds: Double) -> Self {
        Self("QUERY-SLOW", .badInput, ["seconds": String(Int(seconds.rounded()))])
    }
    /// The query exceeds a limit of steps, rows, bytes or memory.
    package static func tooLarge(limit: String) -> Self { Self("QUERY-LARGE", .badInput, ["limit": limit]) }
}
