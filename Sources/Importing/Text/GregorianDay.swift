/// A day of the Gregorian calendar, from year 1 to 9999.
struct GregorianDay: Equatable {
    let year: Int
    let month: Int
    let day: Int

    init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Self.length(month, year) ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Converts a Julian day number: 2 451 545 is 2000-01-01. (Fliegel and Van Flandern, 1968.)
    init?(julian: Int) {
        guard 1_721_426...5_373_484 ~= julian else { return nil }
        var l = julian + 68569
        let n = 4 * l / 146097
        l -= (146097 * n + 3) / 4
        let i = 4000 * (l + 1) / 1_461_001
        l += 31 - 1461 * i / 4
        let j = 80 * l / 2447
        self.init(year: 100 * (n - 49) + i + j / 11, month: j + 2 - 12 * (j / 11), day: l - 2447 * j / 80)
    }

    /// `yyyy-MM-dd`.
    init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    var text: String { Self.text(year, month, day) }

    static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (month < 10 ? "-0" : "-") + String(month)
            + (day < 10 ? "-0" : "-") + String(day)
    }

    static func length(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
