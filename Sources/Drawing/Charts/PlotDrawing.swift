package import Blocks
package import Canvas
import Foundation

extension PlotContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (180, 110) }

    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        PlotDrawing(content: self, style: setting.style, emptyLabel: setting.words("nothing_drawn"))
            .draw(on: canvas, in: box)
    }

    package func figure(_ setting: DrawingSetting) -> String {
        let style = setting.style
        func text(_ mark: Mark) -> String {
            (mark.label.isEmpty ? "" : mark.label + " ")
                + "\(style.number(mark.x, decimals: 2)) – \(style.number(mark.y, decimals: 1))"
        }
        return setting.figure(
            "plot",
            [[title, x.title, y.title].compactMap { $0 }.joined(separator: ", ")]
                + series.map { "\($0.name): " + $0.marks.map(text).joined(separator: ", ") })
    }
}

private struct PlotDrawing {
    let content: PlotContent
    let style: DrawingStyle
    let emptyLabel: String

    private var series: [(name: String, marks: [PlotContent.Mark])] { content.series }

    func draw(on canvas: Canvas, in box: Box) {
        var body = canvas.drawTitle(content.title ?? "", in: box, style)
        let marks = series.flatMap(\.marks)
        guard !marks.isEmpty, body.width > 80, body.height > 60 else {
            return canvas.drawNothing(emptyLabel, in: body, style)
        }
        body = drawLegend(on: canvas, in: body)
        let small = style.text(0.9)
        let line = canvas.layout("0", small).height
        let across = PlotScale(content.x, marks.map(\.x), room: body.width),
            up = PlotScale(content.y, marks.map(\.y), room: body.height)
        let labels = up.ticks.map { canvas.layout(style.number($0, step: up.step), small) }
        let left = (labels.map(\.width).max() ?? 0) + 8 + line + 3
        let plot = Box(
            x: body.x + left, y: body.y + line / 2, width: body.width - left - 8, height: body.height - 3 * line - 9)
        let place = { (mark: PlotContent.Mark) in
            Point(x: plot.x + across.share(mark.x) * plot.width, y: plot.bottom - up.share(mark.y) * plot.height)
        }
        drawGrid(on: canvas, plot, across, up, labels, line)
        canvas.inGroup {
            canvas.clip(plot)
            for guide in content.guides {
                canvas.polyline(guide.points.map(place))
                canvas.stroke(style.line, width: 0.9, dash: guide.isDashed ? [4, 2.5] : [])
            }
            for (index, one) in series.enumerated() {
                let ink = ChartInk(index)
                if content.isJoined {
                    canvas.polyline(one.marks.map(place))
                    canvas.stroke(ink.colour, width: 1.2, dash: ink.dash)
                }
            }
        }
        let words = content.zones.map {
            canvas.drawLabel($0.label, style.text(1.1, .bold, colour: style.line), at: place($0))
        }
        drawMarks(on: canvas, plot, beside: words, place)
    }

    /// Draws the points, then the labels of points and guides if there is room.
    private func drawMarks(on canvas: Canvas, _ plot: Box, beside words: [Box], _ place: (PlotContent.Mark) -> Point) {
        let size = content.isJoined ? 1.9 : 2.6
        var labels = LabelPlacement(frame: plot)
        for word in words { labels.block(word) }
        let shown = plot.inset(by: -0.5)
        for one in series {
            for mark in one.marks {
                labels.block(Box(x: place(mark).x - size, y: place(mark).y - size, width: 2 * size, height: 2 * size))
            }
        }
        for (index, one) in series.enumerated() {
            for mark in one.marks where shown.contains(Box(x: place(mark).x, y: place(mark).y, width: 0, height: 0)) {
                ChartInk(index).drawMarker(on: canvas, at: place(mark), size: size)
            }
        }
        for guide in content.guides where !guide.label.isEmpty {
            guard
                let end = guide.points.map(place).last(where: {
                    shown.contains(Box(x: $0.x, y: $0.y, width: 0, height: 0))
                })
            else { continue }
            let layout = canvas.layout(guide.label, style.text(0.9, .bold))
            if let found = labels.place(width: layout.width, height: layout.height, about: end, gap: 3) {
                canvas.drawLabel(guide.label, style.text(0.9, .bold), at: found.box.middle)
            }
        }
        for one in series {
            for mark in one.marks where !mark.label.isEmpty {
                let layout = canvas.layout(mark.label, style.text(0.85))
                // A label that does not fit near its point is left out; the plot's table contains
                // it.
                if let found = labels.place(
                    width: layout.width, height: layout.height, about: place(mark), gap: size + 1.5), !found.isFar
                {
                    canvas.draw(layout, at: Point(x: found.box.x, y: found.box.y))
                }
            }
        }
    }

    private func drawGrid(
        on canvas: Canvas, _ plot: Box, _ across: PlotScale, _ up: PlotScale, _ labels: [TextLayout], _ line: Double
    ) {
        for value in across.lines {
            let at = plot.x + across.share(value) * plot.width
            canvas.segment(Point(x: at, y: plot.y), Point(x: at, y: plot.bottom))
        }
        for value in up.lines {
            let at = plot.bottom - up.share(value) * plot.height
            canvas.segment(Point(x: plot.x, y: at), Point(x: plot.right, y: at))
        }
        canvas.stroke(style.faint, width: 0.35)
        canvas.rectangle(plot)
        canvas.stroke(style.ink, width: 0.8)
        for (value, label) in zip(up.ticks, labels) {
            canvas.draw(
                label, at: Point(x: plot.x - 4 - label.width, y: plot.bottom - up.share(value) * plot.height - line / 2)
            )
        }
        var taken: [ClosedRange<Double>] = []
        for value in across.ticks {
            let label = canvas.layout(
                across.isLogarithmic ? style.number(value, step: value) : style.number(value, step: across.step),
                style.text(0.9))
            let at = plot.x + across.share(value) * plot.width - label.width / 2
            let span = at - 2...at + label.width + 2
            if taken.contains(where: { $0.overlaps(span) }) { continue }
            taken.append(span)
            canvas.draw(label, at: Point(x: at, y: plot.bottom + line / 2 + 1))
        }
        canvas.draw(
            content.x.title, style.text(0.9, .bold), at: Point(x: plot.middle.x, y: plot.bottom + 1.5 * line + 4),
            anchor: (0.5, 0), width: plot.width)
        canvas.inGroup {
            canvas.translate(x: plot.x - (labels.map(\.width).max() ?? 0) - 8 - line, y: plot.middle.y)
            canvas.rotate(-.pi / 2)
            canvas.draw(
                content.y.title, style.text(0.9, .bold), at: Point(x: 0, y: 0), anchor: (0.5, 0), width: plot.height)
        }
    }

    /// Draws the names of the series in rows at the bottom, and returns the remaining box.
    private func drawLegend(on canvas: Canvas, in box: Box) -> Box {
        guard series.count > 1 else { return box }
        let entries = series.map {
            canvas.layout($0.name, style.text(0.9), width: min(box.width - 24, 130), maximumLines: 1)
        }
        let column = (entries.map(\.width).max() ?? 0) + 30
        let columns = max(1, Int(box.width / column)), row = style.textSize * 1.6
        let height = Double((entries.count + columns - 1) / columns) * row
        // A legend that would fill more than half of the height is left out.
        guard height < box.height / 2 else { return box }
        for (index, layout) in entries.enumerated() {
            let middle = box.bottom - height + (Double(index / columns) + 0.5) * row,
                x = box.x + Double(index % columns) * column
            if content.isJoined {
                canvas.segment(Point(x: x, y: middle), Point(x: x + 16, y: middle))
                canvas.stroke(ChartInk(index).colour, width: 1.2, dash: ChartInk(index).dash)
            }
            ChartInk(index).drawMarker(on: canvas, at: Point(x: x + 8, y: middle), size: 2.2)
            canvas.draw(layout, at: Point(x: x + 21, y: middle - layout.height / 2))
        }
        return Box(x: box.x, y: box.y, width: box.width, height: box.height - height - 4)
    }
}

/// The scale of one axis of a plot: the positions of values, the labelled values, and the lines of
/// the grid.
struct PlotScale {
    let isLogarithmic: Bool
    /// The labelled values.
    let ticks: [Double]
    /// The values with a line across the plot.
    let lines: [Double]
    let step: Double
    private let low: Double
    private let high: Double
    private let isReversed: Bool

    /// - Parameter room: the length of the axis in points.
    init(_ axis: PlotContent.Axis, _ values: [Double], room: Double) {
        isLogarithmic = axis.isLogarithmic
        isReversed = axis.isReversed
        let usable = values.filter { $0.isFinite && (!axis.isLogarithmic || $0 > 0) }
        // Points beyond the limits are not left out: the axis is extended to them.
        var (low, high) = (usable.min() ?? axis.limits?.lowerBound ?? 1, usable.max() ?? axis.limits?.upperBound ?? 10)
        if let limits = axis.limits { (low, high) = (min(low, limits.lowerBound), max(high, limits.upperBound)) }
        let isAsked = low == axis.limits?.lowerBound && high == axis.limits?.upperBound
        if axis.isLogarithmic {
            low = low > 0 ? low : usable.min() ?? 1
            if !isAsked {
                (low, high) = (pow(10, log10(low).rounded(.down)), pow(10, log10(max(high, low)).rounded(.up)))
            }
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
            if !isAsked {
                (low, high) = ((low / step + 1e-9).rounded(.down) * step, (high / step - 1e-9).rounded(.up) * step)
            }
            ticks = RoundSteps.ticks(from: low, to: high, step: step)
            lines = ticks
        }
        (self.low, self.high) = (low, high)
    }

    /// The position of a value on the axis as a share, from the lower left corner of the plot.
    func share(_ value: Double) -> Double {
        let share = isLogarithmic ? log(max(value, 1e-12) / low) / log(high / low) : (value - low) / (high - low)
        return isReversed ? 1 - share : share
    }
}
