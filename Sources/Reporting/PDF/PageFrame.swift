import Blocks
import Canvas
import Foundation
import Model
import PDFArchive
import QRCodes

/// The frame of every page. The head contains logos, firm, title and project; the foot contains the
/// firm's address and the page number.
struct PageFrame {
    let head: DocumentHead
    let style: PageStyle
    let paper: ReportPaper
    /// Whether the head leaves room for a QR code.
    let hasCode: Bool
    /// The identity of the section's record; nil if the section has none.
    private var band: IdentityBand?

    init(
        head: DocumentHead, style: PageStyle, paper: ReportPaper, hasCode: Bool = false,
        identity: IdentityContent? = nil, typesetter: Typesetter
    ) {
        (self.head, self.style, self.paper, self.hasCode) = (head, style, paper, hasCode)
        if let identity {
            band = IdentityBand(identity, in: content, words: head.words, style: style, typesetter: typesetter)
        }
    }

    /// Whether no other section may be on the section's pages.
    var isOfOneSection: Bool { hasCode || band != nil }

    private static let headHeight = 46.0
    private static let bannerHeight = 13.0
    private static let footHeight = 16.0
    /// The width of the sheet's number and the date.
    private static let facts = 96.0

    /// The number of a page, and the total number of pages.
    struct Number {
        var page: Int
        var pages: Int
    }

    var size: (width: Double, height: Double) {
        let millimetres = paper.size.millimetres
        let (width, height) = (millimetres.width.millimetres, millimetres.height.millimetres)
        return paper.isLandscape ? (height, width) : (width, height)
    }

    private var margin: Double { paper.margin.millimetres }
    private var banner: String? {
        let parts = [head.environmentBanner, head.draftBanner].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    /// The area of the content.
    var content: Box {
        let top = margin + Self.headHeight + 6 + (banner == nil ? 0 : Self.bannerHeight) + (band?.height ?? 0)
        return Box(
            x: margin, y: top, width: size.width - 2 * margin, height: size.height - margin - Self.footHeight - top)
    }

    /// - Parameters:
    ///   - sheet: the number in the head, within the section or the document.
    ///   - page: the number in the foot, within the file.
    func draw(sheet: Number, on canvas: Canvas, page: Int) throws {
        // The record's fields already contain this text, so the band is only visual.
        try canvas.draw(as: StructureElement(.artifact)) {
            band?.drawStamp(on: canvas)
            try band?.draw(on: canvas)
        }
        let box = Box(x: margin, y: margin, width: size.width - 2 * margin, height: Self.headHeight)
        canvas.rectangle(box)
        canvas.stroke(style.ink, width: 0.8)
        var left = box.x
        if let logo = head.brand.logo {
            let cell = Box(x: left, y: box.y, width: 92, height: box.height)
            try draw(logo, in: cell.inset(by: 5), canvas)
            left = cell.right
            rule(left, box, canvas)
        }
        var right = box.right - Self.facts
        rule(right, box, canvas)
        draw(sheet, in: Box(x: right, y: box.y, width: Self.facts, height: box.height), canvas)
        if hasCode {
            right -= Self.headHeight
            rule(right, box, canvas)
        }
        if let logo = head.brand.clientLogo {
            right -= 92
            rule(right, box, canvas)
            try draw(logo, in: Box(x: right, y: box.y, width: 92, height: box.height).inset(by: 5), canvas)
        }
        drawTitle(in: Box(x: left + 5, y: box.y, width: right - left - 10, height: box.height), canvas)
        drawBanner(below: box, canvas)
        drawFoot(page, canvas)
    }

    /// Draws a QR code into the head, beside the sheet's number. Each row is a dashed line, which
    /// needs a quarter of the bytes of separate boxes. Lengths are tenths of a point, because few
    /// digits need few bytes.
    func draw(code text: String, on canvas: Canvas) {
        guard let code = QRCode(text) else { return }
        func tenths(_ value: Double) -> Double { (value * 10).rounded(.down) / 10 }
        let module = max(0.1, tenths(Self.headHeight / Double(code.size + 2 * QRCode.margin)))
        let free = (Self.headHeight - Double(code.size) * module) / 2
        let left = tenths(size.width - margin - Self.facts - Self.headHeight + free), top = tenths(margin + free)
        for row in 0..<code.size {
            // The lengths of dark and light stretches in turn, starting with the first dark module.
            var start: Int?, end = 0
            var stretches: [Double] = []
            for column in 0..<code.size {
                let isDark = code.isDark(column, row)
                guard isDark || start != nil else { continue }
                if start == nil { start = column }
                if isDark { end = column + 1 }
                if isDark == (stretches.count % 2 == 1) {
                    stretches[stretches.count - 1] += module
                } else {
                    stretches.append(module)
                }
            }
            guard let start else { continue }
            let y = top + (Double(row) + 0.5) * module
            canvas.segment(Point(x: left + Double(start) * module, y: y), Point(x: left + Double(end) * module, y: y))
            canvas.stroke(
                .black, width: module, dash: stretches.count % 2 == 0 ? stretches : stretches + [Double(code.size)])
        }
    }

    private func rule(_ x: Double, _ box: Box, _ canvas: Canvas) {
        canvas.segment(Point(x: x, y: box.y), Point(x: x, y: box.bottom))
        canvas.stroke(style.ink, width: 0.5)
    }

    private func draw(_ logo: ReportPicture, in box: Box, _ canvas: Canvas) throws {
        let place = box.fitting(width: Double(logo.width), height: Double(logo.height))
        if logo.isPNG {
            try canvas.draw(png: logo.bytes, in: place, identifier: "logo-\(logo.bytes.count)-\(logo.width)")
        } else {
            try canvas.draw(jpeg: logo.bytes, in: place, identifier: "logo-\(logo.bytes.count)-\(logo.width)")
        }
    }

    private func drawTitle(in box: Box, _ canvas: Canvas) {
        let firm = canvas.layout(
            head.brand.name, style.text(7.2, .regular, style.muted, .centre), width: box.width, maximumLines: 1)
        let title = canvas.layout(
            head.title, style.text(12, .bold, style.primary, .centre), width: box.width, maximumLines: 1)
        // A long project name is set in smaller letters before it is cut.
        let natural = canvas.layout(head.project, style.text(7.6, .regular, nil, .centre), width: box.width)
        let project =
            natural.lines.count <= 2
            ? natural
            : canvas.layout(head.project, style.text(6.2, .regular, nil, .centre), width: box.width, maximumLines: 3)
        var y = box.middle.y - (firm.height + title.height + project.height + 2) / 2
        for layout in [firm, title, project] {
            canvas.draw(layout, at: Point(x: box.x, y: y))
            y += layout.height + 1
        }
    }

    private func draw(_ sheet: Number, in box: Box, _ canvas: Canvas) {
        let words = head.words
        let lines = [
            (words("sheet"), words("of", ["n": String(sheet.page), "m": String(sheet.pages)])),
            (words("date"), head.day),
        ]
        let height = box.height / 2
        for (index, line) in lines.enumerated() {
            let cell = Box(x: box.x, y: box.y + Double(index) * height, width: box.width, height: height)
            if index > 0 {
                canvas.segment(Point(x: cell.x, y: cell.y), Point(x: cell.right, y: cell.y))
                canvas.stroke(style.line, width: 0.5)
            }
            canvas.draw(line.0, style.text(6.2, .regular, style.muted), at: Point(x: cell.x + 4, y: cell.y + 2))
            canvas.draw(
                line.1, style.text(8.2, .bold), at: Point(x: cell.x + 4, y: cell.bottom - 2.5), anchor: (0, 1),
                width: cell.width - 8)
        }
    }

    private func drawBanner(below box: Box, _ canvas: Canvas) {
        guard let banner else { return }
        let area = Box(x: box.x, y: box.bottom + 1.5, width: box.width, height: Self.bannerHeight - 1.5)
        canvas.rectangle(area)
        canvas.fill(Colour(red: 0.72, green: 0.11, blue: 0.11))
        canvas.draw(banner, style.text(7.4, .bold, .white), at: area.middle, anchor: (0.5, 0.5), width: area.width - 8)
    }

    private func drawFoot(_ page: Int, _ canvas: Canvas) {
        let y = size.height - margin - Self.footHeight + 5
        canvas.segment(Point(x: margin, y: y), Point(x: size.width - margin, y: y))
        canvas.stroke(style.line, width: 0.5)
        let left = [head.follows, head.brand.contact ?? head.brand.name, head.author].compactMap(\.self)
            .filter { !$0.isEmpty }.joined(separator: " · ")
        canvas.draw(
            left, style.text(6.6, .regular, style.muted), at: Point(x: margin, y: y + 2.5),
            width: size.width - 2 * margin - 90)
        canvas.draw(
            head.words("page", ["n": String(page)]), style.text(6.6, .regular, style.muted),
            at: Point(x: size.width - margin, y: y + 2.5), anchor: (1, 0))
    }
}

/// The identity of a record below the head of each of its pages, and the stamp across the pages of
/// an unapproved one.
struct IdentityBand {
    private let content: IdentityContent
    private let words: ReportWords
    private let style: PageStyle
    private let drawings: [PageFlow.Drawing]
    /// The height with the space below, in points.
    let height: Double

    /// - Parameter place: the band's upper left corner and its width; the height is ignored.
    init(_ content: IdentityContent, in place: Box, words: ReportWords, style: PageStyle, typesetter: Typesetter) {
        (self.content, self.words, self.style) = (content, words, style)
        let endless = PageFlow(
            typesetter: typesetter, style: style, frame: Box(x: place.x, y: place.y, width: place.width, height: 1e6))
        FieldsFlow(content: FieldsContent(columns: content.columns, items: content.items)).flow(into: endless)
        drawings = endless.pages.first ?? []
        height = content.items.isEmpty ? 0 : endless.y - place.y + 5
    }

    func draw(on canvas: Canvas) throws {
        for draw in drawings { try draw(canvas) }
    }

    /// Draws the stamp along the page's diagonal, below all other content. Since it is covered, it
    /// consists of outlines and not of text: a search or a copy then finds only the record's words.
    func drawStamp(on canvas: Canvas) {
        guard content.isDraft else { return }
        canvas.markDraft()
        let text = words("draft_stamp")
        let diagonal = (canvas.width * canvas.width + canvas.height * canvas.height).squareRoot()
        let natural = canvas.layout(text, style.text(40, .bold, Self.colour)).width
        let layout = canvas.layout(
            text, style.text(40 * min(1.6, diagonal * 0.78 / max(1, natural)), .bold, Self.colour))
        canvas.inGroup {
            canvas.translate(x: canvas.width / 2, y: canvas.height / 2)
            canvas.rotate(-atan2(canvas.height, canvas.width))
            canvas.drawOutlines(of: layout, at: Point(x: -layout.width / 2, y: -layout.height / 2))
        }
    }

    /// Pale, so that content over it is readable.
    private static let colour = Colour(red: 0.97, green: 0.80, blue: 0.80)
}
