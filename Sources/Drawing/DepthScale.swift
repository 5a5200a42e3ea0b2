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

    /// Draws ticks at the right edge of a box and labels to their left. The first and the last
    /// label stay inside the box.
    func draw(on canvas: Canvas, in box: Box) {
        let text = style.text(0.85)
        let lineHeight = canvas.layout("0", text).height
        let step = [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10].first { $0 * perMetre >= lineHeight * 2.2 } ?? RoundSteps.step(atLeast: lineHeight * 2.2 / perMetre)
        let minor = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5].first { $0 * perMetre >= 4 && Int((step / $0).rounded()) * 1000 == Int((step / $0 * 1000).rounded()) } ?? step
        for depth in RoundSteps.ticks(from: from, to: to, step: minor) {
            canvas.segment(Point(x: box.right - 2.5, y: y(depth, in: box)), Point(x: box.right, y: y(depth, in: box)))
        }
        canvas.stroke(style.line, width: 0.35)
        var last = -Double.infinity
        for depth in RoundSteps.ticks(from: from, to: to, step: step) {
            let place = y(depth, in: box)
            canvas.segment(Point(x: box.right - 5, y: place), Point(x: box.right, y: place))
            canvas.stroke(style.line, width: 0.6)
            let top = max(box.y + 1, min(place - lineHeight / 2, box.bottom - lineHeight - 1))
            guard top >= last else { continue }
            canvas.draw(style.number(depth, step: max(step, 0.01) < 1 ? min(step, 0.1) : step), text, at: Point(x: box.right - 6.5, y: top), anchor: (1, 0), width: box.width - 7)
            last = top + lineHeight
        }
    }
}

extension Canvas {
    /// Draws the mark of the water table: a triangle that points down, above two short lines.
    func drawWaterMark(at point: Point, size: Double, _ colour: Colour) {
        polygon([Point(x: point.x - size / 2, y: point.y - size * 0.85), Point(x: point.x + size / 2, y: point.y - size * 0.85), point])
        fill(.white, keepsPath: true)
        stroke(colour, width: 0.8)
        segment(Point(x: point.x - size * 0.35, y: point.y + 1.6), Point(x: point.x + size * 0.35, y: point.y + 1.6))
        segment(Point(x: point.x - size * 0.15, y: point.y + 3), Point(x: point.x + size * 0.15, y: point.y + 3))
        stroke(colour, width: 0.6)
    }

    /// Draws a label on a white field, which stays readable over a pattern.
    @discardableResult
    func drawLabel(_ text: String, _ style: TextStyle, at point: Point, anchor: (x: Double, y: Double) = (0.5, 0.5), width: Double? = nil) -> Box {
        let layout = layout(text, style.with(alignment: .leading), width: width, maximumLines: width == nil ? nil : 1)
        let box = Box(x: point.x - layout.width * anchor.x, y: point.y - layout.height * anchor.y, width: layout.width, height: layout.height)
        rectangle(box.inset(dx: -1.5, dy: 0.3))
        fill(.white)
        draw(layout, at: Point(x: box.x, y: box.y))
        return box
    }
}
