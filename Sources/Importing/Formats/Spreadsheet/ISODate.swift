/// Parses dates, times and durations as XML writes them (ISO 8601).
enum ISODate {
    /// Brings a date, or a date with a time, to the form of cells: no zone, no fraction of zeros.
    /// Returns nil, without a change, for anything else.
    static func kind(_ bytes: inout [UInt8]) -> ForeignBatch.Kind? {
        guard let parts = parts(bytes) else { return nil }
        guard bytes.count > 10 else { return .date }
        bytes.removeLast(bytes.count - 19)
        if let fraction = parts.fraction { bytes += [0x2E] + fraction }
        return .dateTime
    }

    /// Days since 1899-12-31 as spreadsheets count them, including the nonexistent day 1900-02-29;
    /// nil for anything that is not a date.
    static func serial(_ bytes: [UInt8]) -> Double? {
        guard let parts = parts(bytes) else { return nil }
        // Years are counted from March, so that leap days come last.
        let year = parts.month > 2 ? parts.year : parts.year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (parts.month + (parts.month > 2 ? -3 : 9)) + 2) / 5 + parts.day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        // 1970-01-01 is day 25,569.
        let serial = days + (days < -25_509 ? 25_568 : 25_569)
        var fraction = 0.0
        if let digits = parts.fraction, let number = Double("0." + String(decoding: digits, as: UTF8.self)) { fraction = number }
        return Double(serial) + (Double(parts.seconds) + fraction) / 86_400
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
            guard !digits.isEmpty, digits.count < 32, let number = Double(String(decoding: digits, as: UTF8.self)) else { return nil }
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
        var year = 0
        var month = 0
        var day = 0
        var seconds = 0
        /// Digits without trailing zeros.
        var fraction: [UInt8]?
    }

    private static func parts(_ bytes: [UInt8]) -> Parts? {
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for index in range {
                guard bytes.indices.contains(index), 0x30...0x39 ~= bytes[index] else { return nil }
                number = number * 10 + Int(bytes[index] - 0x30)
            }
            return number
        }
        guard bytes.count == 10 || (bytes.count >= 19 && bytes[10] == 0x54 && bytes[13] == 0x3A && bytes[16] == 0x3A), bytes[4] == 0x2D, bytes[7] == 0x2D,
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), GregorianDay(year: year, month: month, day: day) != nil
        else { return nil }
        var parts = Parts(year: year, month: month, day: day)
        guard bytes.count > 10 else { return parts }
        guard let hours = number(11..<13), let minutes = number(14..<16), let seconds = number(17..<19), hours < 24, minutes < 60, seconds < 60 else {
            return nil
        }
        parts.seconds = hours * 3_600 + minutes * 60 + seconds
        var rest = bytes[19...]
        if rest.last == 0x5A { rest = rest.dropLast() }
        guard !rest.isEmpty else { return parts }
        guard rest.popFirst() == 0x2E, !rest.isEmpty, rest.count < 16, rest.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        while rest.last == 0x30 { rest = rest.dropLast() }
        parts.fraction = rest.isEmpty ? nil : Array(rest)
        return parts
    }
}
