package import Canvas
import Model

extension ProfileDrawing.Page {
    static func heightStep(_ ratio: Double) -> Double { RoundSteps.step(atLeast: 22 / DrawingStyle.points(perMetreAt: ratio)) }

    package func draw(on canvas: Canvas, in box: Box) {
        typealias Profile = ProfileDrawing
        let style = profile.style
        let plot = Box(
            x: box.x + Profile.leftMargin, y: box.y, width: box.width - Profile.leftMargin, height: box.height - Profile.bottomMargin)
        let along = DrawingStyle.points(perMetreAt: horizontalRatio)
        let up = DrawingStyle.points(perMetreAt: verticalRatio)
        let half = profile.columnWidth / 2
        // A short road is centred on its sheet.
        let used = (chainages.upperBound - chainages.lowerBound) * along
        let left = plot.x + profile.columnWidth + max(0, (plot.width - 2 * profile.columnWidth - used) / 2)
        let x = { (chainage: Double) in left + (chainage - chainages.lowerBound) * along }
        let y = { (height: Double) in plot.bottom - (height - base) * up }

        drawGrid(on: canvas, plot, x: x, y: y, along: along)
        let targets = pits.map { x($0.chainage) }
        let centres = Spread.centres(
            targets: targets, sizes: pits.map { _ in profile.columnWidth + 6 }, from: plot.x + 2, to: plot.right - 2) ?? targets
        let datum = profile.datum(of: pits)
        let tops = pits.map { y($0.elevation ?? datum) }

        canvas.inGroup {
            canvas.clip(plot)
            if profile.showsContacts { drawContacts(on: canvas, centres, y) }
            if hasCommonDatum {
                canvas.segment(Point(x: plot.x, y: y(datum)), Point(x: plot.right, y: y(datum)))
                canvas.stroke(style.line, width: 0.6, dash: [6, 3])
            }
            let ground = zip(pits, zip(targets, tops)).filter { $0.0.elevation != nil }.map { Point(x: $0.1.0, y: $0.1.1) }
            canvas.polyline(ground)
            canvas.stroke(Colour(red: 0.35, green: 0.25, blue: 0.1), width: 1.4, cap: .round)
        }
        for (index, pit) in pits.enumerated() {
            let column = Box(x: centres[index] - half, y: tops[index], width: 2 * half, height: pit.bottom * up * verticalRatio / depthRatio)
            drawColumn(of: pit, on: canvas, column, up * verticalRatio / depthRatio)
            drawCode(of: pit, on: canvas, column, target: targets[index], plot)
        }
        drawWaterTable(on: canvas, centres, y)
        drawNotes(on: canvas, in: box, plot)
    }

    private func drawGrid(on canvas: Canvas, _ plot: Box, x: (Double) -> Double, y: (Double) -> Double, along: Double) {
        let style = profile.style
        let step = Self.heightStep(verticalRatio)
        let top = base + plot.height / DrawingStyle.points(perMetreAt: verticalRatio)
        let heights = RoundSteps.ticks(from: base, to: top, step: step)
        let chainageStep = RoundSteps.step(atLeast: 62 / along)
        let from = chainages.lowerBound - (x(chainages.lowerBound) - plot.x) / along
        let ticks = RoundSteps.ticks(from: from, to: from + plot.width / along, step: chainageStep)
        canvas.rectangle(plot)
        canvas.fill(Colour(grey: 0.992))
        for height in heights { canvas.segment(Point(x: plot.x, y: y(height)), Point(x: plot.right, y: y(height))) }
        for tick in ticks { canvas.segment(Point(x: x(tick), y: plot.y), Point(x: x(tick), y: plot.bottom)) }
        canvas.stroke(style.faint, width: 0.35)
        for height in heights { canvas.segment(Point(x: plot.x - 3, y: y(height)), Point(x: plot.x, y: y(height))) }
        for tick in ticks { canvas.segment(Point(x: x(tick), y: plot.bottom), Point(x: x(tick), y: plot.bottom + 3)) }
        canvas.stroke(style.ink, width: 0.6)
        canvas.rectangle(plot)
        canvas.stroke(style.ink, width: 0.8)
        let text = style.text(0.9)
        let line = canvas.layout("0", text).height
        for height in heights {
            let place = max(plot.y, min(y(height) - line / 2, plot.bottom - line))
            canvas.draw(style.number(height, step: step), text, at: Point(x: plot.x - 4.5, y: place), anchor: (1, 0), width: 30)
        }
        for tick in ticks where x(tick) > plot.x + 12 && x(tick) < plot.right - 18 {
            canvas.draw(style.chainage(tick), text, at: Point(x: x(tick), y: plot.bottom + 4), anchor: (0.5, 0))
        }
        canvas.inGroup {
            canvas.translate(x: plot.x - Profile.leftMargin, y: plot.middle.y)
            canvas.rotate(-.pi / 2)
            canvas.draw(profile.words.elevation, style.text(0.9, .bold), at: Point(x: 0, y: 0), anchor: (0.5, 0), width: plot.height)
        }
    }

    private typealias Profile = ProfileDrawing

    private func drawColumn(of pit: ProfileDrawing.Pit, on canvas: Canvas, _ column: Box, _ up: Double) {
        let style = profile.style
        if pit.strata.isEmpty { canvas.drawNothing("", in: column, style) }
        let text = style.text(0.68, .bold)
        let line = canvas.layout("0", text).height
        for stratum in pit.strata where stratum.bottom > stratum.top {
            let part = Box(x: column.x, y: column.y + stratum.top * up, width: column.width, height: (stratum.bottom - stratum.top) * up)
            SoilSymbol(stratum.symbol).fill(part, on: canvas, phase: Point(x: column.x, y: column.y))
            canvas.rectangle(part)
            canvas.stroke(style.ink, width: 0.5)
            let label = stratum.symbol
            if part.height >= line + 1, canvas.layout(label, text).width <= column.width - 2 { canvas.drawLabel(label, text, at: part.middle) }
        }
        canvas.rectangle(column)
        canvas.stroke(style.ink, width: 0.9, dash: pit.elevation == nil ? [3, 2] : [])
    }

    /// Draws the pit's code and chainage upright over its column. A line marks the pit's own place
    /// when its column had to move.
    private func drawCode(of pit: ProfileDrawing.Pit, on canvas: Canvas, _ column: Box, target: Double, _ plot: Box) {
        let style = profile.style
        if abs(column.middle.x - target) > 0.5 {
            canvas.segment(Point(x: target, y: column.y), Point(x: column.middle.x, y: column.y))
            canvas.stroke(style.ink, width: 0.8)
            canvas.circle(Point(x: target, y: column.y), radius: 1.2)
            canvas.fill(style.ink)
        }
        let room = min(Profile.headroom - 8, column.y - plot.y - 8)
        guard room > 6 else { return }
        let code = canvas.layout(pit.code, style.text(0.95, .bold), width: room, maximumLines: 1)
        let along = canvas.layout(style.chainage(pit.chainage), style.text(0.75, colour: style.line), width: room, maximumLines: 1)
        canvas.segment(Point(x: column.middle.x, y: column.y), Point(x: column.middle.x, y: column.y - 4))
        canvas.stroke(style.ink, width: 0.6)
        canvas.inGroup {
            canvas.translate(x: column.middle.x - (code.height + along.height) / 2, y: column.y - 6)
            canvas.rotate(-.pi / 2)
            canvas.rectangle(Box(x: -1, y: 0, width: max(code.width, along.width) + 2, height: code.height + along.height))
            canvas.fill(Colour(grey: 0.992))
            canvas.draw(code, at: Point(x: 0, y: 0))
            canvas.draw(along, at: Point(x: 0, y: code.height))
        }
    }

    /// Joins equal soils of neighbouring pits, matched from the top. The ground between pits is a
    /// guess, so it is drawn pale and dashed.
    private func drawContacts(on canvas: Canvas, _ centres: [Double], _ y: (Double) -> Double) {
        let half = profile.columnWidth / 2
        let factor = verticalRatio / depthRatio
        for index in pits.indices.dropLast() {
            let (first, second) = (pits[index], pits[index + 1])
            guard let here = first.elevation, let there = second.elevation else { continue }
            var next = 0
            for stratum in first.strata {
                let code = SoilSymbol(stratum.symbol).code
                guard let match = second.strata.indices.first(where: { $0 >= next && SoilSymbol(second.strata[$0].symbol).code == code }) else { continue }
                next = match + 1
                let other = second.strata[match]
                let (left, right) = (centres[index] + half, centres[index + 1] - half)
                let corners = [
                    Point(x: left, y: y(here - stratum.top * factor)), Point(x: right, y: y(there - other.top * factor)),
                    Point(x: right, y: y(there - other.bottom * factor)), Point(x: left, y: y(here - stratum.bottom * factor)),
                ]
                canvas.polygon(corners)
                canvas.fill(SoilSymbol(code).colour.mixed(with: .white, 0.45))
                canvas.segment(corners[0], corners[1])
                canvas.segment(corners[2], corners[3])
                canvas.stroke(profile.style.line, width: 0.5, dash: [3, 2])
            }
        }
    }

    private func drawWaterTable(on canvas: Canvas, _ centres: [Double], _ y: (Double) -> Double) {
        let half = profile.columnWidth / 2
        let datum = profile.datum(of: pits)
        let levels: [Point?] = zip(pits, centres).map { pit, centre in
            pit.water.map { Point(x: centre, y: y((pit.elevation ?? datum) - $0 * verticalRatio / depthRatio)) }
        }
        for (first, second) in zip(levels, levels.dropFirst()) {
            guard let first, let second else { continue }
            canvas.segment(Point(x: first.x + half, y: first.y), Point(x: second.x - half, y: second.y))
        }
        canvas.stroke(profile.style.water, width: 0.8, dash: [5, 2, 1, 2])
        for level in levels.compactMap({ $0 }) {
            canvas.segment(Point(x: level.x - half - 3, y: level.y), Point(x: level.x + half + 3, y: level.y))
            canvas.stroke(profile.style.water, width: 1.1)
            canvas.drawWaterMark(at: Point(x: level.x + half - 1, y: level.y), size: 6, profile.style.water)
        }
    }

    private func drawNotes(on canvas: Canvas, in box: Box, _ plot: Box) {
        let style = profile.style
        let words = profile.words
        canvas.draw(words.chainage, style.text(0.9, .bold), at: Point(x: plot.middle.x, y: plot.bottom + 15), anchor: (0.5, 0), width: plot.width)
        let ratio = { (value: Double) in "1:\(style.number(value, decimals: value == value.rounded() ? 0 : 1))" }
        var note = "\(words.horizontal) \(ratio(horizontalRatio)) · \(words.vertical) \(ratio(verticalRatio))"
        if !words.exaggeration.isEmpty { note += " · \(words.exaggeration) ×\(style.number(exaggeration, decimals: exaggeration < 10 && exaggeration != exaggeration.rounded() ? 1 : 0))" }
        if depthRatio != verticalRatio { note += " · \(words.columns) \(ratio(depthRatio))" }
        let bar = ScaleBar(pointsPerMetre: DrawingStyle.points(perMetreAt: horizontalRatio), style: style)
        bar.draw(on: canvas, at: Point(x: plot.x, y: plot.bottom + 31), maximumWidth: min(140, plot.width * 0.3))
        canvas.draw(note, style.text(0.9), at: Point(x: plot.right, y: plot.bottom + 28), anchor: (1, 0), width: plot.width * 0.6)
        if hasCommonDatum { canvas.draw(words.noElevation, style.text(0.85, colour: style.line), at: Point(x: plot.right, y: plot.bottom + 41), anchor: (1, 0), width: plot.width * 0.6) }
    }
}
