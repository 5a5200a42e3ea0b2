import GRDBSQLite
import Model

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

    func value(_ index: Int) -> MemoryRows.Value {
        guard index < count, let value = unsafe values?[index] else { return .null }
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(value))
        default: return .text(text(index) ?? "")
        }
    }

    func text(_ index: Int) -> String? {
        guard index < count, let value = unsafe values?[index], let text = unsafe sqlite3_value_text(value) else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }
}
