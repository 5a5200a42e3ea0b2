import Foundation
import Model
import Photos

/// When a camera says that it took a picture.
enum CameraClock {
    /// By the camera's own offset from UTC, or as the time of day of a time zone.
    static func instant(of time: CameraTime, in zone: TimeZone) -> Date {
        let days = Timestamp.days(year: time.year, month: time.month, day: time.day)
        let local = Double(days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second)
        if let offset = time.offset { return Date(timeIntervalSince1970: local - Double(offset)) }
        // The zone's offset at the instant, which is known only once the offset is: twice is enough but in the hour that a change skips.
        var instant = Date(timeIntervalSince1970: local - Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: local))))
        instant = Date(timeIntervalSince1970: local - Double(zone.secondsFromGMT(for: instant)))
        return instant
    }
}
