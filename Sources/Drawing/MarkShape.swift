internal import Canvas

/// Six small shapes that are easy to tell apart.
enum MarkShape {
    static func draw(_ number: Int, on canvas: Canvas, at point: Point, size: Double) {
        let corner = { (x: Double, y: Double) in Point(x: point.x + x * size, y: point.y + y * size) }
        switch number % 6 {
        case 0: canvas.circle(point, radius: size * 0.8)
        case 1: canvas.rectangle(Box(x: point.x - size * 0.75, y: point.y - size * 0.75, width: size * 1.5, height: size * 1.5))
        case 2: canvas.polygon([corner(0, -0.95), corner(0.9, 0.7), corner(-0.9, 0.7)])
        case 3: canvas.polygon([corner(0, -1), corner(1, 0), corner(0, 1), corner(-1, 0)])
        case 4:
            canvas.polygon([
                corner(-0.3, -0.95), corner(0.3, -0.95), corner(0.3, -0.3), corner(0.95, -0.3), corner(0.95, 0.3), corner(0.3, 0.3), corner(0.3, 0.95),
                corner(-0.3, 0.95), corner(-0.3, 0.3), corner(-0.95, 0.3), corner(-0.95, -0.3), corner(-0.3, -0.3),
            ])
        default: canvas.polygon([corner(0, 0.95), corner(0.9, -0.7), corner(-0.9, -0.7)])
        }
    }
}
