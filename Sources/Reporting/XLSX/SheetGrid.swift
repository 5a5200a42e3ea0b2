import Blocks

/// The columns of a sheet, over which everything is laid out.
struct SheetGrid {
    /// The widths in pixels, at 96 per inch.
    let pixels: [Int]

    init(points: [Double]) {
        pixels = points.map { max(Int(($0 / 0.75).rounded()), 16) }
    }

    var count: Int { pixels.count }
    var all: Range<Int> { 0..<count }
    /// The whole width in points.
    var width: Double { points(of: all) }

    func points(of span: Range<Int>) -> Double { Double(pixels[span].reduce(0, +)) * 0.75 }

    /// Divides the columns into neighbouring spans whose widths come as near as possible to
    /// `weights`. There must not be more weights than columns.
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

    /// The fewest columns from the left, or from the right, that are `points` wide.
    func span(of points: Double, fromRight: Bool) -> Range<Int> {
        var width = 1
        while width < count, self.points(of: fromRight ? count - width..<count : 0..<width) < points { width += 1 }
        return fromRight ? count - width..<count : 0..<width
    }
}
