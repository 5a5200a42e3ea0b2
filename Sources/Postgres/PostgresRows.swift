internal import CPQ

/// The rows that a statement returned, as the server wrote them: texts, or null.
@safe package final class PostgresRows {
    private let result: OpaquePointer
    package let count: Int
    package let columns: [String]
    /// How many rows a statement changed or returned.
    package let touched: Int

    /// - Parameter result: freed here.
    init(_ result: OpaquePointer) {
        unsafe self.result = result
        count = Int(unsafe PQntuples(result))
        columns = (0..<(unsafe PQnfields(result))).map { unsafe String(cString: PQfname(result, $0)) }
        touched = Int(unsafe String(cString: PQcmdTuples(result))) ?? 0
    }

    deinit { unsafe PQclear(result) }

    /// Row and column are counted from 0.
    package subscript(row row: Int, column column: Int) -> String? {
        precondition(row >= 0 && row < count && column >= 0 && column < columns.count)
        let (row, column) = (CInt(row), CInt(column))
        guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
