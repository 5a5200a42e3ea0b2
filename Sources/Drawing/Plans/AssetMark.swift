internal import Blocks
internal import Canvas
internal import Model

/// The mark of an asset: the icon of its kind on a disc, with a sign for waiting or failed uploads.
/// Without an icon, six shapes in five colours distinguish thirty kinds.
struct AssetMark {
    /// The index of the asset's kind, which determines shape and colour of a mark without an icon.
    let kind: Int
    /// The icon's name; nil: a shape is drawn. An empty name means an empty disc.
    let icon: String?
    let progress: PlanDrawing.Asset.Progress
    let style: DrawingStyle

    private static let colours = [
        Colour(red: 0.80, green: 0.15, blue: 0.12), Colour(red: 0.10, green: 0.28, blue: 0.62),
        Colour(red: 0.93, green: 0.55, blue: 0.05),
        Colour(red: 0.45, green: 0.16, blue: 0.55), Colour(grey: 0.15),
    ]

    /// - Parameter size: the radius of the disc.
    func draw(on canvas: Canvas, at point: Point, size: Double) {
        if let icon {
            canvas.circle(point, radius: size)
            canvas.fill(.white, keepsPath: true)
            canvas.stroke(style.ink, width: size * 0.1, dash: progress == .waiting ? [size * 0.35, size * 0.25] : [])
            if !icon.isEmpty { AssetIcon(icon).draw(on: canvas, at: point, size: size * 0.66, style) }
        } else {
            let number = abs(kind % 30)
            MarkShape.draw(number, on: canvas, at: point, size: min(size, 3.6))
            canvas.fill(Self.colours[(number + number / 6) % 5], keepsPath: true)
            canvas.stroke(.white, width: 0.6)
        }
        if progress != .settled { drawSign(on: canvas, in: Self.sign(at: point, size: size)) }
    }

    /// The square of the sign, at the upper right of the disc.
    static func sign(at point: Point, size: Double) -> Box {
        Box(x: point.x + size * 0.45, y: point.y - size * 1.25, width: size * 0.8, height: size * 0.8)
    }

    /// A clock on white for waiting uploads, a cross on black for failed ones.
    private func drawSign(on canvas: Canvas, in box: Box) {
        let (point, radius) = (box.middle, box.width / 2)
        let at = { (x: Double, y: Double) in Point(x: point.x + x * radius, y: point.y + y * radius) }
        canvas.circle(point, radius: radius)
        canvas.fill(progress == .failed ? style.ink : .white, keepsPath: true)
        canvas.stroke(style.ink, width: radius * 0.25)
        if progress == .failed {
            canvas.segment(at(-0.5, -0.5), at(0.5, 0.5))
            canvas.segment(at(-0.5, 0.5), at(0.5, -0.5))
            canvas.stroke(.white, width: radius * 0.35)
        } else {
            canvas.polyline([at(0, -0.65), at(0, 0), at(0.5, 0.3)])
            canvas.stroke(style.ink, width: radius * 0.25)
        }
    }
}

/// Six small shapes that are easy to distinguish.
enum MarkShape {
    static func draw(_ number: Int, on canvas: Canvas, at point: Point, size: Double) {
        let corner = { (x: Double, y: Double) in Point(x: point.x + x * size, y: point.y + y * size) }
        switch number % 6 {
        case 0: canvas.circle(point, radius: size * 0.8)
        case 1:
            canvas.rectangle(
                Box(x: point.x - size * 0.75, y: point.y - size * 0.75, width: size * 1.5, height: size * 1.5))
        case 2: canvas.polygon([corner(0, -0.95), corner(0.9, 0.7), corner(-0.9, 0.7)])
        case 3: canvas.polygon([corner(0, -1), corner(1, 0), corner(0, 1), corner(-1, 0)])
        case 4:
            canvas.polygon([
                corner(-0.3, -0.95), corner(0.3, -0.95), corner(0.3, -0.3), corner(0.95, -0.3), corner(0.95, 0.3),
                corner(0.3, 0.3), corner(0.3, 0.95),
                corner(-0.3, 0.95), corner(-0.3, 0.3), corner(-0.95, 0.3), corner(-0.95, -0.3), corner(-0.3, -0.3),
            ])
        default: canvas.polygon([corner(0, 0.95), corner(0.9, -0.7), corner(-0.9, -0.7)])
        }
    }
}

/// The colour, hatch, dash and marker of a chart's series or of a state on a plan. Neighbours also
/// differ in black and white.
struct ChartInk: Sendable, Hashable {
    let index: Int
    /// The given colour; nil: the usual colour of the index.
    private let stated: Colour?

    init(_ index: Int, colour: Colour? = nil) {
        self.index = index
        stated = colour
    }

    private static let colours = [
        Colour(red: 0.18, green: 0.40, blue: 0.62), Colour(red: 0.93, green: 0.69, blue: 0.30),
        Colour(red: 0.47, green: 0.66, blue: 0.42),
        Colour(red: 0.76, green: 0.36, blue: 0.30), Colour(red: 0.62, green: 0.55, blue: 0.74),
        Colour(red: 0.45, green: 0.70, blue: 0.74),
        Colour(red: 0.60, green: 0.48, blue: 0.36), Colour(red: 0.78, green: 0.78, blue: 0.78),
    ]

    var colour: Colour { stated ?? Self.colours[index % Self.colours.count] }
    var dash: [Double] { [[], [5, 2], [1.5, 1.5], [6, 2, 1.5, 2], [3, 3]][index % 5] }

    /// The lines drawn over the colour, in a tile of 6 points.
    struct Hatch: Equatable {
        let lines: [[Double]]
        var width = 0.45
    }

    private static let hatches = [
        Hatch(lines: []), Hatch(lines: [[0, 6, 6, 0]]), Hatch(lines: [[3, 0, 3, 6]]),
        Hatch(lines: [[0, 0, 6, 6], [0, 6, 6, 0]]),
        Hatch(lines: [[0, 3, 6, 3]]), Hatch(lines: [[0, 0, 6, 6]]), Hatch(lines: [[0, 3, 6, 3], [3, 0, 3, 6]]),
        // These lines have no length, so only their round ends are visible, as dots. They need a
        // thick line.
        Hatch(lines: [[1, 3, 1, 3], [4, 0.5, 4, 0.5]], width: 1.2),
    ]

    /// Each time the list of colours repeats, a colour gets another hatch.
    var hatch: Hatch { Self.hatches[(index + index / Self.colours.count) % Self.hatches.count] }

    /// Tints are pale below their hatch, so that texts on them are readable.
    func fillPath(on canvas: Canvas, phase: Point = Point(x: 0, y: 0)) {
        canvas.fill(colour, keepsPath: true)
        let ink = colour.mixed(with: colour.luminance > 0.5 ? .black : .white, stated == nil ? 0.5 : 0.18)
        let hatch = hatch
        let layer = Tile.Layer(
            path: { path in
                for line in hatch.lines { path.segment(Point(x: line[0], y: line[1]), Point(x: line[2], y: line[3])) }
            },
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

extension Colour {
    /// A colour pale enough for readable texts on it.
    init(_ tint: Tint) {
        switch tint {
        case .grey: self.init(grey: 0.94)
        case .blue: self.init(red: 0.84, green: 0.91, blue: 0.98)
        case .green: self.init(red: 0.87, green: 0.95, blue: 0.85)
        case .darkGreen: self.init(red: 0.66, green: 0.83, blue: 0.68)
        case .yellow: self.init(red: 0.99, green: 0.95, blue: 0.76)
        case .orange: self.init(red: 0.99, green: 0.87, blue: 0.72)
        case .red: self.init(red: 0.97, green: 0.82, blue: 0.79)
        case .violet: self.init(red: 0.90, green: 0.86, blue: 0.96)
        }
    }
}
