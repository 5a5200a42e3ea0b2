import Databases
import Model

/// The rows of a statement as a `RowSource`.
final class StatementRows: RowSource {
    let columnCount: Int
    private let statement: PreparedStatement
    private var isAtEnd = false
    private let connection: SQLiteConnection
    private let seconds: Double?
    private let deadline: ContinuousClock.Instant?
    private let fault: (any Error)?

    /// - Parameter fault: the error where SQLite cannot compute a value (one that is too long,
    ///   say). It is an error of a pack's SQL rather than of the program.
    init(_ statement: PreparedStatement, on connection: SQLiteConnection, seconds: Double? = nil, fault: (any Error)? = nil) {
        self.fault = fault
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
        do {
            isAtEnd = !(try statement.fill(&batch))
        } catch let error as ReplicaFailure {
            if SQLiteConnection.isInterruption(error) {
                try Interruption.check()
                if let seconds { throw QueryTimeout(seconds: seconds) }
            }
            if let fault, case .internal = error { throw fault }
            throw error
        }
    }
}
