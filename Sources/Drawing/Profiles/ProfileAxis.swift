internal import Blocks
internal import Canvas

/// The axis of a profile: chainages to scale in stretches. Between two stretches the axis is
/// broken, since nobody saw the ground there.
struct ProfileAxis {
    typealias Pit = ProfileContent.Pit

    let pits: [Pit]
    /// Points for each metre along the axis.
    let along: Double
    /// From the first pit of each stretch to its last.
    let stretches: [ClosedRange<Double>]

    /// The width of a break in points: enough for the chainages on both sides of it.
    static let breakWidth = 52.0
    /// A road has at least one pit in each kilometre (MTC), so a shorter gap is no break.
    private static let least = 1000.0
    /// A gap is a break if it is this many times as long as the usual one.
    private static let times = 5.0

    /// - Parameters:
    ///   - pits: in order of their chainages; at least one.
    ///   - sheet: the length of a sheet in points. A longer gap is a break too, as no sheet could
    ///     show it.
    init(_ pits: [Pit], along: Double, sheet: Double = .infinity) {
        self.pits = pits
        self.along = along
        let gaps = zip(pits, pits.dropFirst()).map { $1.chainage - $0.chainage }.sorted()
        let usual = gaps.count > 1 ? gaps[(gaps.count - 1) / 2] : Self.least
        let longest = min(max(Self.least, Self.times * usual), sheet / along)
        var stretches: [ClosedRange<Double>] = []
        for pit in pits {
            if let last = stretches.last, pit.chainage - last.upperBound <= longest + 1e-6 {
                stretches[stretches.count - 1] = last.lowerBound...pit.chainage
            } else {
                stretches.append(pit.chainage...pit.chainage)
            }
        }
        self.stretches = stretches
    }

    /// The length of the whole axis in points.
    var length: Double { place(pits[pits.count - 1].chainage) }

    /// The points from the first pit to a chainage.
    func place(_ chainage: Double) -> Double {
        var start = 0.0
        for (stretch, next) in zip(stretches, stretches.dropFirst()) {
            if chainage < next.lowerBound { return start + (chainage - stretch.lowerBound) * along }
            start += (stretch.upperBound - stretch.lowerBound) * along + Self.breakWidth
        }
        return start + (chainage - stretches[stretches.count - 1].lowerBound) * along
    }

    /// Whether the axis is broken between two chainages.
    func isBroken(from one: Double, to next: Double) -> Bool {
        stretches.contains { $0.lowerBound > one && $0.lowerBound <= next }
    }

    /// Where one sheet ends and the next begins: at one chainage, or on both sides of a break.
    struct Match {
        let end: Double
        let start: Double
    }

    /// The pits of a sheet, and the chainages from its beginning to its end.
    struct Sheet {
        var pits: Range<Int>
        var before: Match?
        var after: Match?
    }

    /// The sheets, each with no more pits and points than given.
    /// - Parameter margin: the points beyond the last pit, where the match line may be.
    func sheets(most: Int, length: Double, margin: Double) -> [Sheet] {
        var sheets = [Sheet(pits: 0..<1)]
        var start = 0.0
        for index in pits.indices.dropFirst() {
            let count = index - sheets[sheets.count - 1].pits.lowerBound
            if count < most, place(pits[index].chainage) - start <= length + 1e-6 {
                sheets[sheets.count - 1].pits = sheets[sheets.count - 1].pits.lowerBound..<index + 1
                continue
            }
            let match = match(after: index - 1, room: start + length + margin - place(pits[index - 1].chainage))
            sheets[sheets.count - 1].after = match
            sheets.append(Sheet(pits: index..<index + 1, before: match))
            start = place(match.start)
        }
        return sheets
    }

    /// The match line after a pit: at a round chainage near the middle of the gap, if it is on the
    /// sheet.
    private func match(after index: Int, room: Double) -> Match {
        let (one, next) = (pits[index].chainage, pits[index + 1].chainage)
        guard !isBroken(from: one, to: next) else { return Match(end: one, start: next) }
        let furthest = min((one + next) / 2, one + max(0, room) / along)
        guard furthest > one else { return Match(end: one, start: one) }
        let step = RoundSteps.step(atMost: (furthest - one) / 2)
        let place = (furthest / step).rounded(.down) * step
        return Match(end: place, start: place)
    }
}

extension ProfileDrawing.Page {
    /// The chainages at which the sheet begins and ends.
    var chainages: ClosedRange<Double> {
        let start = sheet.before?.start ?? pits[0].chainage
        return start...max(start, sheet.after?.end ?? pits[pits.count - 1].chainage)
    }

    /// The stretches of the axis on the sheet.
    var stretches: [ClosedRange<Double>] {
        axis.stretches.filter { $0.overlaps(chainages) }.map { $0.clamped(to: chainages) }
    }

    /// The round chainages on the sheet.
    var ticks: [Double] {
        let step = RoundSteps.step(atLeast: 62 / axis.along)
        return stretches.flatMap { RoundSteps.ticks(from: $0.lowerBound, to: $0.upperBound, step: step) }
    }

    /// Labels the axis: the edges of the sheet and of the breaks first, then the round chainages
    /// where there is room.
    func drawChainages(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let text = style.text(0.85)
        let plot = frame.upper
        let title = canvas.draw(
            profile.words(profile.content.isSection ? "distance" : "chainage"), style.text(0.85, .bold),
            at: Point(x: plot.x - 4.5, y: plot.bottom + 3), anchor: (1, 0), width: ProfileLayout.margin - 6
        )
        let ticks = self.ticks
        var edges = stretches.flatMap { [$0.lowerBound, $0.upperBound] }
        // The ends of the whole axis are pits, whose chainages are in the band.
        if sheet.before == nil, ticks.contains(where: { stretches[0].contains($0) }) { edges.removeFirst() }
        if sheet.after == nil, edges.count > 1 || !ticks.isEmpty { edges.removeLast() }
        var taken: [ClosedRange<Double>] = []
        for (places, isEdge) in [(edges, true), (ticks, false)] {
            for place in places {
                let label = canvas.layout(profile.place(place), text)
                var start = x(place, frame) - label.width / 2
                let ends = (title.right + 6, plot.right - 1.5 - label.width)
                if isEdge { start = max(min(start, ends.1), ends.0) }
                let range = start - 1.5...start + label.width + 1.5
                guard start > title.right + 3, start <= ends.1 + 3.5 || isEdge,
                    !taken.contains(where: range.overlaps)
                else { continue }
                taken.append(range)
                canvas.draw(label, at: Point(x: start, y: plot.bottom + 3))
                guard isEdge else { continue }
                canvas.segment(Point(x: x(place, frame), y: plot.bottom), Point(x: x(place, frame), y: plot.bottom + 3))
                canvas.stroke(style.ink, width: 0.7)
            }
        }
    }

    /// Draws a pair of long break lines for each break of the axis, with the length that is left out.
    func drawBreaks(on canvas: Canvas, _ frame: Frame) {
        let style = profile.style
        let plot = frame.upper
        for (stretch, next) in zip(stretches, stretches.dropFirst()) {
            let middle = (x(stretch.upperBound, frame) + x(next.lowerBound, frame)) / 2
            let (top, bottom) = (plot.y - (plot.height > 0 ? 0 : 4), plot.bottom + 4)
            canvas.rectangle(Box(x: middle - 7, y: top, width: 14, height: bottom - top))
            canvas.fill(.white)
            for x in [middle - 7, middle + 7] {
                let height = bottom - 4
                canvas.polyline([
                    Point(x: x, y: top), Point(x: x, y: height - 6), Point(x: x - 3, y: height - 2),
                    Point(x: x + 3, y: height + 1), Point(x: x, y: bottom),
                ])
            }
            canvas.stroke(style.ink, width: 0.7)
            guard plot.height > 0 else { continue }
            canvas.inGroup {
                canvas.translate(x: middle, y: plot.middle.y)
                canvas.rotate(-.pi / 2)
                let length = style.number(next.lowerBound - stretch.upperBound, decimals: 0)
                canvas.draw(
                    profile.words("axis_break", ["length": length]), style.text(0.85), at: Point(x: 0, y: 0),
                    anchor: (0.5, 0.5), width: plot.height - 14)
            }
        }
    }
}
