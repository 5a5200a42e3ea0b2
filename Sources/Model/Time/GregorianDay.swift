/// A day of the Gregorian calendar, also for the time before its introduction. Only this type has
/// the program's rules of months, leap years and numbers of days.
package struct GregorianDay: Sendable, Hashable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Nil if there is no such day in the years 1 to 9999.
    @inlinable @inline(__always) package init?(year: Int, month: Int, day: Int) {
        guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1,
            day <= 28 || day <= Self.length(ofMonth: month, in: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    @inlinable @inline(__always) package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Days since 1970-01-01 and back: eras of 400 years that begin on 1 March, so that leap days
    // are last (Howard Hinnant, "chrono-compatible low-level date algorithms").

    @inlinable @inline(__always) package var sinceEpoch: Int { Self.sinceEpoch(year, month, day) }

    /// Works for any year, but month and day must exist.
    @inlinable @inline(__always) package static func sinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day may be in any year.
    @inlinable @inline(__always) package init(sinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The day of an instant given in seconds since 1970, and the seconds since its midnight.
    @inlinable @inline(__always) package static func split(seconds: Int) -> (day: GregorianDay, seconds: Int) {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        return (GregorianDay(sinceEpoch: days), seconds - days * 86_400)
    }

    /// Converts a Julian day number: 2 451 545 is 2000-01-01. Nil before the year 1 and after 9999.
    package init?(julian: Int) {
        guard (1_721_426...5_373_484).contains(julian) else { return nil }
        self.init(sinceEpoch: julian - 2_440_588)
    }

    /// Converts a day's number in a spreadsheet (`serial`). Nil for day 60, which does not exist.
    package init?(serial: Int) {
        guard serial != 60, (-1_000_000...10_000_000).contains(serial) else { return nil }
        self.init(sinceEpoch: serial - (serial < 60 ? 25_568 : 25_569))
    }

    /// The day's number in a spreadsheet (ECMA-376 part 1, 18.17.4): 1 is 1900-01-01, and 61 is
    /// 1900-03-01, because spreadsheets have a 29 February 1900.
    package var serial: Int { Self.serial(sinceEpoch: sinceEpoch) }

    @inlinable @inline(__always) package static func serial(sinceEpoch days: Int) -> Int {
        days + (days < -25_508 ? 25_568 : 25_569)
    }

    /// The first day of the next month.
    package var nextMonth: GregorianDay {
        GregorianDay(sinceEpoch: sinceEpoch - day + Self.length(ofMonth: month, in: year) + 1)
    }

    /// `yyyy-MM-dd`.
    package var text: String { year.padded(4) + "-" + month.padded(2) + "-" + day.padded(2) }
}

extension Int {
    /// The number with at least this many digits, padded with zeros.
    package func padded(_ width: Int) -> String {
        let digits = String(self)
        return digits.count >= width ? digits : String(repeating: "0", count: width - digits.count) + digits
    }
}
