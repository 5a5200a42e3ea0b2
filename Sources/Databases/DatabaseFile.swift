internal import GRDBSQLite
internal import Glibc
package import Model
internal import OutputFiles

/// A new SQLite database for other programs, filled from batches of rows. It is written under a
/// temporary name, and reopened at the end to count its rows and cells. It is deleted unless it was
/// completed. The same content gives the same bytes.
@safe package final class DatabaseFile {
    private let finalPath: String
    private let temporaryPath: String
    /// Whether the complete file was passed on and must not be deleted.
    private var isHandedOn = false
    private var database: OpaquePointer?
    private var insertion: PreparedStatement?
    private var tables: [(table: DatabaseTable, rows: Int, cells: Int)] = []
    /// Characters that were replaced by U+FFFD: U+0000, and bytes that are not UTF-8.
    package private(set) var replaced = 0

    /// The greatest number of columns that SQLite accepts in a table or a view.
    package static let mostColumns = 2_000

    /// - Parameter finalPath: path of the complete file; its directory must exist.
    package init(finalPath: String) throws {
        self.finalPath = finalPath
        temporaryPath = TemporaryName.path(beside: finalPath)
        // The file is created before SQLite opens it, with O_EXCL, so that it is new and has the
        // same permissions as other outputs.
        let descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
        Glibc.close(descriptor)
        unsafe database = nil
        try check(unsafe sqlite3_open_v2(temporaryPath, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, nil))
        // Nobody opens the file before it is complete, and an incomplete file is deleted. So
        // neither a journal nor syncing to disk is needed.
        for statement in [
            "PRAGMA page_size = 4096", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
            "PRAGMA locking_mode = EXCLUSIVE", "BEGIN",
        ] {
            try run(statement)
        }
    }

    deinit {
        end()
        if !isHandedOn { unsafe unlink(temporaryPath) }
    }

    /// Creates a table, to which all following rows are added.
    package func add(_ table: DatabaseTable) throws {
        try run(DatabaseSQL.table(table))
        insertion = try prepare(DatabaseSQL.insertion(into: table))
        tables.append((table, 0, 0))
    }

    /// Adds the rows of a batch that has the table's columns.
    package func append(_ batch: borrowing RowBatch) throws {
        try Interruption.check()
        guard let insertion else { preconditionFailure("rows come after their table") }
        let (text, cells, width) = (batch.text, batch.cells, batch.columnCount)
        var filled = 0
        for row in 0..<batch.rowCount {
            for column in 0..<width {
                let cell = cells[row * width + column]
                // SQLite stores a NaN as NULL.
                if cell.kind != .null, cell.kind != .real || !cell.real.isNaN { filled += 1 }
                switch cell.kind {
                case .null: try insertion.bind(.null, at: column + 1)
                case .integer: try insertion.bind(cell.integer, at: column + 1)
                case .real: try insertion.bind(.real(cell.real), at: column + 1)
                case .text: try bind(text.span.extracting(cell.range), to: insertion, at: column + 1)
                }
            }
            try insertion.run()
        }
        tables[tables.count - 1].rows += batch.rowCount
        tables[tables.count - 1].cells += filled
    }

    /// Adds one row of texts and numbers.
    package func append(_ values: [MemoryRows.Value]) throws {
        var batch = RowBatch(columnCount: values.count)
        batch.append(row: values)
        try append(batch)
    }

    package func add(_ view: DatabaseView) throws { try run(DatabaseSQL.view(view)) }

    /// Completes the file, reopens it, checks each page and counts rows and filled cells. Throws
    /// `OutputFailure.rowCount` or `.inputOutput` if the counts differ from those of the added
    /// rows.
    package func close(rows: Int) throws -> WrittenFile {
        for (table, _, _) in tables { for statement in DatabaseSQL.indexes(of: table) { try run(statement) } }
        try run("COMMIT")
        insertion = nil
        let code = unsafe sqlite3_close(database)
        guard code == SQLITE_OK else { throw failure(code) }
        unsafe database = nil
        try countAnew()
        let file = try OutputFile(written: temporaryPath, finalPath: finalPath)
        isHandedOn = true
        return try file.close(rows: rows)
    }

    /// Reopens the file and compares its rows and cells with those that were added.
    private func countAnew() throws {
        try check(unsafe sqlite3_open_v2(temporaryPath, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE, nil))
        defer { end() }
        let said = try first("PRAGMA quick_check(1)")
        guard said == "ok" else { throw OutputFailure.inputOutput(path: finalPath, reason: said) }
        for (table, rows, cells) in tables {
            let found = try numbers(DatabaseSQL.count(table.name))[0]
            guard found == rows else { throw OutputFailure.rowCount(sheet: table.name, expected: rows, found: found) }
            guard try numbers(DatabaseSQL.cells(of: table)).reduce(0, +) == cells else {
                throw OutputFailure.inputOutput(path: finalPath, reason: "cells of \(table.name) are missing")
            }
        }
    }

    private func end() {
        insertion = nil
        unsafe sqlite3_close_v2(database)
        unsafe database = nil
    }

    // MARK: SQLite's calls

    private func run(_ sql: String) throws { try check(unsafe sqlite3_exec(database, sql, nil, nil, nil)) }

    private func prepare(_ sql: String) throws -> PreparedStatement {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(database, sql, -1, 0, &statement, nil))
        guard let prepared = unsafe statement else { throw failure(SQLITE_MISUSE) }
        return unsafe PreparedStatement(prepared) { [unowned self] in failure($0) }
    }

    private func first(_ sql: String) throws -> String {
        let statement = try prepare(sql)
        guard try statement.step() else { throw failure(SQLITE_ERROR) }
        return statement.text(0) ?? ""
    }

    /// The first row's columns as integers.
    private func numbers(_ sql: String) throws -> [Int] {
        let statement = try prepare(sql)
        guard try statement.step() else { throw failure(SQLITE_ERROR) }
        return (0..<statement.columnCount).map { Int(statement.integer($0)) }
    }

    private func bind(_ bytes: Span<UInt8>, to insertion: PreparedStatement, at place: Int) throws {
        guard !Self.isPlain(bytes) else { return try insertion.bind(utf8: bytes, at: place) }
        let text = String(copying: bytes).replacing("\0", with: "\u{FFFD}")
        replaced += text.unicodeScalars.count { $0 == "\u{FFFD}" }
        try insertion.bind(text, at: place)
    }

    /// Whether a text is UTF-8 without U+0000, where many readers would truncate it.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] == 0 { return false }
        return (try? UTF8Span(validating: bytes)) != nil
    }

    private func check(_ code: Int32) throws { if code != SQLITE_OK { throw failure(code) } }

    private func failure(_ code: Int32) -> OutputFailure {
        let number = unsafe sqlite3_system_errno(database)
        switch code & 0xFF {
        case SQLITE_FULL: return .diskFull(path: finalPath)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .inputOutput(path: finalPath, reason: message)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            return number != 0 ? .system(number, path: finalPath) : .inputOutput(path: finalPath, reason: message)
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
