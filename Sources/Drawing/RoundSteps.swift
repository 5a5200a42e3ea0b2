/// Round numbers for axes, bars and scales.
enum RoundSteps {
    /// The smallest of 1, 2, 5 times a power of ten that is not below `minimum`.
    static func step(atLeast minimum: Double) -> Double {
        guard minimum > 0, minimum.isFinite else { return 1 }
        var power = 1.0
        while power > minimum { power /= 10 }
        while power * 10 <= minimum { power *= 10 }
        return ([1, 2, 5].first { $0 * power >= minimum * (1 - 1e-9) } ?? 10) * power
    }

    /// The largest of 1, 2, 5 times a power of ten that is not above `maximum`.
    static func step(atMost maximum: Double) -> Double {
        guard maximum > 0, maximum.isFinite else { return 1 }
        var power = 1.0
        while power > maximum { power /= 10 }
        while power * 10 <= maximum { power *= 10 }
        return ([5, 2, 1].first { $0 * power <= maximum * (1 + 1e-9) } ?? 1) * power
    }

    /// The multiples of a step within bounds.
    static func ticks(from low: Double, to high: Double, step: Double) -> [Double] {
        guard step > 0, high >= low, (high - low) / step < 5000 else { return [] }
        let (first, last) = ((low / step - 1e-6).rounded(.up), (high / step + 1e-6).rounded(.down))
        guard first <= last else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    /// The denominators of the scales on rulers, the largest scale first.
    static let horizontalRatios: [Double] = [
        50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 25_000, 50_000, 100_000, 200_000, 250_000, 500_000, smallestHorizontal,
    ]
    static let verticalRatios: [Double] = [5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, smallestVertical]
    static let (smallestHorizontal, smallestVertical) = (1_000_000.0, 100_000.0)
    static let depthRatios: [Double] = [5, 10, 20, 25, 30, 40, 50, 75, 100, 125, 150, 200, 250, 500, 1000]
}
