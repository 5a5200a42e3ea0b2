internal import GRDBSQLite
internal import Glibc
package import Model
internal import OutputFiles

/// A database of SQLite made for others, with the rows of batches in its tables. It grows under a temporary name, is opened anew and counted when all
/// is in, and goes when it is given up before that. The same content gives the same bytes.
@safe package final class DatabaseFile {
    private let finalPath: String
    private let temporaryPath: String
    private var isHandedOn = false
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?
    private var tables: [(table: DatabaseTable, rows: Int)] = []
    /// Characters that became U+FFFD: U+0000 and what is no UTF-8.
    package private(set) var replaced = 0

    /// As many columns as SQLite takes in a table or a view.
    package static let mostColumns = 2_000

    /// - Parameter finalPath: its directory exists.
    package init(finalPath: String) throws {
        self.finalPath = finalPath
        temporaryPath = TemporaryName.path(beside: finalPath)
        // Made here, so that it is nobody else's and has the rights of every other output.
        let descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
        Glibc.close(descriptor)
        unsafe database = nil
        unsafe insertion = nil
        try check(unsafe sqlite3_open_v2(temporaryPath, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, nil))
        // Nobody else sees it before it is whole, and what is not whole goes.
        for statement in ["PRAGMA page_size = 4096", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE", "BEGIN"] {
            try run(statement)
        }
    }

    deinit {
        end()
        if !isHandedOn { unsafe unlink(temporaryPath) }
    }

    /// Makes a table, into which rows go from now on.
    package func add(_ table: DatabaseTable) throws {
        try run(DatabaseSQL.table(table))
        unsafe sqlite3_finalize(insertion)
        unsafe insertion = nil
        try check(unsafe sqlite3_prepare_v3(database, DatabaseSQL.insertion(into: table), -1, UInt32(SQLITE_PREPARE_PERSISTENT), &insertion, nil))
        tables.append((table, 0))
    }

    /// Adds the rows of a batch, whose columns are the table's.
    package func append(_ batch: borrowing RowBatch) throws {
        try Interruption.check()
        let (text, cells, width) = (batch.text, batch.cells, batch.columnCount)
        for row in 0..<batch.rowCount {
            for column in 0..<width {
                let cell = cells[row * width + column]
                let place = Int32(column + 1)
                switch cell.kind {
                case .null: try check(unsafe sqlite3_bind_null(insertion, place))
                case .integer: try check(unsafe sqlite3_bind_int64(insertion, place, cell.integer))
                case .real: try check(unsafe sqlite3_bind_double(insertion, place, cell.real))
                case .text: try bind(text.span.extracting(cell.range), at: place)
                }
            }
            try step()
        }
        tables[tables.count - 1].rows += batch.rowCount
    }

    /// Adds one row of texts and numbers.
    package func append(_ values: [MemoryRows.Value]) throws {
        var batch = RowBatch(columnCount: values.count)
        MemoryRows(columnCount: values.count, rows: [values]).fill(&batch)
        try append(batch)
    }

    package func add(_ view: DatabaseView) throws { try run(DatabaseSQL.view(view)) }

    /// Ends the file; then counts what is in it, as whoever opens it would. Throws `OutputFailure.rowCount` where that is not what went in.
    package func close(rows: Int) throws -> WrittenFile {
        for (table, _) in tables { for statement in DatabaseSQL.indexes(of: table) { try run(statement) } }
        try run("COMMIT")
        unsafe sqlite3_finalize(insertion)
        unsafe insertion = nil
        let code = unsafe sqlite3_close(database)
        guard code == SQLITE_OK else { throw failure(code) }
        unsafe database = nil
        try countAnew()
        let file = try OutputFile(written: temporaryPath, finalPath: finalPath)
        isHandedOn = true
        return try file.close(rows: rows)
    }

    private func countAnew() throws {
        try check(unsafe sqlite3_open_v2(temporaryPath, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE, nil))
        defer { end() }
        let said = try first("PRAGMA quick_check(1)")
        guard said == "ok" else { throw OutputFailure.library(name: "SQLite", reason: said) }
        for (table, rows) in tables {
            let found = Int(try first(DatabaseSQL.count(table.name))) ?? -1
            guard found == rows else { throw OutputFailure.rowCount(sheet: table.name, expected: rows, found: found) }
        }
    }

    private func end() {
        unsafe sqlite3_finalize(insertion)
        unsafe insertion = nil
        unsafe sqlite3_close_v2(database)
        unsafe database = nil
    }

    // MARK: SQLite's calls

    private func run(_ sql: String) throws { try check(unsafe sqlite3_exec(database, sql, nil, nil, nil)) }

    private func first(_ sql: String) throws -> String {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil))
        defer { unsafe sqlite3_finalize(statement) }
        let code = unsafe sqlite3_step(statement)
        guard code == SQLITE_ROW else { throw failure(code) }
        return unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? ""
    }

    private func bind(_ bytes: Span<UInt8>, at place: Int32) throws {
        // SQLite takes a copy: the bytes are only borrowed here.
        let copy = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        guard Self.isPlain(bytes) else {
            let text = String(copying: bytes).replacing("\0", with: "\u{FFFD}")
            replaced += text.unicodeScalars.count { $0 == "\u{FFFD}" }
            return try check(unsafe sqlite3_bind_text(insertion, place, text, -1, copy))
        }
        let code = unsafe bytes.withUnsafeBytes { raw in
            // Without an address SQLite would bind NULL in place of an empty text.
            guard let start = raw.baseAddress, raw.count > 0 else { return unsafe sqlite3_bind_text(insertion, place, "", 0, copy) }
            return unsafe sqlite3_bind_text64(insertion, place, start.assumingMemoryBound(to: CChar.self), UInt64(raw.count), copy, UInt8(SQLITE_UTF8))
        }
        try check(code)
    }

    /// Whether a text is UTF-8 without U+0000, at which many readers of a database end.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] == 0 { return false }
        return (try? UTF8Span(validating: bytes)) != nil
    }

    private func step() throws {
        let code = unsafe sqlite3_step(insertion)
        let reset = unsafe sqlite3_reset(insertion)
        guard code == SQLITE_DONE, reset == SQLITE_OK else { throw failure(code == SQLITE_DONE ? reset : code) }
    }

    private func check(_ code: Int32) throws { if code != SQLITE_OK { throw failure(code) } }

    private func failure(_ code: Int32) -> OutputFailure {
        let number = unsafe sqlite3_system_errno(database)
        switch code & 0xFF {
        case SQLITE_FULL: return .diskFull(path: finalPath)
        case SQLITE_IOERR, SQLITE_CANTOPEN: return number != 0 ? .system(number, path: finalPath) : .inputOutput(path: finalPath, reason: message)
        default: return .library(name: "SQLite", reason: message)
        }
    }

    private var message: String { unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "" }
}

extension String {
    fileprivate init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
