internal import Blocks
package import Canvas

/// The parts of a profile's sheets from top to bottom, in points.
struct ProfileLayout {
    /// The space left of the panels, for the axes and the band's titles.
    static let margin = 66.0
    private static let axis = 14.0
    private static let link = 26.0
    private static let notes = 44.0
    /// The minimum height of a panel.
    private static let least = 40.0
    /// The maximum number of lines in a cell of the band; further lines are only counted.
    static let mostLines = 8
    private static let mostPitch = 60.0

    /// The width of each pit in the lower panel.
    private(set) var pitch: Double
    /// The heights of the panels; the upper one is zero if no elevation is known.
    let upper: Double
    let lower: Double
    let bandRows: [Double]

    init(_ profile: ProfileDrawing, height: Double, _ typesetter: Typesetter) {
        let style = profile.style
        let cells = profile.pits.flatMap { pit in pit.band.map { Self.lines($0, style, width: nil, typesetter) } }
        pitch = min(max(34, (cells.map(\.width).max() ?? 0) + 5), Self.mostPitch)
        let width = pitch - 4
        bandRows = profile.content.bandTitles.indices.map { row in
            let title = TextLayout(
                profile.content.bandTitles[row], Self.titleStyle(style), width: Self.margin - 6, typesetter: typesetter
            ).height
            let texts = profile.pits.map { pit in
                pit.band.indices.contains(row) ? Self.lines(pit.band[row], style, width: width, typesetter).height : 0
            }
            return max(title, texts.max() ?? 0) + 3
        }
        let rest = max(2 * Self.least, height - bandRows.reduce(0, +) - Self.axis - Self.link - Self.notes)
        upper = profile.pits.contains { $0.elevation != nil } ? rest * 0.45 : 0
        lower = rest - upper
    }

    /// Widens the pits' columns to fill a sheet of a given width, up to a useful limit.
    mutating func spread(_ count: Int, over width: Double) {
        pitch = max(pitch, min(width / Double(max(1, count)), Self.mostPitch))
    }

    /// The tops of the parts, from the sheet's upper edge.
    var linkTop: Double { upper + Self.axis }
    var lowerTop: Double { linkTop + Self.link }
    var bandTop: Double { lowerTop + lower }
    var notesTop: Double { bandTop + bandRows.reduce(0, +) }

    static func titleStyle(_ style: DrawingStyle) -> TextStyle { style.text(0.85, .bold) }

    /// A cell of the band.
    static func lines(_ text: String, _ style: DrawingStyle, width: Double?, _ typesetter: Typesetter) -> TextLayout {
        var lines = text.split(whereSeparator: \.isNewline)
        if lines.count > mostLines { lines = lines.prefix(mostLines - 1) + ["+\(lines.count - mostLines + 1)"] }
        return TextLayout(
            lines.joined(separator: "\n"), style.text(DrawingStyle.least / style.textSize, alignment: .centre),
            width: width, maximumLines: width == nil ? nil : 12, typesetter: typesetter)
    }
}

extension ProfileDrawing {
    /// The sheets from the first pit to the last, none larger than `width` and `height` in points.
    package func pages(width: Double, height: Double, typesetter: Typesetter) -> [Page] {
        let sorted = pits.map(\.drawn).filter {
            $0.chainage.isFinite && $0.bottom.isFinite && $0.elevation?.isFinite != false
        }.sorted { ($0.chainage, $0.label) < ($1.chainage, $1.label) }
        guard !sorted.isEmpty else { return [] }
        var profile = self
        profile.content.pits = sorted
        var layout = ProfileLayout(profile, height: height, typesetter)
        let plot = max(layout.pitch, width - ProfileLayout.margin - 2)
        let perPage = max(1, Int(plot / layout.pitch))
        // Pits are at least half a pitch from the edges.
        let length = max(1, plot - layout.pitch)
        let count = Double((sorted.count + perPage - 1) / perPage)
        let horizontal = content.horizontal ?? RoundSteps.horizontalRatios.first { ratio in
            ProfileAxis(sorted, along: DrawingStyle.points(perMetreAt: ratio)).length <= length * count
        } ?? RoundSteps.smallestHorizontal
        let axis = ProfileAxis(sorted, along: DrawingStyle.points(perMetreAt: horizontal), sheet: length)
        let sheets = axis.sheets(most: perPage, length: length, margin: layout.pitch / 2)
        layout.spread(sheets.map(\.pits.count).max() ?? 1, over: plot)
        let grounds = sheets.map { ground(of: $0, axis) }
        let vertical = vertical(of: grounds, layout)
        let deepest = sorted.map(\.bottom).max() ?? 1
        let depth =
            RoundSteps.depthRatios.first { DrawingStyle.points(perMetreAt: $0) * deepest <= layout.lower - 6 }
            ?? DrawingStyle.points(perMetreAt: 1) * deepest / (layout.lower - 6)
        return zip(sheets, grounds).enumerated().map { [layout] index, part in
            Page(
                horizontalRatio: horizontal, verticalRatio: vertical, depthRatio: depth, profile: profile,
                layout: layout, pits: Array(sorted[part.0.pits]), base: base(of: part.1, vertical, layout), axis: axis,
                sheet: part.0, number: index + 1)
        }
    }

    /// The greatest and the least elevation on a sheet, also where the ground goes on at its edges.
    private func ground(of sheet: ProfileAxis.Sheet, _ axis: ProfileAxis) -> (top: Double, bottom: Double)? {
        var heights: [Double] = []
        for pit in axis.pits[sheet.pits] {
            guard let elevation = pit.elevation else { continue }
            heights += [elevation, elevation - (pit.absence == nil ? pit.bottom : 0)]
        }
        for (match, next) in [(sheet.before, sheet.pits.lowerBound), (sheet.after, sheet.pits.upperBound)] {
            guard let match, match.end == match.start else { continue }
            let (one, other) = (axis.pits[next - 1], axis.pits[next])
            guard let here = one.elevation, let there = other.elevation, other.chainage > one.chainage else { continue }
            heights.append(
                here + (there - here) * (match.end - one.chainage) / (other.chainage - one.chainage))
        }
        guard let top = heights.max(), let bottom = heights.min() else { return nil }
        return (top, bottom)
    }

    /// The height for the ground in the upper panel, in points.
    private func room(_ layout: ProfileLayout) -> Double { max(10, layout.upper - 16) }

    /// The scale of elevations: the largest at which the ground fits on every sheet.
    private func vertical(of grounds: [(top: Double, bottom: Double)?], _ layout: ProfileLayout) -> Double {
        let span = grounds.compactMap { $0.map { $0.top - $0.bottom } }.max() ?? 1
        func fits(_ ratio: Double) -> Bool { DrawingStyle.points(perMetreAt: ratio) * span <= room(layout) }
        if let vertical = content.vertical, fits(vertical) { return vertical }
        return RoundSteps.verticalRatios.first(where: fits) ?? DrawingStyle.points(perMetreAt: 1) * span / room(layout)
    }

    /// The elevation of the panel's lower edge, on a line of the grid if there is space.
    private func base(
        of extent: (top: Double, bottom: Double)?, _ vertical: Double, _ layout: ProfileLayout
    ) -> Double {
        guard let extent else { return 0 }
        let perMetre = DrawingStyle.points(perMetreAt: vertical)
        let slack = (layout.upper - 14) / perMetre - (extent.top - extent.bottom)
        let floor = (extent.bottom / Page.heightStep(vertical)).rounded(.down) * Page.heightStep(vertical)
        let air = 5 / perMetre
        return extent.bottom - floor >= air && extent.bottom - floor <= slack ? floor : extent.bottom - air
    }
}

extension ProfileDrawing {
    /// Draws the whole profile on one sheet. If it is larger than the box it is scaled down, and
    /// then only the bar shows the scale.
    func drawWhole(on canvas: Canvas, in box: Box) {
        var factor = 1.0
        var pages = pages(width: box.width, height: box.height, typesetter: canvas.typesetter)
        var whole = self
        while pages.count > 1, factor < 1000 {
            factor *= 1.25
            // A given scale may require more than one sheet.
            whole.content.horizontal = nil
            whole.statesScales = false
            pages = whole.pages(width: box.width * factor, height: box.height * factor, typesetter: canvas.typesetter)
        }
        canvas.inGroup {
            canvas.translate(x: box.x, y: box.y)
            canvas.scale(x: 1 / factor, y: 1 / factor)
            pages.first?.draw(on: canvas, in: Box(x: 0, y: 0, width: box.width * factor, height: box.height * factor))
        }
    }
}

/// Round numbers for axes, bars and scales.
enum RoundSteps {
    /// The smallest of 1, 2, 5 times a power of ten that is not below `minimum`.
    static func step(atLeast minimum: Double) -> Double {
        guard minimum > 0, minimum.isFinite else { return 1 }
        var power = 1.0
        while power > minimum { power /= 10 }
        while power * 10 <= minimum { power *= 10 }
        return ([1, 2, 5].first { $0 * power >= minimum * (1 - 1e-9) } ?? 10) * power
    }

    /// The largest of 1, 2, 5 times a power of ten that is not above `maximum`.
    static func step(atMost maximum: Double) -> Double {
        guard maximum > 0, maximum.isFinite else { return 1 }
        var power = 1.0
        while power > maximum { power /= 10 }
        while power * 10 <= maximum { power *= 10 }
        return ([5, 2, 1].first { $0 * power <= maximum * (1 + 1e-9) } ?? 1) * power
    }

    /// The multiples of a step within bounds.
    static func ticks(from low: Double, to high: Double, step: Double) -> [Double] {
        guard step > 0, high >= low, (high - low) / step < 5000 else { return [] }
        let (first, last) = ((low / step - 1e-6).rounded(.up), (high / step + 1e-6).rounded(.down))
        guard first <= last else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    /// The denominators of the scales on rulers, the largest scale first.
    static let horizontalRatios: [Double] = [
        50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 25_000, 50_000, 100_000, 200_000, 250_000,
        500_000, smallestHorizontal,
    ]
    static let verticalRatios: [Double] = [
        5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, smallestVertical,
    ]
    static let (smallestHorizontal, smallestVertical) = (1_000_000.0, 100_000.0)
    static let depthRatios: [Double] = [5, 10, 20, 25, 30, 40, 50, 75, 100, 125, 150, 200, 250, 500, 1000]
}
