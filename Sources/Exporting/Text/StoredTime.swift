/// Reads dates, times and instants just as the replica stores them; anything else is refused.
enum StoredTime {
    /// `yyyy-MM-dd`, a day of the calendar in the years 1 to 9999.
    static func isDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.count == 10 && day(bytes) != nil
    }

    /// `HH:mm`.
    static func isShortTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.count == 5 && minutes(bytes, at: 0) != nil
    }

    /// `HH:mm:ss`.
    static func isTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.count == 8 && seconds(bytes, at: 0) != nil
    }

    /// Seconds since 1970 of `yyyy-MM-ddTHH:mm:ss[.f…]Z`, without the fraction; nil when it is none.
    static func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count >= 20, unsafe bytes[10] == UInt8(ascii: "T"), unsafe bytes[bytes.count - 1] == UInt8(ascii: "Z"),
            let days = unsafe day(bytes), let seconds = unsafe seconds(bytes, at: 11)
        else { return nil }
        if bytes.count > 20 {
            guard unsafe bytes[19] == UInt8(ascii: "."), bytes.count > 21,
                unsafe bytes[20..<(bytes.count - 1)].allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
        }
        return days * 86_400 + seconds
    }

    /// Days since 1970 and seconds of the day.
    static func split(_ instant: Int) -> (days: Int, seconds: Int) {
        let (quotient, remainder) = instant.quotientAndRemainder(dividingBy: 86_400)
        return remainder < 0 ? (quotient - 1, remainder + 86_400) : (quotient, remainder)
    }

    // Days of the proleptic Gregorian calendar, counted in eras of 400 years that begin in March
    // (Howard Hinnant, "chrono-compatible low-level date algorithms").

    static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func day(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard unsafe bytes[4] == UInt8(ascii: "-"), unsafe bytes[7] == UInt8(ascii: "-"),
            let century = unsafe pair(bytes, at: 0), let rest = unsafe pair(bytes, at: 2), let month = unsafe pair(bytes, at: 5),
            let day = unsafe pair(bytes, at: 8), century * 100 + rest > 0, month >= 1, month <= 12, day >= 1
        else { return nil }
        let year = century * 100 + rest
        if day > 28 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = month == 2 ? (isLeap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
            guard day <= length else { return nil }
        }
        return days(year: year, month: month, day: day)
    }

    private static func minutes(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard unsafe bytes[index + 2] == UInt8(ascii: ":"), let hour = unsafe pair(bytes, at: index),
            let minute = unsafe pair(bytes, at: index + 3), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func seconds(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard unsafe bytes[index + 5] == UInt8(ascii: ":"), let minutes = unsafe minutes(bytes, at: index),
            let second = unsafe pair(bytes, at: index + 6), second < 60
        else { return nil }
        return minutes * 60 + second
    }

    private static func pair(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let tens = unsafe bytes[index] &- 0x30
        let ones = unsafe bytes[index + 1] &- 0x30
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}
