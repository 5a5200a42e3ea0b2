package import Blocks
package import Canvas

/// The legend below a calendar: its grades from the lowest, its signs, and days without data.
package struct CalendarLegend {
    /// A grade or a sign, with its meaning.
    typealias Entry = (label: String, grade: Int?, mark: String?)

    /// The name of the measured quantity, shown before the entries; empty: none.
    private let measure: String
    private let entries: [Entry]
    private let calendar: CalendarDrawing

    init(_ measure: String, _ entries: [Entry], of calendar: CalendarDrawing) {
        self.measure = measure
        self.entries = entries
        self.calendar = calendar
    }

    private static let (rowHeight, sampleWidth) = (14.0, 16.0)

    private func rows(_ width: Double, _ typesetter: Typesetter) -> [[(entry: Entry?, layout: TextLayout, x: Double)]] {
        var rows: [[(entry: Entry?, layout: TextLayout, x: Double)]] = [[]]
        var x = 0.0
        for entry in (measure.isEmpty ? [] : [Entry?.none]) + entries.map(Optional.some) {
            let sample = entry == nil ? 0 : Self.sampleWidth + 4
            let layout = TextLayout(
                entry?.label ?? measure, calendar.style.text(0.9, entry == nil ? .bold : .regular),
                width: max(20, min(220, width - sample)), maximumLines: 1,
                typesetter: typesetter)
            let needed = sample + layout.width
            if x > 0, x + needed > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((entry, layout, x))
            x += needed + 12
        }
        return rows
    }

    /// The height in points, at a given width.
    package func height(width: Double, typesetter: Typesetter) -> Double {
        Double(rows(width, typesetter).count) * Self.rowHeight
    }

    package func draw(on canvas: Canvas, in box: Box) {
        let hasDots = calendar.text(width: box.width, canvas.typesetter) == nil
        for (index, row) in rows(box.width, canvas.typesetter).enumerated() {
            let middle = box.y + (Double(index) + 0.5) * Self.rowHeight
            for (entry, layout, x) in row {
                var left = box.x + x
                if let entry {
                    let sample = Box(x: left, y: middle - 5, width: Self.sampleWidth, height: 10)
                    calendar.drawSample(
                        entry.mark, grade: entry.grade, hasDots: hasDots, on: canvas, in: sample)
                    left = sample.right + 4
                }
                canvas.draw(layout, at: Point(x: left, y: middle - layout.height / 2))
            }
        }
    }
}

extension SymbolsContent {
    package func legend(_ setting: DrawingSetting) -> SoilLegend { SoilLegend(symbols, style: setting.style) }

    package func figure(_ setting: DrawingSetting) -> String {
        setting.figure("symbols", symbols.map { $0.name == $0.symbol ? $0.name : "\($0.symbol) \($0.name)" })
    }
}

extension SymbolContent {
    /// The text beside the symbol's sample.
    var label: String { saysNothingMore ? symbol : "\(symbol) \(name)" }
}

/// The legend of a page's soils, in as many columns as fit.
package struct SoilLegend {
    let entries: [SymbolContent]
    let style: DrawingStyle
    /// The minimum width of a column, in points.
    private static let columnWidth = 130.0

    init(_ entries: [SymbolContent], style: DrawingStyle = DrawingStyle()) {
        self.entries = entries
        self.style = style
    }

    private static let swatch = (width: 26.0, height: 15.0, gap: 5.0)

    /// The height of the legend at a given width, in points.
    package func height(width: Double, typesetter: Typesetter) -> Double {
        rows(width, typesetter).reduce(0) { $0 + $1.height }
    }

    private func rows(
        _ width: Double, _ typesetter: Typesetter
    ) -> [(height: Double, cells: [(SymbolContent, TextLayout)])] {
        let count = max(1, Int(width / Self.columnWidth))
        let room = width / Double(count) - Self.swatch.width - 3 * Self.swatch.gap
        return stride(from: 0, to: entries.count, by: count).map { start in
            let cells = entries[start..<min(start + count, entries.count)].map { entry in
                (entry, TextLayout(entry.label, style.text(0.9), width: room, maximumLines: 3, typesetter: typesetter))
            }
            return (max(Self.swatch.height, cells.map(\.1.height).max() ?? 0) + Self.swatch.gap, cells)
        }
    }

    package func draw(on canvas: Canvas, in box: Box) {
        let swatch = Self.swatch
        let count = max(1, Int(box.width / Self.columnWidth))
        var y = box.y
        for row in rows(box.width, canvas.typesetter) {
            for (column, (entry, layout)) in row.cells.enumerated() {
                let x = box.x + Double(column) * box.width / Double(count)
                let middle = y + (row.height - swatch.gap) / 2
                let sample = Box(x: x, y: middle - swatch.height / 2, width: swatch.width, height: swatch.height)
                SoilSymbol(entry.symbol).fill(sample, on: canvas, phase: Point(x: sample.x, y: sample.y))
                canvas.rectangle(sample)
                canvas.stroke(style.line, width: 0.5)
                canvas.draw(layout, at: Point(x: sample.right + swatch.gap, y: middle - layout.height / 2))
            }
            y += row.height
        }
    }
}
