package import Foundation

/// Days as an office counts them.
package enum OfficeDay {
    /// The day on which an instant falls in a time zone, `yyyy-MM-dd`.
    package static func text(of instant: Date, in timeZone: TimeZone) -> String {
        String(Timestamp.format(OfficeClock.shown(instant, in: timeZone)).prefix(10))
    }

    /// Day and time of an instant as people in the office read them, `yyyy-MM-dd HH:mm`.
    package static func time(of instant: Date, in timeZone: TimeZone) -> String {
        String(Timestamp.format(OfficeClock.shown(instant, in: timeZone)).prefix(16)).replacing("T", with: " ")
    }

    /// The same for the first full minute at or after an instant.
    package static func minute(after instant: Date, in timeZone: TimeZone) -> String {
        time(of: Date(timeIntervalSince1970: (instant.timeIntervalSince1970 / 60).rounded(.up) * 60), in: timeZone)
    }
}
