internal import Canvas

/// The icon of a kind of asset, by the name that its system gives it: `lightbulb`, `drop.fill`,
/// `fire-extinguisher`, `ac_unit`. A name that has no drawing is shown by its first letters.
struct AssetIcon: Hashable {
    private enum Content: Hashable {
        case glyph(AssetGlyph)
        case letters(String)
    }

    private let content: Content

    /// Words that only tell a variant of an icon.
    private static let variants: Set<Substring> = ["fill", "filled", "outlined", "outline", "rounded", "round", "sharp", "circle", "slash", "off", "front", "open"]

    init(_ name: String) {
        let all = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let words = all.filter { !Self.variants.contains($0) }
        let glyph = ([all.joined(), words.joined()] + words.map(String.init)).compactMap { AssetGlyph(named: $0) }.first
        if let glyph {
            content = .glyph(glyph)
        } else {
            let initials = words.count > 1 ? words.prefix(2).compactMap(\.first).map(String.init).joined() : String((words.first ?? "?").prefix(2))
            content = .letters(initials.prefix(1).uppercased() + initials.dropFirst())
        }
    }

    /// The letters that stand for a name without a drawing; nil: it has one.
    var letters: String? { if case .letters(let letters) = content { letters } else { nil } }

    /// - Parameter size: from the middle to the edges of the square that it fills.
    func draw(on canvas: Canvas, at middle: Point, size: Double, _ style: DrawingStyle) {
        switch content {
        case .letters(let letters): canvas.draw(letters, style.text(0.8, .bold), at: middle, anchor: (0.5, 0.5))
        case .glyph(let glyph): for stroke in glyph.strokes { stroke.draw(on: canvas, at: middle, size: size, style.ink) }
        }
    }
}

/// A part of a glyph, in a square from -1 to 1, y downwards.
enum GlyphStroke {
    case line([(Double, Double)])
    /// A closed line, and a filled area.
    case closed([(Double, Double)])
    case solid([(Double, Double)])
    case ring(Double, Double, radius: Double)
    case dot(Double, Double, radius: Double)
    /// Angles in degrees, clockwise from the right.
    case arc(Double, Double, radius: Double, from: Double, to: Double)

    fileprivate func draw(on canvas: Canvas, at middle: Point, size: Double, _ ink: Colour) {
        func place(_ x: Double, _ y: Double) -> Point { Point(x: middle.x + x * size, y: middle.y + y * size) }
        canvas.newPath()
        switch self {
        case .line(let points): canvas.polyline(points.map(place))
        case .closed(let points), .solid(let points): canvas.polygon(points.map(place))
        case .ring(let x, let y, let radius), .dot(let x, let y, let radius): canvas.circle(place(x, y), radius: radius * size)
        case .arc(let x, let y, let radius, let start, let end):
            canvas.arc(centre: place(x, y), radius: radius * size, from: start * .pi / 180, to: end * .pi / 180)
        }
        switch self {
        case .solid, .dot: canvas.fill(ink)
        default: canvas.stroke(ink, width: max(0.5, size * 0.17), cap: .round)
        }
    }
}
