import Blocks
import Canvas

/// What lays out a block's content on pages. Each block has its own, in a file of its own where it takes more than a few lines.
protocol PageDrawn: BlockContent {
    func flow(into flow: PageFlow, _ setting: PageSetting) throws
}

/// What a block may ask for while it is laid out.
struct PageSetting {
    let head: DocumentHead
    /// How high is what follows on the same page: a log leaves room for it, where there can be any.
    let below: () throws -> Double

    var maker: DrawingMaker { DrawingMaker(head) }
}

/// Lays out blocks one below the other.
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

    /// How high blocks are on a page without an end.
    private func height(of blocks: some Sequence<any BlockContent>, like flow: PageFlow) throws -> Double {
        let frame = flow.frame
        let endless = PageFlow(
            typesetter: flow.typesetter, style: flow.style, frame: Box(x: frame.x, y: 0, width: frame.width, height: 1e6))
        // Something stands above, so that the space between counts.
        endless.place(1) { _, _ in }
        for block in blocks { try draw(block, into: endless, PageSetting(head: head) { 0 }) }
        return endless.y - 1
    }

    private func draw(_ block: any BlockContent, into flow: PageFlow, _ setting: PageSetting) throws {
        guard let drawn = block as? any PageDrawn else { throw ReportFailure.template("", String(describing: type(of: block))) }
        try drawn.flow(into: flow, setting)
    }
}
