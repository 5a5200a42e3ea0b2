import Canvas
import Model

/// Lays out any block: one case a block, each in a file of its own where it takes more than a few lines.
struct BlockFlow {
    let head: DocumentHead

    func flow(_ block: BlockContent, into flow: PageFlow) throws {
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
        case .chart, .log, .strip, .profile, .sketch, .plan, .symbols: try DrawingFlow(head: head).flow(block, into: flow)
        }
    }
}
