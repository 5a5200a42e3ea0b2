import Foundation
import GRDBSQLite
import Model

/// Functions for the office's calendar, and for what an anonymous export shows of a value. All give
/// NULL for what is no value of the kind.
extension SQLFunctions {
    /// `office_day(instant)`, `office_time(instant)` and `period_of(day or instant, stretch)`.
    static func registerForOffice(on handle: OpaquePointer, timeZone: TimeZone) {
        var clock = OfficeClock(timeZone)
        /// Day and second of the day, as the office's clock shows them; a day without a time is
        /// itself.
        func shown(_ text: String?) -> (day: GregorianDay, seconds: Int?)? {
            guard let text else { return nil }
            let bytes = Array(text.utf8)
            if let day = StoredTime.day(bytes.span) { return (day, nil) }
            guard let (day, microseconds) = StoredTime.instant(bytes.span) else { return nil }
            let instant = day.sinceEpoch * 86_400 + microseconds / 1_000_000
            let (office, seconds) = GregorianDay.split(seconds: instant + clock.offset(at: instant))
            return (office, seconds)
        }
        unsafe add("office_day", 1, handle) { shown($0[0]).map { .text($0.day.text) } ?? .null }
        unsafe add("office_time", 1, handle) { arguments in
            guard let seconds = shown(arguments[0])?.seconds else { return .null }
            return .text((seconds / 3600).padded(2) + ":" + (seconds / 60 % 60).padded(2))
        }
        unsafe add("period_of", 2, handle) { arguments in
            guard let stretch = arguments[1].flatMap(Anonymity.Period.init), let day = shown(arguments[0])?.day else { return .null }
            return .text(Period.name(stretch, of: day))
        }
    }

    /// `grid_latitude(latitude, metres)`, `grid_longitude(longitude, latitude, metres)` and
    /// `band(number, width)`.
    static func registerCoarse(on handle: OpaquePointer) {
        unsafe addDirect("grid_latitude", 2, handle) { arguments in
            guard let latitude = arguments.number(0), let metres = arguments.number(1), metres > 0 else { return .null }
            return .real(CoarsePlace.latitude(latitude, metres: metres))
        }
        unsafe addDirect("grid_longitude", 3, handle) { arguments in
            guard let longitude = arguments.number(0), let latitude = arguments.number(1), let metres = arguments.number(2), metres > 0 else { return .null }
            return .real(CoarsePlace.longitude(longitude, latitude: latitude, metres: metres))
        }
        unsafe addDirect("band", 2, handle) { arguments in
            guard let number = arguments.number(0), let width = arguments.number(1), width >= 1, number.magnitude < 1e15 else { return .null }
            let first = Int64((number / width).rounded(.down) * width)
            return .text("\(first)–\(first + Int64(width) - 1)")
        }
    }
}
