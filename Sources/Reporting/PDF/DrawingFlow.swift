import Blocks
import Canvas
import Drawing
import PDFArchive

// Drawings on a page have the height given in the template, or fill the rest of the page.

extension PageFlow {
    /// A drawing without a given height needs at least twice this height in points; if less is
    /// left, the drawing is on the next page.
    static let leastDrawing = 120.0

    /// The smallest part of its height that a drawing takes, so that it and what follows in its section are on
    /// this page.
    fileprivate static let leastShare = 0.7

    /// - Parameter note: the height of the note below the drawing, in points.
    func drawing(_ content: some DrawnContent, note: Double = 0, _ setting: PageSetting) throws {
        let height = try shrunkHeight(content.millimetres, least: content.leastShrunk) { try setting.below() + note }
        let setting = setting.drawing
        drawing(height: height, content.figure(setting)) { content.draw(on: $0, in: $1, setting) }
    }

    /// The height of a drawing in points. It may become smaller, so that no page ends half empty above it, and
    /// no other begins with the little that follows it.
    private func shrunkHeight(
        _ millimetres: Double?, least: Double, below: () throws -> Double
    ) rethrows -> Double {
        let whole = drawingHeight(millimetres)
        guard millimetres != nil, least < whole else { return whole }
        if isTight { return least }
        // The space above and below the drawing is four points each.
        let room = remaining - 8
        for left in [room - (try below()), room] where left >= least { return min(left, whole) }
        return whole
    }

    /// The height of a drawing in points, on a page with enough space for the drawing.
    func drawingHeight(_ millimetres: Double?) -> Double {
        if let millimetres { return min(millimetres.millimetres, frame.height) }
        if remaining < min(Self.leastDrawing * 2, frame.height) { newPage() }
        return min(remaining, frame.height)
    }

    /// - Parameter alternative: the drawing's text for people who cannot see the drawing.
    func drawing(height: Double, _ alternative: String, _ draw: @escaping (Canvas, Box) -> Void) {
        space(4)
        place(height, as: section.child(.figure, alternative: alternative)) { canvas, box in draw(canvas, box) }
        space(4)
    }

    /// Sets a note below a drawing.
    func note(_ text: String) {
        space(2)
        paragraph(text, noteStyle)
        space(4)
    }

    func noteHeight(_ text: String) -> Double { layout(text, noteStyle, width: width).height + 6 }

    private var noteStyle: TextStyle { style.text(7.6, .regular, italic: true, style.muted) }
}

extension DrawnContent {
    /// What the drawing needs on a page, in points.
    var firstHeight: Double { millimetres?.millimetres ?? PageFlow.leastDrawing * 2 }

    /// The height to which the drawing may shrink, in points.
    fileprivate var leastShrunk: Double {
        max(firstHeight * PageFlow.leastShare, leastMillimetres.millimetres, PageFlow.leastDrawing)
    }

    /// What a drawing that may become smaller needs on a page with the space around it, in points.
    var shrunkFirstHeight: Double { min(firstHeight, leastShrunk) + 8 }
}

extension SketchContent: PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? { shrunkFirstHeight }

    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        let note = missing > 0 ? setting.head.words("without_coordinates", ["count": String(missing)]) : nil
        try flow.drawing(self, note: note.map { flow.noteHeight($0) } ?? 0, setting)
        if let note { flow.note(note) }
    }
}

extension PlanContent: PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? { firstHeight }

    /// The largest part of a page that a room alone takes. Its list of assets needs the rest.
    private static let shareOfPage = 0.5

    /// A room alone grows into what the following blocks leave of its page, so that its marks have space.
    private func height(_ flow: PageFlow, _ setting: PageSetting) throws -> Double {
        let height = flow.drawingHeight(millimetres)
        guard showsMarkedOnly, millimetres != nil, flow.remaining > height + 8 else { return height }
        let left = try flow.remaining - setting.wholeBelow() - 16
        return max(height, min(left, flow.frame.height * Self.shareOfPage))
    }

    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        let drawing = self.drawing(setting.drawing)
        let whole = try height(flow, setting)
        if millimetres != nil { flow.require(whole + 8) }
        var height = whole
        var plan = drawing.arranged(width: flow.width, height: height, typesetter: flow.typesetter)
        var notes = self.notes(plan, setting.drawing)
        // The notes are on the plan's page. A plan made smaller for its notes may need longer
        // notes, so this runs twice.
        for _ in 0..<2 {
            let needed = notes.map { flow.noteHeight($0) }.reduce(0, +)
            guard whole + needed > flow.remaining - 8, flow.remaining - 8 - needed > whole / 2 else { break }
            height = flow.remaining - 8 - needed
            plan = drawing.arranged(width: flow.width, height: height, typesetter: flow.typesetter)
            notes = self.notes(plan, setting.drawing)
        }
        flow.drawing(height: height, figure(setting.drawing)) { [plan] in
            plan.draw(on: $0, at: Point(x: $1.x, y: $1.y))
        }
        for note in notes { flow.note(note) }
    }
}

extension SymbolsContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let legend = self.legend(setting.drawing)
        flow.space(5)
        flow.place(
            legend.height(width: flow.width, typesetter: flow.typesetter),
            as: flow.section.child(.figure, alternative: figure(setting.drawing))
        ) { canvas, box in legend.draw(on: canvas, in: box) }
        flow.space(5)
    }
}

extension ProfileContent: PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? { hasAxis ? firstHeight : nil }

    func flow(into flow: PageFlow, _ setting: PageSetting) {
        if hasAxis { drawPages(into: flow, setting) }
        for note in notes(setting.head.words) { flow.note(note) }
        flow.space(4)
    }

    private func drawPages(into flow: PageFlow, _ setting: PageSetting) {
        if flow.remaining < PageFlow.leastDrawing * 2 { flow.newPage() }
        flow.space(4)
        let height = min(millimetres.map(\.millimetres) ?? flow.remaining, flow.remaining)
        let figure = flow.section.child(.figure, alternative: figure(setting.drawing))
        for (index, page) in drawing(setting.drawing).pages(
            width: flow.width, height: height, typesetter: flow.typesetter
        ).enumerated() {
            if index > 0 { flow.newPage() }
            flow.place(min(height, flow.remaining), as: figure) { canvas, box in page.draw(on: canvas, in: box) }
        }
    }
}

extension LogContent {
    /// The maximum part of a page for a log of the usual depth; the rest is for other content.
    static let shareOfPage = 0.38
}

extension LogContent: PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? { PageFlow.leastDrawing }

    /// Lays out a log on the rest of the page, at the scale of all logs of the section. The log
    /// leaves room for the following blocks if its letters remain readable. Otherwise it fills the
    /// rest of the page, and further pages if needed.
    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        flow.space(4)
        let pages = pages(of: drawing(setting.drawing), try setting.below(), flow)
        let figure = flow.section.child(.figure, alternative: figure(setting.drawing))
        for (index, page) in pages.enumerated() {
            if index > 0 { flow.newPage() }
            flow.place(min(page.height, flow.remaining), as: figure) { canvas, box in page.draw(on: canvas, in: box) }
        }
        if let ratio = pages.first?.ratio, !layers.isEmpty {
            flow.note(setting.head.words("scale", ["ratio": String(Int(ratio.rounded()))]))
        }
        flow.space(2)
    }

    /// The smallest letters of a log that leaves room for following blocks, in points.
    private static let readable = 6.4
    /// The height of the note on the scale below a log, in points.
    private static let note = 26.0

    private func pages(of drawing: ExcavationLog, _ below: Double, _ flow: PageFlow) -> [ExcavationLog.Page] {
        var log = drawing
        let sorted = scales.sorted()
        let ratio =
            sorted.first {
                DrawingStyle.points(perMetreAt: Double($0)) * (usualDepth ?? log.depth) <= flow.pageHeight
                    * Self.shareOfPage
            } ?? sorted.last
        if let ratio { log.scale = .ratio(Double(ratio)) }
        func pages(_ log: ExcavationLog, _ height: Double) -> [ExcavationLog.Page] {
            log.pages(
                width: flow.width, height: height, following: flow.frame.height - Self.note, typesetter: flow.typesetter
            )
        }
        let wished = flow.remaining - below - Self.note
        if wished > 60 {
            var tight = log
            tight.minimumTextSize = Self.readable
            let pages = pages(tight, wished)
            if pages.count == 1 { return pages }
        }
        let here = pages(log, flow.remaining - Self.note)
        guard here.count > 1, flow.remaining < flow.frame.height * 0.5 else { return here }
        flow.newPage()
        return pages(log, flow.remaining - Self.note)
    }
}
