internal import Canvas

/// What a soil's tile is made of, in points within a cell.
enum SoilMark {
    case pebble(x: Double, y: Double, rx: Double, ry: Double, turn: Double)
    case dot(x: Double, y: Double, size: Double)
    case stroke(x: Double, y: Double, toX: Double, toY: Double)
    case heavy(x: Double, y: Double, toX: Double, toY: Double)
    /// A plant's remains: three blades on a line.
    case tuft(x: Double, y: Double, size: Double)
    /// A wave of one period.
    case fibre(x: Double, y: Double, length: Double)
    case stone([(Double, Double)])

    var moved: (Double, Double) -> SoilMark {
        { dx, dy in
            switch self {
            case .pebble(let x, let y, let rx, let ry, let turn): .pebble(x: x + dx, y: y + dy, rx: rx, ry: ry, turn: turn)
            case .dot(let x, let y, let size): .dot(x: x + dx, y: y + dy, size: size)
            case .stroke(let x, let y, let toX, let toY): .stroke(x: x + dx, y: y + dy, toX: toX + dx, toY: toY + dy)
            case .heavy(let x, let y, let toX, let toY): .heavy(x: x + dx, y: y + dy, toX: toX + dx, toY: toY + dy)
            case .tuft(let x, let y, let size): .tuft(x: x + dx, y: y + dy, size: size)
            case .fibre(let x, let y, let length): .fibre(x: x + dx, y: y + dy, length: length)
            case .stone(let points): .stone(points.map { ($0.0 + dx, $0.1 + dy) })
            }
        }
    }

    /// Draws marks: lines first, then grains and stones, which cover them as stones stand before the mass.
    static func draw(_ marks: [SoilMark], on canvas: Canvas, ink: Colour, paper: Colour) {
        draw(marks, on: canvas, ink: ink, width: 0.5, isHeavy: false)
        draw(marks, on: canvas, ink: ink, width: 0.85, isHeavy: true)
        for mark in marks {
            switch mark {
            case .dot(let x, let y, let size):
                canvas.segment(Point(x: x, y: y), Point(x: x, y: y))
                canvas.stroke(ink, width: size, cap: .round)
            case .pebble(let x, let y, let rx, let ry, let turn):
                canvas.inGroup {
                    canvas.translate(x: x, y: y)
                    canvas.rotate(turn)
                    canvas.scale(x: rx, y: ry)
                    canvas.circle(Point(x: 0, y: 0), radius: 1)
                }
                canvas.fill(paper, keepsPath: true)
                canvas.stroke(ink, width: 0.5)
            case .stone(let points):
                canvas.polygon(points.map { Point(x: $0.0, y: $0.1) })
                canvas.fill(paper, keepsPath: true)
                canvas.stroke(ink, width: 0.5)
            default: break
            }
        }
    }

    private static func draw(_ marks: [SoilMark], on canvas: Canvas, ink: Colour, width: Double, isHeavy: Bool) {
        var isEmpty = true
        for mark in marks {
            switch mark {
            case .stroke(let x, let y, let toX, let toY) where !isHeavy: canvas.segment(Point(x: x, y: y), Point(x: toX, y: toY))
            case .heavy(let x, let y, let toX, let toY) where isHeavy: canvas.segment(Point(x: x, y: y), Point(x: toX, y: toY))
            case .tuft(let x, let y, let size) where !isHeavy:
                canvas.segment(Point(x: x - size, y: y), Point(x: x + size, y: y))
                canvas.segment(Point(x: x, y: y), Point(x: x, y: y - size * 1.1))
                canvas.segment(Point(x: x, y: y), Point(x: x - size * 0.7, y: y - size * 0.85))
                canvas.segment(Point(x: x, y: y), Point(x: x + size * 0.7, y: y - size * 0.85))
            case .fibre(let x, let y, let length) where !isHeavy:
                let (quarter, half) = (length / 4, length / 2)
                canvas.move(to: Point(x: x, y: y))
                canvas.curve(to: Point(x: x + half, y: y), Point(x: x + quarter * 0.7, y: y - 1.8), Point(x: x + half - quarter * 0.7, y: y - 1.8))
                canvas.curve(
                    to: Point(x: x + length, y: y), Point(x: x + half + quarter * 0.7, y: y + 1.8), Point(x: x + length - quarter * 0.7, y: y + 1.8))
            default: continue
            }
            isEmpty = false
        }
        if !isEmpty { canvas.stroke(ink, width: width, cap: .round) }
    }
}
