import Foundation

/// The grading of a soil: the per cent of its dry mass that passes each sieve (ASTM D6913).
package struct Grading: Sendable {
    /// Sizes in millimetres with per cents, from the largest to the smallest sieve.
    package let points: [(size: Double, passing: Double)]

    /// - Returns: nil for less than two sieves, for a size or a per cent that is none, and where
    ///   more passes a smaller sieve than a larger one.
    package init?(_ sieves: [(size: Double, passing: Double)]) {
        let points = sieves.sorted { $0.size > $1.size }
        guard points.count > 1, points.allSatisfy({ $0.size > 0 && $0.size.isFinite && (0...100).contains($0.passing) }) else { return nil }
        for (larger, smaller) in zip(points, points.dropFirst()) where smaller.passing > larger.passing || smaller.size == larger.size { return nil }
        self.points = points
    }

    /// The per cent that passes a sieve which was used; nil for another one.
    package func passing(_ size: Double) -> Double? { points.first { $0.size == size }?.passing }

    /// The size in millimetres that a per cent of the mass passes, on the straight line between two
    /// sieves over the logarithm of the size (D6913, section 12); nil outside the sieves.
    package func size(at percent: Double) -> Double? {
        for (larger, smaller) in zip(points, points.dropFirst()) where smaller.passing <= percent && percent <= larger.passing {
            guard larger.passing > smaller.passing else { continue }
            let share = (percent - smaller.passing) / (larger.passing - smaller.passing)
            return exp(log(smaller.size) + share * (log(larger.size) - log(smaller.size)))
        }
        return nil
    }

    /// The coefficients of uniformity (D60 / D10) and of curvature (D30² / (D10 · D60)); nil where
    /// the sieves do not reach one of the three sizes.
    package var coefficients: (uniformity: Double, curvature: Double)? {
        guard let ten = size(at: 10), let thirty = size(at: 30), let sixty = size(at: 60) else { return nil }
        return (sixty / ten, thirty * thirty / (ten * sixty))
    }
}
