package import Canvas

/// The style that all drawings share: fonts, lines, colours, and how numbers are written.
package struct DrawingStyle: Sendable, Hashable {
    package var family = "Liberation Sans"
    /// The size of running text, in points; labels and titles are multiples of it.
    package var textSize = 7.5
    /// The smallest letters on a page, in points: smaller ones cannot be read in print.
    package static let least = 6.0
    package var ink = Colour(grey: 0.12)
    package var line = Colour(grey: 0.35)
    package var faint = Colour(grey: 0.78)
    package var accent = Colour(red: 0.12, green: 0.31, blue: 0.47)
    package var water = Colour(red: 0.05, green: 0.36, blue: 0.72)
    /// The colour of what contradicts itself.
    package var fault = Colour(red: 0.78, green: 0.10, blue: 0.10)
    package var headerFill = Colour(red: 0.91, green: 0.93, blue: 0.95)
    package var decimalSeparator: Character = "."

    package init() {}

    package func text(
        _ factor: Double = 1, _ weight: TextStyle.Weight = .regular, colour: Colour? = nil, alignment: TextStyle.Alignment = .leading
    ) -> TextStyle {
        TextStyle(family: family, size: textSize * factor, weight: weight, colour: colour ?? ink, alignment: alignment)
    }

    /// A number with a given count of decimals, halves rounded away from zero: `12.50` or `12,50`.
    package func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let factor = (0..<max(0, decimals)).reduce(1.0) { product, _ in product * 10 }
        let scaled = Int64((abs(value) * factor).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(factor))
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard decimals > 0 else { return sign + String(whole) }
        let digits = String(rest)
        return sign + String(whole) + String(decimalSeparator) + String(repeating: "0", count: decimals - digits.count) + digits
    }

    /// A number with as many decimals as a step between ticks needs.
    package func number(_ value: Double, step: Double) -> String {
        let decimals = (0...4).first { decimals in
            let scaled = step * (0..<decimals).reduce(1.0) { product, _ in product * 10 }
            return abs(scaled - scaled.rounded()) < 1e-6
        }
        return number(value, decimals: decimals ?? 4)
    }

    /// A chainage in metres as road plans write it: 12300 is `12+300`. Centimetres follow only
    /// where they are not zero.
    package func chainage(_ metres: Double) -> String {
        guard metres.isFinite, abs(metres) < 1e9 else { return "–" }
        let centimetres = Int64((abs(metres) * 100).rounded())
        let (kilometres, rest) = centimetres.quotientAndRemainder(dividingBy: 100_000)
        let whole = String(rest / 100)
        var text = (metres < 0 && centimetres > 0 ? "−" : "") + "\(kilometres)+" + String(repeating: "0", count: 3 - whole.count) + whole
        if rest % 100 > 0 { text += String(decimalSeparator) + (rest % 100 < 10 ? "0" : "") + String(rest % 100) }
        return text
    }

    /// The points on paper of a metre at a scale of 1 to `ratio`.
    package static func points(perMetreAt ratio: Double) -> Double { 72 / 0.0254 / ratio }
}
