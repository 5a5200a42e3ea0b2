import Blocks
import Canvas
import PDFArchive

/// Lays out blocks one below the other, over as many pages as they need. Nothing is drawn yet: a
/// page is a list of drawings, so that the number of pages is known before the first is drawn.
final class PageFlow {
    typealias Drawing = (Canvas) throws -> Void

    let typesetter: Typesetter
    let style: PageStyle
    /// The area of the content on every page.
    let frame: Box
    /// The element of the document's structure (tagged PDF) that the blocks are added to.
    private(set) var section = StructureElement(.section)
    /// The height of the content on a page, also where the flow is endless to measure blocks.
    let pageHeight: Double
    /// Whether the flow only measures the minimum height of blocks: blocks that can shrink are then
    /// as small as possible.
    let isTight: Bool
    private(set) var pages: [[Drawing]] = [[]]
    /// The upper edge of the next block on the page.
    private(set) var y: Double
    private var isAtTop = true

    init(typesetter: Typesetter, style: PageStyle, frame: Box, pageHeight: Double? = nil, isTight: Bool = false) {
        self.typesetter = typesetter
        self.style = style
        self.frame = frame
        self.pageHeight = pageHeight ?? frame.height
        self.isTight = isTight
        y = frame.y
    }

    /// Begins another section of the document's structure.
    func beginSection() { section = StructureElement(.section) }

    var width: Double { frame.width }
    /// The height that is left on the page.
    var remaining: Double { frame.bottom - y }

    func newPage() {
        pages.append([])
        y = frame.y
        isAtTop = true
    }

    /// Begins a new page unless the height fits on this page, or this page is empty.
    func require(_ height: Double) {
        if height > remaining + 0.01, !isAtTop { newPage() }
    }

    /// Leaves space between blocks, except at the top of a page.
    func space(_ height: Double) {
        guard !isAtTop else { return }
        y += min(height, max(0, remaining))
    }

    /// Reserves a strip of the given height, across the page's width, and draws into it. A strip
    /// that does not fit is placed on the next page.
    /// - Parameter element: the strip's structure; a paragraph of the section by default. For a
    ///   container, such as a row, the drawing itself declares the parts.
    func place(_ height: Double, as element: StructureElement? = nil, _ draw: @escaping (Canvas, Box) throws -> Void) {
        require(height)
        let box = Box(x: frame.x, y: y, width: frame.width, height: height)
        let element = element ?? section.child(.paragraph)
        pages[pages.count - 1].append { canvas in try canvas.draw(as: element) { try draw(canvas, box) } }
        y += height
        isAtTop = false
    }

    func layout(_ text: String, _ style: TextStyle, width: Double? = nil, maximumLines: Int? = nil) -> TextLayout {
        TextLayout(text, style, width: width, maximumLines: maximumLines, typesetter: typesetter)
    }

    /// Sets a text across the page, line by line, over as many pages as it needs.
    func paragraph(_ text: String, _ style: TextStyle, indent: Double = 0, as kind: StructureElement.Kind = .paragraph)
    {
        let element = section.child(kind)
        let layout = layout(text, style, width: width - indent)
        var first = 0
        while first < layout.lines.count {
            var count = layout.count(fitting: remaining, from: first)
            // A single line at the foot or at the head of a page is hard to read.
            if first + count < layout.lines.count, count < 2, !isAtTop { count = 0 }
            if count == 0, isAtTop { count = 1 }
            guard count > 0 else {
                newPage()
                continue
            }
            let lines = first..<first + count
            place(layout.height(of: lines), as: element) { canvas, box in
                canvas.draw(layout, lines: lines, at: Point(x: box.x + indent, y: box.y))
            }
            first += count
        }
    }
}
