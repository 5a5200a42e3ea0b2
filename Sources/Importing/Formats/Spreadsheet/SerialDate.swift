import Model

/// Converts days counted from an epoch, as spreadsheets store dates (ECMA-376, 18.17.4).
package enum SerialDate {
    package enum Epoch: Sendable {
        /// Day 1 is 1 January 1900, and the nonexistent 29 February 1900 is day 60.
        case year1900
        /// Day 0 is 1 January 1904.
        case year1904
    }

    /// Writes a serial number as a date, a time of day or both. Returns nil if it is invalid:
    /// negative, after the year 9999, or a date before the epoch's first day.
    ///
    /// A part that the format does not show is written if it is not zero. Seconds are rounded to
    /// thousandths.
    static func append(_ serial: Double, as format: NumberFormat, _ epoch: Epoch, to bytes: inout [UInt8])
        -> ForeignBatch.Kind?
    {
        guard serial >= 0, serial < 2_958_466 else { return nil }
        var day = Int(serial)
        var milliseconds = Int(((serial - Double(day)) * 86_400_000).rounded())
        if milliseconds >= 86_400_000 {
            milliseconds = 0
            day += 1
        }
        let hasDate: Bool
        switch format {
        case .number, .percent: return nil
        case .time, .dateTime: hasDate = day > 0 || (epoch == .year1904 && format == .dateTime)
        case .date: hasDate = true
        }
        guard hasDate else {
            time(milliseconds, to: &bytes)
            return .time
        }
        guard date(day, epoch, to: &bytes) else { return nil }
        guard format != .date || milliseconds > 0 else { return .date }
        bytes.append(0x54)
        time(milliseconds, to: &bytes)
        return .dateTime
    }

    /// Appends a number as its cell's format shows it, or as the plain number if it is not a valid
    /// date.
    static func append(_ value: Double, as format: NumberFormat, _ epoch: Epoch, to batch: inout ForeignBatch) {
        guard value.isFinite else { return batch.append(.error, "\(value)") }
        var bytes: [UInt8] = []
        if format.isDate, let kind = append(value, as: format, epoch, to: &bytes) {
            return batch.append(kind, bytes.span)
        }
        batch.append(.number, OldValueText.shortest(value), mark: format == .percent ? .percent : .none)
    }

    private static func date(_ day: Int, _ epoch: Epoch, to bytes: inout [UInt8]) -> Bool {
        let found: GregorianDay
        switch epoch {
        case .year1900:
            guard day > 0 else { return false }
            if day == 60 {
                bytes.append(contentsOf: Array("1900-02-29".utf8))
                return true
            }
            guard let real = GregorianDay(serial: day) else { return false }
            found = real
        // 1904-01-01 is 24,107 days before 1970.
        case .year1904: found = GregorianDay(sinceEpoch: day - 24_107)
        }
        guard found.year <= 9999 else { return false }
        digits(found.year, 4, to: &bytes)
        bytes.append(0x2D)
        digits(found.month, 2, to: &bytes)
        bytes.append(0x2D)
        digits(found.day, 2, to: &bytes)
        return true
    }

    static func time(_ milliseconds: Int, to bytes: inout [UInt8]) {
        digits(milliseconds / 3_600_000, 2, to: &bytes)
        bytes.append(0x3A)
        digits(milliseconds / 60_000 % 60, 2, to: &bytes)
        bytes.append(0x3A)
        digits(milliseconds / 1_000 % 60, 2, to: &bytes)
        let rest = milliseconds % 1_000
        if rest > 0 {
            bytes.append(0x2E)
            digits(rest, 3, to: &bytes)
        }
    }

    private static func digits(_ number: Int, _ count: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
