import Model

/// Parses dates, times and durations as XML writes them (ISO 8601).
enum ISODate {
    /// Rewrites a date, with or without a time, in the form of cells: no zone, and thousandths of a
    /// second as in `SerialDate`. So a workbook yields the same texts in every file format. Returns
    /// nil, without a change, for anything else.
    static func kind(_ bytes: inout [UInt8]) -> ForeignBatch.Kind? {
        guard let parts = parts(bytes) else { return nil }
        guard bytes.count > 10 else { return .date }
        let milliseconds = Int(((Double(parts.seconds) + parts.fraction) * 1000).rounded())
        let day = GregorianDay(sinceEpoch: parts.day.sinceEpoch + milliseconds / 86_400_000)
        guard day.year <= 9999 else { return nil }
        bytes = Array("\(day.text)T".utf8)
        SerialDate.time(milliseconds % 86_400_000, to: &bytes)
        return .dateTime
    }

    /// Rewrites a time of day in the form of cells. Returns false, without a change, for anything
    /// else.
    static func time(_ bytes: inout [UInt8]) -> Bool {
        guard let seconds = StoredTime.seconds(bytes.span, at: 0), let fraction = fraction(bytes.dropFirst(8)) else {
            return false
        }
        // A time that rounds up to midnight must not become the next day's.
        let milliseconds = min(Int(((Double(seconds) + fraction) * 1000).rounded()), 86_399_999)
        bytes.removeAll(keepingCapacity: true)
        SerialDate.time(milliseconds, to: &bytes)
        return true
    }

    /// Days since 1899-12-31 as spreadsheets count them, including the nonexistent day 1900-02-29;
    /// nil for anything that is not a date.
    static func serial(_ bytes: [UInt8]) -> Double? {
        guard let parts = parts(bytes) else { return nil }
        return Double(parts.day.serial) + (Double(parts.seconds) + parts.fraction) / 86_400
    }

    /// The seconds in a duration such as `P1DT02H03M04.5S`.
    static func duration(_ bytes: [UInt8]) -> Double? {
        var rest = bytes[...]
        let isNegative = rest.first == 0x2D
        if isNegative { rest = rest.dropFirst() }
        guard rest.popFirst() == 0x50 else { return nil }
        var seconds = 0.0
        var isClock = false
        var hasPart = false
        while let byte = rest.first {
            if byte == 0x54, !isClock {
                isClock = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { 0x30...0x39 ~= $0 || $0 == 0x2E }
            guard !digits.isEmpty, digits.count < 32, let number = Double(String(decoding: digits, as: UTF8.self))
            else { return nil }
            rest = rest.dropFirst(digits.count)
            switch (rest.popFirst(), isClock) {
            case (0x44, false): seconds += number * 86_400
            case (0x48, true): seconds += number * 3_600
            case (0x4D, true): seconds += number * 60
            case (0x53, true): seconds += number
            default: return nil
            }
            hasPart = true
        }
        return hasPart ? (isNegative ? -seconds : seconds) : nil
    }

    private struct Parts {
        var day: GregorianDay
        var seconds = 0
        /// The fraction of a second.
        var fraction = 0.0
    }

    /// The parts of a date with or without a time; nil for anything else.
    private static func parts(_ bytes: [UInt8]) -> Parts? {
        guard bytes.count == 10 || bytes.count >= 19 && bytes[10] == 0x54, let day = StoredTime.day(bytes.span, at: 0)
        else { return nil }
        var parts = Parts(day: day)
        guard bytes.count > 10 else { return parts }
        guard let seconds = StoredTime.seconds(bytes.span, at: 11) else { return nil }
        parts.seconds = seconds
        let rest = bytes[19...]
        guard let fraction = fraction(rest.last == 0x5A ? rest.dropLast() : rest) else { return nil }
        parts.fraction = fraction
        return parts
    }

    /// The part after the seconds: nothing, or a point and digits.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let point = bytes.first else { return 0 }
        let digits = bytes.dropFirst()
        guard point == 0x2E, 1..<32 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Double("0." + String(decoding: digits, as: UTF8.self))
    }
}
