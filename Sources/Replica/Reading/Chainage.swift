/// Chainage as people write it: kilometres, plus, metres. Validation reads it by the same rule from
/// bytes.
enum Chainage {
    /// `12+300` is 12300, `0+045.50` is 45.5: one to six digits, three digits, up to nine decimals.
    /// Nil for anything else.
    static func metres(_ text: String?) -> Double? {
        guard let text else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "+"), omittingEmptySubsequences: false)
        guard parts.count == 2, let kilometres = whole(parts[0], 1...6) else { return nil }
        let rest = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard rest.count <= 2, let metres = whole(rest[0], 3...3) else { return nil }
        guard rest.count == 2 else { return Double(kilometres * 1000 + metres) }
        guard let fraction = whole(rest[1], 1...9) else { return nil }
        let scale = (0..<rest[1].count).reduce(1) { product, _ in product * 10 }
        return Double((kilometres * 1000 + metres) * scale + fraction) / Double(scale)
    }

    private static func whole(_ digits: some Collection<UInt8>, _ length: ClosedRange<Int>) -> Int? {
        guard length.contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

/// The year of a date or an instant as it is stored.
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
