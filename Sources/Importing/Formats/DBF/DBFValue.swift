/// Turns the bytes of a field into a cell. What is no value of the field's type is kept as an error cell, never dropped.
enum DBFValue {
    /// Text of digits and blanks: N and F.
    static func number(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        let plain = trimmed(bytes)
        if plain.isEmpty { return batch.appendEmpty() }
        guard isNumber(plain) else { return batch.append(.error, printable(plain)) }
        batch.append(.number, String(decoding: plain.first == UInt8(ascii: "+") ? plain.dropFirst() : plain, as: UTF8.self))
    }

    /// `yyyyMMdd`.
    static func date(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        let plain = trimmed(bytes)
        if plain.isEmpty || plain.allSatisfy({ $0 == UInt8(ascii: "0") }) { return batch.appendEmpty() }
        let digits = plain.map { Int($0) - 48 }
        guard digits.count == 8, digits.allSatisfy({ 0...9 ~= $0 }) else { return batch.append(.error, printable(plain)) }
        let number = digits.reduce(0) { $0 * 10 + $1 }
        let (year, month, day) = (number / 10000, number / 100 % 100, number % 100)
        guard CalendarDay(year: year, month: month, day: day) != nil else { return batch.append(.error, printable(plain)) }
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
        default: batch.append(.error, printable([byte]))
        }
    }

    /// Julian day and milliseconds, as Visual FoxPro keeps a date with a time.
    static func dateTime(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        if bytes.allSatisfy({ $0 == 0 || $0 == 0x20 }) { return batch.appendEmpty() }
        guard let julian = bytes.signed32(0), let stated = bytes.signed32(4), 0...86_400_000 ~= stated,
            let day = CalendarDay(julian: julian)
        else { return batch.append(.error, hexadecimal(bytes)) }
        // FoxPro's milliseconds are a hair below the second: 11:59:59.999 for noon.
        let seconds = min(86399, (stated + 1) / 1000)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        batch.append(.dateTime, "\(day.text)T\(parts.joined(separator: ":"))")
    }

    static func double(_ pattern: UInt64, into batch: inout ForeignBatch) {
        let value = Double(bitPattern: pattern)
        guard value.isFinite else { return batch.append(.error, "\(value)") }
        batch.append(.number, shortest(value))
    }

    /// Ten-thousandths.
    static func currency(_ units: Int64, into batch: inout ForeignBatch) {
        let whole = units.magnitude / 10000
        let part = String(units.magnitude % 10000)
        batch.append(.number, "\(units < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 4 - part.count))\(part)")
    }

    // MARK: parts

    static func shortest(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0 || byte == 0x09 }
        let front = bytes.drop(while: isBlank)
        return front.prefix((front.lastIndex { !isBlank($0) } ?? front.startIndex - 1) - front.startIndex + 1)
    }

    static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
        var digits = 0
        var points = 0
        while let byte = rest.first, 0x30...0x39 ~= byte || byte == 0x2E {
            if byte == 0x2E { points += 1 } else { digits += 1 }
            rest = rest.dropFirst()
        }
        guard digits > 0, points <= 1 else { return false }
        guard let mark = rest.first else { return true }
        guard mark == 0x45 || mark == 0x65 else { return false }
        rest = rest.dropFirst()
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
        return 1...4 ~= rest.count && rest.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// ASCII as it is, other bytes as hexadecimal.
    static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.allSatisfy { 0x20..<0x7F ~= $0 } ? String(decoding: bytes, as: UTF8.self) : hexadecimal(bytes)
    }

    static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.reduce(into: "0x") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}
