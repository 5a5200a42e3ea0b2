package import Blocks
package import Canvas

/// A location map of pits: UTM coordinates with a grid, north up, and a scale bar of a round
/// length.
extension SketchContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (180, 120) }

    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        _ = drawMap(on: canvas, in: box, setting)
    }

    package func figure(_ setting: DrawingSetting) -> String { setting.figure("sketch", places.map(\.label)) }

    /// - Returns: the labels that did not fit.
    func drawMap(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) -> [String] {
        let style = setting.style
        let places = places.filter { $0.east.isFinite && $0.north.isFinite }
        guard let extent = Box(around: places.map { Point(x: $0.east, y: $0.north) }) else {
            canvas.drawNothing(setting.words("no_coordinates"), in: box, style)
            return []
        }
        let line = canvas.layout("0", style.text(0.8)).height
        // Northings are upright at the left, eastings at the bottom, with the scale bar below them.
        let map = Box(x: box.x + line + 2, y: box.y, width: box.width - line - 2, height: box.height - 2 * line - 16)
        guard map.width > 30, map.height > 30 else { return places.map(\.label) }
        let scale = SketchScale(map: map, extent: extent)
        drawGrid(on: canvas, scale, style)

        let marks = PlaceMarks(
            places: places, points: places.map { scale.point(east: $0.east, north: $0.north) }, map: map, style: style)
        let arrow = Point(x: map.right - 14, y: map.y + 24)
        if isJoined { marks.drawLine(on: canvas) }
        let omitted = marks.drawLabels(on: canvas, keepingFree: Box(x: arrow.x - 12, y: map.y, width: 26, height: 44))
        marks.drawDots(on: canvas)
        NorthArrow(angle: 0, style: style).draw(on: canvas, centre: arrow, size: 20)
        ScaleBar(pointsPerMetre: scale.perMetre, style: style).draw(
            on: canvas, at: Point(x: map.x, y: map.bottom + line + 5), maximumWidth: map.width * 0.6)
        return omitted
    }

    private func drawGrid(on canvas: Canvas, _ scale: SketchScale, _ style: DrawingStyle) {
        let (map, centre, perMetre) = (scale.map, scale.centre, scale.perMetre)
        let text = style.text(0.8)
        canvas.rectangle(map)
        canvas.fill(Colour(grey: 0.985))
        let sample = canvas.layout("8 888 888", text).width
        let step = RoundSteps.step(atLeast: max(sample * 1.6, 60) / perMetre)
        let (halfWidth, halfHeight) = (map.width / 2 / perMetre, map.height / 2 / perMetre)
        let easts = RoundSteps.ticks(from: centre.x - halfWidth, to: centre.x + halfWidth, step: step)
        let norths = RoundSteps.ticks(from: centre.y - halfHeight, to: centre.y + halfHeight, step: step)
        for east in easts { canvas.segment(Point(x: scale.x(east), y: map.y), Point(x: scale.x(east), y: map.bottom)) }
        for north in norths {
            canvas.segment(Point(x: map.x, y: scale.y(north)), Point(x: map.right, y: scale.y(north)))
        }
        canvas.stroke(style.faint, width: 0.35)
        canvas.rectangle(map)
        canvas.stroke(style.ink, width: 0.8)
        for east in easts {
            let layout = canvas.layout(style.number(east, step: step), text)
            let x = scale.x(east)
            guard x - layout.width / 2 >= map.x, x + layout.width / 2 <= map.right else { continue }
            canvas.draw(layout, at: Point(x: x - layout.width / 2, y: map.bottom + 1.5))
        }
        for north in norths {
            let layout = canvas.layout(style.number(north, step: step), text)
            let y = scale.y(north)
            guard y - layout.width / 2 >= map.y, y + layout.width / 2 <= map.bottom else { continue }
            canvas.inGroup {
                canvas.translate(x: map.x - 2 - layout.height, y: y + layout.width / 2)
                canvas.rotate(-.pi / 2)
                canvas.draw(layout, at: Point(x: 0, y: 0))
            }
        }
    }
}

/// The position of coordinates on the map, so that grid and places agree.
private struct SketchScale {
    let map: Box
    let centre: Point
    /// Points for each metre.
    let perMetre: Double

    /// The largest scale, up to 1:500, at which the extent fits on the map.
    init(map: Box, extent: Box) {
        let side = max(extent.width, extent.height, 1)
        self.map = map
        centre = extent.middle
        perMetre = min(
            (map.width - 50) / max(extent.width, side * 0.02), (map.height - 50) / max(extent.height, side * 0.02),
            DrawingStyle.points(perMetreAt: 500))
    }

    func x(_ east: Double) -> Double { map.middle.x + (east - centre.x) * perMetre }
    func y(_ north: Double) -> Double { map.middle.y - (north - centre.y) * perMetre }
    func point(east: Double, north: Double) -> Point { Point(x: x(east), y: y(north)) }
}

/// The places on the map, with their line, labels and dots.
private struct PlaceMarks {
    let places: [SketchContent.Place]
    /// The position of each place.
    let points: [Point]
    let map: Box
    let style: DrawingStyle

    /// The places by importance: the labels of highlighted ones are placed first.
    private var order: [Int] { places.indices.sorted { places[$0].isHighlighted && !places[$1].isHighlighted } }

    func drawLine(on canvas: Canvas) {
        canvas.polyline(points)
        canvas.stroke(style.line, width: 1.6, cap: .round)
        canvas.polyline(points)
        canvas.stroke(.white, width: 0.8, cap: .round)
    }

    /// Draws every label that has room. Lines to distant labels are drawn first, below all labels.
    /// - Returns: the labels that did not fit.
    func drawLabels(on canvas: Canvas, keepingFree arrow: Box) -> [String] {
        var placement = LabelPlacement(frame: map.inset(by: 2))
        placement.block(arrow)
        for point in points { placement.block(Box(x: point.x - 3, y: point.y - 3, width: 6, height: 6)) }
        var omitted: [String] = []
        var labels: [(TextLayout, Point)] = []
        for index in order where !places[index].label.isEmpty {
            let layout = layout(of: places[index], canvas)
            guard
                let (label, isFar) = placement.place(
                    width: layout.width + 1, height: layout.height, about: points[index], gap: 4)
            else {
                omitted.append(places[index].label)
                continue
            }
            if isFar { drawConnection(on: canvas, from: points[index], to: label) }
            labels.append((layout, Point(x: label.x + 0.5, y: label.y)))
        }
        for (layout, corner) in labels {
            canvas.rectangle(
                Box(x: corner.x - 0.5, y: corner.y + 0.5, width: layout.width + 1, height: layout.height - 1))
            canvas.fill(.white)
            canvas.draw(layout, at: corner)
        }
        return omitted
    }

    private func layout(of place: SketchContent.Place, _ canvas: Canvas) -> TextLayout {
        canvas.layout(
            place.label, style.text(0.85, place.isHighlighted ? .bold : .regular), width: map.width * 0.4,
            maximumLines: 1)
    }

    private func drawConnection(on canvas: Canvas, from point: Point, to label: Box) {
        let end = Point(x: min(max(point.x, label.x), label.right), y: min(max(point.y, label.y), label.bottom))
        canvas.segment(point, end)
        canvas.stroke(style.line, width: 0.35)
    }

    /// Draws the dots, with the highlighted ones above the others.
    func drawDots(on canvas: Canvas) {
        for index in order.reversed() {
            let isHigh = places[index].isHighlighted
            canvas.circle(points[index], radius: isHigh ? 3.4 : 2.4)
            canvas.fill(isHigh ? Colour(red: 0.78, green: 0.12, blue: 0.1) : style.accent, keepsPath: true)
            canvas.stroke(.white, width: 0.7)
        }
    }
}

/// A scale bar of a round length, with its numbers below.
struct ScaleBar {
    let pointsPerMetre: Double
    let style: DrawingStyle

    /// - Returns: the box of the bar and its numbers.
    @discardableResult
    func draw(on canvas: Canvas, at corner: Point, maximumWidth: Double) -> Box {
        guard pointsPerMetre > 0, maximumWidth > 10 else { return Box(x: corner.x, y: corner.y, width: 0, height: 0) }
        // The last number extends beyond the bar on the right.
        let metres = RoundSteps.step(atMost: (maximumWidth - 24) / pointsPerMetre)
        let width = metres * pointsPerMetre
        for part in 0..<4 {
            let segment = Box(x: corner.x + 3 + width * Double(part) / 4, y: corner.y, width: width / 4, height: 3.5)
            canvas.rectangle(segment)
            canvas.fill(part % 2 == 0 ? style.ink : .white, keepsPath: true)
            canvas.stroke(style.ink, width: 0.5)
        }
        let isFar = metres >= 2000
        let unit = isFar ? "km" : "m"
        let value = { (share: Double) in
            style.number(metres * share / (isFar ? 1000 : 1), step: metres * share / (isFar ? 1000 : 1))
        }
        let text = style.text(0.8)
        let start = canvas.draw("0", text, at: Point(x: corner.x + 3, y: corner.y + 4.5), anchor: (0.5, 0))
        let end = canvas.draw(
            "\(value(1)) \(unit)", text, at: Point(x: corner.x + 3 + width, y: corner.y + 4.5), anchor: (0.5, 0))
        let middle = canvas.layout(value(0.5), text)
        let centre = corner.x + 3 + width / 2
        if centre - middle.width / 2 > start.right + 2, centre + middle.width / 2 < end.x - 2 {
            canvas.draw(middle, at: Point(x: centre - middle.width / 2, y: corner.y + 4.5))
        }
        return Box(x: corner.x, y: corner.y, width: max(width + 6, end.right - corner.x), height: end.bottom - corner.y)
    }
}

/// An arrow to the north.
struct NorthArrow {
    /// Clockwise from the top of the page, in radians.
    let angle: Double
    let style: DrawingStyle

    func draw(on canvas: Canvas, centre: Point, size: Double) {
        canvas.inGroup {
            canvas.translate(x: centre.x, y: centre.y)
            canvas.rotate(angle)
            let (tip, wing, tail) = (size * 0.5, size * 0.24, size * 0.34)
            canvas.polygon([Point(x: 0, y: -tip), Point(x: -wing, y: tail), Point(x: 0, y: tail * 0.55)])
            canvas.fill(style.ink, keepsPath: true)
            canvas.stroke(style.ink, width: 0.6)
            canvas.polygon([Point(x: 0, y: -tip), Point(x: wing, y: tail), Point(x: 0, y: tail * 0.55)])
            canvas.fill(.white, keepsPath: true)
            canvas.stroke(style.ink, width: 0.6)
        }
        let text = style.text(1, .bold)
        let distance = size * 0.5 + text.size * 0.62
        let place = Point(x: centre.x + sine(angle) * distance, y: centre.y - cosine(angle) * distance)
        canvas.draw("N", text, at: place, anchor: (0.5, 0.5))
    }
}
