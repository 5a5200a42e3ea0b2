internal import Canvas

/// A scale bar of a round length, with its figures below.
struct ScaleBar {
    let pointsPerMetre: Double
    let style: DrawingStyle

    /// - Returns: the box of the bar and its figures.
    @discardableResult
    func draw(on canvas: Canvas, at corner: Point, maximumWidth: Double) -> Box {
        guard pointsPerMetre > 0, maximumWidth > 10 else { return Box(x: corner.x, y: corner.y, width: 0, height: 0) }
        // The last figure extends beyond the bar on the right.
        let metres = RoundSteps.step(atMost: (maximumWidth - 24) / pointsPerMetre)
        let width = metres * pointsPerMetre
        for part in 0..<4 {
            let segment = Box(x: corner.x + 3 + width * Double(part) / 4, y: corner.y, width: width / 4, height: 3.5)
            canvas.rectangle(segment)
            canvas.fill(part % 2 == 0 ? style.ink : .white, keepsPath: true)
            canvas.stroke(style.ink, width: 0.5)
        }
        let isFar = metres >= 2000
        let unit = isFar ? "km" : "m"
        let value = { (share: Double) in style.number(metres * share / (isFar ? 1000 : 1), step: metres * share / (isFar ? 1000 : 1)) }
        let text = style.text(0.8)
        let start = canvas.draw("0", text, at: Point(x: corner.x + 3, y: corner.y + 4.5), anchor: (0.5, 0))
        let end = canvas.draw("\(value(1)) \(unit)", text, at: Point(x: corner.x + 3 + width, y: corner.y + 4.5), anchor: (0.5, 0))
        let middle = canvas.layout(value(0.5), text)
        let centre = corner.x + 3 + width / 2
        if centre - middle.width / 2 > start.right + 2, centre + middle.width / 2 < end.x - 2 {
            canvas.draw(middle, at: Point(x: centre - middle.width / 2, y: corner.y + 4.5))
        }
        return Box(x: corner.x, y: corner.y, width: max(width + 6, end.right - corner.x), height: end.bottom - corner.y)
    }
}

/// An arrow to the north.
struct NorthArrow {
    /// Clockwise from the top of the page, in radians.
    let angle: Double
    let style: DrawingStyle

    func draw(on canvas: Canvas, centre: Point, size: Double) {
        canvas.inGroup {
            canvas.translate(x: centre.x, y: centre.y)
            canvas.rotate(angle)
            let (tip, wing, tail) = (size * 0.5, size * 0.24, size * 0.34)
            canvas.polygon([Point(x: 0, y: -tip), Point(x: -wing, y: tail), Point(x: 0, y: tail * 0.55)])
            canvas.fill(style.ink, keepsPath: true)
            canvas.stroke(style.ink, width: 0.6)
            canvas.polygon([Point(x: 0, y: -tip), Point(x: wing, y: tail), Point(x: 0, y: tail * 0.55)])
            canvas.fill(.white, keepsPath: true)
            canvas.stroke(style.ink, width: 0.6)
        }
        let text = style.text(1, .bold)
        let distance = size * 0.5 + text.size * 0.62
        let place = Point(x: centre.x + sine(angle) * distance, y: centre.y - cosine(angle) * distance)
        canvas.draw("N", text, at: place, anchor: (0.5, 0.5))
    }
}
