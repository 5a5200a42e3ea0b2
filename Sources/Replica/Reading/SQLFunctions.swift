import Foundation
import GRDBSQLite
import JSONReading
import Model

/// The SQL functions that packs need and SQLite lacks: `metres(progresiva)`, `year(date)`,
/// `parameter(json, key, id)`, `joined(list)`, those of `SQLFunctions+Rules`, `SQLFunctions+Office` and `SQLFunctions+Soils`. All are pure: the
/// same arguments give the same value.
enum SQLFunctions {
    static func register(on handle: OpaquePointer) {
        unsafe add("metres", 1, handle) { arguments in
            Chainage.metres(arguments[0]).map(MemoryRows.Value.real) ?? .null
        }
        unsafe add("year", 1, handle) { arguments in
            CalendarYear.of(arguments[0]).map(MemoryRows.Value.integer) ?? .null
        }
        unsafe add("version_key", 1, handle) { arguments in
            arguments[0].flatMap(VersionKey.of).map(MemoryRows.Value.text) ?? .null
        }
        // The columns of a family's sheet read one parameter after another from the same text.
        var last: (json: String, object: JSONValue?)?
        unsafe add("parameter", 3, handle) { arguments in
            guard let json = arguments[0] else { return .null }
            if last?.json != json { last = (json, try? JSONValue.parse(json)) }
            guard let object = last?.object else { return .null }
            return ParameterValue.find(in: object, key: arguments[1], id: arguments[2]) ?? .null
        }
        unsafe add("joined", 1, handle) { arguments in
            guard let json = arguments[0] else { return .null }
            guard let items = (try? JSONValue.parse(json))?.items else { return .text(json) }
            return .text(items.map { $0.text ?? $0.description }.joined(separator: "; "))
        }
        unsafe registerForRules(on: handle)
        unsafe registerCoarse(on: handle)
        unsafe registerForSoils(on: handle)
    }

    /// Keeps a Swift closure alive for SQLite.
    private final class Box {
        let body: (FunctionArguments) -> MemoryRows.Value
        init(_ body: @escaping (FunctionArguments) -> MemoryRows.Value) { self.body = body }
    }

    /// Adds a function whose arguments are texts.
    static func add(_ name: String, _ count: CInt, _ handle: OpaquePointer, _ body: @escaping ([String?]) -> MemoryRows.Value) {
        unsafe addDirect(name, count, handle) { arguments in body((0..<Int(count)).map(arguments.text)) }
    }

    /// Adds a function that reads its arguments itself. It suits numbers, whose conversion through
    /// texts would take most of the time.
    static func addDirect(_ name: String, _ count: CInt, _ handle: OpaquePointer, isPure: Bool = true, _ body: @escaping (FunctionArguments) -> MemoryRows.Value) {
        let flags = SQLITE_UTF8 | (isPure ? SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
        unsafe sqlite3_create_function_v2(
            handle, name, count, flags, Unmanaged.passRetained(Box(body)).toOpaque(),
            { context, count, values in
                guard let data = unsafe sqlite3_user_data(context) else { return }
                let box = unsafe Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
                switch unsafe box.body(FunctionArguments(values, count)) {
                case .null: unsafe sqlite3_result_null(context)
                case .integer(let integer): unsafe sqlite3_result_int64(context, integer)
                case .real(let real): unsafe sqlite3_result_double(context, real)
                case .text(let text):
                    unsafe sqlite3_result_text(
                        context, text, CInt(clamping: text.utf8.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            }, nil, nil,
            { data in
                guard let data = unsafe data else { return }
                unsafe Unmanaged<Box>.fromOpaque(data).release()
            })
    }

    private final class Writer {
        let body: (FunctionArguments, inout [UInt8]) -> Bool
        let isBlob: Bool
        var bytes: [UInt8] = []
        init(isBlob: Bool, _ body: @escaping (FunctionArguments, inout [UInt8]) -> Bool) {
            (self.isBlob, self.body) = (isBlob, body)
        }
    }

    /// A function that writes a text (or a blob) into a buffer, which is empty at the start of each
    /// call and reused for all calls; false for NULL.
    static func addWriter(
        _ name: String, _ count: CInt, _ handle: OpaquePointer, isPure: Bool = true, isBlob: Bool = false,
        _ body: @escaping (FunctionArguments, inout [UInt8]) -> Bool
    ) {
        let flags = SQLITE_UTF8 | (isPure ? SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
        unsafe sqlite3_create_function_v2(
            handle, name, count, flags, Unmanaged.passRetained(Writer(isBlob: isBlob, body)).toOpaque(),
            { context, count, values in
                guard let data = unsafe sqlite3_user_data(context) else { return }
                let writer = unsafe Unmanaged<Writer>.fromOpaque(data).takeUnretainedValue()
                // The buffer is moved out of the object meanwhile, because each access to an
                // object's property is checked as it begins and ends.
                var bytes: [UInt8] = []
                swap(&bytes, &writer.bytes)
                defer { swap(&bytes, &writer.bytes) }
                bytes.removeAll(keepingCapacity: true)
                guard unsafe writer.body(FunctionArguments(values, count), &bytes) else { return unsafe sqlite3_result_null(context) }
                // -1 (SQLITE_TRANSIENT): SQLite makes a copy, because the next call overwrites the
                // buffer.
                unsafe bytes.withUnsafeBytes { bytes in
                    guard !writer.isBlob else {
                        return unsafe sqlite3_result_blob64(
                            context, bytes.baseAddress, UInt64(bytes.count),
                            unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                    }
                    unsafe sqlite3_result_text64(
                        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
                }
            }, nil, nil,
            { data in
                guard let data = unsafe data else { return }
                unsafe Unmanaged<Writer>.fromOpaque(data).release()
            })
    }
}
