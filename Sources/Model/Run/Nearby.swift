import Foundation

/// A circle in which records are selected: `--near -12.0677,-75.2102 --within 10km`.
package struct Nearby: Sendable, Hashable, Codable {
    /// The middle, in degrees on WGS 84; north and east are positive.
    package let latitude: Double
    package let longitude: Double
    /// The radius.
    package let metres: Double
    /// As it was stated.
    private let stated: String

    /// Returns nil for a place that is not on the Earth, and for a distance that is not one.
    ///
    /// - Parameters:
    ///   - place: latitude and longitude, with a decimal point and a comma between them.
    ///   - distance: a number and its unit, `m` or `km`.
    package init?(place: String, distance: String) {
        let degrees = place.split(separator: ",", omittingEmptySubsequences: false).map { Self.number($0.trimmingCharacters(in: .whitespaces)) }
        guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1], abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        let text = distance.trimmingCharacters(in: .whitespaces).lowercased()
        let isKilometres = text.hasSuffix("km")
        guard text.hasSuffix("m"), let number = Self.number(text.dropLast(isKilometres ? 2 : 1).trimmingCharacters(in: .whitespaces)), number > 0 else { return nil }
        (self.latitude, self.longitude, metres) = (latitude, longitude, isKilometres ? number * 1000 : number)
        stated = "\(latitude),\(longitude) ≤ \(text)"
    }

    /// A number as people write one: no exponent, no infinity.
    private static func number(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 || $0 == 45 }) else { return nil }
        return Double(text)
    }
}

extension Nearby: CustomStringConvertible {
    package var description: String { stated }
}
