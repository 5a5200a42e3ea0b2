import GRDBSQLite

/// The arguments of one call of an SQL function, read where they lie; of no use once the call is over.
@safe struct FunctionArguments {
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    private let count: Int

    init(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: CInt) {
        unsafe self.values = unsafe values
        self.count = Int(count)
    }

    /// Nil for what is no number: texts are not read as numbers.
    func number(_ index: Int) -> Double? {
        guard index < count, let value = unsafe values?[index] else { return nil }
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER, SQLITE_FLOAT: return unsafe sqlite3_value_double(value)
        default: return nil
        }
    }

    /// Writes an argument as JSON, as `RowJSON` does, without a `String` for it.
    func appendJSON(_ index: Int, to bytes: inout [UInt8]) {
        guard index < count, let value = unsafe values?[index] else { return bytes.append(contentsOf: "null".utf8) }
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_NULL: bytes.append(contentsOf: "null".utf8)
        case SQLITE_INTEGER: RowJSON.append(unsafe sqlite3_value_int64(value), to: &bytes)
        case SQLITE_FLOAT: RowJSON.append(unsafe sqlite3_value_double(value), to: &bytes)
        default:
            guard let text = unsafe sqlite3_value_text(value) else { return bytes.append(contentsOf: "\"\"".utf8) }
            unsafe RowJSON.appendQuoted(UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), to: &bytes)
        }
    }

    /// Whether an argument is this text.
    func isText(_ index: Int, _ bytes: [UInt8]) -> Bool {
        guard index < count, let value = unsafe values?[index], let text = unsafe sqlite3_value_text(value) else { return false }
        return unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))).elementsEqual(bytes)
    }

    func text(_ index: Int) -> String? {
        guard index < count, let value = unsafe values?[index], let text = unsafe sqlite3_value_text(value) else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }
}
