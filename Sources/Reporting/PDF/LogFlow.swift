import Blocks
import Canvas
import Drawing
import PDFArchive

extension LogContent {
    /// The part of a page that a log of the usual depth takes at most; the rest is for what stands
    /// around it.
    static let shareOfPage = 0.38
}

extension LogContent: PageDrawn {
    var firstHeight: Double? { PageFlow.leastDrawing }

    /// Lays out a log on the rest of the page, at the scale of all logs of the section. It leaves
    /// room for what follows, if its letters stay easy to read; else it takes the whole rest, and
    /// further pages where it needs them.
    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        flow.space(4)
        let pages = pages(of: setting.maker.log(self), try setting.below(), flow)
        let figure = flow.section.child(.figure, alternative: setting.figure(self))
        for (index, page) in pages.enumerated() {
            if index > 0 { flow.newPage() }
            flow.place(min(page.height, flow.remaining), as: figure) { canvas, box in page.draw(on: canvas, in: box) }
        }
        if let ratio = pages.first?.ratio, !layers.isEmpty {
            flow.note(setting.head.words("scale", ["ratio": String(Int(ratio.rounded()))]))
        }
        flow.space(2)
    }

    /// The smallest letters of a log that leaves room for what follows, in points.
    private static let readable = 6.4
    /// The height of the note on the scale below a log, in points.
    private static let note = 26.0

    private func pages(of drawing: ExcavationLog, _ below: Double, _ flow: PageFlow) -> [ExcavationLog.Page] {
        var log = drawing
        let sorted = scales.sorted()
        let ratio = sorted.first { DrawingStyle.points(perMetreAt: Double($0)) * (usualDepth ?? log.depth) <= flow.frame.height * Self.shareOfPage } ?? sorted.last
        if let ratio { log.scale = .ratio(Double(ratio)) }
        func pages(_ log: ExcavationLog, _ height: Double) -> [ExcavationLog.Page] {
            log.pages(width: flow.width, height: height, following: flow.frame.height - Self.note, typesetter: flow.typesetter)
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
