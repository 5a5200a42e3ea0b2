import Model

/// The rows of a statement as every stage takes them.
final class StatementRows: RowSource {
    let columnCount: Int
    private let statement: SQLiteStatement
    private var isAtEnd = false
    private let connection: SQLiteConnection
    private let seconds: Double?
    private let deadline: ContinuousClock.Instant?

    init(_ statement: SQLiteStatement, on connection: SQLiteConnection, seconds: Double? = nil) {
        self.statement = statement
        self.connection = connection
        self.seconds = seconds
        deadline = seconds.map { ContinuousClock.now + .seconds($0) }
        columnCount = statement.columnCount
    }

    func fill(_ batch: inout RowBatch) throws {
        guard !isAtEnd else {
            batch.removeAll()
            return
        }
        connection.deadline = deadline
        defer { connection.deadline = nil }
        do throws(ReplicaFailure) {
            isAtEnd = !(try statement.fill(&batch))
        } catch {
            if let seconds, SQLiteStatement.isInterruption(error) { throw QueryTimeout(seconds: seconds) }
            throw error
        }
    }
}
