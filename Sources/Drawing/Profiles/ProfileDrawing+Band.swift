internal import Blocks
internal import Canvas

extension ProfileDrawing.Page {
    /// Draws the data of each pit below its column, a row for each title (guitarra).
    func drawBand(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let band = frame.band
        let half = layout.pitch / 2
        var top = band.y
        for (row, height) in layout.bandRows.enumerated() {
            let title = canvas.layout(
                profile.content.bandTitles[row], ProfileLayout.titleStyle(style), width: ProfileLayout.margin - 6)
            canvas.draw(title, at: Point(x: band.x + 2, y: top + (height - title.height) / 2))
            for (pit, centre) in zip(pits, frame.centres) where pit.band.indices.contains(row) && pit.absence == nil {
                let text = ProfileLayout.lines(pit.band[row], style, width: layout.pitch - 4, canvas.typesetter)
                canvas.draw(text, at: Point(x: centre - half + 2, y: top + (height - text.height) / 2))
            }
            top += height
            canvas.segment(Point(x: band.x, y: top), Point(x: band.right, y: top))
        }
        for centre in frame.centres {
            canvas.segment(Point(x: centre - half, y: band.y), Point(x: centre - half, y: band.bottom))
            canvas.segment(Point(x: centre + half, y: band.y), Point(x: centre + half, y: band.bottom))
        }
        canvas.stroke(style.faint, width: 0.4)
        canvas.segment(
            Point(x: band.x + ProfileLayout.margin, y: band.y), Point(x: band.x + ProfileLayout.margin, y: band.bottom))
        canvas.rectangle(band)
        canvas.stroke(style.ink, width: 0.7)
    }

    /// Draws the lines at which this sheet joins the previous and the next one. Both sheets have the
    /// line at one chainage, or on its side of a break.
    func drawMatches(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        for (match, x, side, number, isLeft) in [
            (sheet.before, frame.start, frame.upper.x, number - 1, true),
            (sheet.after, frame.end, frame.upper.right, number + 1, false),
        ] {
            guard let match else { continue }
            canvas.polyline([
                Point(x: x, y: frame.upper.y), Point(x: x, y: frame.upper.bottom + 12.5),
                Point(x: side, y: frame.lower.y), Point(x: side, y: frame.band.bottom),
            ])
            canvas.stroke(style.fault, width: 1, dash: [8, 2, 2, 2])
            let places = match.end == match.start ? [match.end] : [match.end, match.start]
            let text = "\(profile.words("match_line")) \(number) · "
                + places.map(profile.place).joined(separator: " // ")
            let label = style.text(0.8, .bold, colour: style.fault)
            // Above the ground there is room for a line of text; a narrow sheet has it upright.
            if layout.upper > 0, canvas.layout(text, label).width * 2 + 40 < frame.end - frame.start {
                canvas.drawLabel(
                    text, label, at: Point(x: x + (isLeft ? 3 : -3), y: frame.upper.y + 2), anchor: (isLeft ? 0 : 1, 0))
                continue
            }
            canvas.inGroup {
                canvas.translate(
                    x: (layout.upper > 0 ? x : side) + (isLeft ? 1.5 : -1.5),
                    y: (layout.upper > 0 ? frame.upper : frame.lower).y + 3)
                canvas.rotate(isLeft ? -.pi / 2 : .pi / 2)
                canvas.drawLabel(
                    text, label, at: Point(x: 0, y: 0), anchor: (isLeft ? 1 : 0, 0), width: max(layout.upper, 60) - 6)
            }
        }
    }

    /// Draws the scale bar, the scales, the meanings of lines, and the pits without elevation.
    func drawNotes(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let words = profile.words
        let notes = frame.notes
        let ratio = { (value: Double) in "1:\(style.number(value, decimals: value == value.rounded() ? 0 : 1))" }
        var scales = ["\(words("horizontal")) \(ratio(horizontalRatio))"]
        if layout.upper > 0 {
            scales.append("\(words("vertical")) \(ratio(verticalRatio))")
            let decimals = exaggeration < 10 && exaggeration != exaggeration.rounded() ? 1 : 0
            scales.append("\(words("exaggeration")) ×\(style.number(exaggeration, decimals: decimals))")
        }
        scales.append("\(words("columns_scale")) \(ratio(depthRatio))")
        ScaleBar(pointsPerMetre: axis.along, style: style).draw(
            on: canvas, at: Point(x: notes.x + 4, y: notes.y + 18), maximumWidth: min(140, notes.width * 0.2))
        if profile.statesScales {
            canvas.draw(
                scales.joined(separator: " · "), style.text(0.9), at: Point(x: notes.right, y: notes.y + 6),
                anchor: (1, 0), width: notes.width * 0.7)
        }
        var x = notes.right
        let hasAbsent = pits.contains { $0.absence != nil }
        let samples: [(String, Colour, Double, [Double])] = [
            ("absent", style.fault, 0.8, [3, 2]), ("water_line", style.water, 0.8, [5, 2, 1, 2]),
            ("contact", style.line, 0.5, [3, 2]), ("ground", Self.earth, 1.3, []),
        ]
        for (word, colour, width, dash) in samples {
            if word == "absent", !hasAbsent { continue }
            if word == "contact", !profile.content.joinsContacts { continue }
            let label = canvas.layout(words(word), style.text(0.85), width: 110, maximumLines: 1)
            x -= label.width
            guard x - 30 > notes.x + notes.width * 0.3 else { break }
            canvas.draw(label, at: Point(x: x, y: notes.y + 19))
            canvas.segment(Point(x: x - 22, y: notes.y + 23.5), Point(x: x - 3, y: notes.y + 23.5))
            canvas.stroke(colour, width: width, dash: dash)
            x -= 32
        }
        let unmeasured = pits.filter { $0.elevation == nil && $0.absence == nil && $0.elevationFault == nil }.map(
            \.label)
        guard !unmeasured.isEmpty else { return }
        let note = canvas.layout(
            "\(words("no_elevation")) \(unmeasured.joined(separator: ", "))", style.text(0.85, colour: style.line),
            width: notes.width * 0.7, maximumLines: 1)
        canvas.draw(note, at: Point(x: notes.right - note.width, y: notes.y + 31))
    }
}
