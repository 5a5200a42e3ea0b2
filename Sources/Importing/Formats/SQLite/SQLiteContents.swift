internal import Databases
internal import Model

/// A table of an external database whose BLOBs may be files.
///
/// The rows and the BLOBs are read by two statements, which must return rows in the same order. So
/// both select all columns: with fewer columns, SQLite might read a covering index despite NOT
/// INDEXED.
struct SQLiteContentTable: ContentTable {
    let snapshot: SQLiteSnapshot
    let limits: SQLiteLimits
    let table: String
    let columns: [String]
    var geometries: Set<String> = []

    func rows(sparing spared: Set<Int>) throws -> any ForeignRows {
        // For a column in `spared`, selects a BLOB's size instead of the BLOB; an oversized BLOB
        // would end the reading of the table. The size is cast to a BLOB, so that it differs from a
        // number.
        let selected = columns.indices.map { index -> String in
            let name = ForeignDatabase.quoted(columns[index])
            return spared.contains(index)
                ? "iif(typeof(\(name)) = 'blob', CAST(length(\(name)) AS BLOB), \(name)) AS \(name)" : name
        }
        return SQLiteRows(
            try ForeignDatabase(snapshot, limits: limits),
            query: "SELECT \(selected.joined(separator: ", ")) FROM \(source)", geometries: geometries,
            sizes: spared)
    }

    func contents(of column: String) throws -> (any CellContents)? {
        // SQLite treats a quoted name that it does not know as a text.
        guard columns.contains(column) else { return nil }
        let name = ForeignDatabase.quoted(column)
        let all = columns.map { "typeof(\(ForeignDatabase.quoted($0)))" }.joined(separator: ", ")
        return SQLiteContents(
            try ForeignDatabase(snapshot, limits: limits), limit: limits.valueBytes,
            query:
                """
                SELECT typeof(\(name)), length(\(name)), iif(typeof(\(name)) = 'blob' \
                AND length(\(name)) <= \(limits.valueBytes), \(name), NULL), \(all) FROM \(source)
                """
        )
    }

    private var source: String { "main.\(ForeignDatabase.quoted(table)) NOT INDEXED" }
}

/// The BLOBs of one column, one after the other.
final class SQLiteContents: CellContents {
    private let connection: ForeignDatabase
    private let limit: Int
    private let query: String
    private var statement: PreparedStatement?
    private var row = 0

    init(_ connection: ForeignDatabase, limit: Int, query: String) {
        (self.connection, self.limit, self.query) = (connection, limit, query)
    }

    func content(ofRow wanted: Int) throws -> CellFile {
        var running = try statement ?? connection.prepare(query)
        if wanted < row { (running, row) = (try connection.prepare(query), 0) }
        statement = running
        while row < wanted {
            guard try running.step() else { return .nothing }
            row += 1
        }
        let bytes = Int(running.integer(1))
        switch running.text(0) {
        case "null": return .nothing
        case "blob":
            return running.blob(2).map(CellFile.file) ?? .tooLarge(bytes: bytes, limit: "sqliteValueBytes \(limit)")
        default: return .other(bytes: bytes)
        }
    }
}

/// Rows of a table of an external database, in stored order.
final class SQLiteRows: ForeignRows {
    private let connection: ForeignDatabase
    private let query: String
    private let geometries: Set<String>
    /// Columns whose BLOBs have been replaced by their sizes.
    private let sizes: Set<Int>
    /// Indices of the `geometries` columns, once they are known.
    private var geometryColumns: Set<Int> = []
    private var statement: PreparedStatement?
    private var row = 0
    private var hasEnded = false

    /// - Parameter geometries: names of columns, in lower case.
    init(_ connection: ForeignDatabase, query: String, geometries: Set<String> = [], sizes: Set<Int> = []) {
        (self.connection, self.query, self.geometries, self.sizes) = (connection, query, geometries, sizes)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        let running = try statement ?? connection.prepare(query)
        statement = running
        if row == 0, !geometries.isEmpty {
            geometryColumns = Set(
                running.columnNames.indices.filter { geometries.contains(running.columnNames[$0].lowercased()) })
        }
        while !hasEnded, !batch.isFull {
            guard try running.step() else {
                hasEnded = true
                return
            }
            row += 1
            for column in 0..<running.columnCount { append(running, column, to: &batch) }
            batch.endRow(number: row)
        }
    }

    private func append(_ statement: PreparedStatement, _ column: Int, to batch: inout ForeignBatch) {
        switch statement.storage(column) {
        case .null: batch.appendEmpty()
        case .integer: batch.append(.number, String(statement.integer(column)))
        case .real:
            let value = statement.real(column)
            batch.append(value.isFinite ? .number : .error, OldValueText.shortest(value))
        case .text: batch.append(.text, statement.text(column) ?? "")
        case .blob:
            let bytes = statement.blob(column) ?? []
            if sizes.contains(column) {
                return batch.append(.error, "\(String(decoding: bytes, as: UTF8.self)) bytes that are no text")
            }
            if geometryColumns.contains(column), let text = GeometryText.text(bytes) {
                return batch.append(.text, text)
            }
            let value = BinaryValue(bytes[...])
            batch.append(value.isUUID ? .text : .error, value.text)
        }
    }
}
