internal import CCairo
internal import PDFArchive

extension Canvas {
    /// Measures a text for this canvas.
    package func layout(
        _ text: String, _ style: TextStyle, width: Double? = nil, maximumLines: Int? = nil,
        ellipsis: TextLayout.Ellipsis = .none
    ) -> TextLayout {
        TextLayout(text, style, width: width, maximumLines: maximumLines, ellipsis: ellipsis, typesetter: typesetter)
    }

    /// Draws a text with its upper left corner at a point.
    package func draw(_ layout: TextLayout, at place: Point) { draw(layout, lines: 0..<layout.lines.count, at: place) }

    /// Draws some lines of a text, the first of them at a point.
    package func draw(_ layout: TextLayout, lines range: Range<Int>, at place: Point) {
        guard !range.isEmpty, !layout.text.isEmpty else { return }
        let top = layout.lines[range.lowerBound].box.y
        set(layout.style.colour)
        var drawn: Box?
        for index in range {
            let line = layout.lines[index]
            unsafe cairo_move_to(context, place.x + line.box.x, place.y - top + line.baseline)
            unsafe pango_cairo_show_layout_line(context, pango_layout_get_line_readonly(layout.layout, Int32(index)))
            guard line.box.width > 0 else { continue }
            let box = Box(
                x: place.x + line.box.x, y: place.y - top + line.box.y, width: line.box.width, height: line.box.height)
            drawn = drawn.map { $0.union(box) } ?? box
        }
        unsafe cairo_new_path(context)
        if let recorder, let drawn {
            recorder.entries.append(
                TextRecorder.Entry(text: layout.text, box: onPage(drawn), page: recorder.page, size: layout.style.size))
        }
    }

    /// Draws the outlines of a text's letters, with its upper left corner at a point: a visible
    /// mark that cannot be searched or copied.
    package func drawOutlines(of layout: TextLayout, at place: Point) {
        newPath()
        move(to: place)
        unsafe pango_cairo_layout_path(context, layout.layout)
        fill(layout.style.colour)
    }

    /// Draws one line of text. `anchor` is the point of the text's box that is drawn at the place:
    /// (0, 0) is the upper left corner, (1, 1) the lower right one.
    @discardableResult
    package func draw(
        _ text: String, _ style: TextStyle, at place: Point, anchor: (x: Double, y: Double) = (0, 0),
        width: Double? = nil
    ) -> Box {
        // Leading alignment is used, because a fixed width would shift a text with another
        // alignment.
        let natural = layout(text, style.with(alignment: .leading))
        let layout = if let width, natural.width > width {
            layout(text, style.with(alignment: .leading), width: width, maximumLines: 1)
        } else { natural }
        let corner = Point(x: place.x - layout.width * anchor.x, y: place.y - layout.height * anchor.y)
        draw(layout, at: corner)
        return Box(x: corner.x, y: corner.y, width: layout.width, height: layout.height)
    }
}

/// Records where texts were drawn, so that a test can check that none leaves its page or covers
/// another.
package final class TextRecorder {
    package struct Entry: Sendable, Hashable {
        package let text: String
        /// The box on the page, after all rotations and translations.
        package let box: Box
        /// Counted from 0.
        package let page: Int
        /// The size of the text's letters in points.
        package let size: Double
    }

    package var entries: [Entry] = []
    package var page = 0

    package init() {}
}

/// The target of a link.
package enum LinkTarget: Sendable, Hashable {
    /// A name given with `destination(named:at:)`, on an earlier or a later page.
    case destination(String)
    case uri(String)
}

extension Canvas {
    /// Names a point of this page, for links and outlines. The first point with a name counts. Only
    /// a PDF has named points.
    package func destination(named name: String, at place: Point) {
        let point = onPage(place)
        page?.place(name, x: point.x, y: point.y)
    }

    /// Turns a box into a link, which belongs to the current element. Only a PDF has links; other
    /// canvases ignore this.
    package func link(to target: LinkTarget, in box: Box) {
        guard let page else { return }
        let area = onPage(box)
        let goal: PageLink.Target = switch target {
        case .destination(let name): .destination(name)
        case .uri(let uri): .uri(Self.plain(uri))
        }
        page.link(to: goal, x: area.x, y: area.y, width: area.width, height: area.height, in: element)
    }

    /// Records that the lower edge of a box is a line for a signature, for the program that adds
    /// signatures. Only a PDF has such records.
    ///
    /// - Parameter signatory: the name of the person who is to sign there; nil if anybody may.
    package func signatureLine(_ box: Box, signatory: String?) {
        let area = onPage(box)
        page?.signatureLine(x: area.x, y: area.y, width: area.width, height: area.height, signatory: signatory)
    }

    /// Records that the page is stamped as a draft, for the program that adds signatures.
    package func markDraft() { page?.markDraft() }

    /// Percent-encodes the characters that are not allowed in an address.
    private static func plain(_ uri: String) -> String {
        let hex = Array("0123456789ABCDEF")
        return uri.utf8.reduce(into: "") { text, byte in
            if (33...126).contains(byte), !Array("()'\\\"<>".utf8).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
            }
        }
    }
}

/// A place on a page: points (1/72 in) from its upper left corner, y downwards.
package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A rectangle in points, y downwards.
package struct Box: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var right: Double { x + width }
    package var bottom: Double { y + height }
    package var middle: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// The box reduced by the same margin on every side, never smaller than empty.
    package func inset(by margin: Double) -> Box { inset(dx: margin, dy: margin) }

    package func inset(dx: Double, dy: Double) -> Box {
        Box(
            x: x + min(dx, width / 2), y: y + min(dy, height / 2), width: max(0, width - 2 * dx),
            height: max(0, height - 2 * dy))
    }

    /// Whether two boxes overlap by more than `tolerance` in both directions.
    package func overlaps(_ other: Box, tolerance: Double = 0.01) -> Bool {
        min(right, other.right) - max(x, other.x) > tolerance && min(bottom, other.bottom) - max(y, other.y) > tolerance
    }

    package func contains(_ other: Box, tolerance: Double = 0.01) -> Bool {
        other.x >= x - tolerance && other.y >= y - tolerance && other.right <= right + tolerance
            && other.bottom <= bottom + tolerance
    }

    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= right && point.y >= y && point.y <= bottom
    }

    /// The smallest box around both boxes.
    package func union(_ other: Box) -> Box {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Box(x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    /// The smallest box around all points; nil without points.
    package init?(around points: some Sequence<Point>) {
        var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for point in points {
            (left, top) = (min(left, point.x), min(top, point.y))
            (right, bottom) = (max(right, point.x), max(bottom, point.y))
        }
        guard left <= right, top <= bottom else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
