internal import CCairo

extension Canvas {
    /// Measures a text for this canvas.
    package func layout(
        _ text: String, _ style: TextStyle, width: Double? = nil, maximumLines: Int? = nil, ellipsis: TextLayout.Ellipsis = .none
    ) -> TextLayout {
        TextLayout(text, style, width: width, maximumLines: maximumLines, ellipsis: ellipsis, typesetter: typesetter)
    }

    /// Draws a text with its upper left corner at a place.
    package func draw(_ layout: TextLayout, at place: Point) { draw(layout, lines: 0..<layout.lines.count, at: place) }

    /// Draws some lines of a text, the first of them at a place.
    package func draw(_ layout: TextLayout, lines range: Range<Int>, at place: Point) {
        guard !range.isEmpty, !layout.text.isEmpty else { return }
        let top = layout.lines[range.lowerBound].box.y
        set(layout.style.colour)
        var drawn: Box?
        for index in range {
            let line = layout.lines[index]
            unsafe cairo_move_to(context, place.x + line.box.x, place.y - top + line.baseline)
            unsafe pango_cairo_show_layout_line(context, pango_layout_get_line_readonly(layout.layout, Int32(index)))
            guard line.box.width > 0 else { continue }
            let box = Box(x: place.x + line.box.x, y: place.y - top + line.box.y, width: line.box.width, height: line.box.height)
            drawn = drawn.map { $0.union(box) } ?? box
        }
        unsafe cairo_new_path(context)
        if let recorder, let drawn {
            recorder.entries.append(TextRecorder.Entry(text: layout.text, box: onPage(drawn), page: recorder.page, size: layout.style.size))
        }
    }

    /// Draws the outlines of a text's letters, with its upper left corner at a place: a mark that is
    /// seen and not read, searched or copied.
    package func drawOutlines(of layout: TextLayout, at place: Point) {
        newPath()
        move(to: place)
        unsafe pango_cairo_layout_path(context, layout.layout)
        fill(layout.style.colour)
    }

    /// Draws one line of text so that a point of its box lies at a place: (0, 0) is the upper left
    /// corner, (1, 1) the lower right one.
    @discardableResult
    package func draw(
        _ text: String, _ style: TextStyle, at place: Point, anchor: (x: Double, y: Double) = (0, 0), width: Double? = nil
    ) -> Box {
        // A fixed width would shift aligned texts.
        let natural = layout(text, style.with(alignment: .leading))
        let layout = if let width, natural.width > width {
            layout(text, style.with(alignment: .leading), width: width, maximumLines: 1)
        } else { natural }
        let corner = Point(x: place.x - layout.width * anchor.x, y: place.y - layout.height * anchor.y)
        draw(layout, at: corner)
        return Box(x: corner.x, y: corner.y, width: layout.width, height: layout.height)
    }
}
