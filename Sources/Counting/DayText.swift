/// What days and times texts say.
enum DayText {
    /// `2019-03-12`, perhaps with a time: years have four digits, and months so many days. What else calls itself a date is a text.
    static func isDay(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ length: Int) -> Int? {
            bytes[start..<(start + length)].reduce(0) { sum, byte in sum.flatMap { 0x30...0x39 ~= byte ? $0 * 10 + Int(byte) - 0x30 : nil } }
        }
        guard bytes.count == 10 || (bytes.count >= 19 && bytes[10] == 0x54 && bytes[13] == 0x3A && bytes[16] == 0x3A), bytes[4] == 0x2D, bytes[7] == 0x2D,
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), year > 0, 1...12 ~= month
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        guard 1...(month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31) ~= day else { return false }
        guard bytes.count > 10 else { return true }
        guard let hours = number(11, 2), let minutes = number(14, 2), let seconds = number(17, 2), hours < 24, minutes < 60, seconds < 60 else { return false }
        var rest = bytes[19...]
        if rest.last == 0x5A { rest = rest.dropLast() }
        return rest.isEmpty || (rest.first == 0x2E && 2...16 ~= rest.count && rest.dropFirst().allSatisfy { 0x30...0x39 ~= $0 })
    }

    /// `PT07H30M05.5S`, with days before it.
    static func isDuration(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        if rest.first == 0x2D { rest = rest.dropFirst() }
        guard rest.popFirst() == 0x50 else { return false }
        var (isClock, hasPart) = (false, false)
        while let byte = rest.first {
            if byte == 0x54, !isClock {
                isClock = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { 0x30...0x39 ~= $0 || $0 == 0x2E }
            rest = rest.dropFirst(digits.count)
            guard 1..<32 ~= digits.count, NumberText.decimal(Array(digits).span) != nil, let unit = rest.popFirst(),
                isClock ? [0x48, 0x4D, 0x53].contains(unit) : unit == 0x44
            else { return false }
            hasPart = true
        }
        return hasPart
    }
}
