internal import Blocks
internal import Canvas

extension ChartDrawing {
    /// Draws columns, stacked columns and lines, with the categories along the bottom.
    func drawUpright(on canvas: Canvas, in box: Box) {
        let small = style.text(0.9)
        let line = canvas.layout("0", small).height
        let count = max(1, categories.count)
        let (low, high, step) = axis(room: box.height - 40)
        let ticks = RoundSteps.ticks(from: low, to: high, step: step)
        let labels = ticks.map { canvas.layout(style.number($0, step: step), small) }
        let left = (labels.map(\.width).max() ?? 0) + 8 + (content.measure.isEmpty ? 0 : line + 3)
        let slot = max(1, (box.width - left) / Double(count))
        let names = categoryNames(on: canvas, slot: slot, room: box.height * 0.4)
        // Figures are above the ends of columns, or below them if columns point down.
        let (above, below) = isReversed ? (3, line) : (line + 3, 0)
        let plot = Box(
            x: box.x + left, y: box.y + above, width: box.width - left,
            height: max(20, box.height - names.height - line - 8))
        let y = { (value: Double) in
            let along = (value - low) / (high - low) * plot.height
            return isReversed ? plot.y + along : plot.bottom - along
        }
        for tick in ticks { canvas.segment(Point(x: plot.x, y: y(tick)), Point(x: plot.right, y: y(tick))) }
        canvas.stroke(style.faint, width: 0.4)
        for (tick, label) in zip(ticks, labels) {
            canvas.draw(label, at: Point(x: plot.x - 5 - label.width, y: y(tick) - line / 2))
        }
        drawAxisTitle(on: canvas, plot: plot, left: box.x)
        names.draw(Box(x: plot.x, y: plot.y + below, width: plot.width, height: plot.height))

        if kind == .line {
            drawLines(on: canvas, plot, slot, y)
        } else {
            drawColumns(on: canvas, plot, slot, figuresBelow: below, y)
        }
        canvas.segment(Point(x: plot.x, y: y(max(low, 0))), Point(x: plot.right, y: y(max(low, 0))))
        canvas.segment(Point(x: plot.x, y: plot.y), Point(x: plot.x, y: plot.bottom))
        canvas.stroke(style.ink, width: 0.8)
    }

    private func drawAxisTitle(on canvas: Canvas, plot: Box, left: Double) {
        guard !content.measure.isEmpty else { return }
        canvas.inGroup {
            canvas.translate(x: left, y: plot.middle.y)
            canvas.rotate(-.pi / 2)
            canvas.draw(
                content.measure, style.text(0.9, .bold), at: Point(x: 0, y: 0), anchor: (0.5, 0), width: plot.height)
        }
    }

    /// Sets the names of the categories below their slots: horizontally if they fit, otherwise
    /// upright. If upright names are too close as well, only every second or third name is set, and a line says so.
    private func categoryNames(on canvas: Canvas, slot: Double, room: Double) -> (height: Double, draw: (Box) -> Void) {
        let text = style.text(0.9, alignment: .centre)
        let line = canvas.layout("0", text).height
        // Less space between names side by side, and they are read as one.
        let gap = 8.0
        let wraps = categories.allSatisfy { name in
            let words = name.split(whereSeparator: \.isWhitespace)
            return words.allSatisfy { canvas.layout(String($0), text).width <= slot - gap }
                && canvas.layout(name, text, width: slot - gap).lines.count <= 3
        }
        if wraps, slot > 10 {
            let layouts = categories.map { canvas.layout($0, text, width: slot - gap) }
            return ((layouts.map(\.height).max() ?? 0) + 2, { plot in
                    for (index, layout) in layouts.enumerated() {
                        canvas.draw(layout, at: Point(x: plot.x + Double(index) * slot + gap / 2, y: plot.bottom + 3))
                    }
            })
        }
        let every = max(1, Int((line / slot).rounded(.up)))
        let plain = style.text(0.9)
        let layouts = categories.map { canvas.layout($0, plain, width: max(20, room - 4), maximumLines: 1) }
        let left = every > 1 ? canvas.layout(leftOut(every), plain, maximumLines: 1) : nil
        let height = (layouts.map(\.width).max() ?? 0) + 4
        return (height + (left?.height ?? 0), { plot in
            if let left { canvas.draw(left, at: Point(x: plot.right - left.width, y: plot.bottom + height)) }
            for (index, layout) in layouts.enumerated() where index % every == 0 {
                canvas.inGroup {
                        canvas.translate(
                            x: plot.x + (Double(index) + 0.5) * slot - layout.height / 2,
                            y: plot.bottom + 3 + layout.width)
                    canvas.rotate(-.pi / 2)
                    canvas.draw(layout, at: Point(x: 0, y: 0))
                }
            }
        })
    }

    private func leftOut(_ every: Int) -> String { setting.words("names_left_out", ["n": String(every)]) }

    /// - Parameter figuresBelow: the height below the plot available for figures.
    private func drawColumns(
        on canvas: Canvas, _ plot: Box, _ slot: Double, figuresBelow: Double, _ y: (Double) -> Double
    ) {
        let small = style.text(0.8)
        let isStacked = kind == .stacked
        let group = slot * 0.72
        let width = isStacked ? min(group, 60) : min(group / Double(max(1, series.count)), 60)
        for category in categories.indices {
            let centre = plot.x + (Double(category) + 0.5) * slot
            var base = 0.0
            for one in series.indices {
                guard let value = value(one, category), !isStacked || value > 0 else { continue }
                let x = isStacked ? centre - width / 2 : centre + (Double(one) - Double(series.count) / 2) * width
                let ends = isStacked ? [y(base), y(base + value)] : [y(0), y(value)]
                let (top, bottom) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
                ink(one).fill(Box(x: x, y: top, width: width, height: max(0.3, bottom - top)), on: canvas, style)
                base += value
                let label = canvas.layout(text(value), small)
                if isStacked {
                    // If a figure fits within its part of the column, it is drawn there on a white
                    // field.
                    if bottom - top > label.height + 2, label.width < width - 4 {
                        canvas.drawLabel(text(value), small, at: Point(x: centre, y: (top + bottom) / 2))
                    }
                } else if label.width <= (series.count > 1 ? width - 0.5 : slot - 2) {
                    let isBelow = (value < 0) != isReversed
                    let place =
                        isBelow ? min(bottom + 1, plot.bottom + figuresBelow - label.height) : top - label.height - 0.5
                    canvas.draw(
                        label, at: Point(x: x + width / 2 - label.width / 2, y: isReversed ? max(place, plot.y) : place)
                    )
                }
            }
            let sum = canvas.layout(text(base), style.text(0.8, .bold))
            if isStacked, base > 0, sum.width < slot {
                canvas.draw(
                    sum,
                    at: Point(x: centre - sum.width / 2, y: isReversed ? y(base) + 0.5 : y(base) - sum.height - 0.5))
            }
        }
    }

    private func drawLines(on canvas: Canvas, _ plot: Box, _ slot: Double, _ y: (Double) -> Double) {
        for one in series.indices {
            let ink = ink(one)
            var points: [Point?] = categories.indices.map { category in
                value(one, category).map { Point(x: plot.x + (Double(category) + 0.5) * slot, y: y($0)) }
            }
            points.append(nil)
            var run: [Point] = []
            for point in points {
                if let point {
                    run.append(point)
                } else {
                    // A gap in the values is a gap in the line.
                    canvas.polyline(run)
                    run = []
                }
            }
            canvas.stroke(ink.colour, width: 1.4, dash: ink.dash)
            if slot > 5 { for point in points.compactMap({ $0 }) { ink.drawMarker(on: canvas, at: point, size: 2.4) } }
        }
    }

    /// Draws horizontal bars, one below the other, for many categories with long names.
    func drawSideways(on canvas: Canvas, in box: Box) {
        let bars = sidewaysPlot(on: canvas, in: box)
        drawSidewaysAxis(on: canvas, bars)
        for category in categories.indices {
            if category % bars.every == 0 { drawName(of: category, on: canvas, bars) }
            drawBars(of: category, on: canvas, bars)
        }
        let (plot, base) = (bars.plot, bars.x(max(bars.low, 0)))
        canvas.segment(Point(x: base, y: plot.y), Point(x: base, y: plot.bottom))
        canvas.stroke(style.ink, width: 0.8)
    }

    private func sidewaysPlot(on canvas: Canvas, in box: Box) -> SidewaysPlot {
        let small = style.text(0.9)
        let line = canvas.layout("0", small).height
        let nameWidth = min(box.width * 0.4, (categories.map { canvas.layout($0, small).width }.max() ?? 0) + 4)
        let (low, high, step) = axis(room: (box.width - nameWidth) / 2)
        let values = series.indices.flatMap { one in categories.indices.compactMap { value(one, $0) } }
        let figure = values.map { canvas.layout(text($0), style.text(0.8)).width }.max() ?? 0
        // Space for half of the label at the right end of an axis that points to the left.
        let edge = isReversed ? canvas.layout(style.number(low, step: step), small).width / 2 : 0
        func height(isTitled: Bool) -> Double { box.height - line - 4 - (isTitled ? line + 2 : 0) }
        let count = Double(max(1, categories.count))
        let every = max(1, Int((line * count / height(isTitled: !content.measure.isEmpty)).rounded(.up)))
        let caption = (content.measure.isEmpty ? [] : [content.measure]) + (every > 1 ? [leftOut(every)] : [])
        let whole = height(isTitled: !caption.isEmpty)
        // The first name may be higher than its bar.
        let above = max(0, (line - whole / count) / 2)
        let plot = Box(
            x: box.x + nameWidth + (isReversed ? figure + 6 : 0), y: box.y + above,
            width: max(20, box.width - nameWidth - figure - 6 - edge), height: max(20, whole - above))
        return SidewaysPlot(
            plot: plot, names: Box(x: box.x, y: plot.y, width: nameWidth, height: plot.height), low: low, high: high,
            step: step, isReversed: isReversed, line: line, slot: plot.height / count, every: every,
            caption: caption.joined(separator: " · "))
    }

    /// Draws the grid, the labels of the axis that have room, and its title.
    private func drawSidewaysAxis(on canvas: Canvas, _ bars: SidewaysPlot) {
        let plot = bars.plot
        let ticks = RoundSteps.ticks(from: bars.low, to: bars.high, step: bars.step)
        for tick in ticks { canvas.segment(Point(x: bars.x(tick), y: plot.y), Point(x: bars.x(tick), y: plot.bottom)) }
        canvas.stroke(style.faint, width: 0.4)
        var last = -Double.infinity
        for tick in isReversed ? ticks.reversed() : ticks {
            let label = canvas.layout(style.number(tick, step: bars.step), style.text(0.9))
            let x = bars.x(tick)
            guard x - label.width / 2 >= last else { continue }
            canvas.draw(label, at: Point(x: x - label.width / 2, y: plot.bottom + 2))
            last = x + label.width / 2 + 3
        }
        if !bars.caption.isEmpty {
            canvas.draw(
                bars.caption, style.text(0.9, .bold), at: Point(x: plot.middle.x, y: plot.bottom + bars.line + 3),
                anchor: (0.5, 0), width: plot.width)
        }
    }

    private func drawName(of category: Int, on canvas: Canvas, _ bars: SidewaysPlot) {
        let name = canvas.layout(
            categories[category], style.text(0.9), width: bars.names.width - 4,
            maximumLines: bars.slot > 2.1 * bars.line ? 2 : 1)
        canvas.draw(
            name, at: Point(x: bars.names.right - 4 - name.width, y: bars.middle(of: category) - name.height / 2))
    }

    /// Draws a bar for each series, and its figure if it is not higher than the bar.
    private func drawBars(of category: Int, on canvas: Canvas, _ bars: SidewaysPlot) {
        let height = min(bars.slot * 0.72 / Double(max(1, series.count)), 26)
        for one in series.indices {
            guard let value = value(one, category) else { continue }
            let top = bars.middle(of: category) + (Double(one) - Double(series.count) / 2) * height
            let (left, right) = (min(bars.x(value), bars.x(0)), max(bars.x(value), bars.x(0)))
            let length = abs(bars.x(value) - bars.x(0))
            ink(one).fill(Box(x: left, y: top, width: length, height: height), on: canvas, style)
            let label = canvas.layout(text(value), style.text(0.8))
            guard label.height <= (series.count > 1 ? height : bars.slot) else { continue }
            let x = isReversed ? left - 3 - label.width : right + 3
            canvas.draw(label, at: Point(x: x, y: top + height / 2 - label.height / 2))
        }
    }
}

/// The plot of horizontal bars with the names at its left, so that axis and bars agree.
private struct SidewaysPlot {
    let plot: Box
    let names: Box
    /// The ends of the axis, and the step between its labels.
    let low: Double
    let high: Double
    let step: Double
    /// Whether the axis points to the left.
    let isReversed: Bool
    /// The height of a line of text.
    let line: Double
    /// The height for each category.
    let slot: Double
    /// One name in so many is set.
    let every: Int
    /// What is measured, and which names are left out.
    let caption: String

    func x(_ value: Double) -> Double {
        let along = (value - low) / (high - low) * plot.width
        return isReversed ? plot.right - along : plot.x + along
    }

    func middle(of category: Int) -> Double { plot.y + (Double(category) + 0.5) * slot }
}
