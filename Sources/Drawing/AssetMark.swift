internal import Canvas

/// The mark of an asset: the icon of its kind on a disc, with a sign for what waits or failed.
/// Without an icon, six shapes in five colours tell thirty kinds apart.
struct AssetMark {
    let kind: Int
    /// The icon's name; nil: a shape. A disc without anything in it has an empty name.
    let icon: String?
    let progress: PlanDrawing.Asset.Progress
    let style: DrawingStyle

    private static let colours = [
        Colour(red: 0.80, green: 0.15, blue: 0.12), Colour(red: 0.10, green: 0.28, blue: 0.62), Colour(red: 0.93, green: 0.55, blue: 0.05),
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
    static func sign(at point: Point, size: Double) -> Box { Box(x: point.x + size * 0.45, y: point.y - size * 1.25, width: size * 0.8, height: size * 0.8) }

    /// A clock on white for what waits, a cross on black for what failed.
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
