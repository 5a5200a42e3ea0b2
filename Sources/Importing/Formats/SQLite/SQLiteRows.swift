internal import GRDBSQLite
internal import Model

/// Rows of a table of a foreign database, in the table's own order.
@safe final class SQLiteRows: ForeignRows {
    private let connection: ForeignDatabase
    private let table: String
    private let geometries: Set<String>
    /// Indexes of the geometry columns, once they are known.
    private var geometryColumns: Set<Int32> = []
    private var statement: OpaquePointer?
    private var row = 0
    private var hasEnded = false

    /// - Parameter geometries: names of columns, in lower case.
    init(_ connection: ForeignDatabase, table: String, geometries: Set<String> = []) {
        self.geometries = geometries
        self.connection = connection
        self.table = table
        unsafe statement = nil
    }

    deinit { unsafe sqlite3_finalize(statement) }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        let running = unsafe try statement ?? connection.prepare(ForeignDatabase.everything(of: table))
        unsafe statement = running
        let width = unsafe sqlite3_column_count(running)
        if row == 0, !geometries.isEmpty {
            geometryColumns = Set((0..<width).filter { column in
                unsafe sqlite3_column_name(running, column).map { unsafe geometries.contains(String(cString: $0).lowercased()) } ?? false
            })
        }
        while !hasEnded, !batch.isFull {
            guard unsafe try connection.step(running) else {
                hasEnded = true
                return
            }
            row += 1
            for column in 0..<width { unsafe append(running, column, to: &batch) }
            batch.endRow(number: row)
        }
    }

    private func append(_ statement: OpaquePointer, _ column: Int32, to batch: inout ForeignBatch) {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_NULL: batch.appendEmpty()
        case SQLITE_INTEGER: batch.append(.number, String(unsafe sqlite3_column_int64(statement, column)))
        case SQLITE_FLOAT:
            let value = unsafe sqlite3_column_double(statement, column)
            batch.append(value.isFinite ? .number : .error, OldValueText.shortest(value))
        case SQLITE_TEXT:
            let bytes = unsafe Self.bytes(sqlite3_column_text(statement, column), statement, column)
            // Invalid UTF-8 becomes U+FFFD.
            batch.append(.text, String(decoding: bytes, as: UTF8.self))
        default:
            let bytes = unsafe Self.bytes(
                sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self), statement, column)
            if geometryColumns.contains(column), let text = GeometryText.text(bytes) { return batch.append(.text, text) }
            batch.append(.error, bytes.count <= 32 ? OldValueText.hexadecimal(bytes[...]) : "\(bytes.count) bytes that are no text")
        }
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ statement: OpaquePointer, _ column: Int32) -> [UInt8] {
        // The count is read after the value, because reading the value may convert it.
        unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))))
    }
}
