internal import CPROJ
internal import Foundation

/// Converts UTM coordinates to geographic positions and back, with PROJ. This class is the only
/// wrapper of PROJ, and returns none of its pointers.
///
/// An instance has a PROJ context of its own, with the network disabled. Only one thread may use it
/// at a time.
@safe package final class UTMGrid {
    private let context: OpaquePointer?
    private var projections: [UTMZone: OpaquePointer]

    package init() {
        unsafe context = proj_context_create()
        unsafe projections = [:]
        unsafe proj_context_set_enable_network(context, 0)
        unsafe proj_log_level(context, PJ_LOG_NONE)
    }

    deinit {
        unsafe projections.values.forEach { unsafe _ = proj_destroy($0) }
        if let context = unsafe context { unsafe proj_context_destroy(context) }
    }

    /// The position of an easting and a northing (metres) in a zone. Returns nil for values outside
    /// the zone: easting 0 to 1,000,000, northing 0 to 10,000,000.
    package func position(easting: Double, northing: Double, zone: UTMZone) -> GeographicPosition? {
        guard (0...1_000_000).contains(easting), (0...10_000_000).contains(northing) else { return nil }
        guard let (longitude, latitude) = transform(easting, northing, zone, isInverse: true) else { return nil }
        return GeographicPosition(latitude: latitude * 180 / .pi, longitude: longitude * 180 / .pi)
    }

    /// The easting and the northing of a position in metres, in a zone that need not be the one in
    /// which the position lies. Returns nil beyond 84° of latitude, where the grid ends, and more
    /// than 30° from the zone's central meridian.
    package func coordinates(of place: GeographicPosition, zone: UTMZone) -> (easting: Double, northing: Double)? {
        let middle = Double(6 * zone.number - 183)
        let across = abs(place.longitude - middle)
        guard abs(place.latitude) <= 84, min(across, 360 - across) <= 30 else { return nil }
        return transform(place.longitude * .pi / 180, place.latitude * .pi / 180, zone, isInverse: false).map {
            ($0.0, $0.1)
        }
    }

    private func transform(_ first: Double, _ second: Double, _ zone: UTMZone, isInverse: Bool) -> (Double, Double)? {
        guard let projection = unsafe projection(of: zone) else { return nil }
        var result = [0.0, 0.0]
        let isDone = unsafe fichero_proj_transform(projection, isInverse ? PJ_INV : PJ_FWD, first, second, &result)
        return isDone != 0 ? (result[0], result[1]) : nil
    }

    private func projection(of zone: UTMZone) -> OpaquePointer? {
        if let known = unsafe projections[zone] { return unsafe known }
        // The definition lists the parameters instead of an EPSG number, so that PROJ does not need
        // its database.
        let definition = "+proj=utm +zone=\(zone.number)\(zone.isSouth ? " +south" : "") +ellps=WGS84"
        guard let made = unsafe proj_create(context, definition) else { return nil }
        unsafe projections[zone] = made
        return unsafe made
    }
}

/// A place on the Earth, in degrees on WGS 84: north and east are positive.
package struct GeographicPosition: Sendable, Hashable {
    package let latitude: Double
    package let longitude: Double

    /// Returns nil for a latitude beyond ±90, a longitude beyond ±180, or a value that is not a
    /// number.
    package init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The distance in metres along a sphere of the Earth's mean radius (haversine). It differs
    /// from the distance on the ellipsoid by at most 0.6 %.
    package func distance(to other: GeographicPosition) -> Double {
        let radians = Double.pi / 180
        let (first, second) = (latitude * radians, other.latitude * radians)
        let (up, across) = (sin((second - first) / 2), sin((other.longitude - longitude) * radians / 2))
        let share = up * up + cos(first) * cos(second) * across * across
        return 2 * 6_371_008.8 * asin(min(1, share.squareRoot()))
    }
}

/// A zone of the UTM grid on WGS 84: 1 to 60, north or south of the equator.
package struct UTMZone: Sendable, Hashable {
    package let number: Int
    package let isSouth: Bool

    package init?(number: Int, isSouth: Bool) {
        guard (1...60).contains(number) else { return nil }
        self.number = number
        self.isSouth = isSouth
    }

    /// Reads the number and the hemisphere: `18S`, `18 s`, `32N`. Latitude bands (`18L`) are
    /// refused: `S` is also the letter of a band.
    package init?(_ text: String) {
        let characters = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard (2...3).contains(characters.count), let hemisphere = characters.last else { return nil }
        var number = 0
        for digit in characters.dropLast() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        switch hemisphere {
        case UInt8(ascii: "S"), UInt8(ascii: "s"): self.init(number: number, isSouth: true)
        case UInt8(ascii: "N"), UInt8(ascii: "n"): self.init(number: number, isSouth: false)
        default: return nil
        }
    }
}
