import Blocks
import Canvas

/// A block's content that lays itself out on pages. A block that takes more than a few lines has a
/// file of its own.
protocol PageDrawn: BlockContent {
    func flow(into flow: PageFlow, _ setting: PageSetting) throws
}

/// What a block may use while it is laid out.
struct PageSetting {
    let head: DocumentHead
    /// The height of the blocks that follow, up to the next page break, in points. A log leaves
    /// room for them where it can.
    let below: () throws -> Double

    var maker: DrawingMaker { DrawingMaker(head) }
    var figure: FigureText { FigureText(words: head.words, style: maker.style) }
}

struct BlockFlow {
    let head: DocumentHead

    func flow(_ blocks: [any BlockContent], into flow: PageFlow) throws {
        for (index, block) in blocks.enumerated() {
            let setting = PageSetting(head: head) {
                try height(of: blocks[(index + 1)...].prefix { !($0 is PageBreakContent) }, like: flow)
            }
            try draw(block, into: flow, setting)
        }
    }

    /// The height of blocks on an endless page, in points.
    private func height(of blocks: some Sequence<any BlockContent>, like flow: PageFlow) throws -> Double {
        let frame = flow.frame
        let endless = PageFlow(
            typesetter: flow.typesetter, style: flow.style, frame: Box(x: frame.x, y: 0, width: frame.width, height: 1e6))
        // A strip above makes the space before the first block count.
        endless.place(1) { _, _ in }
        for block in blocks { try draw(block, into: endless, PageSetting(head: head) { 0 }) }
        return endless.y - 1
    }

    private func draw(_ block: any BlockContent, into flow: PageFlow, _ setting: PageSetting) throws {
        guard let drawn = block as? any PageDrawn else { throw ReportFailure.template("", String(describing: type(of: block))) }
        try drawn.flow(into: flow, setting)
    }
}
