internal import Canvas

/// The titles of a log's columns. A title that is wider than its column is set upright.
struct LogHeader {
    static let maximumHeight = 70.0

    let titles: [(text: String, width: Double)]
    let style: DrawingStyle

    private var text: TextStyle { style.text(0.85, .bold, colour: style.ink, alignment: .centre) }

    private func isUpright(_ title: (text: String, width: Double), _ typesetter: Typesetter) -> Bool {
        title.text.split(whereSeparator: \.isWhitespace).contains { word in
            TextLayout(String(word), text, typesetter: typesetter).width > title.width - 3
        }
    }

    private func layout(_ title: (text: String, width: Double), _ typesetter: Typesetter) -> (layout: TextLayout, isUpright: Bool) {
        guard isUpright(title, typesetter) else {
            return (TextLayout(title.text, text, width: title.width - 3, maximumLines: 5, typesetter: typesetter), false)
        }
        // The number of upright lines that the column's width holds.
        let line = TextLayout("Ñg", text, typesetter: typesetter).height
        let lines = max(1, Int((title.width - 2) / line))
        return (TextLayout(title.text, text, width: Self.maximumHeight - 6, maximumLines: lines, typesetter: typesetter), true)
    }

    func height(_ typesetter: Typesetter) -> Double {
        let heights = titles.filter { !$0.text.isEmpty }.map { title in
            let (layout, isUpright) = layout(title, typesetter)
            return isUpright ? layout.width : layout.height
        }
        return min(Self.maximumHeight, (heights.max() ?? 8) + 6)
    }

    func draw(on canvas: Canvas, in box: Box) {
        canvas.rectangle(box)
        canvas.fill(style.headerFill)
        var x = box.x
        for title in titles {
            let cell = Box(x: x, y: box.y, width: title.width, height: box.height)
            x += title.width
            guard !title.text.isEmpty else { continue }
            let (layout, isUpright) = layout(title, canvas.typesetter)
            if isUpright {
                canvas.inGroup {
                    canvas.translate(x: cell.middle.x - layout.height / 2, y: cell.middle.y + (Self.maximumHeight - 6) / 2)
                    canvas.rotate(-.pi / 2)
                    canvas.draw(layout, at: Point(x: 0, y: 0))
                }
            } else {
                canvas.draw(layout, at: Point(x: cell.x + 1.5, y: cell.middle.y - layout.height / 2))
            }
        }
        x = box.x
        for title in titles.dropLast() {
            x += title.width
            // The gutter has no title and joins the column after it.
            if title.text.isEmpty { continue }
            canvas.segment(Point(x: x, y: box.y), Point(x: x, y: box.bottom))
        }
        canvas.stroke(style.line, width: 0.5)
        canvas.rectangle(box)
        canvas.stroke(style.ink, width: 0.8)
    }
}
