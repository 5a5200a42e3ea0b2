import Foundation

/// The centres of squares in place of exact places: rows of squares of equal height, and in each
/// row squares that are as wide as they are high in its middle.
enum CoarsePlace {
    static let metresPerDegree = 111_320.0

    static func latitude(_ latitude: Double, metres: Double) -> Double {
        centre(latitude, step: metres / metresPerDegree, within: 90)
    }

    static func longitude(_ longitude: Double, latitude: Double, metres: Double) -> Double {
        // At the poles a square is a whole circle.
        let width = max(cos(self.latitude(latitude, metres: metres) * .pi / 180), 0.000_1)
        return centre(longitude, step: min(360, metres / (metresPerDegree * width)), within: 180)
    }

    /// Four decimals, about ten metres, so that the number claims no more than it says.
    private static func centre(_ degrees: Double, step: Double, within limit: Double) -> Double {
        let centre = (degrees / step).rounded(.down) * step + step / 2
        return (min(limit, max(-limit, centre)) * 10_000).rounded() / 10_000
    }
}
