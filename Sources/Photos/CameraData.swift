package import Foundation
package import Model

/// The data from a camera that a record needs: when and where a picture was taken.
package struct CameraData: Sendable, Hashable {
    /// The time at which the picture was taken, by the camera's clock.
    package var taken: CameraTime?
    /// Degrees on WGS 84, north and east positive. A position of exactly 0, 0 counts as missing,
    /// because devices without a position write it.
    package var latitude: Double?
    package var longitude: Double?
    /// The rotation that sets the picture upright, 1 to 8 (Exif 2.32, 4.6.4, tag 274); 1 if the
    /// file gives none.
    package var orientation = 1

    init() {}

    /// Reads an APP1 segment (Exif 2.32, JEITA CP-3451, 4.5–4.6); nil if the segment contains
    /// something else, such as XMP.
    ///
    /// Reads three directories, each at most once, and follows no links to further ones, so that a
    /// loop is impossible.
    init?(segment: ArraySlice<UInt8>) {
        guard segment.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]),
            let header = TIFFDirectory.Header(segment.dropFirst(6))
        else { return nil }
        guard let root = TIFFDirectory(header, at: header.first) else { return }
        if let stated = root.number(0x0112), (1...8).contains(stated) { orientation = stated }
        if let offset = root.number(0x8769), let exif = TIFFDirectory(header, at: offset) {
            taken =
                CameraTime(exif.text(0x9003), offset: exif.text(0x9011))
                ?? CameraTime(exif.text(0x9004), offset: exif.text(0x9012))
        }
        if let offset = root.number(0x8825), let place = TIFFDirectory(header, at: offset) {
            let latitude = Self.degrees(
                place, 0x0002, sign: place.text(0x0001), negative: "S", positive: "N", limit: 90)
            let longitude = Self.degrees(
                place, 0x0004, sign: place.text(0x0003), negative: "W", positive: "E", limit: 180)
            if let latitude, let longitude, latitude != 0 || longitude != 0 {
                (self.latitude, self.longitude) = (latitude, longitude)
            }
        }
    }

    private static func degrees(
        _ directory: TIFFDirectory, _ tag: Int, sign: String?, negative: String, positive: String, limit: Double
    ) -> Double? {
        guard sign == negative || sign == positive, let parts = directory.rationals(tag), parts.count == 3 else {
            return nil
        }
        let value = parts[0] + parts[1] / 60 + parts[2] / 3600
        guard value <= limit else { return nil }
        return sign == negative ? -value : value
    }
}

/// The time that a camera's clock showed, and its offset from UTC if the camera recorded that.
package struct CameraTime: Sendable, Hashable {
    package let day: GregorianDay
    package let hour: Int, minute: Int, second: Int
    /// Seconds ahead of UTC; nil if the camera recorded only local time.
    package let offset: Int?

    /// Reads `2025:03:03 09:17:47`, and the offset `-05:00` if there is one. Returns nil for an
    /// invalid time; cameras without a clock write zeros or blanks.
    init?(_ text: String?, offset: String?) {
        guard let text, let fields = Self.numbers(text, [4, 2, 2, 2, 2, 2], [":", ":", " ", ":", ":"]) else {
            return nil
        }
        guard (1800...2999).contains(fields[0]),
            let day = GregorianDay(year: fields[0], month: fields[1], day: fields[2]), fields[3] < 24, fields[4] < 60,
            fields[5] < 61
        else { return nil }
        self.day = day
        (hour, minute, second) = (fields[3], fields[4], fields[5])
        self.offset = offset.flatMap(Self.seconds)
    }

    /// The instant, by the camera's offset from UTC, or else as local time in a time zone.
    package func instant(in zone: TimeZone) -> Date {
        let shown = TimeInterval(day.sinceEpoch * 86_400 + hour * 3600 + minute * 60 + second)
        return offset.map { Date(timeIntervalSince1970: shown - TimeInterval($0)) }
            ?? OfficeClock.instant(showing: shown, in: zone)
    }

    /// Reads an offset such as `-05:00` as seconds.
    private static func seconds(_ text: String) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-",
            let parts = numbers(String(text.dropFirst()), [2, 2], [":"])
        else { return nil }
        guard parts[0] <= 14, parts[1] < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
    }

    /// Reads whole numbers of fixed lengths with separators between them.
    private static func numbers(_ text: String, _ lengths: [Int], _ separators: [String]) -> [Int]? {
        var rest = text.utf8[...]
        var numbers: [Int] = []
        for (index, length) in lengths.enumerated() {
            if index > 0 {
                guard rest.starts(with: separators[index - 1].utf8) else { return nil }
                rest = rest.dropFirst()
            }
            let digits = rest.prefix(length)
            guard digits.count == length, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
            rest = rest.dropFirst(length)
        }
        return rest.isEmpty ? numbers : nil
    }
}
