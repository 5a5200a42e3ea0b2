import Blocks
import Canvas
import PDFArchive

/// Lays out signature lines side by side, with the signatories' names below.
struct SignaturesFlow {
    let signatures: [SignatureContent]

    func flow(into flow: PageFlow) {
        guard !signatures.isEmpty else { return }
        let style = flow.style
        let width = flow.width / Double(signatures.count)
        let names = signatures.map { flow.layout($0.name ?? " ", style.text(7.8, .bold, nil, .centre), width: width - 24, maximumLines: 2) }
        let labels = signatures.map { flow.layout($0.label, style.text(7, .regular, style.muted, .centre), width: width - 24, maximumLines: 2) }
        let notes = signatures.map { flow.layout($0.note ?? "", style.text(7, .regular, nil, .centre), width: width - 24, maximumLines: 2) }
        let heights = signatures.indices.map { names[$0].height + (signatures[$0].note?.isEmpty == false ? notes[$0].height : 0) }
        let below = zip(heights, labels).map { $0 + $1.height }.max() ?? 0
        flow.space(4)
        let elements = signatures.map { _ in (name: flow.section.child(.paragraph), label: flow.section.child(.paragraph)) }
        flow.place(32 + below, as: flow.section) { canvas, box in
            for index in signatures.indices {
                let x = box.x + Double(index) * width + 12
                canvas.segment(Point(x: x + 8, y: box.y + 28), Point(x: x + width - 32, y: box.y + 28))
                canvas.stroke(style.ink, width: 0.7)
                canvas.signatureLine(Box(x: x + 8, y: box.y, width: width - 40, height: 27.5))
                canvas.draw(as: elements[index].name) {
                    canvas.draw(names[index], at: Point(x: x, y: box.y + 30))
                    if heights[index] > names[index].height { canvas.draw(notes[index], at: Point(x: x, y: box.y + 30 + names[index].height)) }
                }
                canvas.draw(as: elements[index].label) { canvas.draw(labels[index], at: Point(x: x, y: box.y + 30 + heights[index])) }
            }
        }
    }
}

extension SignaturesContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) { SignaturesFlow(signatures: signatures).flow(into: flow) }
}
