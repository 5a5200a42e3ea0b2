internal import GRDBSQLite
package import Model

/// A prepared statement of SQLite. The whole program uses this one wrapper, for the replica,
/// external files and files for other programs. Only `Counting` has a separate reader: it must not
/// share code with the parts whose results it checks.
///
/// Bulk values need no `String` and no object: rows are copied from cells to parameters, and from
/// columns to cells. Used by one thread at a time.
@safe package final class PreparedStatement {
    /// Storage class of a value in SQLite.
    package enum Storage { case null, integer, real, text, blob }

    private let statement: OpaquePointer
    private let failure: (CInt) -> any Error
    package let columnCount: Int

    /// SQLITE_TRANSIENT: SQLite copies the bytes, because they are only borrowed.
    private static let copy = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// - Parameters:
    ///   - statement: compiled by the caller, and finalized by this object.
    ///   - failure: creates the error for a result code of SQLite. If nothing else retains the
    ///     connection, this closure must retain it.
    package init(_ statement: OpaquePointer, failure: @escaping (CInt) -> any Error) {
        unsafe self.statement = statement
        self.failure = failure
        columnCount = Int(unsafe sqlite3_column_count(statement))
    }

    deinit {
        unsafe sqlite3_finalize(statement)
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    // MARK: Parameters

    /// Binds a parameter, counted from 1.
    package func bind(_ value: MemoryRows.Value, at index: Int) throws {
        switch value {
        case .null: try check(unsafe sqlite3_bind_null(statement, CInt(index)))
        case .integer(let integer): try bind(integer, at: index)
        case .real(let real): try check(unsafe sqlite3_bind_double(statement, CInt(index), real))
        case .text(let text): try bind(utf8: text.utf8Span.span, at: index)
        }
    }

    package func bind(_ text: String?, at index: Int) throws {
        try bind(text.map(MemoryRows.Value.text) ?? .null, at: index)
    }

    package func bind(_ integer: Int64, at index: Int) throws {
        try check(unsafe sqlite3_bind_int64(statement, CInt(index), integer))
    }

    /// Binds bytes by their count, since a text may contain U+0000.
    package func bind(utf8 bytes: Span<UInt8>, at index: Int) throws {
        try check(
            unsafe bytes.withUnsafeBytes { raw in
                // Without an address, SQLite would bind NULL instead of an empty text.
                guard let start = raw.baseAddress, raw.count > 0 else {
                    return unsafe sqlite3_bind_text(statement, CInt(index), "", 0, Self.copy)
                }
                return unsafe sqlite3_bind_text64(
                    statement, CInt(index), start.assumingMemoryBound(to: CChar.self), UInt64(raw.count), Self.copy,
                    UInt8(SQLITE_UTF8))
            })
    }

    /// Binds the first parameters to values.
    package func bind(_ values: [MemoryRows.Value]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    /// Prepares the statement for another run.
    package func reset() {
        unsafe sqlite3_reset(statement)
    }

    /// Prepares the statement for another run with other values.
    package func reset(_ values: [MemoryRows.Value]) throws {
        reset()
        try bind(values)
    }

    /// Prepares the statement for another run. Binds its named parameters (`:id`), and NULL to
    /// those without a value.
    package func reset(named values: [String: MemoryRows.Value]) throws {
        reset()
        for (index, name) in parameterNames.enumerated() where name != "?" {
            try bind(values[String(name.dropFirst())] ?? .null, at: index + 1)
        }
    }

    package var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(statement)) }

    /// The parameters' names, such as `:today`; `?` for a parameter without a name.
    package var parameterNames: [String] {
        let count = unsafe sqlite3_bind_parameter_count(statement)
        return (0..<count).map { index in
            unsafe sqlite3_bind_parameter_name(statement, index + 1).map { unsafe String(cString: $0) } ?? "?"
        }
    }

    // MARK: Running

    /// Moves to the next row; returns false at the end. Call `reset` before the next use.
    package func step() throws -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = failure(code)
            unsafe sqlite3_reset(statement)
            throw error
        }
    }

    /// Runs a statement to its end; returns the number of changed rows.
    @discardableResult
    package func run() throws -> Int {
        while try step() {}
        reset()
        return changes
    }

    private var changes: Int { unsafe Int(sqlite3_changes(sqlite3_db_handle(statement))) }

    /// Runs a statement once, with values that are not copied; returns the number of changed rows.
    ///
    /// - Parameters:
    ///   - cells: values for the parameters from `first` on.
    ///   - text: the bytes to which cells of text refer.
    ///   - raw: bytes for the parameter after the cells, bound as a text or as a blob.
    @discardableResult
    package func run(
        binding cells: Span<RowBatch.Cell>, text: Span<UInt8>, from first: Int, raw: Span<UInt8>, isText: Bool
    ) throws -> Int {
        let code = unsafe text.withUnsafeBufferPointer { text -> CInt in
            unsafe raw.withUnsafeBufferPointer { raw -> CInt in
                let code = unsafe bind(cells, text, from: first)
                guard code == SQLITE_OK else { return code }
                let place = CInt(first + cells.count)
                let bound = isText
                    ? unsafe bind(raw, at: place)
                    : raw.isEmpty
                        ? unsafe sqlite3_bind_zeroblob(statement, place, 0)
                        : unsafe sqlite3_bind_blob64(statement, place, raw.baseAddress, UInt64(raw.count), nil)
                return bound == SQLITE_OK ? stepOnce() : bound
            }
        }
        guard code == SQLITE_DONE else { throw failure(code) }
        return changes
    }

    /// Runs a statement in the same way, but without a parameter after the cells.
    @discardableResult
    package func run(binding cells: Span<RowBatch.Cell>, text: Span<UInt8>, from first: Int) throws -> Int {
        let code = unsafe text.withUnsafeBufferPointer { text -> CInt in
            let code = unsafe bind(cells, text, from: first)
            return code == SQLITE_OK ? stepOnce() : code
        }
        guard code == SQLITE_DONE else { throw failure(code) }
        return changes
    }

    private func bind(_ cells: Span<RowBatch.Cell>, _ text: UnsafeBufferPointer<UInt8>, from first: Int) -> CInt {
        for index in 0..<cells.count {
            let cell = cells[index]
            let place = CInt(first + index)
            let code: CInt
            switch cell.kind {
            case .null: code = unsafe sqlite3_bind_null(statement, place)
            case .integer: code = unsafe sqlite3_bind_int64(statement, place, cell.integer)
            case .real: code = unsafe sqlite3_bind_double(statement, place, cell.real)
            case .text: code = unsafe bind(UnsafeBufferPointer(rebasing: text[cell.range]), at: place)
            }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// Binds a text whose bytes do not move until the statement has run (nil as the last argument
    /// is SQLITE_STATIC). An empty text may have no address, which SQLite would treat as NULL.
    private func bind(_ text: UnsafeBufferPointer<UInt8>, at place: CInt) -> CInt {
        guard !text.isEmpty else { return unsafe sqlite3_bind_text(statement, place, "", 0, unsafe Self.copy) }
        return unsafe text.withMemoryRebound(to: CChar.self) { bytes in
            unsafe sqlite3_bind_text64(
                statement, place, bytes.baseAddress, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
        }
    }

    private func stepOnce() -> CInt {
        let code = unsafe sqlite3_step(statement)
        unsafe sqlite3_reset(statement)
        return code
    }

    // MARK: The current row

    /// Whether the statement returns rows and changes nothing; EXPLAIN does not count.
    package var onlyReads: Bool {
        unsafe sqlite3_stmt_readonly(statement) != 0 && sqlite3_stmt_isexplain(statement) == 0 && columnCount > 0
    }

    package var columnNames: [String] {
        (0..<columnCount).map { index in
            unsafe sqlite3_column_name(statement, CInt(index)).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// Storage class of a column's value; columns are counted from 0.
    package func storage(_ column: Int) -> Storage {
        switch unsafe sqlite3_column_type(statement, CInt(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        default: .blob
        }
    }

    package func isNull(_ column: Int) -> Bool { storage(column) == .null }
    package func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(column)) }
    package func real(_ column: Int) -> Double { unsafe sqlite3_column_double(statement, CInt(column)) }

    /// The value as text. A blob counts as a text, and bytes that are not UTF-8 become U+FFFD.
    package func text(_ column: Int) -> String? {
        guard let bytes = unsafe sqlite3_column_text(statement, CInt(column)) else { return nil }
        // The count is read after the value, because reading the value may convert it.
        let count = unsafe Int(sqlite3_column_bytes(statement, CInt(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The bytes of a blob; nil for any other value.
    package func blob(_ column: Int) -> [UInt8]? {
        guard storage(column) == .blob else { return nil }
        guard let bytes = unsafe sqlite3_column_blob(statement, CInt(column)) else { return [] }
        return unsafe Array(
            UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, CInt(column)))))
    }

    package func value(_ column: Int) -> MemoryRows.Value {
        switch storage(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text, .blob: .text(text(column) ?? "")
        }
    }

    /// Empties the batch and fills it with the next rows. Returns false at the end.
    package func fill(_ batch: inout RowBatch) throws -> Bool {
        batch.removeAll()
        let columns = CInt(columnCount)
        while !batch.isFull {
            let code = unsafe sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                if code == SQLITE_DONE { return false }
                throw failure(code)
            }
            var column: CInt = 0
            while column < columns {
                // Fetching the value once and reading it several times saves a third of the calls.
                // SQLite calls such a value unprotected: two threads must not use it at once.
                // Nobody else uses the connection during this step.
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
