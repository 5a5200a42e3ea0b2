internal import Canvas

/// The mark of a kind of asset: six shapes in five colours, so that thirty kinds differ.
struct AssetMark {
    let kind: Int

    private static let colours = [
        Colour(red: 0.80, green: 0.15, blue: 0.12), Colour(red: 0.10, green: 0.28, blue: 0.62), Colour(red: 0.93, green: 0.55, blue: 0.05),
        Colour(red: 0.45, green: 0.16, blue: 0.55), Colour(grey: 0.15),
    ]

    func draw(on canvas: Canvas, at point: Point, size: Double) {
        let number = abs(kind % 30)
        let colour = Self.colours[(number + number / 6) % 5]
        MarkShape.draw(number, on: canvas, at: point, size: size)
        canvas.fill(colour, keepsPath: true)
        canvas.stroke(.white, width: 0.6)
    }
}
