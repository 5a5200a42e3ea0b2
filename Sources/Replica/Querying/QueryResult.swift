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
package enum QueryFailure: Failure, Hashable {
    case empty
    /// `path` is the file that should contain the query.
    case noFile(path: String)
    case several
    /// The reason is SQLite's message, which is English.
    case wrong(reason: String)
    case unknownTable(String, nearest: String?, known: [String])
    case unknownColumn(String, nearest: String?, known: [String])
    case unknownFunction(String)
    case unknownParameter(String)
    /// A column of a privacy class that the role may not see.
    case hidden(String, role: String)
    /// Anything other than reading the pack's tables.
    case forbidden(known: [String])
    case tooSlow(seconds: Double)
    /// The query exceeds a limit of steps, rows, bytes or memory.
    case tooLarge(limit: String)

    package var code: String {
        switch self {
        case .empty: "QUERY-EMPTY"
        case .noFile: "QUERY-FILE"
        case .several: "QUERY-SEVERAL"
        case .wrong: "QUERY-WRONG"
        case .unknownTable: "QUERY-TABLE"
        case .unknownColumn: "QUERY-COLUMN"
        case .unknownFunction: "QUERY-FUNCTION"
        case .unknownParameter: "QUERY-PARAMETER"
        case .hidden: "QUERY-HIDDEN"
        case .forbidden: "QUERY-FORBIDDEN"
        case .tooSlow: "QUERY-SLOW"
        case .tooLarge: "QUERY-LARGE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .empty: .usage
        case .noFile: .noInput
        case .hidden, .forbidden: .notPermitted
        default: .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .empty, .several: [:]
        case .noFile(let path): ["path": path]
        case .wrong(let reason): ["reason": reason]
        case .unknownTable(let value, let nearest, let known), .unknownColumn(let value, let nearest, let known):
            ["value": value, "nearest": nearest.map { $0 + "?" } ?? "", "known": known.joined(separator: ", ")]
        case .unknownFunction(let value), .unknownParameter(let value): ["value": value]
        case .hidden(let value, let role): ["value": value, "role": role]
        case .forbidden(let known): ["known": known.joined(separator: ", ")]
        case .tooSlow(let seconds): ["seconds": String(Int(seconds.rounded()))]
        case .tooLarge(let limit): ["limit": limit]
        }
    }
}
