import Blocks

/// The columns that everything on a sheet is laid out over.
struct SheetGrid {
    /// Widths at 96 pixels to the inch.
    let pixels: [Int]

    init(points: [Double]) {
        pixels = points.map { max(Int(($0 / 0.75).rounded()), 16) }
    }

    var count: Int { pixels.count }
    var all: Range<Int> { 0..<count }
    /// Points of the whole width.
    var width: Double { points(of: all) }

    func points(of span: Range<Int>) -> Double { Double(pixels[span].reduce(0, +)) * 0.75 }

    /// Neighbouring spans over all columns, as wide as the columns allow in the ratio of `weights`; no more weights than columns.
    func spans(_ weights: [Double], in range: Range<Int>? = nil) -> [Range<Int>] {
        let range = range ?? all
        let whole = points(of: range)
        let total = max(weights.reduce(0, +), .leastNonzeroMagnitude)
        var spans: [Range<Int>] = []
        var start = range.lowerBound
        var wanted = 0.0
        for (index, weight) in weights.enumerated() {
            wanted += weight / total * whole
            let last = range.upperBound - (weights.count - 1 - index)
            var end = start + 1
            while end < last, abs(points(of: range.lowerBound..<end + 1) - wanted) <= abs(points(of: range.lowerBound..<end) - wanted) { end += 1 }
            if index == weights.count - 1 { end = range.upperBound }
            spans.append(start..<end)
            start = end
        }
        return spans
    }

    /// The fewest columns from the left, or from the right, that are as wide as `points`.
    func span(of points: Double, fromRight: Bool) -> Range<Int> {
        var width = 1
        while width < count, self.points(of: fromRight ? count - width..<count : 0..<width) < points { width += 1 }
        return fromRight ? count - width..<count : 0..<width
    }
}
