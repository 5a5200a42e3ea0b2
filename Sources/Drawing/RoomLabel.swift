internal import Canvas

/// The label of a room: its number, and below it as much of the rest as there is room for. No text
/// is smaller than 6 points, and nothing breaks within a word.
struct RoomLabel {
    let room: PlanDrawing.Room
    let style: DrawingStyle
    let typesetter: Typesetter

    /// Texts that stand centred below each other.
    struct Lines {
        let layouts: [TextLayout]

        var width: Double { layouts.map(\.width).max() ?? 0 }
        var height: Double { layouts.map(\.height).reduce(0, +) }

        func draw(on canvas: Canvas, in box: Box) {
            var y = box.y
            for layout in layouts {
                canvas.draw(layout, at: Point(x: box.middle.x - layout.width / 2, y: y))
                y += layout.height
            }
        }
    }

    private static let factors = [1.0, 0.9, 0.8]

    /// What may stand in the room, the fullest text first: all lines as large as possible, then
    /// without the last ones. Each group is of the same text.
    func candidates(width: Double) -> [[Lines]] {
        stride(from: room.details.count, through: 0, by: -1).map { count in
            Self.factors.flatMap { factor in
                [nil, width * 0.9, width * 0.6].compactMap { lines(count, factor, $0) }
            }
        }
    }

    /// The number with the first line of the rest, for a place outside.
    var short: Lines? { lines(0, Self.factors.last ?? 1, nil) }

    private func lines(_ count: Int, _ factor: Double, _ width: Double?) -> Lines? {
        var layouts = [layout(room.number, factor, .bold)]
        for detail in room.details.prefix(count) {
            guard let text = width.map({ wrapped(detail, factor, $0) }) ?? detail else { return nil }
            layouts.append(layout(text, factor, .regular))
        }
        return Lines(layouts: layouts)
    }

    private func layout(_ text: String, _ factor: Double, _ weight: TextStyle.Weight) -> TextLayout {
        TextLayout(text, style.text(factor, weight, alignment: .centre), typesetter: typesetter)
    }

    /// The text broken between words, into at most three lines; nil where a word is wider.
    private func wrapped(_ text: String, _ factor: Double, _ width: Double) -> String? {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = (lines.last.map { $0 + " " } ?? "") + word
            if layout(longer, factor, .regular).width <= width {
                lines = lines.dropLast() + [longer]
            } else if layout(String(word), factor, .regular).width <= width, lines.count < 3 {
                lines.append(String(word))
            } else {
                return nil
            }
        }
        return lines.joined(separator: "\n")
    }
}
