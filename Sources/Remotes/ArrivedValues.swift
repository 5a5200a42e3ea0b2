internal import JSONReading
internal import Model
internal import Postgres

/// Converts the server's texts to the values that the replica stores: numbers, booleans as 1 and 0,
/// instants in the replica's form. Other texts pass unchanged, also a text in place of a number or
/// boolean, which `PullStaging` reports. No `String` is allocated for a cell.
struct ArrivedValues {
    /// The greatest length of a value, as memory would contain a value several times.
    static let mostBytes = 64 << 20

    private let types: [FieldType]

    init(types: [FieldType]) { self.types = types }

    /// Appends a row that has a value for each of the types.
    func append(_ row: borrowing CopiedRow, to batch: inout RowBatch) {
        let bytes = row.bytes.span
        for (column, type) in types.enumerated() {
            guard column < row.values.count, let range = row.values[column] else {
                batch.appendNull()
                continue
            }
            Self.append(bytes.extracting(range), type, to: &batch)
        }
        batch.endRow()
    }

    /// The column of a row's first value that is too long for a replica; nil if none is.
    static func firstLong(_ row: borrowing CopiedRow) -> Int? {
        guard row.bytes.count > mostBytes else { return nil }
        return row.values.firstIndex { ($0?.count ?? 0) > mostBytes }
    }

    /// Appends one value: as COPY writes it, or as JSON has it, without quotes.
    static func append(_ text: Span<UInt8>, _ type: FieldType, to batch: inout RowBatch) {
        switch type {
        case .integer:
            if let number = integer(text) { batch.append(number) } else { append(text, &batch) }
        case .decimal:
            if let number = real(text) { batch.append(number) } else { append(text, &batch) }
        case .boolean:
            if let value = truth(text) { batch.append(value ? Int64(1) : 0) } else { append(text, &batch) }
        case .datetime: appendInstant(text, &batch)
        default: append(text, &batch)
        }
    }

    /// An instant of the server in the replica's form. Too slow for many values.
    static func instant(_ text: String) -> String {
        Timestamp.normalized(text.hasSuffix("+00") ? text + ":00" : text) ?? text
    }

    /// One value of the server as JSON, in the replica's form; a value that does not fit a number
    /// or boolean becomes null. Too slow for many values.
    static func json(_ text: String?, _ type: FieldType) -> String {
        guard let text else { return "null" }
        switch type {
        case .boolean: return truth(text.utf8Span.span).map { $0 ? "1" : "0" } ?? "null"
        case .integer: return integer(text.utf8Span.span)?.description ?? "null"
        case .decimal: return real(text.utf8Span.span)?.description ?? "null"
        default: break
        }
        var quoted = ""
        JSONString.append(type == .datetime ? instant(text) : text, to: &quoted)
        return quoted
    }

    private static func append(_ text: Span<UInt8>, _ batch: inout RowBatch) {
        unsafe text.withUnsafeBufferPointer { unsafe batch.append(utf8: $0) }
    }

    /// Converts `2026-03-01 12:34:56.5+00`, or with `T` and `+00:00` in JSON, to
    /// `2026-03-01T12:34:56.5Z`. The server omits zeros at the end of the fraction, as the replica
    /// does.
    private static func appendInstant(_ text: Span<UInt8>, _ batch: inout RowBatch) {
        var count = text.count
        if count > 3, text[count - 3] == UInt8(ascii: ":"), text[count - 2] == 48, text[count - 1] == 48 { count -= 3 }
        guard (22...32).contains(count), text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "T"),
            text[count - 3] == UInt8(ascii: "+"),
            text[count - 2] == 48, text[count - 1] == 48
        else { return batch.append(instant(String(utf8: text))) }
        var form = InlineArray<32, UInt8>(repeating: 0)
        for index in 0..<count - 3 { form[index] = text[index] }
        form[10] = UInt8(ascii: "T")
        form[count - 3] = UInt8(ascii: "Z")
        append(form.span.extracting(0..<count - 2), &batch)
    }

    /// Reads `t` (from COPY), `true` (from JSON) or 1 as true; `f`, `false` or 0 as false.
    private static func truth(_ text: Span<UInt8>) -> Bool? {
        guard text.count == 1 || text.count == 4 || text.count == 5 else { return nil }
        return switch text[0] {
        case UInt8(ascii: "t"), UInt8(ascii: "1"): true
        case UInt8(ascii: "f"), UInt8(ascii: "0"): false
        default: nil
        }
    }

    private static func integer(_ text: Span<UInt8>) -> Int64? {
        digits(text) ?? real(text).flatMap { abs($0) < 9_007_199_254_740_992 ? Int64(exactly: $0) : nil }
    }

    private static func digits(_ text: Span<UInt8>) -> Int64? {
        var value: Int64 = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        guard text.count > (isNegative ? 1 : 0) else { return nil }
        for index in (isNegative ? 1 : 0)..<text.count {
            let digit = text[index]
            guard (48...57).contains(digit) else { return nil }
            let (product, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isToo) =
                isNegative
                ? product.subtractingReportingOverflow(Int64(digit - 48))
                : product.addingReportingOverflow(Int64(digit - 48))
            guard !isOver, !isToo else { return nil }
            value = sum
        }
        return value
    }

    private static func real(_ text: Span<UInt8>) -> Double? {
        // Up to fifteen digits and a small power of ten are exact in a double, so that one division
        // rounds correctly.
        var digits: Int64 = 0, count = 0, decimals = -1
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        for index in (isNegative ? 1 : 0)..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
                continue
            }
            guard (48...57).contains(byte), count < 15 else { return longReal(text) }
            digits = digits * 10 + Int64(byte - 48)
            count += 1
            if decimals >= 0 { decimals += 1 }
        }
        guard count > 0 else { return nil }
        let value = decimals > 0 ? Double(digits) / powers[decimals] : Double(digits)
        return isNegative ? -value : value
    }

    /// The nearest double; nil for infinity and for a text that is not a number.
    private static func longReal(_ text: Span<UInt8>) -> Double? {
        // Only digits: Swift would read `0x10` and `nan` too.
        for index in text.indices where !(43...57).contains(text[index]) && text[index] | 32 != UInt8(ascii: "e") {
            return nil
        }
        return Double(String(utf8: text)).flatMap { $0.isFinite ? $0 : nil }
    }

    private static let powers: [Double] = (0...15).map { exponent in
        (0..<exponent).reduce(1.0) { value, _ in value * 10 }
    }
}
