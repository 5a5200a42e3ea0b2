import Canvas
import Model

/// Lays out any block: one case a block, each in a file of its own where it takes more than a few lines.
struct BlockFlow {
    let head: DocumentHead

    /// Lays out blocks one after the other. A log leaves room on its page for what follows it, where there can be any.
    func flow(_ blocks: [BlockContent], into flow: PageFlow) throws {
        for (index, block) in blocks.enumerated() {
            if case .log = block {
                let below = try height(of: blocks[(index + 1)...].prefix { if case .pageBreak = $0 { false } else { true } }, like: flow)
                try DrawingFlow(head: head, below: below).flow(block, into: flow)
            } else {
                try self.flow(block, into: flow)
            }
        }
    }

    /// How high blocks are on a page without an end.
    private func height(of blocks: some Sequence<BlockContent>, like flow: PageFlow) throws -> Double {
        let frame = flow.frame
        let endless = PageFlow(
            typesetter: flow.typesetter, style: flow.style, frame: Box(x: frame.x, y: 0, width: frame.width, height: 1e6))
        // Something stands above, so that the space between counts.
        endless.place(1) { _, _ in }
        for block in blocks { try self.flow(block, into: endless) }
        return endless.y - 1
    }

    private func flow(_ block: BlockContent, into flow: PageFlow) throws {
        let style = flow.style
        switch block {
        case .title(let text, let level):
            let size = level == 1 ? 13 : level == 2 ? 10.5 : 9.0
            // A heading stands with what follows it.
            flow.require(size * 5)
            flow.space(level == 1 ? 10 : 7)
            flow.paragraph(text, style.text(size, .bold, style.primary))
            flow.space(3)
        case .text(let text, let textStyle):
            let font: TextStyle = switch textStyle {
            case .normal: style.text(8.8)
            case .small: style.text(7.4)
            case .note: style.text(7.6, .regular, italic: true, style.muted)
            }
            flow.paragraph(text, font)
            flow.space(4)
        case .fields(let fields):
            FieldsFlow(content: fields).flow(into: flow)
            flow.space(5)
        case .table(let table): TableFlow(table: table).flow(into: flow)
        case .photos(let photos): PhotosFlow(content: photos).flow(into: flow)
        case .picture(let picture):
            flow.place(picture.millimetres.millimetres) { canvas, box in
                let place = box.fitting(width: Double(picture.picture.width), height: Double(picture.picture.height))
                if picture.picture.isPNG { try canvas.draw(png: picture.picture.bytes, in: place) } else { try canvas.draw(jpeg: picture.picture.bytes, in: place) }
            }
        case .signatures(let signatures): SignaturesFlow(signatures: signatures).flow(into: flow)
        case .pageBreak: flow.newPage()
        case .space(let millimetres): flow.space(millimetres.millimetres)
        case .chart, .log, .strip, .profile, .sketch, .plan, .symbols: try DrawingFlow(head: head, below: 0).flow(block, into: flow)
        }
    }
}
