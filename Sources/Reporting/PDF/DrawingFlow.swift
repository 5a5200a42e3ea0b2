import Canvas
import Drawing
import Model

/// Drawings on a page, as high as said, or as the page leaves room for.
struct DrawingFlow {
    let head: DocumentHead
    /// How high is what follows, which goes well with a log on one page.
    let below: Double

    private static let least = 120.0

    func flow(_ block: BlockContent, into flow: PageFlow) throws {
        let maker = DrawingMaker(head)
        switch block {
        case .log(let content): log(maker.log(content), content, into: flow)
        case .strip(let content):
            let drawing = maker.strip(content)
            place(content.millimetres, into: flow) { drawing.draw(on: $0, in: $1) }
        case .profile(let content): profile(maker.profile(content), content, maker, into: flow)
        case .sketch(let content):
            let drawing = maker.sketch(content)
            place(content.millimetres, into: flow) { _ = drawing.draw(on: $0, in: $1) }
            if content.missing > 0 { note(head.words("without_coordinates", ["count": String(content.missing)]), flow) }
        case .plan(let content):
            let drawing = maker.plan(content)
            place(content.millimetres, into: flow) { _ = drawing.draw(on: $0, in: $1) }
        case .chart(let content):
            let drawing = maker.chart(content)
            place(content.millimetres, into: flow) { drawing.draw(on: $0, in: $1) }
        case .symbols(let symbols):
            let legend = maker.legend(symbols)
            let height = legend.height(width: flow.width, typesetter: flow.typesetter)
            flow.space(5)
            flow.place(height) { canvas, box in legend.draw(on: canvas, in: box) }
            flow.space(5)
        default: break
        }
    }

    private func note(_ text: String, _ flow: PageFlow) {
        flow.space(2)
        flow.paragraph(text, flow.style.text(7.6, .regular, italic: true, flow.style.muted))
        flow.space(4)
    }

    /// - Parameter millimetres: nil: what is left of the page, or a page of its own where that is little.
    private func place(_ millimetres: Double?, into flow: PageFlow, _ draw: @escaping (Canvas, Box) -> Void) {
        let height: Double
        if let millimetres {
            height = min(millimetres.millimetres, flow.frame.height)
        } else {
            if flow.remaining < min(Self.least * 2, flow.frame.height) { flow.newPage() }
            height = flow.remaining
        }
        flow.space(4)
        flow.place(min(height, flow.frame.height)) { canvas, box in draw(canvas, box) }
        flow.space(4)
    }

    // MARK: Over several pages

    /// A log on what is left of the page, with room for what follows it if letters need not shrink below what is read easily; else
    /// over the whole rest, or a page of its own, or several at the smallest of its scales.
    private func log(_ log: ExcavationLog, _ content: LogContent, into flow: PageFlow) {
        var log = log
        flow.space(4)
        let pages = self.pages(of: &log, content.scales.sorted(), flow)
        for (index, page) in pages.enumerated() {
            if index > 0 { flow.newPage() }
            flow.place(min(page.height, flow.remaining)) { canvas, box in page.draw(on: canvas, in: box) }
        }
        if let ratio = pages.first?.ratio, !content.layers.isEmpty {
            note(head.words("scale", ["ratio": String(Int(ratio.rounded()))]), flow)
        }
        flow.space(2)
    }

    /// Letters of a log that leaves room for what follows it.
    private static let readable = 6.4

    private func pages(of log: inout ExcavationLog, _ scales: [Int], _ flow: PageFlow) -> [ExcavationLog.Page] {
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

    private func profile(_ drawing: ProfileDrawing, _ content: ProfileContent, _ maker: DrawingMaker, into flow: PageFlow) {
        if flow.remaining < Self.least * 2 { flow.newPage() }
        flow.space(4)
        let height = min(content.millimetres.map(\.millimetres) ?? flow.remaining, flow.remaining)
        for (index, page) in drawing.pages(width: flow.width, height: height).enumerated() {
            if index > 0 { flow.newPage() }
            flow.place(min(height, flow.remaining)) { canvas, box in page.draw(on: canvas, in: box) }
        }
        if !content.unplaced.isEmpty { note(head.words("without_chainage", ["pits": content.unplaced.joined(separator: ", ")]), flow) }
        flow.space(4)
    }
}
