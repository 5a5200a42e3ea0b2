package import Canvas
import Model

extension ExcavationLog {
    /// One page of a log, ready to be drawn into a box of the size that was asked for.
    package struct Page {
        /// The depths that the strip shows, in metres; nil when the page holds only texts.
        package let range: ClosedRange<Double>?
        /// The scale as drawn: 1 to `ratio`.
        package let ratio: Double
        /// The size of the letters in points, smaller than the style's when texts are long.
        package let textSize: Double
        /// Points from the header's upper edge to the end of the drawing.
        package let height: Double
        let log: ExcavationLog
        let content: LogPagination.Page
        let measures: LogMeasures
        let header: LogHeader
        let headerHeight: Double
        let perMetre: Double
        let photos: [Photo]
        let bodyHeight: Double
    }

    /// Divides the log into as many pages as it needs, none larger than `width` and `height` in
    /// points.
    package func pages(width: Double, height: Double, typesetter: Typesetter) -> [Page] {
        let log = whole
        let measures = log.measures(width: width)
        let header = LogHeader(titles: titles(measures), style: style)
        let headerHeight = header.height(typesetter)
        let bodyHeight = max(30, photos.isEmpty ? 0 : leastPhotoHeight(measures, typesetter), height - headerHeight)
        let perMetre: Double = switch scale {
        // A depth with a misplaced decimal point would make hundreds of pages; the scale is then
        // chosen freely.
        case .ratio(let ratio) where ratio > 0 && DrawingStyle.points(perMetreAt: ratio) * log.length <= bodyHeight * Self.maximumPages:
            DrawingStyle.points(perMetreAt: ratio)
        case .fitted: bodyHeight / log.length
        default:
            DrawingStyle.points(perMetreAt: RoundSteps.depthRatios.first { DrawingStyle.points(perMetreAt: $0) * log.length <= bodyHeight } ?? DrawingStyle.points(perMetreAt: 1) * log.length / bodyHeight)
        }
        let pagination = LogPagination(log: log, measures: measures, height: bodyHeight, perMetre: perMetre, typesetter: typesetter)
        var (contents, textSize) = pagination.pages()
        // The photos are divided evenly among the pages. Where there are too many of them, pages
        // with only photos follow.
        if !photos.isEmpty {
            let most = Int(bodyHeight / leastPhotoHeight(measures, typesetter))
            while contents.count * most < photos.count { contents.append(LogPagination.Page()) }
        }
        let each = (photos.count + contents.count - 1) / max(1, contents.count)
        return contents.enumerated().map { index, content in
            let strip = content.range.map { ($0.upperBound - $0.lowerBound) * perMetre } ?? 0
            let own = Array(photos.dropFirst(index * each).prefix(each))
            let used = max(strip, content.end, own.isEmpty ? 0 : min(bodyHeight, Double(own.count) * measures.photos))
            return Page(
                range: content.range, ratio: DrawingStyle.points(perMetreAt: 1) / perMetre, textSize: textSize,
                height: headerHeight + min(bodyHeight, max(used, strata.isEmpty ? min(bodyHeight, 120) : 0)), log: log, content: content, measures: measures,
                header: header, headerHeight: headerHeight, perMetre: perMetre, photos: own, bodyHeight: bodyHeight)
        }
    }

    private static let maximumPages = 40.0

    /// The height that a photo needs with its caption, at its smallest.
    private func leastPhotoHeight(_ measures: LogMeasures, _ typesetter: Typesetter) -> Double {
        let captions = photos.map { Page.captionHeight(TextLayout($0.caption, Page.captionStyle(style), width: measures.photos - 2 * Page.photoMargin, maximumLines: 2, typesetter: typesetter)) }
        return 2 * Page.photoMargin + 9 + (captions.max() ?? 0)
    }

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
        log.samples = samples.filter { $0.top.isFinite && $0.bottom.isFinite }
        return log
    }

    private func titles(_ measures: LogMeasures) -> [(text: String, width: Double)] {
        var titles = [(words.depth, measures.depth)]
        if measures.samples > 0 { titles.append((words.samples, measures.samples)) }
        titles.append((words.symbol, measures.symbol))
        titles.append(("", measures.gutter))
        for (index, column) in columns.enumerated() { titles.append((column.title, measures.columns[index])) }
        if measures.photos > 0 { titles.append((words.photos, measures.photos)) }
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
        drawPhotos(on: canvas, in: body)

        var x = body.x
        for width in [measures.depth, measures.samples, measures.symbol] where width > 0 {
            x += width
            canvas.segment(Point(x: x, y: body.y), Point(x: x, y: body.bottom))
        }
        x = body.x + measures.rowsStart
        for width in measures.columns.dropLast() where !log.strata.isEmpty {
            x += width
            canvas.segment(Point(x: x, y: body.y), Point(x: x, y: body.bottom))
        }
        if measures.photos > 0 { canvas.segment(Point(x: body.right - measures.photos, y: body.y), Point(x: body.right - measures.photos, y: body.bottom)) }
        canvas.stroke(style.line, width: 0.5)
        canvas.rectangle(body)
        canvas.stroke(style.ink, width: 0.8)
    }

    private func drawStrip(on canvas: Canvas, in body: Box, _ range: ClosedRange<Double>) {
        let style = log.style
        let length = min(body.height, (range.upperBound - range.lowerBound) * perMetre)
        let scale = DepthScale(from: range.lowerBound, to: range.upperBound, perMetre: perMetre, style: style)
        scale.draw(on: canvas, in: Box(x: body.x, y: body.y, width: measures.depth, height: length))
        let strip = Box(x: body.x + measures.depth + measures.samples, y: body.y, width: measures.symbol, height: length)
        guard !log.strata.isEmpty else {
            let room = Box(x: strip.right, y: body.y, width: body.right - strip.right - measures.photos, height: body.height).inset(by: 6)
            canvas.drawNothing(log.words.nothing, in: room, style)
            if let water = log.water, range.contains(water) {
                canvas.drawWaterTable(at: scale.y(water, in: strip), across: strip, label: log.words.water, style)
            }
            return
        }
        // Tiles begin at the surface, so that they continue from page to page.
        let phase = Point(x: strip.x, y: body.y - range.lowerBound * perMetre)
        for stratum in log.strata where stratum.bottom > stratum.top {
            let (top, bottom) = (max(stratum.top, range.lowerBound), min(stratum.bottom, range.upperBound))
            guard bottom > top else { continue }
            let part = Box(x: strip.x, y: scale.y(top, in: strip), width: strip.width, height: (bottom - top) * perMetre)
            SoilSymbol(stratum.symbol).fill(part, on: canvas, phase: phase)
            for edge in [(top, stratum.top), (bottom, stratum.bottom)] where edge.0 == edge.1 {
                let y = scale.y(edge.0, in: strip)
                canvas.segment(Point(x: strip.x, y: y), Point(x: strip.right, y: y))
            }
            canvas.stroke(style.ink, width: 0.7)
        }
        if range.upperBound >= log.length - 1e-9 {
            canvas.segment(Point(x: body.x, y: strip.bottom), Point(x: strip.right, y: strip.bottom))
            canvas.stroke(style.ink, width: 1.3)
        }
        drawSamples(on: canvas, scale, Box(x: body.x + measures.depth, y: body.y, width: measures.samples, height: length), in: body)
        if let water = log.water, water >= range.lowerBound, water < range.upperBound || (water == range.upperBound && water == log.length) {
            canvas.drawWaterTable(at: scale.y(water, in: strip), across: strip, label: log.words.water, style)
        }
    }

    private func drawSamples(on canvas: Canvas, _ scale: DepthScale, _ column: Box, in body: Box) {
        guard column.width > 0, let range else { return }
        let style = log.style
        let own = log.samples.filter { sample in
            let middle = (sample.top + sample.bottom) / 2
            return middle >= range.lowerBound && (middle < range.upperBound || range.upperBound >= log.length - 1e-9 && middle <= log.length)
        }.sorted { ($0.top, $0.label) < ($1.top, $1.label) }
        for sample in log.samples {
            let (top, bottom) = (max(sample.top, range.lowerBound), min(sample.bottom, range.upperBound))
            guard bottom >= top else { continue }
            let bar = Box(x: column.right - 6.5, y: scale.y(top, in: column), width: 4, height: max(1.2, (bottom - top) * perMetre))
            canvas.rectangle(bar)
            canvas.fill(style.accent)
        }
        let factors = [0.85, 0.7, 0.55]
        for factor in factors {
            let layouts = own.map {
                canvas.layout($0.label, style.text(factor, .bold, colour: style.accent), width: column.width - 11, maximumLines: factor < 0.8 ? 1 : 2)
            }
            let targets = own.map { scale.y(($0.top + $0.bottom) / 2, in: column) }
            guard let centres = Spread.centres(targets: targets, sizes: layouts.map { $0.height + 0.5 }, from: body.y, to: body.bottom) else { continue }
            for (index, layout) in layouts.enumerated() {
                canvas.segment(Point(x: column.right - 6.5, y: targets[index]), Point(x: column.right - 9, y: centres[index]))
                canvas.stroke(style.accent, width: 0.4)
                canvas.draw(layout, at: Point(x: column.right - 9.5 - layout.width, y: centres[index] - layout.height / 2))
            }
            return
        }
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
            let y = body.y + content.starts[index]
            // A line joins the row's upper edge to the stratum's.
            guard index > 0 || content.starts[index] > 0.5 || row.stratum == nil else { continue }
            canvas.segment(Point(x: left, y: y), Point(x: right, y: y))
            guard let range else { continue }
            let depth = row.stratum.map { log.strata[$0].top } ?? log.length
            guard depth >= range.lowerBound - 1e-9, depth <= range.upperBound + 1e-9, row.firstLines.allSatisfy({ $0 == 0 }) else { continue }
            leader(on: canvas, from: body.y + (depth - range.lowerBound) * perMetre, to: y, stripEdge, left)
        }
        canvas.stroke(style.line, width: 0.5)
        guard let last = content.rows.last, let stratum = last.stratum else { return }
        let y = body.y + content.end
        guard y < body.bottom - 0.5 else { return }
        canvas.segment(Point(x: left, y: y), Point(x: right, y: y))
        if let range, log.strata[stratum].bottom <= range.upperBound + 1e-9 {
            leader(on: canvas, from: body.y + (log.strata[stratum].bottom - range.lowerBound) * perMetre, to: y, stripEdge, left)
        }
        canvas.stroke(style.line, width: 0.5)
    }

    private func leader(on canvas: Canvas, from start: Double, to end: Double, _ left: Double, _ right: Double) {
        canvas.polyline([Point(x: left, y: start), Point(x: left + 2.5, y: start), Point(x: right - 2.5, y: end), Point(x: right, y: end)])
    }

    fileprivate static let photoMargin = 4.0

    fileprivate static func captionStyle(_ style: DrawingStyle) -> TextStyle { style.text(0.8, alignment: .centre) }

    /// The height of a caption with the space above it.
    fileprivate static func captionHeight(_ caption: TextLayout) -> Double { caption.text.isEmpty ? 0 : caption.height + 2 }

    private func drawPhotos(on canvas: Canvas, in body: Box) {
        guard measures.photos > 0, !photos.isEmpty else { return }
        let slot = body.height / Double(photos.count)
        for (index, photo) in photos.enumerated() {
            let room = Box(x: body.right - measures.photos, y: body.y + Double(index) * slot, width: measures.photos, height: slot).inset(by: Self.photoMargin)
            let caption = canvas.layout(photo.caption, Self.captionStyle(log.style), width: room.width, maximumLines: 2)
            let isSideways = (5...8).contains(photo.orientation)
            // A picture whose size is unknown gets the frame of a usual one.
            let size = photo.width > 0 && photo.height > 0 ? (photo.width, photo.height) : (4, 3)
            let (w, h) = isSideways ? (Double(size.1), Double(size.0)) : (Double(size.0), Double(size.1))
            let factor = min(room.width / w, (room.height - Self.captionHeight(caption)) / h)
            let frame = Box(x: room.middle.x - w * factor / 2, y: room.y, width: w * factor, height: h * factor)
            // A damaged picture leaves an empty frame; its caption names what is missing.
            try? canvas.draw(jpeg: photo.jpeg, in: frame, orientation: photo.orientation)
            canvas.rectangle(frame)
            canvas.stroke(log.style.line, width: 0.5)
            canvas.draw(caption, at: Point(x: room.x, y: frame.bottom + 2))
        }
    }
}
