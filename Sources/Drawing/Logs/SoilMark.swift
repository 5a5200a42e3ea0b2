internal import Canvas

/// A mark of a soil's tile, in points within a cell.
enum SoilMark {
    case pebble(x: Double, y: Double, rx: Double, ry: Double, turn: Double)
    case dot(x: Double, y: Double, size: Double)
    case stroke(x: Double, y: Double, toX: Double, toY: Double)
    case heavy(x: Double, y: Double, toX: Double, toY: Double)
    /// Remains of plants: three blades on a line.
    case tuft(x: Double, y: Double, size: Double)
    /// A wave of one period.
    case fibre(x: Double, y: Double, length: Double)
    case stone([(Double, Double)])

    /// Returns the mark moved to the right and down.
    var moved: (Double, Double) -> SoilMark {
        { dx, dy in
            switch self {
            case .pebble(let x, let y, let rx, let ry, let turn):
                .pebble(x: x + dx, y: y + dy, rx: rx, ry: ry, turn: turn)
            case .dot(let x, let y, let size): .dot(x: x + dx, y: y + dy, size: size)
            case .stroke(let x, let y, let toX, let toY): .stroke(x: x + dx, y: y + dy, toX: toX + dx, toY: toY + dy)
            case .heavy(let x, let y, let toX, let toY): .heavy(x: x + dx, y: y + dy, toX: toX + dx, toY: toY + dy)
            case .tuft(let x, let y, let size): .tuft(x: x + dx, y: y + dy, size: size)
            case .fibre(let x, let y, let length): .fibre(x: x + dx, y: y + dy, length: length)
            case .stone(let points): .stone(points.map { ($0.0 + dx, $0.1 + dy) })
            }
        }
    }

    /// The marks as layers: lines first, then grains and stones, which cover the lines.
    static func layers(_ marks: [SoilMark], ink: Colour, paper: Colour) -> [Tile.Layer] {
        var layers: [Tile.Layer] = []
        let lines = marks.filter { mark in
            if case .stroke = mark {
                true
            } else if case .tuft = mark {
                true
            } else if case .fibre = mark {
                true
            } else {
                false
            }
        }
        let heavy = marks.filter { mark in if case .heavy = mark { true } else { false } }
        let stones = marks.filter { mark in
            if case .pebble = mark { true } else if case .stone = mark { true } else { false }
        }
        if !lines.isEmpty {
            layers.append(Tile.Layer(path: { lines.add(to: $0) }, paint: { $0.stroke(ink, width: 0.45, cap: .round) }))
        }
        if !heavy.isEmpty {
            layers.append(Tile.Layer(path: { heavy.add(to: $0) }, paint: { $0.stroke(ink, width: 0.75, cap: .round) }))
        }
        let sizes = Set(marks.compactMap { mark in if case .dot(_, _, let size) = mark { size } else { nil } }).sorted()
        for size in sizes {
            let dots = marks.filter { mark in if case .dot(_, _, size) = mark { true } else { false } }
            layers.append(Tile.Layer(path: { dots.add(to: $0) }, paint: { $0.stroke(ink, width: size, cap: .round) }))
        }
        if !stones.isEmpty {
            layers.append(Tile.Layer(path: { stones.add(to: $0) }, paint: { canvas in
                canvas.fill(paper, keepsPath: true)
                canvas.stroke(ink, width: 0.45)
            }))
        }
        return layers
    }

    func scaled(by factor: Double) -> SoilMark {
        switch self {
        case .pebble(let x, let y, let rx, let ry, let turn):
            .pebble(x: x * factor, y: y * factor, rx: rx * factor, ry: ry * factor, turn: turn)
        case .dot(let x, let y, let size): .dot(x: x * factor, y: y * factor, size: size * factor)
        case .stroke(let x, let y, let toX, let toY):
            .stroke(x: x * factor, y: y * factor, toX: toX * factor, toY: toY * factor)
        case .heavy(let x, let y, let toX, let toY):
            .heavy(x: x * factor, y: y * factor, toX: toX * factor, toY: toY * factor)
        case .tuft(let x, let y, let size): .tuft(x: x * factor, y: y * factor, size: size * factor)
        case .fibre(let x, let y, let length): .fibre(x: x * factor, y: y * factor, length: length * factor)
        case .stone(let points): .stone(points.map { ($0.0 * factor, $0.1 * factor) })
        }
    }

    /// Whether the mark does not reach a cell's edges.
    func isWithin(_ size: Double) -> Bool {
        let points: [(Double, Double)] = switch self {
            case .pebble(let x, let y, let rx, let ry, _):
                [(x - max(rx, ry), y - max(rx, ry)), (x + max(rx, ry), y + max(rx, ry))]
        case .dot(let x, let y, let dot): [(x - dot / 2, y - dot / 2), (x + dot / 2, y + dot / 2)]
        case .stroke(let x, let y, let toX, let toY), .heavy(let x, let y, let toX, let toY): [(x, y), (toX, toY)]
        case .tuft(let x, let y, let blade): [(x - blade, y - 1.1 * blade), (x + blade, y)]
        case .fibre(let x, let y, let length): [(x, y - length * 0.18), (x + length, y + length * 0.18)]
        case .stone(let points): points
        }
        return points.allSatisfy { (0.25...size - 0.25).contains($0.0) && (0.25...size - 0.25).contains($0.1) }
    }

    /// Adds the mark's outline to the path.
    func add(to canvas: Canvas) {
        switch self {
        case .stroke(let x, let y, let toX, let toY), .heavy(let x, let y, let toX, let toY):
            canvas.segment(Point(x: x, y: y), Point(x: toX, y: toY))
        // A dot is a line without length: its round caps form the dot.
        case .dot(let x, let y, _): canvas.segment(Point(x: x, y: y), Point(x: x, y: y))
        case .pebble(let x, let y, let rx, let ry, let turn):
            canvas.inGroup {
                canvas.translate(x: x, y: y)
                canvas.rotate(turn)
                canvas.scale(x: rx, y: ry)
                canvas.circle(Point(x: 0, y: 0), radius: 1)
            }
        case .stone(let points): canvas.polygon(points.map { Point(x: $0.0, y: $0.1) })
        case .tuft(let x, let y, let size):
            canvas.segment(Point(x: x - size, y: y), Point(x: x + size, y: y))
            canvas.segment(Point(x: x, y: y), Point(x: x, y: y - size * 1.1))
            canvas.segment(Point(x: x, y: y), Point(x: x - size * 0.7, y: y - size * 0.85))
            canvas.segment(Point(x: x, y: y), Point(x: x + size * 0.7, y: y - size * 0.85))
        case .fibre(let x, let y, let length):
            let (quarter, half) = (length / 4, length / 2)
            canvas.move(to: Point(x: x, y: y))
            canvas.curve(
                to: Point(x: x + half, y: y), Point(x: x + quarter * 0.7, y: y - length * 0.18),
                Point(x: x + half - quarter * 0.7, y: y - length * 0.18))
            canvas.curve(
                to: Point(x: x + length, y: y), Point(x: x + half + quarter * 0.7, y: y + length * 0.18),
                Point(x: x + length - quarter * 0.7, y: y + length * 0.18))
        }
    }
}

extension [SoilMark] {
    func add(to canvas: Canvas) {
        for mark in self { mark.add(to: canvas) }
    }
}
