import Foundation
import GRDBSQLite
import Model

/// The arguments of one call of an SQL function, borrowed from SQLite; invalid after the call.
@safe struct FunctionArguments {
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    private let count: Int

    init(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: CInt) {
        unsafe self.values = unsafe values
        self.count = Int(count)
    }

    /// Returns nil for anything but a number: texts are not converted.
    func number(_ index: Int) -> Double? {
        guard index < count, let value = unsafe values?[index] else { return nil }
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER, SQLITE_FLOAT: return unsafe sqlite3_value_double(value)
        default: return nil
        }
    }

    /// Writes the arguments as one JSON object, as `RowJSON` does; omits NULL arguments unless
    /// `withNulls` is set.
    func appendObject(_ members: RowMembers, withNulls: Bool = false, to bytes: inout [UInt8]) {
        guard let values = unsafe values else { return }
        let start = bytes.count
        unsafe members.bytes.withUnsafeBytes { names in
            unsafe members.ends.withUnsafeBufferPointer { ends in
                unsafe JSONWriter.append(to: &bytes, room: bound(of: values, members)) { writer in
                    for index in 0..<count {
                        guard let value = unsafe values[index],
                            unsafe withNulls || sqlite3_value_type(value) != SQLITE_NULL
                        else { continue }
                        unsafe writer.copy(UnsafeRawBufferPointer(rebasing: names[ends[index]..<ends[index + 1]]))
                        switch unsafe sqlite3_value_type(value) {
                        case SQLITE_INTEGER: unsafe writer.write(sqlite3_value_int64(value))
                        case SQLITE_FLOAT: unsafe writer.write(sqlite3_value_double(value))
                        case SQLITE_NULL: for byte in "null".utf8 { unsafe writer.byte(byte) }
                        default:
                            unsafe writer.quote(
                                UnsafeRawBufferPointer(
                                    start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value))))
                        }
                    }
                    if unsafe writer.end == start { unsafe writer.byte(UInt8(ascii: ",")) }
                    unsafe writer.byte(UInt8(ascii: "}"))
                }
            }
        }
        // Replaces the comma before the first member.
        bytes[start] = UInt8(ascii: "{")
    }

    /// An upper bound for the object's length: each byte of a text may need six bytes.
    private func bound(of values: UnsafeMutablePointer<OpaquePointer?>, _ members: RowMembers) -> Int {
        var bound = members.bytes.count + 2
        for index in 0..<count {
            guard let value = unsafe values[index] else { continue }
            bound += unsafe sqlite3_value_type(value) == SQLITE_TEXT ? 6 * Int(sqlite3_value_bytes(value)) + 2 : 32
        }
        return bound
    }

    /// Whether an argument equals this text.
    func isText(_ index: Int, _ bytes: [UInt8]) -> Bool {
        guard index < count, let value = unsafe values?[index], let text = unsafe sqlite3_value_text(value) else {
            return false
        }
        let length = unsafe Int(sqlite3_value_bytes(value))
        guard length == bytes.count else { return false }
        return unsafe bytes.withUnsafeBytes { own in
            unsafe own.baseAddress.map { unsafe memcmp($0, text, length) == 0 } ?? true
        }
    }

    /// Appends the bytes of a text or a blob; appends nothing for NULL.
    func append(_ index: Int, to bytes: inout [UInt8]) {
        guard index < count, let value = unsafe values?[index], let start = unsafe sqlite3_value_blob(value) else {
            return
        }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }

    /// Appends values so that different lists of values always give different bytes: each value is
    /// written as its length and its text (`Sealed`).
    func appendSealed(_ indices: Range<Int>, to bytes: inout [UInt8]) {
        for index in indices {
            guard index < count, let value = unsafe values?[index], let text = unsafe sqlite3_value_text(value) else {
                Sealed.appendNothing(to: &bytes)
                continue
            }
            unsafe Sealed.append(UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), to: &bytes)
        }
    }

    func text(_ index: Int) -> String? {
        guard index < count, let value = unsafe values?[index], let text = unsafe sqlite3_value_text(value) else {
            return nil
        }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }
}

/// The names of a row's fields as members of a JSON object, such as `,"code":`. They follow one
/// another, each beginning with a comma.
struct RowMembers {
    let bytes: [UInt8]
    /// The end of each name in `bytes`, preceded by 0.
    let ends: [Int]

    init(_ names: [String]) {
        var bytes: [UInt8] = []
        var ends = [0]
        for name in names {
            bytes += ("," + RowJSON.quoted(name) + ":").utf8
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
    }
}
