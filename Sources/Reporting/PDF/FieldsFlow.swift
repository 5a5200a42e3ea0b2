import Blocks
import Canvas
import Model
import PDFArchive

/// Lays out labels and values side by side in ruled boxes, as on a form.
struct FieldsFlow {
    let content: FieldsContent
    private let list = StructureElement(.list)

    init(content: FieldsContent) { self.content = content }

    /// A field with its layout and its position in the line.
    private struct Placed {
        let element: StructureElement
        let label: TextLayout
        let value: TextLayout
        let x: Double
        let width: Double
    }

    func flow(into flow: PageFlow) {
        flow.section.add(list)
        let unit = flow.width / Double(max(1, content.columns))
        var line: [Placed] = []
        var used = 0
        for item in content.items {
            let span = min(item.span, content.columns)
            if used + span > content.columns {
                place(line, into: flow)
                line = []
                used = 0
            }
            line.append(placed(item, x: Double(used) * unit, width: Double(span) * unit, flow))
            used += span
        }
        // In an incomplete line, the last field fills the rest of the line.
        if let last = line.last, used < content.columns, let item = content.items.last {
            line[line.count - 1] = placed(item, x: last.x, width: flow.width - last.x, flow)
        }
        place(line, into: flow)
    }

    private static let padding = 3.0

    private func placed(_ item: FieldsContent.Item, x: Double, width: Double, _ flow: PageFlow) -> Placed {
        let inner = width - 2 * Self.padding
        let weight: TextStyle.Weight = item.cell.tone == .strong ? .bold : .regular
        return Placed(
            element: list.child(.item),
            label: flow.layout(item.label, flow.style.text(6.2, .regular, flow.style.muted), width: inner),
            value: flow.layout(
                item.cell.text, flow.style.text(8.2, weight, item.cell.tone == .muted ? flow.style.muted : nil),
                width: inner), x: x,
            width: width)
    }

    private func place(_ line: [Placed], into flow: PageFlow) {
        guard !line.isEmpty else { return }
        let style = flow.style
        let height = (line.map { $0.label.height + $0.value.height }.max() ?? 0) + 2 * Self.padding - 1
        flow.place(height, as: list) { canvas, box in
            for item in line {
                let cell = Box(x: box.x + item.x, y: box.y, width: item.width, height: height)
                canvas.rectangle(cell)
                canvas.stroke(style.line, width: 0.5)
                let corner = Point(x: cell.x + Self.padding, y: cell.y + Self.padding - 1)
                canvas.draw(as: item.element.child(.label)) { canvas.draw(item.label, at: corner) }
                canvas.draw(as: item.element.child(.body)) {
                    canvas.draw(item.value, at: Point(x: corner.x, y: corner.y + item.label.height))
                }
            }
        }
    }
}

/// The page's frame draws the identity, on every page of the section.
extension IdentityContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {}
}

extension FieldsContent: PageDrawn {
    func flow(into flow: PageFlow, _ setting: PageSetting) {
        FieldsFlow(content: self).flow(into: flow)
        flow.space(5)
    }
}
