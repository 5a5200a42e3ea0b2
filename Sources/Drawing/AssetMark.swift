internal import Canvas

/// The mark of a kind of asset: six shapes, then the same in other colours.
struct AssetMark {
    let kind: Int

    private static let colours = [
        Colour(red: 0.80, green: 0.15, blue: 0.12), Colour(red: 0.10, green: 0.28, blue: 0.62), Colour(red: 0.93, green: 0.55, blue: 0.05),
        Colour(red: 0.45, green: 0.16, blue: 0.55), Colour(grey: 0.15),
    ]

    func draw(on canvas: Canvas, at point: Point, size: Double) {
        let number = abs(kind % 30)
        let colour = Self.colours[(number + number / 6) % 5]
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
        canvas.fill(colour, keepsPath: true)
        canvas.stroke(.white, width: 0.6)
    }
}
