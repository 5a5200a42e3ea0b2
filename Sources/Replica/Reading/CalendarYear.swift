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
