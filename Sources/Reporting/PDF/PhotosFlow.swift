import Blocks
import Canvas
import Drawing
import PDFArchive

/// Lays out photos in a grid, each with its stamp in a dark band at its foot and its caption below.
/// The place of a missing photo shows the reason.
struct PhotosFlow {
    let content: PhotosContent

    private static let gap = 6.0
    private static let padding = 3.0
    /// Factors by which all photos may shrink, so that the last row is not alone on a page.
    private static let factors = [1, 0.95, 0.9, 0.85, 0.8, 0.75]
    /// Smaller factors, used if the following blocks would otherwise need a separate page.
    private static let least = [0.7, 0.65, 0.6]

    /// One row of the grid with its texts.
    private struct Line {
        let photos: [PhotosContent.Photo]
        let stamps: [TextLayout?]
        let captions: [TextLayout]

        var stampHeight: Double { stamps.compactMap { $0 }.map { $0.height + 2 * padding }.max() ?? 0 }
        /// The height of the row without its pictures.
        var textHeight: Double { stampHeight + 3 + (captions.map(\.height).max() ?? 0) + 5 }
    }

    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        if let title = content.title {
            flow.require(content.millimetres.millimetres + 40)
            flow.space(6)
            flow.paragraph(title, flow.style.text(10, .bold, flow.style.primary))
            flow.space(2)
        }
        if content.photos.isEmpty {
            if let empty = content.empty {
                flow.paragraph(empty, flow.style.text(8.5, .regular, italic: true, flow.style.muted))
            }
            return
        }
        // The height of the following blocks, which should not need a separate page.
        let following = try setting.below()
        let (lines, width) = grid(max(1, content.columns), flow)
        let most = min(content.millimetres.millimetres, flow.frame.height - (lines.map(\.textHeight).max() ?? 0))
        if setting.isAlone, !flow.isTight, growAlone(lines, most, following, flow) { return }
        func pages(_ factor: Double, with following: Double? = following) -> Int {
            Self.pages(lines.map { $0.textHeight + most * factor } + [following].compactMap { $0 }, flow)
        }
        let factors = flow.isTight ? Array(Self.least.suffix(1)) : Self.factors
        var factor = factors.min { pages($0) < pages($1) } ?? 1
        let own = pages(factor, with: nil)
        if pages(factor) > own, let smaller = Self.least.first(where: { pages($0) <= own }) { factor = smaller }
        // If even smaller photos do not help, the last row of photos moves to the page of the
        // following blocks.
        let isAlone =
            pages(factor) > own && following < flow.frame.height * 0.3 && (lines.count > 1 || content.title == nil)
        for (index, line) in lines.enumerated() {
            if isAlone, index == lines.count - 1, flow.remaining < flow.frame.height - 1 { flow.newPage() }
            place(line, width: width, height: most * factor, into: flow)
        }
    }

    private func grid(_ columns: Int, _ flow: PageFlow) -> (lines: [Line], width: Double) {
        let width = (flow.width - Double(columns - 1) * Self.gap) / Double(columns)
        let lines = stride(from: 0, to: content.photos.count, by: columns).map { start in
            line(Array(content.photos[start..<min(start + columns, content.photos.count)]), width: width, flow)
        }
        return (lines, width)
    }

    /// Photos that would leave half of a record's last page empty take that room: fewer of them are beside each
    /// other, and larger. Returns false where they would not.
    private func growAlone(_ usual: [Line], _ most: Double, _ following: Double, _ flow: PageFlow) -> Bool {
        func need(_ lines: [Line], _ height: Double) -> Double {
            lines.reduce(following) { $0 + $1.textHeight + height }
        }
        let least = Self.least.last ?? 1
        let goesOn = need(usual, most * least) > flow.remaining
        let room = goesOn ? flow.frame.height : flow.remaining
        let taken = flow.frame.height - room + need(usual, most)
        let isWhole = usual.count == 1 || most * least + (usual.first?.textHeight ?? 0) > flow.remaining
        guard taken < flow.frame.height / 2, !goesOn || isWhole else { return false }
        // Photos are about four to three.
        let choices = (1...max(1, content.columns)).map { columns in
            let (lines, width) = grid(columns, flow)
            let height = (room - need(lines, 0)) / Double(lines.count)
            return (lines: lines, width: width, height: min(height, width), size: min(width, height * 4 / 3))
        }
        guard let best = choices.max(by: { $0.size < $1.size }), best.height > most else { return false }
        if goesOn { flow.newPage() }
        for line in best.lines { place(line, width: best.width, height: best.height, into: flow) }
        return true
    }

    /// The number of pages for strips of these heights.
    private static func pages(_ heights: [Double], _ flow: PageFlow) -> Int {
        var pages = 1
        var left = flow.remaining
        for height in heights {
            if height > left {
                pages += 1
                left = flow.frame.height
            }
            left -= height
        }
        return pages
    }

    private func line(_ photos: [PhotosContent.Photo], width: Double, _ flow: PageFlow) -> Line {
        Line(
            photos: photos,
            stamps: photos.map { photo in
                photo.stamp.map {
                    flow.layout(
                        $0, flow.style.text(6.4, .bold, .white), width: width - 2 * Self.padding, maximumLines: 4)
                }
            }, captions: photos.map { flow.layout($0.caption, flow.style.text(7), width: width) })
    }

    private func place(_ line: Line, width: Double, height: Double, into flow: PageFlow) {
        let style = flow.style
        let section = flow.section
        let parts = line.photos.map {
            (
                figure: section.child(.figure, alternative: $0.caption),
                stamp: $0.stamp.map { _ in section.child(.paragraph) }, caption: section.child(.paragraph)
            )
        }
        flow.place(height + line.textHeight, as: section) { canvas, box in
            for (index, photo) in line.photos.enumerated() {
                let frame = Box(
                    x: box.x + Double(index) * (width + Self.gap), y: box.y, width: width,
                    height: height + line.stampHeight)
                try canvas.draw(as: parts[index].figure) {
                    try draw(photo, in: Box(x: frame.x, y: frame.y, width: width, height: height), canvas, style)
                    canvas.rectangle(frame)
                    canvas.stroke(style.line, width: 0.5)
                }
                if let stamp = line.stamps[index], let element = parts[index].stamp {
                    canvas.draw(as: element) {
                        canvas.rectangle(Box(x: frame.x, y: frame.y + height, width: width, height: line.stampHeight))
                        canvas.fill(style.ink)
                        canvas.draw(stamp, at: Point(x: frame.x + Self.padding, y: frame.y + height + Self.padding))
                    }
                }
                canvas.draw(as: parts[index].caption) {
                    canvas.draw(line.captions[index], at: Point(x: frame.x, y: frame.bottom + 3))
                }
            }
        }
    }

    private func draw(_ photo: PhotosContent.Photo, in frame: Box, _ canvas: Canvas, _ style: PageStyle) throws {
        canvas.rectangle(frame)
        canvas.fill(Colour(grey: 0.96))
        if let picture = photo.picture {
            let box = frame.fitting(width: Double(picture.width), height: Double(picture.height))
            if picture.isPNG {
                try canvas.draw(png: picture.bytes, in: box)
            } else {
                try canvas.draw(jpeg: picture.bytes, in: box)
            }
            if case .address(let address) = photo.link { canvas.link(to: .uri(address), in: box) }
        } else if let missing = photo.missing {
            let text = canvas.layout(
                missing, style.text(7.5, .regular, italic: true, style.muted, .centre), width: frame.width - 12,
                maximumLines: 4)
            canvas.draw(text, at: Point(x: frame.x + 6, y: frame.middle.y - text.height / 2))
        }
    }
}

extension Box {
    /// The largest box of a given ratio within this one, centred.
    func fitting(width: Double, height: Double) -> Box {
        guard width > 0, height > 0 else { return self }
        let scale = min(self.width / width, self.height / height)
        let (w, h) = (width * scale, height * scale)
        return Box(x: x + (self.width - w) / 2, y: y + (self.height - h) / 2, width: w, height: h)
    }
}

extension PhotosContent: PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? {
        photos.isEmpty ? nil : millimetres.millimetres + 60
    }

    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        try PhotosFlow(content: self).flow(into: flow, setting)
    }
}
