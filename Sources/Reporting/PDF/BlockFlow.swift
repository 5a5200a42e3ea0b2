import Blocks
import Canvas

/// A block's content that lays itself out on pages. A block that takes more than a few lines has a
/// file of its own.
protocol PageDrawn: BlockContent {
    func flow(into flow: PageFlow, _ setting: PageSetting) throws
    /// The height in points with which it may begin at the foot of a page and continue on the next;
    /// nil: it stays whole.
    var firstHeight: Double? { get }
}

extension PageDrawn {
    var firstHeight: Double? { nil }
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

    /// The height of the first blocks that a page must hold, so that the head of a section does not
    /// stand without what it is the head of.
    func startHeight(of blocks: [any BlockContent], like flow: PageFlow) throws -> Double {
        guard let first = blocks.firstIndex(where: { ($0 as? any PageDrawn)?.firstHeight != nil }), let least = (blocks[first] as? any PageDrawn)?.firstHeight
        else { return try height(of: blocks, like: flow) }
        return try height(of: blocks[..<first], like: flow) + least
    }

    /// The least height of blocks on an endless page, in points.
    func height(of blocks: some Sequence<any BlockContent>, like flow: PageFlow) throws -> Double {
        let frame = flow.frame
        let endless = PageFlow(
            typesetter: flow.typesetter, style: flow.style, frame: Box(x: frame.x, y: 0, width: frame.width, height: 1e6),
            isTight: true)
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
