internal import Foundation

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
    /// from the ellipsoid's by 0.6 % at most.
    package func distance(to other: GeographicPosition) -> Double {
        let radians = Double.pi / 180
        let (first, second) = (latitude * radians, other.latitude * radians)
        let (up, across) = (sin((second - first) / 2), sin((other.longitude - longitude) * radians / 2))
        let share = up * up + cos(first) * cos(second) * across * across
        return 2 * 6_371_008.8 * asin(min(1, share.squareRoot()))
    }
}
