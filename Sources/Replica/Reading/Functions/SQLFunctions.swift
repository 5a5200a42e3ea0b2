import Foundation
import GRDBSQLite
import JSONReading
import Model

/// The SQL functions that packs need and SQLite lacks: `metres(progresiva)`, `year(date)`,
/// `parameter(json, key, id)`, `joined(list)`, and those in the files `SQLFunctions+…`. All are
/// pure: the same arguments give the same value.
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
        // The columns of a family's sheet read several parameters from the same JSON text, one
        // after another.
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

    /// Keeps a Swift closure alive while SQLite uses it.
    private final class Box {
        let body: (FunctionArguments) -> MemoryRows.Value
        init(_ body: @escaping (FunctionArguments) -> MemoryRows.Value) { self.body = body }
    }

    /// Adds a function with text arguments.
    static func add(
        _ name: String, _ count: CInt, _ handle: OpaquePointer, _ body: @escaping ([String?]) -> MemoryRows.Value
    ) {
        unsafe addDirect(name, count, handle) { arguments in body((0..<Int(count)).map(arguments.text)) }
    }

    /// Adds a function that reads its arguments itself. This is faster for numbers: converting them
    /// to texts would take most of the time.
    static func addDirect(
        _ name: String, _ count: CInt, _ handle: OpaquePointer, isPure: Bool = true,
        _ body: @escaping (FunctionArguments) -> MemoryRows.Value
    ) {
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
                        context, text, CInt(clamping: text.utf8.count),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
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

    /// Adds a function that writes a text (or a blob) into a buffer, which is empty at the start of
    /// each call and reused for all calls. The body returns false for NULL.
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
                // The buffer is moved out of the object during the call, because Swift checks every
                // access to an object's property.
                var bytes: [UInt8] = []
                swap(&bytes, &writer.bytes)
                defer { swap(&bytes, &writer.bytes) }
                bytes.removeAll(keepingCapacity: true)
                guard unsafe writer.body(FunctionArguments(values, count), &bytes) else {
                    return unsafe sqlite3_result_null(context)
                }
                // -1 (SQLITE_TRANSIENT) makes SQLite copy the bytes, because the next call
                // overwrites the buffer.
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

/// The year of a stored date or instant.
enum CalendarYear {
    /// The year of `2025-05-11` or `2025-05-11T15:00:00Z` is 2025; nil for a text that does not
    /// begin with four digits and a hyphen.
    static func of(_ text: String?) -> Int64? {
        guard let bytes = text?.utf8.prefix(5), bytes.count == 5, bytes.last == UInt8(ascii: "-") else { return nil }
        var year: Int64 = 0
        for digit in bytes.dropLast() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            year = year * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return year
    }
}

/// Functions for the office's calendar, and for the values in an anonymous export. All return NULL
/// for a value of the wrong kind.
extension SQLFunctions {
    /// Registers `office_day(instant)`, `office_time(instant)`, `period_of(instant, stretch)`.
    static func registerForOffice(on handle: OpaquePointer, timeZone: TimeZone) {
        var clock = OfficeClock(timeZone)
        func shown(_ text: String?) -> (day: GregorianDay, seconds: Int?)? {
            guard let text else { return nil }
            return clock.shown(Array(text.utf8).span)
        }
        unsafe add("office_day", 1, handle) { shown($0[0]).map { .text($0.day.text) } ?? .null }
        unsafe add("office_time", 1, handle) { arguments in
            guard let seconds = shown(arguments[0])?.seconds else { return .null }
            return .text((seconds / 3600).padded(2) + ":" + (seconds / 60 % 60).padded(2))
        }
        unsafe add("period_of", 2, handle) { arguments in
            guard let stretch = arguments[1].flatMap(Anonymity.Period.init), let day = shown(arguments[0])?.day else {
                return .null
            }
            return .text(Period.name(stretch, of: day))
        }
    }

    /// Registers `grid_latitude(latitude, metres)`, `grid_longitude(longitude, latitude, metres)`
    /// and `band(number, width)`.
    static func registerCoarse(on handle: OpaquePointer) {
        unsafe addDirect("grid_latitude", 2, handle) { arguments in
            guard let latitude = arguments.number(0), let metres = arguments.number(1), metres > 0 else { return .null }
            return .real(CoarsePlace.latitude(latitude, metres: metres))
        }
        unsafe addDirect("grid_longitude", 3, handle) { arguments in
            guard let longitude = arguments.number(0), let latitude = arguments.number(1),
                let metres = arguments.number(2), metres > 0
            else { return .null }
            return .real(CoarsePlace.longitude(longitude, latitude: latitude, metres: metres))
        }
        unsafe addDirect("band", 2, handle) { arguments in
            guard let number = arguments.number(0), let width = arguments.number(1), width >= 1, number.magnitude < 1e15
            else { return .null }
            let first = Int64((number / width).rounded(.down) * width)
            return .text("\(first)–\(first + Int64(width) - 1)")
        }
    }
}

/// Replaces exact places by the centres of squares. Rows of squares have equal height; in the
/// middle of each row, its squares are as wide as they are high.
enum CoarsePlace {
    static let metresPerDegree = 111_320.0

    static func latitude(_ latitude: Double, metres: Double) -> Double {
        centre(latitude, step: metres / metresPerDegree, within: 90)
    }

    static func longitude(_ longitude: Double, latitude: Double, metres: Double) -> Double {
        // At the poles a square extends around the whole circle.
        let width = max(cos(self.latitude(latitude, metres: metres) * .pi / 180), 0.000_1)
        return centre(longitude, step: min(360, metres / (metresPerDegree * width)), within: 180)
    }

    /// Rounds to four decimals, about ten metres, so that the number does not look too precise.
    private static func centre(_ degrees: Double, step: Double, within limit: Double) -> Double {
        let centre = (degrees / step).rounded(.down) * step + step / 2
        return (min(limit, max(-limit, centre)) * 10_000).rounded() / 10_000
    }
}
