internal import Blocks
package import Canvas
import Model

extension ExcavationLog {
    /// One page of a log, ready to be drawn into a box of the requested size.
    package struct Page {
        /// The depths of the strip, in metres; nil if the page contains only texts.
        package let range: ClosedRange<Double>?
        /// The scale as drawn: 1 to `ratio`.
        package let ratio: Double
        /// The size of the letters in points, smaller than in the style if texts are long.
        package let textSize: Double
        /// Points from the header's upper edge to the end of the drawing.
        package let height: Double
        let log: ExcavationLog
        let content: LogPagination.Page
        let measures: LogMeasures
        let header: LogHeader
        let headerHeight: Double
        let perMetre: Double
        let isLast: Bool
    }

    /// Divides the log into as many pages as it needs, none larger than `width` and `height` in
    /// points.
    /// - Parameter following: the height of the pages after the first; nil: the same.
    package func pages(width: Double, height: Double, following: Double? = nil, typesetter: Typesetter) -> [Page] {
        let log = whole
        let measures = LogMeasures(log, width: width, typesetter)
        let header = LogHeader(titles: titles(measures), style: style)
        let headerHeight = header.height(typesetter)
        let rooms = (first: max(30, height - headerHeight), others: max(30, (following ?? height) - headerHeight))
        let strip = rooms.first - LogPagination.air
        let perMetre: Double = switch scale {
        // A depth with a misplaced decimal point would make hundreds of pages; the scale is then
        // chosen freely.
            case .ratio(let ratio)
            where ratio > 0 && DrawingStyle.points(perMetreAt: ratio) * log.length <= rooms.others * Self.maximumPages:
            DrawingStyle.points(perMetreAt: ratio)
        case .fitted: strip / log.length
        default:
                DrawingStyle.points(
                    perMetreAt: RoundSteps.depthRatios.first {
                        DrawingStyle.points(perMetreAt: $0) * log.length <= strip
                    } ?? DrawingStyle.points(perMetreAt: 1) * log.length / strip)
        }
        let pagination = LogPagination(
            log: log, measures: measures, rooms: rooms, perMetre: perMetre, typesetter: typesetter)
        let (contents, textSize) = pagination.pages()
        return contents.enumerated().map { index, content in
            let isLast = index == contents.count - 1
            var used = content.end
            if let range = content.range {
                used = max(used, content.air + (range.upperBound - range.lowerBound) * perMetre)
                for (track, width) in zip(tracks, measures.tracks) {
                    used = max(
                        used, content.air + track.height(in: range, isLast: isLast, width: width, style, typesetter))
                }
            }
            if strata.isEmpty { used = max(used, 120) }
            return Page(
                range: content.range, ratio: DrawingStyle.points(perMetreAt: 1) / perMetre, textSize: textSize,
                height: headerHeight + min(content.room, used), log: log, content: content, measures: measures,
                header: header, headerHeight: headerHeight, perMetre: perMetre, isLast: isLast)
        }
    }

    private static let maximumPages = 40.0

    /// The log with depths that can be drawn. A stratum whose depth is not a number, negative or
    /// upside down becomes a line at its top.
    private var whole: ExcavationLog {
        var log = self
        var last = 0.0
        for index in strata.indices {
            let top = strata[index].top.isFinite ? max(0, min(strata[index].top, 10_000)) : last
            let bottom = strata[index].bottom.isFinite ? max(top, min(strata[index].bottom, 10_000)) : top
            (log.strata[index].top, log.strata[index].bottom) = (top, bottom)
            last = bottom
        }
        log.depth = depth.isFinite ? max(0, min(depth, 10_000)) : 0
        for index in tracks.indices {
            log.tracks[index].marks = tracks[index].marks.filter { $0.top.isFinite && $0.bottom.isFinite }
        }
        return log
    }

    private func titles(_ measures: LogMeasures) -> [(text: String, width: Double)] {
        var titles: [(String, Double)] = measures.elevation > 0 ? [(words.elevation, measures.elevation)] : []
        titles.append((words.depth, measures.depth))
        titles += zip(tracks.map(\.label), measures.tracks)
        titles.append((words.symbol, measures.symbol))
        titles.append(("", measures.gutter))
        titles += zip(columns.map(\.title), measures.columns)
        return titles.map { (text: $0.0, width: $0.1) }
    }
}

extension ExcavationLog.Page {
    package func draw(on canvas: Canvas, in box: Box) {
        header.draw(on: canvas, in: Box(x: box.x, y: box.y, width: box.width, height: headerHeight))
        let body = Box(x: box.x, y: box.y + headerHeight, width: box.width, height: height - headerHeight)
        let style = log.style
        if let range { drawStrip(on: canvas, in: body, range) }
        drawRows(on: canvas, in: body)

        var x = body.x
        for width in [measures.elevation, measures.depth] + measures.tracks + [measures.symbol] where width > 0 {
            x += width
            canvas.segment(Point(x: x, y: body.y), Point(x: x, y: body.bottom))
        }
        x = body.x + measures.rowsStart
        for width in measures.columns.dropLast() where !log.strata.isEmpty {
            x += width
            canvas.segment(Point(x: x, y: body.y), Point(x: x, y: body.bottom))
        }
        canvas.stroke(style.line, width: 0.5)
        canvas.rectangle(body)
        canvas.stroke(style.ink, width: 0.8)
    }

    /// The position of a depth on the page.
    private func y(_ depth: Double, _ range: ClosedRange<Double>, _ body: Box) -> Double {
        body.y + content.air + (depth - range.lowerBound) * perMetre
    }

    /// The positions of the strip's parts on the page.
    private struct StripLayout {
        let range: ClosedRange<Double>
        let scale: DepthScale
        let elevations: Box
        let ruler: Box
        let symbols: Box

        func y(_ depth: Double) -> Double { scale.y(depth, in: symbols) }
    }

    private func stripLayout(in body: Box, _ range: ClosedRange<Double>) -> StripLayout {
        let top = body.y + content.air
        let length = min(body.bottom - top, (range.upperBound - range.lowerBound) * perMetre)
        return StripLayout(
            range: range,
            scale: DepthScale(from: range.lowerBound, to: range.upperBound, perMetre: perMetre, style: log.style),
            elevations: Box(x: body.x, y: top, width: measures.elevation, height: length),
            ruler: Box(x: body.x + measures.elevation, y: top, width: measures.depth, height: length),
            symbols: Box(
                x: body.x + measures.rowsStart - measures.gutter - measures.symbol, y: top, width: measures.symbol,
                height: length))
    }

    private func drawStrip(on canvas: Canvas, in body: Box, _ range: ClosedRange<Double>) {
        let strip = stripLayout(in: body, range)
        strip.scale.draw(on: canvas, in: strip.ruler)
        if let ground = log.elevation { strip.scale.drawElevations(on: canvas, of: ground, in: strip.elevations) }
        drawSurface(on: canvas, strip)
        if log.strata.isEmpty {
            let right = strip.symbols.right
            canvas.drawNothing(
                log.words.nothing,
                in: Box(x: right, y: body.y, width: body.right - right, height: body.height).inset(by: 6), log.style)
        }
        // Tiles begin at the surface, so that they continue from page to page.
        let phase = Point(x: strip.symbols.x, y: y(0, range, body))
        for index in log.strata.indices { drawStratum(index, on: canvas, strip, phase: phase) }
        drawEnd(on: canvas, strip)
        drawTracks(on: canvas, strip, body)
        drawWater(on: canvas, strip)
    }

    private func drawSurface(on canvas: Canvas, _ strip: StripLayout) {
        guard strip.range.lowerBound <= 0 else { return }
        let top = strip.symbols.y
        canvas.segment(Point(x: strip.elevations.x, y: top), Point(x: strip.symbols.right, y: top))
        canvas.stroke(log.style.ink, width: 0.9)
    }

    /// Draws the part of a stratum that is on the page, if any.
    private func drawStratum(_ index: Int, on canvas: Canvas, _ strip: StripLayout, phase: Point) {
        let (stratum, symbols) = (log.strata[index], strip.symbols)
        let (from, to) = (max(stratum.top, strip.range.lowerBound), min(stratum.bottom, strip.range.upperBound))
        guard stratum.bottom > stratum.top, to > from else { return }
        let part = Box(x: symbols.x, y: strip.y(from), width: symbols.width, height: (to - from) * perMetre)
        if log.unlogged.contains(index) { return canvas.drawNothing("", in: part, log.style) }
        SoilSymbol(stratum.symbol).fill(part, on: canvas, phase: phase)
        for edge in [(from, stratum.top), (to, stratum.bottom)] where edge.0 == edge.1 {
            let y = strip.y(edge.0)
            canvas.segment(Point(x: symbols.x, y: y), Point(x: symbols.right, y: y))
        }
        canvas.stroke(log.style.ink, width: 0.7)
        guard log.faulty.contains(index) else { return }
        canvas.rectangle(part.inset(by: 0.8))
        canvas.stroke(log.style.fault, width: 1.2, dash: [3, 1.5])
    }

    private func drawEnd(on canvas: Canvas, _ strip: StripLayout) {
        guard strip.range.upperBound >= log.length - 1e-9, !log.strata.isEmpty else { return }
        // Labels of marks may continue below the strip, so the strip has a line at its lower edge.
        let (symbols, bottom) = (strip.symbols, strip.symbols.bottom)
        canvas.segment(Point(x: strip.elevations.x, y: bottom), Point(x: strip.ruler.right, y: bottom))
        canvas.segment(Point(x: symbols.x, y: bottom), Point(x: symbols.right, y: bottom))
        canvas.stroke(log.style.ink, width: 1.3)
    }

    private func drawTracks(on canvas: Canvas, _ strip: StripLayout, _ body: Box) {
        var x = strip.ruler.right
        for (track, width) in zip(log.tracks, measures.tracks) {
            let column = Box(x: x, y: strip.ruler.y, width: width, height: strip.ruler.height)
            track.draw(on: canvas, strip.scale, in: column, body, isLast: isLast)
            x += width
        }
    }

    private func drawWater(on canvas: Canvas, _ strip: StripLayout) {
        let range = strip.range
        guard let water = log.water, water >= range.lowerBound,
            water < range.upperBound || (water == range.upperBound && water == log.length)
        else { return }
        canvas.drawWaterTable(at: strip.y(water), across: strip.symbols, label: log.words.water, log.style)
    }

    private func drawRows(on canvas: Canvas, in body: Box) {
        let style = log.style
        let left = body.x + measures.rowsStart
        let right = left + measures.rowsWidth
        let stripEdge = left - measures.gutter
        for (index, row) in content.rows.enumerated() {
            row.draw(on: canvas, widths: measures.columns, at: Point(x: left, y: body.y + content.starts[index]))
        }
        for (index, row) in content.rows.enumerated() {
            let edge = body.y + content.starts[index]
            // A line connects the row's upper edge to the stratum's upper edge.
            guard index > 0 || content.starts[index] > 0.5 || row.stratum == nil else { continue }
            canvas.segment(Point(x: left, y: edge), Point(x: right, y: edge))
            guard let range else { continue }
            let depth = row.stratum.map { log.strata[$0].top } ?? log.length
            guard depth >= range.lowerBound - 1e-9, depth <= range.upperBound + 1e-9,
                row.firstLines.allSatisfy({ $0 == 0 })
            else { continue }
            leader(on: canvas, from: y(depth, range, body), to: edge, stripEdge, left)
        }
        canvas.stroke(style.line, width: 0.4)
        guard let last = content.rows.last, let stratum = last.stratum else { return }
        let edge = body.y + content.end
        guard edge < body.bottom - 0.5 else { return }
        canvas.segment(Point(x: left, y: edge), Point(x: right, y: edge))
        if let range, log.strata[stratum].bottom <= range.upperBound + 1e-9 {
            leader(on: canvas, from: y(log.strata[stratum].bottom, range, body), to: edge, stripEdge, left)
        }
        canvas.stroke(style.line, width: 0.4)
    }

    private func leader(on canvas: Canvas, from start: Double, to end: Double, _ left: Double, _ right: Double) {
        canvas.polyline([
            Point(x: left, y: start), Point(x: left + 1.5, y: start), Point(x: right - 1.5, y: end),
            Point(x: right, y: end),
        ])
    }
}

/// Widths of a log's parts from left to right, in points.
struct LogMeasures {
    /// The column of elevations; zero if the ground's elevation is unknown.
    var elevation: Double
    var depth: Double
    var tracks: [Double]
    var symbol: Double
    var gutter: Double
    var columns: [Double]

    var rowsStart: Double { elevation + depth + tracks.reduce(0, +) + symbol + gutter }
    var rowsWidth: Double { columns.reduce(0, +) }

    /// The share of the width for the description, if the other columns leave that much.
    static let described = 0.38...0.40
    /// The minimum width of a column; narrower ones cannot contain text.
    private static let leastColumn = 14.0
    /// Codes and numbers wider than this are broken.
    private static let mostOfContent = 52.0

    /// The widths for a log of a given width. Columns are as wide as the lines of their codes and
    /// numbers, and the description gets its part. The other columns share the rest or the deficit.
    init(_ log: ExcavationLog, width: Double, _ typesetter: Typesetter) {
        elevation = log.elevation == nil ? 0 : 28
        depth = 25
        tracks = log.tracks.map { $0.width(log.style, typesetter) }
        symbol = 36
        gutter = 10
        let isText = log.columns.map { $0.width == nil }
        columns = log.columns.indices.map { index in
            guard let least = log.columns[index].width else { return 0 }
            let style = log.style.text(1, log.columns[index].isBold ? .bold : .regular)
            let lines = log.cells.flatMap {
                $0.indices.contains(index) ? $0[index].split(whereSeparator: \.isNewline) : []
            }
            let widest = Set(lines).map { TextLayout(String($0), style, typesetter: typesetter).width }.max() ?? 0
            return max(Self.leastColumn, least, min(widest, Self.mostOfContent) + 2 * LogRow.padding + 0.2)
        }
        let texts = Double(isText.count { $0 })
        let rest = width - gutter
        guard texts > 0 else {
            widen(by: rest / max(1, rowsStart - gutter + rowsWidth), isText)
            return
        }
        let others = rowsStart - gutter + rowsWidth
        // The other columns may grow by half, or shrink by a tenth: the smallest letters still fit.
        let wanted =
            rest
            - min(max(width - others - gutter, width * Self.described.lowerBound), width * Self.described.upperBound)
        widen(by: min(max(wanted / others, 0.9), 1.5), isText)
        let room = max(Self.leastColumn * texts, rest - (rowsStart - gutter) - rowsWidth)
        for index in columns.indices where isText[index] { columns[index] = room / texts }
        // On a narrow page, all columns shrink.
        let total = rowsStart + rowsWidth
        if total > width { columns = columns.map { $0 * max(1, width - rowsStart) / rowsWidth } }
    }

    private mutating func widen(by factor: Double, _ isText: [Bool]) {
        elevation *= factor
        depth *= factor
        tracks = tracks.map { $0 * factor }
        symbol *= factor
        for index in columns.indices where !isText[index] { columns[index] *= factor }
    }
}
