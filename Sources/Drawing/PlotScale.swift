internal import Canvas
import Foundation

/// The scale of one axis of a plot: where a value lies, which values are written, and where the
/// lines of the grid are.
struct PlotScale {
    let isLogarithmic: Bool
    /// The values that are written.
    let ticks: [Double]
    /// The values with a line across the plot.
    let lines: [Double]
    let step: Double
    private let low: Double
    private let high: Double
    private let isReversed: Bool

    /// - Parameter room: the length of the axis in points.
    init(_ axis: PlotDrawing.Axis, _ values: [Double], room: Double) {
        isLogarithmic = axis.isLogarithmic
        isReversed = axis.isReversed
        let usable = values.filter { $0.isFinite && (!axis.isLogarithmic || $0 > 0) }
        // Points beyond the limits are not left out: the axis reaches them.
        var (low, high) = (usable.min() ?? axis.limits?.lowerBound ?? 1, usable.max() ?? axis.limits?.upperBound ?? 10)
        if let limits = axis.limits { (low, high) = (min(low, limits.lowerBound), max(high, limits.upperBound)) }
        let isAsked = low == axis.limits?.lowerBound && high == axis.limits?.upperBound
        if axis.isLogarithmic {
            low = low > 0 ? low : usable.min() ?? 1
            if !isAsked { (low, high) = (pow(10, log10(low).rounded(.down)), pow(10, log10(max(high, low)).rounded(.up))) }
            if high <= low { high = low * 10 }
            let decades = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
            let within: ClosedRange<Double> = low * 0.999_999...high * 1.000_001
            let all: [(digit: Int, value: Double)] = decades.flatMap { decade in
                let power: Double = pow(10, Double(decade))
                return (1...9).map { digit in (digit, Double(digit) * power) }
            }
            let shown = all.filter { within.contains($0.value) }
            lines = shown.map(\.value)
            ticks = shown.filter { [1, 2, 5].contains($0.digit) }.map(\.value)
            step = 1
        } else {
            if !isAsked, low > 0, low < high * 0.5 { low = 0 }
            if high - low < 1e-9 { high = low + 1 }
            step = RoundSteps.step(atLeast: (high - low) / max(2, min(12, room / 24)))
            if !isAsked { (low, high) = ((low / step + 1e-9).rounded(.down) * step, (high / step - 1e-9).rounded(.up) * step) }
            ticks = RoundSteps.ticks(from: low, to: high, step: step)
            lines = ticks
        }
        (self.low, self.high) = (low, high)
    }

    /// The share of the axis at which a value lies, from the lower left corner of the plot.
    func share(_ value: Double) -> Double {
        let share = isLogarithmic ? log(max(value, 1e-12) / low) / log(high / low) : (value - low) / (high - low)
        return isReversed ? 1 - share : share
    }
}
