import Blocks
import Canvas
import Drawing
import Model
import PDFArchive

/// A block's content that lays itself out on pages. Implementations of more than a few lines have
/// their own files. A block that is only a drawing (`DrawnContent`) needs no file.
protocol PageDrawn: BlockContent {
    func flow(into flow: PageFlow, _ setting: PageSetting) throws
    /// The minimum height in points for beginning at the foot of a page and continuing on the next;
    /// nil: the block must not be split, and a section's head goes on below it.
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double?
}

extension PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? { nil }
}

/// The surroundings of a block during its layout.
struct PageSetting {
    let head: DocumentHead
    /// The height of the blocks that follow, up to the next page break, in points; infinite if they are more
    /// than a page. Drawings leave room for these blocks if they can.
    let below: () throws -> Double
    /// The same with photos at their full size, for a drawing that only takes what is left over.
    let wholeBelow: () throws -> Double
    /// The height of signatures that follow at once, in points; 0 if none do. What is signed is on their page.
    let signatures: () throws -> Double
    /// Whether no other section may be on the section's pages.
    let isAlone: Bool

    var drawing: DrawingSetting { DrawingSetting(head) }
}

/// Lays out blocks on pages, and measures the height that they need.
struct BlockFlow {
    let head: DocumentHead

    /// A table with more rows is longer than any page, so that nobody measures it to learn so.
    private static let mostMeasured = 200

    /// - Parameter isAlone: whether no other section may be on these pages.
    func flow(_ blocks: [any BlockContent], into flow: PageFlow, isAlone: Bool) throws {
        for (index, block) in blocks.enumerated() {
            let following = blocks[(index + 1)...].prefix { !($0 is PageBreakContent) }
            let isLong = following.contains { ($0 as? TableContent)?.rows.count ?? 0 > Self.mostMeasured }
            let setting = PageSetting(
                head: head, below: { isLong ? .infinity : try height(of: following, like: flow) },
                wholeBelow: { isLong ? .infinity : try height(of: following, like: flow, isTight: false) },
                signatures: { try height(of: following.prefix(1).filter { $0 is SignaturesContent }, like: flow) },
                isAlone: isAlone)
            try draw(block, into: flow, setting)
        }
    }

    /// The height of the first blocks that must be on one page, so that the head of a section is
    /// not separated from its content.
    func startHeight(of blocks: [any BlockContent], like flow: PageFlow) throws -> Double {
        for (index, block) in blocks.enumerated() {
            guard let least = firstHeight(of: block, on: flow) else { continue }
            return try height(of: blocks[..<index], like: flow) + least
        }
        return try height(of: blocks, like: flow)
    }

    private func firstHeight(of block: any BlockContent, on flow: PageFlow) -> Double? {
        switch block {
        case let block as any PageDrawn: block.firstHeight(on: flow, DrawingSetting(head))
        case let content as any DrawnContent: content.shrunkFirstHeight
        default: nil
        }
    }

    /// The height of blocks on an endless page, in points: the minimum, if it is tight.
    func height(
        of blocks: some Sequence<any BlockContent>, like flow: PageFlow, isTight: Bool = true
    ) throws -> Double {
        let frame = flow.frame
        let endless = PageFlow(
            typesetter: flow.typesetter, style: flow.style,
            frame: Box(x: frame.x, y: 0, width: frame.width, height: 1e6), pageHeight: flow.pageHeight,
            isTight: isTight)
        // Without this strip, the space before the first block would not count.
        endless.place(1) { _, _ in }
        // What is measured does not grow.
        let setting = PageSetting(
            head: head, below: { 0 }, wholeBelow: { .infinity }, signatures: { 0 }, isAlone: false)
        for block in blocks { try draw(block, into: endless, setting) }
        return endless.y - 1
    }

    private func draw(_ block: any BlockContent, into flow: PageFlow, _ setting: PageSetting) throws {
        switch block {
        case let block as any PageDrawn: try block.flow(into: flow, setting)
        case let content as any DrawnContent: try flow.drawing(content, setting)
        default: throw ReportFailure.template("", String(describing: type(of: block)))
        }
    }
}

extension PictureContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let figure = flow.section.child(.figure, alternative: setting.head.words("figure_picture"))
        flow.place(millimetres.millimetres, as: figure) { canvas, box in
            let place = box.fitting(width: Double(picture.width), height: Double(picture.height))
            if picture.isPNG {
                try canvas.draw(png: picture.bytes, in: place)
            } else {
                try canvas.draw(jpeg: picture.bytes, in: place)
            }
        }
    }
}

/// A calendar uses as many pages as its months or years need; the legend is on the last one.
extension CalendarContent: PageDrawn {
    /// The title and the first band, so that a section may begin on what is left of a page.
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? {
        let bands = drawing(setting).bands(width: flow.width)
        let below = bands.count > 1 ? 0 : legend(setting).height(width: flow.width, typesetter: flow.typesetter)
        return (title == nil ? 6 : 24) + (bands.first?.height ?? 0) + below
    }

    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let drawing = self.drawing(setting.drawing)
        let legend = self.legend(setting.drawing)
        let legendHeight = legend.height(width: flow.width, typesetter: flow.typesetter)
        let bands = drawing.bands(width: flow.width)
        let figure = flow.section.child(.figure, alternative: figure(setting.drawing))
        flow.space(6)
        if let title {
            let layout = flow.layout(title, flow.style.text(10, .bold, flow.style.primary), width: flow.width)
            flow.require(
                min(
                    layout.height + 4 + (bands.first?.height ?? 0) + (bands.count == 1 ? legendHeight : 0),
                    flow.frame.height))
            flow.place(layout.height + 4, as: flow.section.child(.heading(2))) { canvas, box in
                canvas.draw(layout, at: Point(x: box.x, y: box.y))
            }
        }
        for (index, band) in bands.enumerated() {
            if index == bands.count - 1 { flow.require(min(band.height + legendHeight, flow.frame.height)) }
            flow.place(min(band.height, flow.frame.height), as: figure) { canvas, box in
                drawing.draw(band, on: canvas, in: box)
            }
        }
        flow.place(legendHeight) { canvas, box in legend.draw(on: canvas, in: box) }
        if missing > 0 { flow.note(setting.head.words("without_day", ["count": String(missing)])) }
        flow.space(4)
    }
}

extension TitleContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let size = level == 1 ? 13 : level == 2 ? 10.5 : 9.0
        // A heading must be on the same page as the following block.
        flow.require(size * 5)
        flow.space(level == 1 ? 10 : 7)
        flow.paragraph(text, flow.style.text(size, .bold, flow.style.primary), as: .heading(level))
        flow.space(3)
    }
}

extension TextContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        flow.paragraph(text, font(flow.style))
        flow.space(4)
    }

    private func font(_ page: PageStyle) -> TextStyle {
        switch style {
        case .normal: page.text(8.8)
        case .small: page.text(7.4)
        case .note: page.text(7.6, .regular, italic: true, page.muted)
        }
    }
}

extension PageBreakContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { flow.newPage() }
}

extension SpaceContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { flow.space(millimetres.millimetres) }
}

/// Lays out signature lines side by side, with the signatories' names below.
struct SignaturesFlow {
    let signatures: [SignatureContent]

    func flow(into flow: PageFlow) {
        guard !signatures.isEmpty else { return }
        let style = flow.style
        let width = flow.width / Double(signatures.count)
        let names = signatures.map {
            flow.layout($0.name ?? " ", style.text(7.8, .bold, nil, .centre), width: width - 24, maximumLines: 2)
        }
        let labels = signatures.map {
            flow.layout($0.label, style.text(7, .regular, style.muted, .centre), width: width - 24, maximumLines: 2)
        }
        let notes = signatures.map {
            flow.layout($0.note ?? "", style.text(7, .regular, nil, .centre), width: width - 24, maximumLines: 2)
        }
        let heights = signatures.indices.map {
            names[$0].height + (signatures[$0].note?.isEmpty == false ? notes[$0].height : 0)
        }
        let below = zip(heights, labels).map { $0 + $1.height }.max() ?? 0
        flow.space(4)
        let elements = signatures.map { _ in
            (name: flow.section.child(.paragraph), label: flow.section.child(.paragraph))
        }
        flow.place(32 + below, as: flow.section) { canvas, box in
            for index in signatures.indices {
                let x = box.x + Double(index) * width + 12
                canvas.segment(Point(x: x + 8, y: box.y + 28), Point(x: x + width - 32, y: box.y + 28))
                canvas.stroke(style.ink, width: 0.7)
                canvas.signatureLine(
                    Box(x: x + 8, y: box.y, width: width - 40, height: 27.5), signatory: signatures[index].name)
                canvas.draw(as: elements[index].name) {
                    canvas.draw(names[index], at: Point(x: x, y: box.y + 30))
                    if heights[index] > names[index].height {
                        canvas.draw(notes[index], at: Point(x: x, y: box.y + 30 + names[index].height))
                    }
                }
                canvas.draw(as: elements[index].label) {
                    canvas.draw(labels[index], at: Point(x: x, y: box.y + 30 + heights[index]))
                }
            }
        }
    }
}

extension SignaturesContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { SignaturesFlow(signatures: signatures).flow(into: flow) }
}

/// A summary is a shaded box that may continue on the next page. Its heading is on the same page as
/// the first lines.
extension SummaryContent: PageDrawn {
    private static let padding = 6.0
    /// The minimum number of lines on a page.
    private static let together = 2

    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let style = flow.style
        let inner = flow.width - 2 * Self.padding
        let head = heading.map { flow.layout($0, style.text(9.5, .bold, style.primary), width: inner) }
        let body = flow.layout(text, style.text(9), width: inner)
        flow.space(4)
        let heading = flow.section.child(.heading(2)), paragraph = flow.section.child(.paragraph)
        var first = 0
        while first < body.lines.count {
            let above = Self.padding + (first == 0 ? head.map { $0.height + 2 } ?? 0 : 0)
            let least = body.height(of: first..<min(first + Self.together, body.lines.count))
            flow.require(above + least + Self.padding)
            var count = max(1, body.count(fitting: flow.remaining - above - Self.padding, from: first))
            // The last line must not be alone on a page either.
            if first + count == body.lines.count - 1, count > Self.together { count -= 1 }
            let lines = first..<(first + count)
            let title = first == 0 ? head : nil
            flow.place(above + body.height(of: lines) + Self.padding, as: flow.section) { canvas, box in
                canvas.rectangle(box)
                canvas.fill(style.accent.mixed(with: .white, 0.5))
                canvas.rectangle(Box(x: box.x, y: box.y, width: 2, height: box.height))
                canvas.fill(style.primary)
                if let title {
                    canvas.draw(as: heading) {
                        canvas.draw(title, at: Point(x: box.x + Self.padding, y: box.y + Self.padding))
                    }
                }
                canvas.draw(as: paragraph) {
                    canvas.draw(body, lines: lines, at: Point(x: box.x + Self.padding, y: box.y + above))
                }
            }
            first += count
            if first < body.lines.count { flow.newPage() }
        }
        flow.space(6)
    }
}
