internal import Blocks
package import Canvas
import Model

extension ProfileDrawing.Page {
    static func heightStep(_ ratio: Double) -> Double {
        RoundSteps.step(atLeast: 22 / DrawingStyle.points(perMetreAt: ratio))
    }
    static let earth = Colour(red: 0.35, green: 0.25, blue: 0.1)

    /// The positions of the parts on a sheet.
    struct Frame {
        let upper: Box
        let lower: Box
        let band: Box
        let notes: Box
        /// The true position of each pit along the axis, and the middle of its column below.
        let targets: [Double]
        let centres: [Double]
        /// The positions of the chainages at which the sheet begins and ends.
        let start: Double
        let end: Double
        let up: Double
        let down: Double
    }

    func frame(in box: Box) -> Frame {
        let half = layout.pitch / 2
        let left = box.x + ProfileLayout.margin
        let (start, end) = (axis.place(chainages.lowerBound), axis.place(chainages.upperBound))
        let margins = (sheet.before == nil ? half : 0) + (sheet.after == nil ? half : 0)
        let width = min(max(end - start + margins, Double(pits.count) * layout.pitch), box.right - left)
        let slack = width - (end - start)
        // The sheet begins or ends at its match line. A road that is shorter on the sheet than its
        // pits' columns are wide is centred.
        let inset = switch (sheet.before == nil, sheet.after == nil) {
        case (true, true): max(half, slack / 2)
        case (false, false): slack / 2
        case (true, false): slack
        case (false, true): 0.0
        }
        let targets = pits.map { left + inset + axis.place($0.chainage) - start }
        let centres =
            Spread.centres(targets: targets, sizes: pits.map { _ in layout.pitch }, from: left, to: left + width)
            ?? targets
        return Frame(
            upper: Box(x: left, y: box.y, width: width, height: layout.upper),
            lower: Box(x: left, y: box.y + layout.lowerTop, width: width, height: layout.lower),
            band: Box(
                x: box.x, y: box.y + layout.bandTop, width: ProfileLayout.margin + width,
                height: layout.bandRows.reduce(0, +)),
            notes: Box(
                x: box.x, y: box.y + layout.notesTop, width: box.width, height: box.bottom - box.y - layout.notesTop),
            targets: targets, centres: centres, start: left + inset, end: left + inset + end - start,
            up: DrawingStyle.points(perMetreAt: verticalRatio),
            down: DrawingStyle.points(perMetreAt: depthRatio))
    }

    package func draw(on canvas: Canvas, in box: Box) {
        let frame = frame(in: box)
        drawGrid(on: canvas, frame)
        drawChainages(on: canvas, frame)
        drawBreaks(on: canvas, frame)
        if layout.upper > 0 { drawGround(on: canvas, frame) }
        drawLinks(on: canvas, frame)
        drawColumns(on: canvas, frame)
        drawBand(on: canvas, frame)
        drawMatches(on: canvas, frame)
        drawNotes(on: canvas, frame)
    }

    // MARK: Elevations

    private func drawGrid(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let plot = frame.upper
        let text = style.text(0.85)
        let line = canvas.layout("0", text).height
        let ticks = self.ticks.map { x($0, frame) }
        if layout.upper > 0 {
            let step = Self.heightStep(verticalRatio)
            let heights = RoundSteps.ticks(from: base, to: base + plot.height / frame.up, step: step)
            canvas.rectangle(plot)
            canvas.fill(Colour(grey: 0.992))
            for height in heights {
                canvas.segment(Point(x: plot.x, y: y(height, frame)), Point(x: plot.right, y: y(height, frame)))
            }
            for x in ticks { canvas.segment(Point(x: x, y: plot.y), Point(x: x, y: plot.bottom)) }
            canvas.stroke(style.faint, width: 0.35)
            for height in heights {
                canvas.segment(Point(x: plot.x - 3, y: y(height, frame)), Point(x: plot.x, y: y(height, frame)))
            }
            canvas.stroke(style.ink, width: 0.6)
            for height in heights {
                let place = max(plot.y, min(y(height, frame) - line / 2, plot.bottom - line))
                canvas.draw(
                    style.number(height, step: step), text, at: Point(x: plot.x - 4.5, y: place), anchor: (1, 0),
                    width: 40)
            }
            title(profile.words("elevation"), of: plot, on: canvas)
        }
        canvas.rectangle(plot)
        for x in ticks { canvas.segment(Point(x: x, y: plot.bottom), Point(x: x, y: plot.bottom + 3)) }
        canvas.stroke(style.ink, width: 0.7)
    }

    func x(_ chainage: Double, _ frame: Frame) -> Double {
        frame.start + axis.place(chainage) - axis.place(chainages.lowerBound)
    }

    func y(_ height: Double, _ frame: Frame) -> Double { frame.upper.bottom - (height - base) * frame.up }

    private func title(_ text: String, of panel: Box, on canvas: Canvas) {
        canvas.inGroup {
            canvas.translate(x: panel.x - ProfileLayout.margin, y: panel.middle.y)
            canvas.rotate(-.pi / 2)
            canvas.draw(
                text, profile.style.text(0.85, .bold), at: Point(x: 0, y: 0), anchor: (0.5, 0), width: panel.height)
        }
    }

    private func drawGround(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let plot = frame.upper
        // The ground goes on to the match lines, as far as the pits of both sheets show it.
        let edges = (sheet.before == nil ? plot.x : frame.start, sheet.after == nil ? plot.right : frame.end)
        let shown = (sheet.pits.lowerBound - (sheet.before == nil ? 0 : 1))
            ..< (sheet.pits.upperBound + (sheet.after == nil ? 0 : 1))
        canvas.inGroup {
            canvas.clip(Box(x: edges.0, y: plot.y, width: edges.1 - edges.0, height: plot.height))
            let ground = shown.filter { axis.pits[$0].elevation != nil && axis.pits[$0].absence == nil }
            for (index, next) in zip(ground, ground.dropFirst()) {
                let (one, other) = (axis.pits[index], axis.pits[next])
                guard !axis.isBroken(from: one.chainage, to: other.chainage) else { continue }
                let isWhole = next == index + 1
                if isWhole, profile.content.joinsContacts { drawContacts(one, other, on: canvas, frame) }
                let ends = [one, other].map { Point(x: x($0.chainage, frame), y: y($0.elevation ?? 0, frame)) }
                canvas.polyline(ends)
                canvas.stroke(Self.earth, width: 1.3, dash: isWhole ? [] : [4, 3], cap: .round)
                guard let first = one.water, let second = other.water, isWhole else { continue }
                canvas.segment(
                    Point(x: ends[0].x, y: ends[0].y + first * frame.up),
                    Point(x: ends[1].x, y: ends[1].y + second * frame.up))
                canvas.stroke(style.water, width: 0.8, dash: [5, 2, 1, 2])
            }
        }
        canvas.inGroup {
            canvas.clip(frame.upper)
            for (pit, target) in zip(pits, frame.targets) { drawPit(pit, at: target, on: canvas, frame) }
        }
        drawElevationFaults(on: canvas, frame)
        if profile.content.isSection {
            for (name, x, anchor) in [
                sheet.before == nil ? ("A", frame.upper.x + 4, 0.0) : nil,
                sheet.after == nil ? ("A′", frame.upper.right - 4, 1.0) : nil,
            ].compactMap(\.self) {
                canvas.drawLabel(
                    name, style.text(1.5, .bold, colour: style.accent), at: Point(x: x, y: frame.upper.y + 3),
                    anchor: (anchor, 0))
            }
        }
    }

    private func drawPit(_ pit: ProfileDrawing.Pit, at target: Double, on canvas: Canvas, _ frame: Frame) {
        guard let elevation = pit.elevation else { return }
        let style = profile.style
        let column = Box(x: target - 2.5, y: y(elevation, frame), width: 5, height: max(1, pit.bottom * frame.up))
        if pit.gap != nil {
            canvas.segment(Point(x: target, y: column.y - 6), Point(x: target, y: column.y + 6))
            canvas.stroke(style.fault, width: 0.8, dash: [2, 1.5])
            return
        }
        for stratum in pit.strata where stratum.bottom > stratum.top {
            canvas.rectangle(
                Box(
                    x: column.x, y: column.y + stratum.top * frame.up, width: 5,
                    height: (stratum.bottom - stratum.top) * frame.up))
            canvas.fill(SoilSymbol(stratum.symbol).colour)
        }
        canvas.rectangle(column)
        canvas.stroke(style.ink, width: 0.6)
        guard let water = pit.water else { return }
        canvas.segment(
            Point(x: target - 5, y: column.y + water * frame.up), Point(x: target + 5, y: column.y + water * frame.up))
        canvas.stroke(style.water, width: 1.1)
    }

    /// Draws a gap for each pit whose elevation is off the scale, with the pit's code and the
    /// reason.
    private func drawElevationFaults(on canvas: Canvas, _ frame: Frame) {
        let faulty = pits.indices.filter { pits[$0].elevationFault != nil && pits[$0].absence == nil }
        let plot = frame.upper
        guard layout.upper > 0, !faulty.isEmpty else { return }
        let targets = faulty.map { frame.targets[$0] }
        // The sides are left free for the names of a section's ends and for the match lines.
        let sides = (sheet.before == nil ? plot.x : frame.start, sheet.after == nil ? plot.right : frame.end)
        let centres =
            Spread.centres(targets: targets, sizes: faulty.map { _ in 20 }, from: sides.0 + 11, to: sides.1 - 11)
            ?? targets
        for (index, centre) in zip(faulty, centres) {
            drawAbsence(
                [pits[index].label, pits[index].elevationFault ?? ""].joined(separator: " · "), on: canvas,
                Box(x: centre - 9, y: plot.y + 18, width: 18, height: plot.height - 20))
        }
    }

    /// Connects equal soils of neighbouring pits, matched from the top. The ground between pits is
    /// a guess: its fields are pale, its lines dashed. At the ground's scale, no field rises above
    /// the ground.
    private func drawContacts(
        _ first: ProfileDrawing.Pit, _ second: ProfileDrawing.Pit, on canvas: Canvas, _ frame: Frame
    ) {
        guard let here = first.elevation, let there = second.elevation else { return }
        var place = 0
        for stratum in first.strata {
            let code = SoilSymbol(stratum.symbol).code
            guard
                let match = second.strata.indices.first(where: {
                    $0 >= place && SoilSymbol(second.strata[$0].symbol).code == code
                })
            else { continue }
            place = match + 1
            let other = second.strata[match]
            let (left, right) = (x(first.chainage, frame) + 2.5, x(second.chainage, frame) - 2.5)
            guard right > left else { continue }
            let corners = [
                Point(x: left, y: y(here - max(0, stratum.top), frame)),
                Point(x: right, y: y(there - max(0, other.top), frame)),
                Point(x: right, y: y(there - other.bottom, frame)), Point(x: left, y: y(here - stratum.bottom, frame)),
            ]
            canvas.polygon(corners)
            canvas.fill(SoilSymbol(code).colour.mixed(with: .white, 0.45))
            canvas.segment(corners[2], corners[3])
            canvas.stroke(profile.style.line, width: 0.5, dash: [3, 2])
        }
    }

    // MARK: Columns

    /// Draws lines from each pit's position on the axis to its column, with the code above it.
    private func drawLinks(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let top = frame.upper.bottom
        let codeTop = frame.lower.y - 12
        for (index, pit) in pits.enumerated() {
            let (target, centre) = (frame.targets[index], frame.centres[index])
            let isFaulty = pit.gap != nil || pit.elevationFault != nil
            let colour = isFaulty ? style.fault : style.line
            if layout.upper > 0, let elevation = pit.elevation, pit.gap == nil {
                canvas.segment(
                    Point(x: target, y: min(max(frame.upper.y, y(elevation - pit.bottom, frame)), top)),
                    Point(x: target, y: top))
                canvas.stroke(style.faint, width: 0.4, dash: [1.5, 2])
            }
            canvas.polyline([
                Point(x: target, y: top + 12.5), Point(x: target, y: top + 15), Point(x: centre, y: codeTop - 3),
                Point(x: centre, y: codeTop - 0.5),
            ])
            canvas.stroke(colour, width: 0.5)
            let code = canvas.layout(
                pit.label, style.text(0.85, .bold, colour: isFaulty ? style.fault : nil, alignment: .centre),
                width: layout.pitch - 3, maximumLines: 1)
            canvas.draw(code, at: Point(x: centre - (layout.pitch - 3) / 2, y: codeTop))
        }
    }

    private func drawColumns(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let panel = frame.lower
        let scale = DepthScale(from: 0, to: (panel.height - 3) / frame.down, perMetre: frame.down, style: style)
        canvas.rectangle(panel)
        canvas.stroke(style.ink, width: 0.7)
        scale.draw(on: canvas, in: Box(x: panel.x - 34, y: panel.y, width: 34, height: panel.height))
        title(profile.words("depth"), of: panel, on: canvas)
        let width = min(18, layout.pitch - 12)
        for (index, pit) in pits.enumerated() {
            let centre = frame.centres[index]
            let column = Box(x: centre - width / 2, y: panel.y, width: width, height: pit.bottom * frame.down)
            if let gap = pit.gap {
                drawAbsence(gap, on: canvas, Box(x: column.x, y: panel.y, width: width, height: panel.height - 4))
                continue
            }
            canvas.inGroup {
                canvas.clip(panel)
                if pit.strata.isEmpty { canvas.drawNothing("", in: column, style) }
                for stratum in pit.strata where stratum.bottom > stratum.top {
                    let part = Box(
                        x: column.x, y: column.y + stratum.top * frame.down, width: width,
                        height: (stratum.bottom - stratum.top) * frame.down)
                    SoilSymbol(stratum.symbol).fill(part, on: canvas, phase: Point(x: column.x, y: column.y))
                    canvas.rectangle(part)
                    canvas.stroke(style.ink, width: 0.5)
                }
                canvas.rectangle(column)
                canvas.stroke(style.ink, width: 0.9)
            }
            guard let water = pit.water, water >= 0, water * frame.down <= panel.height else { continue }
            let y = panel.y + water * frame.down
            canvas.segment(Point(x: column.x - 4, y: y), Point(x: column.right + 4, y: y))
            canvas.stroke(style.water, width: 1.1)
            canvas.drawWaterMark(at: Point(x: column.right + 3.5, y: y), size: 6, style.water)
        }
    }

    private func drawAbsence(_ reason: String, on canvas: Canvas, _ gap: Box) {
        let style = profile.style
        canvas.rectangle(gap)
        canvas.fill(.white, keepsPath: true)
        canvas.stroke(style.fault, width: 0.8, dash: [3, 2])
        canvas.inGroup {
            canvas.translate(x: gap.middle.x, y: gap.middle.y)
            canvas.rotate(-.pi / 2)
            let text = canvas.layout(
                reason, style.text(0.85, colour: style.fault, alignment: .centre), width: gap.height - 4,
                maximumLines: 2)
            canvas.draw(text, at: Point(x: -(gap.height - 4) / 2, y: -text.height / 2))
        }
    }
}
