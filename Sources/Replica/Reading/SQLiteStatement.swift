import GRDBSQLite
import Model

/// A value bound to a statement.
enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
}

/// A compiled statement on a `SQLiteConnection`, which it keeps open.
@safe final class SQLiteStatement {
    private let statement: OpaquePointer
    private let connection: SQLiteConnection
    let columnCount: Int

    private static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ statement: OpaquePointer, on connection: SQLiteConnection) {
        unsafe self.statement = statement
        self.connection = connection
        columnCount = Int(unsafe sqlite3_column_count(statement))
    }

    deinit {
        unsafe sqlite3_finalize(statement)
    }

    func bind(_ values: [SQLValue]) throws(ReplicaFailure) {
        for (index, value) in values.enumerated() {
            let code = bind(value, CInt(index + 1))
            guard code == SQLITE_OK else { throw connection.failure(code) }
        }
    }

    private func bind(_ value: SQLValue, _ position: CInt) -> CInt {
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, position)
        case .integer(let integer): unsafe sqlite3_bind_int64(statement, position, integer)
        case .real(let real): unsafe sqlite3_bind_double(statement, position, real)
        case .text(let text): bind(text, position)
        }
    }

    /// With its length, since a text may contain NUL characters.
    private func bind(_ text: String, _ position: CInt) -> CInt {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return unsafe sqlite3_bind_text(statement, position, "", 0, Self.transient)
            }
            return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                unsafe sqlite3_bind_text64(statement, position, $0, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    /// Resets the statement to run again, and binds its named parameters (`:id`); those without a
    /// value are null.
    func reset(named values: [String: SQLValue]) throws(ReplicaFailure) {
        unsafe sqlite3_reset(statement)
        let count = unsafe sqlite3_bind_parameter_count(statement)
        for position in 0..<count {
            guard let name = unsafe sqlite3_bind_parameter_name(statement, position + 1) else { continue }
            let value = unsafe values[String(cString: name + 1)] ?? .null
            let code = bind(value, position + 1)
            guard code == SQLITE_OK else { throw connection.failure(code) }
        }
    }

    /// Resets the statement to run again with other values.
    func reset(_ values: [SQLValue]) throws(ReplicaFailure) {
        unsafe sqlite3_reset(statement)
        try bind(values)
    }

    /// Goes to the next row; false at the end.
    func step() throws(ReplicaFailure) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// Whether the last failure of `step` came from the deadline.
    static func isInterruption(_ failure: ReplicaFailure) -> Bool {
        if case .internal(_, let code) = failure { return code.hasPrefix("SQLite \(SQLITE_INTERRUPT):") }
        return false
    }

    /// Whether it gives rows and writes nothing, and is no EXPLAIN.
    var onlyReads: Bool { unsafe sqlite3_stmt_readonly(statement) != 0 && sqlite3_stmt_isexplain(statement) == 0 && columnCount > 0 }

    /// Names such as `:today`; a parameter without a name is `?`.
    var parameterNames: [String] {
        let count = unsafe sqlite3_bind_parameter_count(statement)
        return (0..<count).map { index in
            unsafe sqlite3_bind_parameter_name(statement, index + 1).map { unsafe String(cString: $0) } ?? "?"
        }
    }

    var columnNames: [String] {
        (0..<columnCount).map { unsafe String(cString: sqlite3_column_name(statement, CInt($0))) }
    }

    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(column)) }

    func real(_ column: Int) -> Double { unsafe sqlite3_column_double(statement, CInt(column)) }

    func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL }

    func text(_ column: Int) -> String? {
        guard let bytes = unsafe sqlite3_column_text(statement, CInt(column)) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, CInt(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Empties the batch and fills it with the next rows; no `String` is made. False once the end
    /// was reached.
    func fill(_ batch: inout RowBatch) throws(ReplicaFailure) -> Bool {
        batch.removeAll()
        let columns = CInt(columnCount)
        while !batch.isFull {
            let code = unsafe sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                if code == SQLITE_DONE { return false }
                throw connection.failure(code)
            }
            var column: CInt = 0
            while column < columns {
                // Fetching a value once for several calls saves a third of the calls. SQLite calls
                // such a value unprotected: two threads must not use it at once, and nobody else
                // uses the connection while it is stepped here.
                let value = unsafe sqlite3_column_value(statement, column)
                switch unsafe sqlite3_value_type(value) {
                case SQLITE_INTEGER: batch.append(unsafe sqlite3_value_int64(value))
                case SQLITE_FLOAT: batch.append(unsafe sqlite3_value_double(value))
                case SQLITE_TEXT, SQLITE_BLOB:
                    let bytes = unsafe sqlite3_value_text(value)
                    let count = Int(unsafe sqlite3_value_bytes(value))
                    unsafe batch.append(utf8: UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
                default: batch.appendNull()
                }
                column += 1
            }
            batch.endRow()
        }
        return true
    }
}
