package import Canvas

/// A chart of bars, lines or a pie of a few numbers. Its labels do not cover each other, and
/// hatches distinguish series in black and white.
package struct ChartDrawing {
    package enum Kind: Sendable, Hashable { case bars, horizontalBars, stackedBars, line, pie, doughnut }

    package struct Series: Sendable, Hashable {
        package var name: String
        /// One value for each category; nil for a category without a value.
        package var values: [Double?]
        /// The ink, if the series must look the same in every chart.
        var ink: ChartInk?

        /// - Parameter ink: the ink's number and colour, if the series must look the same in every
        ///   chart; nil: the ink of the series' position in the chart.
        package init(_ name: String, _ values: [Double?], ink: (place: Int, colour: Colour?)? = nil) {
            self.name = name
            self.values = values
            self.ink = ink.map { ChartInk($0.place, colour: $0.colour) }
        }
    }

    package var kind: Kind
    package var title: String
    package var categories: [String]
    /// The series; a pie shows only the first.
    package var series: [Series]
    package var axisTitle = ""
    /// Whether the axis of the values points down, or to the left for horizontal bars.
    package var isReversed = false
    package var emptyLabel = ""
    package var decimals = 0
    package var style = DrawingStyle()
    /// Formats a value; nil: the value with `decimals` decimals.
    package var format: (@Sendable (Double) -> String)?

    package init(_ kind: Kind, title: String = "", categories: [String], series: [Series]) {
        self.kind = kind
        self.title = title
        self.categories = categories
        self.series = series
    }

    func ink(_ index: Int) -> ChartInk { series[index].ink ?? ChartInk(index) }

    func text(_ value: Double) -> String { format?(value) ?? style.number(value, decimals: decimals) }

    func value(_ series: Int, _ category: Int) -> Double? {
        guard series < self.series.count, category < self.series[series].values.count,
            let value = self.series[series].values[category], value.isFinite
        else { return nil }
        return value
    }

    package func draw(on canvas: Canvas, in box: Box) {
        let body = canvas.drawTitle(title, in: box, style)
        let hasValues = series.indices.contains { one in categories.indices.contains { value(one, $0) != nil } }
        guard hasValues, body.width > 60, body.height > 50 else {
            return canvas.drawNothing(emptyLabel, in: body, style)
        }
        switch kind {
        case .pie, .doughnut: drawPie(on: canvas, in: body)
        case .bars, .stackedBars, .line: drawUpright(on: canvas, in: drawLegend(on: canvas, in: body))
        case .horizontalBars: drawSideways(on: canvas, in: drawLegend(on: canvas, in: body))
        }
    }

    /// Draws the names of the series in rows at the bottom, and returns the remaining box. A single
    /// series has no legend.
    private func drawLegend(on canvas: Canvas, in box: Box) -> Box {
        guard series.count > 1 else { return box }
        var rows: [[(Int, TextLayout, Double)]] = [[]]
        var x = 0.0
        for (index, one) in series.enumerated() {
            let layout = canvas.layout(one.name, style.text(0.9), width: min(box.width - 20, 160), maximumLines: 1)
            if x > 0, x + 16 + layout.width > box.width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((index, layout, x))
            x += 16 + layout.width + 12
        }
        let rowHeight = style.textSize * 1.6
        // The legend fills at most 40 % of the height; further rows are left out.
        let shown = rows.prefix(max(1, Int(box.height * 0.4 / rowHeight)))
        let height = Double(shown.count) * rowHeight
        for (row, entries) in shown.enumerated() {
            let middle = box.bottom - height + (Double(row) + 0.5) * rowHeight
            for (index, layout, x) in entries {
                let swatch = Box(x: box.x + x, y: middle - 4, width: 11, height: 8)
                if kind == .line {
                    canvas.segment(Point(x: swatch.x, y: middle), Point(x: swatch.right, y: middle))
                    canvas.stroke(ink(index).colour, width: 1.4, dash: ink(index).dash)
                    ink(index).drawMarker(on: canvas, at: swatch.middle, size: 2.4)
                } else {
                    ink(index).fill(swatch, on: canvas, style)
                }
                canvas.draw(layout, at: Point(x: swatch.right + 4, y: middle - layout.height / 2))
            }
        }
        return Box(x: box.x, y: box.y, width: box.width, height: box.height - height - 4)
    }

    /// The lowest and the highest value of the axis, and its step. Bars begin at 0.
    func axis(room: Double) -> (low: Double, high: Double, step: Double) {
        let sums = kind == .stackedBars
            ? categories.indices.map { category in series.indices.reduce(0.0) { $0 + max(0, value($1, category) ?? 0) }
            }
            : series.indices.flatMap { one in categories.indices.compactMap { value(one, $0) } }
        var (low, high) = (sums.min() ?? 0, sums.max() ?? 1)
        if kind != .line || low > 0 && low < high * 0.5 { low = min(0, low) }
        high = max(high, kind == .line ? low : 0)
        if high - low < 1e-9 { high = low + 1 }
        var step = RoundSteps.step(atLeast: (high - low) / max(2, min(8, room / 26)))
        // Counts have no ticks between whole numbers.
        if decimals == 0, format == nil { step = max(1, step) }
        return ((low / step + 1e-9).rounded(.down) * step, (high / step - 1e-9).rounded(.up) * step, step)
    }
}
