internal import Canvas

extension Canvas {
    /// Draws the title of a chart or a plot, and returns the box below it; an empty title takes no
    /// room.
    func drawTitle(_ title: String, in box: Box, _ style: DrawingStyle) -> Box {
        guard !title.isEmpty else { return box }
        let layout = layout(title, style.text(1.2, .bold), width: box.width, maximumLines: 2)
        draw(layout, at: Point(x: box.x, y: box.y))
        let taken = layout.height + 5
        return Box(x: box.x, y: box.y + taken, width: box.width, height: max(0, box.height - taken))
    }
}
