package import Blocks
package import Canvas
import Model

extension ChartContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (180, 90) }

    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        ChartDrawing(content: self, setting: setting).draw(on: canvas, in: box)
    }

    package func figure(_ setting: DrawingSetting) -> String {
        let lines = series.map { series in
            let values = zip(categories, series.values).map {
                "\($0) \($1.map { setting.style.number($0, decimals: decimals ?? 0) } ?? "–")"
            }
            return "\(series.name): " + values.joined(separator: ", ")
        }
        return setting.figure("chart", [title].compactMap { $0 } + lines)
    }
}

/// A chart of bars, lines or a pie of a few numbers. Its labels do not cover each other, and
/// hatches distinguish series in black and white. A pie shows only the first series.
struct ChartDrawing {
    let content: ChartContent
    let setting: DrawingSetting

    var style: DrawingStyle { setting.style }
    var emptyLabel: String { setting.words("nothing_drawn") }
    var kind: ChartContent.Kind { content.kind }
    var categories: [String] { content.categories }
    var series: [ChartContent.Series] { content.series }
    var isReversed: Bool { content.isReversed }

    /// A series has the ink of its position, unless it must look the same in every chart.
    func ink(_ index: Int) -> ChartInk {
        series[index].ink.map { ChartInk($0.place, colour: $0.tint.map { Colour($0) }) } ?? ChartInk(index)
    }

    func text(_ value: Double) -> String { style.number(value, decimals: content.decimals ?? 0) }

    func value(_ series: Int, _ category: Int) -> Double? {
        guard series < self.series.count, category < self.series[series].values.count,
            let value = self.series[series].values[category], value.isFinite
        else { return nil }
        return value
    }

    func draw(on canvas: Canvas, in box: Box) {
        let body = canvas.drawTitle(content.title ?? "", in: box, style)
        let hasValues = series.indices.contains { one in categories.indices.contains { value(one, $0) != nil } }
        guard hasValues, body.width > 60, body.height > 50 else {
            return canvas.drawNothing(emptyLabel, in: body, style)
        }
        switch kind {
        case .pie: drawPie(on: canvas, in: body)
        case .columns, .stacked, .line: drawUpright(on: canvas, in: drawLegend(on: canvas, in: body))
        case .bars: drawSideways(on: canvas, in: drawLegend(on: canvas, in: body))
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
        let sums = kind == .stacked
            ? categories.indices.map { category in series.indices.reduce(0.0) { $0 + max(0, value($1, category) ?? 0) }
            }
            : series.indices.flatMap { one in categories.indices.compactMap { value(one, $0) } }
        var (low, high) = (sums.min() ?? 0, sums.max() ?? 1)
        if kind != .line || low > 0 && low < high * 0.5 { low = min(0, low) }
        high = max(high, kind == .line ? low : 0)
        if high - low < 1e-9 { high = low + 1 }
        var step = RoundSteps.step(atLeast: (high - low) / max(2, min(8, room / 26)))
        // Counts have no ticks between whole numbers.
        if content.decimals ?? 0 == 0 { step = max(1, step) }
        return ((low / step + 1e-9).rounded(.down) * step, (high / step - 1e-9).rounded(.up) * step, step)
    }
}
