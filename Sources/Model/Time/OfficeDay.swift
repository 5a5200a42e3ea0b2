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
}
