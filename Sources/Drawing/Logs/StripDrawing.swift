package import Blocks
package import Canvas
package import Model

/// The column of one pit: depth scale, strata to scale with their tiles, water table and samples.
package struct StripDrawing {
    package var strata: [Stratum]
    package var samples: [DepthMark]
    /// The depth of the pit in metres; the strip shows the depth of the strata if that is greater.
    package var depth: Double
    /// The depth of the water table in metres; nil: none.
    package var water: Double?
    package var waterLabel: String
    /// The text if nothing was logged.
    package var emptyLabel: String
    package var style: DrawingStyle

    package init(
        strata: [Stratum], samples: [DepthMark] = [], depth: Double, water: Double? = nil, waterLabel: String = "",
        emptyLabel: String,
        style: DrawingStyle = DrawingStyle()
    ) {
        self.strata = strata
        self.samples = samples
        self.depth = depth
        self.water = water
        self.waterLabel = waterLabel
        self.emptyLabel = emptyLabel
        self.style = style
    }

    package func draw(on canvas: Canvas, in box: Box) {
        let bottom = max(depth, strata.map(\.bottom).filter(\.isFinite).max() ?? 0, 0.01)
        let scaleWidth = min(30, box.width * 0.25)
        let labelWidth = samples.isEmpty ? 0 : min(box.width * 0.45, 90)
        // Water at the surface has its mark above the strip.
        let body = box.inset(dx: 0, dy: 9)
        let strip = Box(
            x: box.x + scaleWidth, y: body.y, width: max(4, box.width - scaleWidth - labelWidth), height: body.height)
        let scale = DepthScale(from: 0, to: bottom, perMetre: strip.height / bottom, style: style)
        scale.draw(on: canvas, in: Box(x: box.x, y: strip.y, width: scaleWidth, height: strip.height))
        guard !strata.isEmpty else {
            canvas.drawNothing(emptyLabel, in: strip, style)
            return drawWater(on: canvas, strip: strip, scale: scale)
        }
        for stratum in strata where stratum.bottom > stratum.top {
            let (top, end) = (scale.y(stratum.top, in: strip), scale.y(stratum.bottom, in: strip))
            let part = Box(x: strip.x, y: top, width: strip.width, height: end - top)
            SoilSymbol(stratum.symbol).fill(part, on: canvas)
            canvas.rectangle(part)
            canvas.stroke(style.ink, width: 0.6)
        }
        canvas.rectangle(strip)
        canvas.stroke(style.ink, width: 0.9)
        drawLabels(on: canvas, strip: strip, width: labelWidth, scale: scale, in: body)
        drawWater(on: canvas, strip: strip, scale: scale)
    }

    private func drawLabels(on canvas: Canvas, strip: Box, width: Double, scale: DepthScale, in body: Box) {
        guard width > 20 else { return }
        let bar = samples.isEmpty ? 0.0 : 7
        for sample in samples {
            let (top, end) = (scale.y(sample.top, in: strip), scale.y(sample.bottom, in: strip))
            canvas.rectangle(Box(x: strip.right + 2, y: top, width: 4, height: max(1.5, end - top)))
            canvas.fill(style.accent)
        }
        let sorted = samples.map { (($0.top + $0.bottom) / 2, $0.label) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let layouts = sorted.map {
            canvas.layout(
                $0.1, style.text(0.85, .regular, colour: style.accent), width: width - 14 - bar, maximumLines: 2)
        }
        let targets = sorted.map { scale.y($0.0, in: strip) }
        let centres = Spread.centres(
            targets: targets, sizes: layouts.map(\.height), from: body.y - 3, to: body.bottom + 3)
        // If not all labels fit, none is drawn.
        for (index, layout) in layouts.enumerated() {
            guard let centre = centres?[index] else { return }
            canvas.polyline([
                Point(x: strip.right + bar, y: targets[index]), Point(x: strip.right + bar + 3, y: targets[index]),
                Point(x: strip.right + bar + 9, y: centre), Point(x: strip.right + bar + 11, y: centre),
            ])
            canvas.stroke(style.line, width: 0.35)
            canvas.draw(layout, at: Point(x: strip.right + bar + 12.5, y: centre - layout.height / 2))
        }
    }

    private func drawWater(on canvas: Canvas, strip: Box, scale: DepthScale) {
        guard let water, water >= 0, water <= scale.to else { return }
        canvas.drawWaterTable(at: scale.y(water, in: strip), across: strip, label: waterLabel, style)
    }
}

extension StripContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (50, 120) }

    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        StripDrawing(
            strata: strata, depth: total ?? strata.map(\.bottom).max() ?? 0, water: water,
            waterLabel: setting.waterLabel(water), emptyLabel: setting.words("nothing_logged"), style: setting.style
        ).draw(on: canvas, in: box)
    }

    package func figure(_ setting: DrawingSetting) -> String {
        setting.figure("strip", setting.strata(strata) + setting.water(water))
    }
}

extension Canvas {
    /// Draws the water table across a strip. Its label is below the line, or above the line if
    /// there is no space below.
    func drawWaterTable(at y: Double, across strip: Box, label: String, _ style: DrawingStyle) {
        segment(Point(x: strip.x, y: y), Point(x: strip.right, y: y))
        stroke(.white, width: 2.2)
        segment(Point(x: strip.x, y: y), Point(x: strip.right, y: y))
        stroke(style.water, width: 1.1)
        let size = min(8, strip.width / 3)
        drawWaterMark(at: Point(x: strip.right - size, y: y), size: size, style.water)
        guard !label.isEmpty else { return }
        let room = strip.width - 3
        let text = style.text(DrawingStyle.least / style.textSize, .bold, colour: style.water)
        // The mark is at the right above the line, and the label below it.
        let height = layout(label, text, width: room, maximumLines: 2).height
        let isRoomBelow = strip.bottom - y > height + 4 || y - strip.y < height + size
        drawLabel(
            label, text, at: Point(x: strip.x + 1.5, y: isRoomBelow ? y + 4 : y - size - 1),
            anchor: (0, isRoomBelow ? 0 : 1), width: room, lines: 2)
    }

    /// Draws a crossed box with a text for an empty drawing.
    func drawNothing(_ label: String, in box: Box, _ style: DrawingStyle) {
        rectangle(box)
        fill(Colour(grey: 0.97), keepsPath: true)
        stroke(style.line, width: 0.6, dash: [3, 2])
        segment(Point(x: box.x, y: box.y), Point(x: box.right, y: box.bottom))
        segment(Point(x: box.right, y: box.y), Point(x: box.x, y: box.bottom))
        stroke(style.faint, width: 0.5)
        guard !label.isEmpty else { return }
        let layout = layout(
            label, style.text(colour: style.line, alignment: .centre), width: max(10, box.width - 6), maximumLines: 3)
        let place = Point(x: box.middle.x - max(10, box.width - 6) / 2, y: box.middle.y - layout.height / 2)
        rectangle(Box(x: box.x + 3, y: place.y - 1, width: box.width - 6, height: layout.height + 2))
        fill(Colour(grey: 0.97))
        draw(layout, at: place)
    }
}
