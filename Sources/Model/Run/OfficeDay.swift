package import Foundation

/// Days as an office counts them.
package enum OfficeDay {
    /// The day on which an instant falls in a time zone, `yyyy-MM-dd`.
    package static func text(of instant: Date, in timeZone: TimeZone) -> String {
        let shifted = instant.addingTimeInterval(Double(timeZone.secondsFromGMT(for: instant)))
        return String(Timestamp.format(shifted).prefix(10))
    }
}
