package import Canvas

/// The legend below a calendar: its grades from the least, its signs, and days without data.
package struct CalendarLegend {
    package struct Entry: Sendable, Hashable {
        package var label: String
        /// A day that looks like those that are meant.
        package var sample: CalendarDrawing.Day

        package init(label: String, sample: CalendarDrawing.Day) {
            (self.label, self.sample) = (label, sample)
        }
    }

    /// Stands before the entries; empty: nothing does.
    package var measure: String
    package var entries: [Entry]
    package var calendar: CalendarDrawing

    package init(_ measure: String, _ entries: [Entry], of calendar: CalendarDrawing) {
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
                entry?.label ?? measure, calendar.style.text(0.9, entry == nil ? .bold : .regular), width: max(20, min(220, width - sample)), maximumLines: 1,
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

    /// In points, at a given width.
    package func height(width: Double, typesetter: Typesetter) -> Double { Double(rows(width, typesetter).count) * Self.rowHeight }

    package func draw(on canvas: Canvas, in box: Box) {
        let hasDots = calendar.text(width: box.width, canvas.typesetter) == nil
        for (index, row) in rows(box.width, canvas.typesetter).enumerated() {
            let middle = box.y + (Double(index) + 0.5) * Self.rowHeight
            for (entry, layout, x) in row {
                var left = box.x + x
                if let entry {
                    let sample = Box(x: left, y: middle - 5, width: Self.sampleWidth, height: 10)
                    calendar.drawSample(entry.sample, hasDots: hasDots, on: canvas, in: sample)
                    left = sample.right + 4
                }
                canvas.draw(layout, at: Point(x: left, y: middle - layout.height / 2))
            }
        }
    }
}
