import Blocks
import Canvas
import Drawing
import PDFArchive

extension LogContent: PageDrawn {
    var firstHeight: Double? { PageFlow.leastDrawing }

    /// Lays out a log on the rest of the page. It leaves room for what follows, if its letters stay
    /// easy to read; else it takes the whole rest, a page of its own, or several pages at its
    /// smallest scale.
    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        var log = setting.maker.log(self)
        flow.space(4)
        let pages = self.pages(of: &log, try setting.below(), flow)
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

    private func pages(of log: inout ExcavationLog, _ below: Double, _ flow: PageFlow) -> [ExcavationLog.Page] {
        let scales = scales.sorted()
        func fits(_ scale: Int, _ height: Double) -> Bool { DrawingStyle.points(perMetreAt: Double(scale)) * max(log.depth, 0.3) + 34 <= height }
        let wished = flow.remaining - below - 26
        if let scale = scales.first(where: { fits($0, wished) }) {
            var tight = log
            tight.scale = .ratio(Double(scale))
            tight.minimumTextSize = Self.readable
            let pages = tight.pages(width: flow.width, height: wished, typesetter: flow.typesetter)
            if pages.count == 1 { return pages }
        }
        if let scale = scales.first(where: { fits($0, flow.remaining - 26) }) {
            log.scale = .ratio(Double(scale))
        } else if let scale = scales.last {
            log.scale = .ratio(Double(scale))
            if flow.remaining < flow.frame.height * 0.4 { flow.newPage() }
        }
        let pages = log.pages(width: flow.width, height: flow.remaining - 26, typesetter: flow.typesetter)
        guard pages.count > 1, flow.remaining < flow.frame.height * 0.5 else { return pages }
        flow.newPage()
        return log.pages(width: flow.width, height: flow.remaining - 26, typesetter: flow.typesetter)
    }
}
