internal import Canvas

/// A ruler of depths down a page.
struct DepthScale {
    /// Metres at the ruler's upper and lower end.
    let from: Double
    let to: Double
    /// Points for each metre.
    let perMetre: Double
    let style: DrawingStyle

    func y(_ depth: Double, in box: Box) -> Double { box.y + (depth - from) * perMetre }

    private var text: TextStyle { style.text(0.85) }

    /// The labelled depths, with the step between them.
    private func labelled(_ canvas: Canvas) -> (depths: [Double], step: Double, lineHeight: Double) {
        let lineHeight = canvas.layout("0", text).height
        let step =
            [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10].first { $0 * perMetre >= lineHeight * 2.2 }
            ?? RoundSteps.step(atLeast: lineHeight * 2.2 / perMetre)
        return (RoundSteps.ticks(from: from, to: to, step: step), step, lineHeight)
    }

    /// Draws ticks at the right edge of a box and labels to their left. The first and the last
    /// label are kept inside the box.
    func draw(on canvas: Canvas, in box: Box) {
        let (depths, step, lineHeight) = labelled(canvas)
        let minor =
            [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5].first {
                $0 * perMetre >= 4 && Int((step / $0).rounded()) * 1000 == Int((step / $0 * 1000).rounded())
            } ?? step
        for depth in RoundSteps.ticks(from: from, to: to, step: minor) {
            canvas.segment(Point(x: box.right - 2.5, y: y(depth, in: box)), Point(x: box.right, y: y(depth, in: box)))
        }
        canvas.stroke(style.line, width: 0.35)
        for depth in depths {
            canvas.segment(Point(x: box.right - 5, y: y(depth, in: box)), Point(x: box.right, y: y(depth, in: box)))
        }
        canvas.stroke(style.line, width: 0.6)
        drawLabels(depths.map { ($0, style.number($0, step: step)) }, lineHeight, on: canvas, in: box, right: 6.5)
    }

    /// Draws the elevation beside each labelled depth.
    func drawElevations(on canvas: Canvas, of ground: Double, in box: Box) {
        let (depths, _, lineHeight) = labelled(canvas)
        drawLabels(
            depths.map { ($0, style.number(ground - $0, decimals: 2)) }, lineHeight, on: canvas, in: box, right: 2)
    }

    private func drawLabels(
        _ labels: [(depth: Double, text: String)], _ lineHeight: Double, on canvas: Canvas, in box: Box, right: Double
    ) {
        let room = box.width - right - 0.5
        var last = -Double.infinity
        for label in labels {
            let top = max(box.y + 1, min(y(label.depth, in: box) - lineHeight / 2, box.bottom - lineHeight - 1))
            guard top >= last else { continue }
            let small = style.text(DrawingStyle.least / style.textSize)
            canvas.draw(
                label.text, canvas.layout(label.text, text).width > room ? small : text,
                at: Point(x: box.right - right, y: top), anchor: (1, 0), width: room)
            last = top + lineHeight
        }
    }
}

extension Canvas {
    /// Draws the mark of the water table: a triangle that points down, above two short lines.
    func drawWaterMark(at point: Point, size: Double, _ colour: Colour) {
        polygon([
            Point(x: point.x - size / 2, y: point.y - size * 0.85),
            Point(x: point.x + size / 2, y: point.y - size * 0.85), point,
        ])
        fill(.white, keepsPath: true)
        stroke(colour, width: 0.8)
        segment(Point(x: point.x - size * 0.35, y: point.y + 1.6), Point(x: point.x + size * 0.35, y: point.y + 1.6))
        segment(Point(x: point.x - size * 0.15, y: point.y + 3), Point(x: point.x + size * 0.15, y: point.y + 3))
        stroke(colour, width: 0.6)
    }

    /// Draws a label on a white field, so that it is readable over a pattern.
    @discardableResult
    func drawLabel(
        _ text: String, _ style: TextStyle, at point: Point, anchor: (x: Double, y: Double) = (0.5, 0.5),
        width: Double? = nil, lines: Int = 1
    ) -> Box {
        let layout = layout(
            text, style.with(alignment: .leading), width: width, maximumLines: width == nil ? nil : lines)
        let box = Box(
            x: point.x - layout.width * anchor.x, y: point.y - layout.height * anchor.y, width: layout.width,
            height: layout.height)
        rectangle(box.inset(dx: -1.5, dy: 0.3))
        fill(.white)
        draw(layout, at: Point(x: box.x, y: box.y))
        return box
    }
}
