package import Canvas

/// The titles of a log's columns. A title wider than its column is set upright.
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

    private func layout(_ title: (text: String, width: Double), _ typesetter: Typesetter) -> (
        layout: TextLayout, isUpright: Bool
    ) {
        guard isUpright(title, typesetter) else {
            return (
                TextLayout(title.text, text, width: title.width - 3, maximumLines: 5, typesetter: typesetter), false
            )
        }
        // The number of upright lines that fit into the column's width.
        let line = TextLayout("Ñg", text, typesetter: typesetter).height
        let lines = max(1, Int((title.width - 2) / line))
        return (
            TextLayout(title.text, text, width: Self.maximumHeight - 6, maximumLines: lines, typesetter: typesetter),
            true
        )
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
                    canvas.translate(
                        x: cell.middle.x - layout.height / 2, y: cell.middle.y + (Self.maximumHeight - 6) / 2)
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

extension Canvas {
    /// Draws the title of a chart or a plot, and returns the box below it; an empty title needs no
    /// space.
    func drawTitle(_ title: String, in box: Box, _ style: DrawingStyle) -> Box {
        guard !title.isEmpty else { return box }
        let layout = layout(title, style.text(1.2, .bold), width: box.width, maximumLines: 2)
        draw(layout, at: Point(x: box.x, y: box.y))
        let taken = layout.height + 5
        return Box(x: box.x, y: box.y + taken, width: box.width, height: max(0, box.height - taken))
    }
}

/// The common style of all drawings: fonts, lines, colours, and the format of numbers.
package struct DrawingStyle: Sendable, Hashable {
    package var family = "Liberation Sans"
    /// The size of running text, in points; labels and titles are multiples of it.
    package var textSize = 7.5
    /// The minimum size of letters on a page, in points: smaller ones are unreadable in print.
    package static let least = 6.0
    package var ink = Colour(grey: 0.12)
    package var line = Colour(grey: 0.35)
    package var faint = Colour(grey: 0.78)
    package var accent = Colour(red: 0.12, green: 0.31, blue: 0.47)
    package var water = Colour(red: 0.05, green: 0.36, blue: 0.72)
    /// The colour of contradictory data.
    package var fault = Colour(red: 0.78, green: 0.10, blue: 0.10)
    package var headerFill = Colour(red: 0.91, green: 0.93, blue: 0.95)
    package var decimalSeparator: Character = "."

    package init() {}

    package func text(
        _ factor: Double = 1, _ weight: TextStyle.Weight = .regular, colour: Colour? = nil,
        alignment: TextStyle.Alignment = .leading
    ) -> TextStyle {
        TextStyle(family: family, size: textSize * factor, weight: weight, colour: colour ?? ink, alignment: alignment)
    }

    /// A number with a given number of decimals, halves rounded away from zero: `12.50` or `12,50`.
    package func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let factor = (0..<max(0, decimals)).reduce(1.0) { product, _ in product * 10 }
        let scaled = Int64((abs(value) * factor).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(factor))
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard decimals > 0 else { return sign + String(whole) }
        let digits = String(rest)
        return sign + String(whole) + String(decimalSeparator) + String(repeating: "0", count: decimals - digits.count)
            + digits
    }

    /// A number with as many decimals as its step between ticks needs.
    package func number(_ value: Double, step: Double) -> String {
        let decimals = (0...4).first { decimals in
            let scaled = step * (0..<decimals).reduce(1.0) { product, _ in product * 10 }
            return abs(scaled - scaled.rounded()) < 1e-6
        }
        return number(value, decimals: decimals ?? 4)
    }

    /// A chainage in metres in the form of road plans: 12300 is `12+300`. Centimetres follow only
    /// if they are not zero.
    package func chainage(_ metres: Double) -> String {
        guard metres.isFinite, abs(metres) < 1e9 else { return "–" }
        let centimetres = Int64((abs(metres) * 100).rounded())
        let (kilometres, rest) = centimetres.quotientAndRemainder(dividingBy: 100_000)
        let whole = String(rest / 100)
        var text =
            (metres < 0 && centimetres > 0 ? "−" : "") + "\(kilometres)+"
            + String(repeating: "0", count: 3 - whole.count) + whole
        if rest % 100 > 0 { text += String(decimalSeparator) + (rest % 100 < 10 ? "0" : "") + String(rest % 100) }
        return text
    }

    /// The length on paper, in points, of a metre at a scale of 1 to `ratio`.
    package static func points(perMetreAt ratio: Double) -> Double { 72 / 0.0254 / ratio }
}
