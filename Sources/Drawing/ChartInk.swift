internal import Canvas

/// The colour, hatch, dash and marker of a chart's series or of a state on a plan. Neighbours differ
/// in black and white too.
struct ChartInk: Sendable, Hashable {
    let index: Int
    /// Nil: the usual colour of the index.
    private let stated: Colour?

    init(_ index: Int, colour: Colour? = nil) {
        self.index = index
        stated = colour
    }

    private static let colours = [
        Colour(red: 0.18, green: 0.40, blue: 0.62), Colour(red: 0.93, green: 0.69, blue: 0.30), Colour(red: 0.47, green: 0.66, blue: 0.42),
        Colour(red: 0.76, green: 0.36, blue: 0.30), Colour(red: 0.62, green: 0.55, blue: 0.74), Colour(red: 0.45, green: 0.70, blue: 0.74),
        Colour(red: 0.60, green: 0.48, blue: 0.36), Colour(red: 0.78, green: 0.78, blue: 0.78),
    ]

    var colour: Colour { stated ?? Self.colours[index % Self.colours.count] }
    var dash: [Double] { [[], [5, 2], [1.5, 1.5], [6, 2, 1.5, 2], [3, 3]][index % 5] }

    /// The lines that are drawn over the colour, in a tile of 6 points.
    struct Hatch: Equatable {
        let lines: [[Double]]
        var width = 0.45
    }

    private static let hatches = [
        Hatch(lines: []), Hatch(lines: [[0, 6, 6, 0]]), Hatch(lines: [[3, 0, 3, 6]]), Hatch(lines: [[0, 0, 6, 6], [0, 6, 6, 0]]),
        Hatch(lines: [[0, 3, 6, 3]]), Hatch(lines: [[0, 0, 6, 6]]), Hatch(lines: [[0, 3, 6, 3], [3, 0, 3, 6]]),
        // These lines have no length. Their round ends are dots, which a thin line would hide.
        Hatch(lines: [[1, 3, 1, 3], [4, 0.5, 4, 0.5]], width: 1.2),
    ]

    /// After each round of the colours, a colour gets another hatch.
    var hatch: Hatch { Self.hatches[(index + index / Self.colours.count) % Self.hatches.count] }

    /// Tints stay pale below their hatch, so that texts on them can be read.
    func fillPath(on canvas: Canvas, phase: Point = Point(x: 0, y: 0)) {
        canvas.fill(colour, keepsPath: true)
        let ink = colour.mixed(with: colour.luminance > 0.5 ? .black : .white, stated == nil ? 0.5 : 0.18)
        let hatch = hatch
        let layer = Tile.Layer(
            path: { path in for line in hatch.lines { path.segment(Point(x: line[0], y: line[1]), Point(x: line[2], y: line[3])) } },
            paint: { $0.stroke(ink, width: hatch.width, cap: .round) })
        canvas.fill(Tile(width: 6, height: 6, layers: hatch.lines.isEmpty ? [] : [layer]), phase: phase)
    }

    func fill(_ box: Box, on canvas: Canvas, _ style: DrawingStyle) {
        canvas.newPath()
        canvas.rectangle(box)
        fillPath(on: canvas)
        canvas.rectangle(box)
        canvas.stroke(style.ink, width: 0.4)
    }

    func drawMarker(on canvas: Canvas, at point: Point, size: Double) {
        MarkShape.draw(index, on: canvas, at: point, size: size)
        canvas.fill(colour, keepsPath: true)
        canvas.stroke(.white, width: 0.5)
    }
}
