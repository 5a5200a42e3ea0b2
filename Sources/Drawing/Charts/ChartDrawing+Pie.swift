internal import Blocks
internal import Canvas
internal import Foundation

extension ChartDrawing {
    private struct Slice {
        let index: Int
        let label: TextLayout
        let middle: Double
        let start: Double
        let end: Double

        var isRight: Bool { cosine(middle) >= 0 }
    }

    /// Draws a pie or ring of the first series. Lines connect it to its labels, in a column on
    /// either side.
    func drawPie(on canvas: Canvas, in box: Box) {
        let values = categories.indices.map { max(0, value(0, $0) ?? 0) }
        let total = values.reduce(0, +)
        guard total > 0 else { return canvas.drawNothing(emptyLabel, in: box, style) }
        let labelWidth = min(box.width * 0.32, 130)
        let centre = box.middle
        var slices: [Slice] = []
        var angle = -Double.pi / 2
        for index in categories.indices where values[index] > 0 {
            let sweep = values[index] / total * 2 * .pi
            let share = style.number(values[index] / total * 100, decimals: 1)
            let label = canvas.layout(
                "\(categories[index]): \(text(values[index])) (\(share) %)", style.text(0.9), width: labelWidth,
                maximumLines: 2)
            slices.append(
                Slice(index: index, label: label, middle: angle + sweep / 2, start: angle, end: angle + sweep))
            angle += sweep
        }
        // The edge of the pie is 18 points from a label on either side.
        let widest = slices.map(\.label.width).max() ?? 0
        let radius = max(10, min((box.width - 2 * widest - 38) / 2, (box.height - 16) / 2))
        for slice in slices {
            canvas.newPath()
            if slices.count > 1 { canvas.move(to: centre) }
            canvas.arc(centre: centre, radius: radius, from: slice.start, to: slice.end)
            canvas.close()
            ChartInk(slice.index).fillPath(on: canvas)
            canvas.newPath()
            if slices.count > 1 { canvas.move(to: centre) }
            canvas.arc(centre: centre, radius: radius, from: slice.start, to: slice.end)
            canvas.close()
            canvas.stroke(.white, width: 1)
        }
        if content.isRing {
            canvas.circle(centre, radius: radius * 0.56)
            canvas.fill(.white)
            canvas.draw(text(total), style.text(1.5, .bold), at: centre, anchor: (0.5, 0.5), width: radius)
        }
        for isRight in [true, false] {
            drawLabels(of: slices.filter { $0.isRight == isRight }, isRight: isRight, on: canvas, box, centre, radius)
        }
    }

    private func drawLabels(
        of slices: [Slice], isRight: Bool, on canvas: Canvas, _ box: Box, _ centre: Point, _ radius: Double
    ) {
        let sorted = slices.sorted { sine($0.middle) < sine($1.middle) }
        let targets = sorted.map { centre.y + sine($0.middle) * (radius + 8) }
        // If there are too many labels for the height, those of the smallest parts are left out.
        var shown = sorted.indices.map { $0 }
        while shown.map({ sorted[$0].label.height + 1 }).reduce(0, +) > box.height {
            guard let least = shown.min(by: { sorted[$0].end - sorted[$0].start < sorted[$1].end - sorted[$1].start })
            else { return }
            shown.removeAll { $0 == least }
        }
        guard
            let centres = Spread.centres(
                targets: shown.map { targets[$0] }, sizes: shown.map { sorted[$0].label.height + 1 }, from: box.y,
                to: box.bottom)
        else { return }
        for (place, index) in zip(centres, shown) {
            let slice = sorted[index]
            let side = isRight ? 1.0 : -1.0
            let edge = Point(x: centre.x + cosine(slice.middle) * radius, y: centre.y + sine(slice.middle) * radius)
            let bend = Point(x: centre.x + side * (radius + 10), y: place)
            canvas.polyline([
                edge,
                Point(
                    x: centre.x + cosine(slice.middle) * (radius + 4), y: centre.y + sine(slice.middle) * (radius + 4)),
                bend, Point(x: bend.x + side * 6, y: place),
            ])
            canvas.stroke(style.line, width: 0.5)
            canvas.draw(
                slice.label,
                at: Point(x: isRight ? bend.x + 8 : bend.x - 8 - slice.label.width, y: place - slice.label.height / 2))
        }
    }
}

/// The functions of Foundation that drawings need, in one file that imports it.
func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
