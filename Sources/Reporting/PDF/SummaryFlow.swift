import Blocks
import Canvas
import PDFArchive

/// A summary is a shaded box that may continue on the next page. Its heading stays with the first
/// lines.
extension SummaryContent: PageDrawn {
    private static let padding = 6.0
    /// The number of lines that stay together.
    private static let together = 2

    func flow(into flow: PageFlow, _ setting: PageSetting) {
        let style = flow.style
        let inner = flow.width - 2 * Self.padding
        let head = heading.map { flow.layout($0, style.text(9.5, .bold, style.primary), width: inner) }
        let body = flow.layout(text, style.text(9), width: inner)
        flow.space(4)
        let heading = flow.section.child(.heading(2)), paragraph = flow.section.child(.paragraph)
        var first = 0
        while first < body.lines.count {
            let above = Self.padding + (first == 0 ? head.map { $0.height + 2 } ?? 0 : 0)
            let least = body.height(of: first..<min(first + Self.together, body.lines.count))
            flow.require(above + least + Self.padding)
            var count = max(1, body.count(fitting: flow.remaining - above - Self.padding, from: first))
            // The last line must not stand alone either.
            if first + count == body.lines.count - 1, count > Self.together { count -= 1 }
            let lines = first..<(first + count)
            let title = first == 0 ? head : nil
            flow.place(above + body.height(of: lines) + Self.padding, as: flow.section) { canvas, box in
                canvas.rectangle(box)
                canvas.fill(style.accent.mixed(with: .white, 0.5))
                canvas.rectangle(Box(x: box.x, y: box.y, width: 2, height: box.height))
                canvas.fill(style.primary)
                if let title { canvas.draw(as: heading) { canvas.draw(title, at: Point(x: box.x + Self.padding, y: box.y + Self.padding)) } }
                canvas.draw(as: paragraph) { canvas.draw(body, lines: lines, at: Point(x: box.x + Self.padding, y: box.y + above)) }
            }
            first += count
            if first < body.lines.count { flow.newPage() }
        }
        flow.space(6)
    }
}
