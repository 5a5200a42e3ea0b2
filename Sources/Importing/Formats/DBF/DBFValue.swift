/// Turns the bytes of a field into a cell. What is no value of the field's type is kept as an error cell, never dropped.
enum DBFValue {
    /// Text of digits and blanks: N and F.
    static func number(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        let plain = OldValueText.trimmed(bytes)
        if plain.isEmpty { return batch.appendEmpty() }
        guard let number = OldValueText.number(plain) else { return batch.append(.error, OldValueText.printable(plain)) }
        batch.append(.number, number)
    }

    /// `yyyyMMdd`.
    static func date(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        let plain = OldValueText.trimmed(bytes)
        if plain.isEmpty || plain.allSatisfy({ $0 == UInt8(ascii: "0") }) { return batch.appendEmpty() }
        let digits = plain.map { Int($0) - 48 }
        guard digits.count == 8, digits.allSatisfy({ 0...9 ~= $0 }) else { return batch.append(.error, OldValueText.printable(plain)) }
        let number = digits.reduce(0) { $0 * 10 + $1 }
        let (year, month, day) = (number / 10000, number / 100 % 100, number % 100)
        guard CalendarDay(year: year, month: month, day: day) != nil else { return batch.append(.error, OldValueText.printable(plain)) }
        batch.append(.date, CalendarDay.text(year, month, day))
    }

    static func logical(_ byte: UInt8, into batch: inout ForeignBatch) {
        switch byte {
        case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "Y"), UInt8(ascii: "y"), UInt8(ascii: "S"), UInt8(ascii: "s"),
            UInt8(ascii: "1"):
            batch.append(.boolean, "true")
        case UInt8(ascii: "F"), UInt8(ascii: "f"), UInt8(ascii: "N"), UInt8(ascii: "n"), UInt8(ascii: "0"):
            batch.append(.boolean, "false")
        case UInt8(ascii: "?"), UInt8(ascii: " "), 0: batch.appendEmpty()
        default: batch.append(.error, OldValueText.printable([byte]))
        }
    }

    /// Julian day and milliseconds, as Visual FoxPro keeps a date with a time.
    static func dateTime(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        if bytes.allSatisfy({ $0 == 0 || $0 == 0x20 }) { return batch.appendEmpty() }
        guard let julian = bytes.signed32(0), let stated = bytes.signed32(4), 0...86_400_000 ~= stated,
            let day = CalendarDay(julian: julian)
        else { return batch.append(.error, OldValueText.hexadecimal(bytes)) }
        // FoxPro's milliseconds are a hair below the second: 11:59:59.999 for noon.
        let seconds = min(86399, (stated + 1) / 1000)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        batch.append(.dateTime, "\(day.text)T\(parts.joined(separator: ":"))")
    }

    static func double(_ pattern: UInt64, into batch: inout ForeignBatch) {
        let value = Double(bitPattern: pattern)
        guard value.isFinite else { return batch.append(.error, "\(value)") }
        batch.append(.number, OldValueText.shortest(value))
    }

    /// Ten-thousandths.
    static func currency(_ units: Int64, into batch: inout ForeignBatch) {
        let whole = units.magnitude / 10000
        let part = String(units.magnitude % 10000)
        batch.append(.number, "\(units < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 4 - part.count))\(part)")
    }
}
