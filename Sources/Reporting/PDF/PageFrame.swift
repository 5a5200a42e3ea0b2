import Blocks
import Canvas
import Model

/// The frame of every page. The head has logos, firm, title and project; the foot has the firm's
/// address and the page number.
struct PageFrame {
    let head: DocumentHead
    let style: PageStyle
    let paper: ReportPaper

    private static let headHeight = 46.0
    private static let bannerHeight = 13.0
    private static let footHeight = 16.0

    /// The number of a page, and of all pages.
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
        let top = margin + Self.headHeight + 6 + (banner == nil ? 0 : Self.bannerHeight)
        return Box(x: margin, y: top, width: size.width - 2 * margin, height: size.height - margin - Self.footHeight - top)
    }

    /// - Parameters:
    ///   - sheet: the number that the head shows, within the section or the document.
    ///   - page: the number that the foot shows, within the file.
    func draw(sheet: Number, on canvas: Canvas, page: Int) throws {
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
        let facts = 96.0
        var right = box.right - facts
        rule(right, box, canvas)
        draw(sheet, in: Box(x: right, y: box.y, width: facts, height: box.height), canvas)
        if let logo = head.brand.clientLogo {
            right -= 92
            rule(right, box, canvas)
            try draw(logo, in: Box(x: right, y: box.y, width: 92, height: box.height).inset(by: 5), canvas)
        }
        drawTitle(in: Box(x: left + 5, y: box.y, width: right - left - 10, height: box.height), canvas)
        drawBanner(below: box, canvas)
        drawFoot(page, canvas)
    }

    private func rule(_ x: Double, _ box: Box, _ canvas: Canvas) {
        canvas.segment(Point(x: x, y: box.y), Point(x: x, y: box.bottom))
        canvas.stroke(style.ink, width: 0.5)
    }

    private func draw(_ logo: ReportPicture, in box: Box, _ canvas: Canvas) throws {
        let place = box.fitting(width: Double(logo.width), height: Double(logo.height))
        if logo.isPNG { try canvas.draw(png: logo.bytes, in: place, identifier: "logo-\(logo.bytes.count)-\(logo.width)") } else {
            try canvas.draw(jpeg: logo.bytes, in: place, identifier: "logo-\(logo.bytes.count)-\(logo.width)")
        }
    }

    private func drawTitle(in box: Box, _ canvas: Canvas) {
        let firm = canvas.layout(head.brand.name, style.text(7.2, .regular, style.muted, .centre), width: box.width, maximumLines: 1)
        let title = canvas.layout(head.title, style.text(12, .bold, style.primary, .centre), width: box.width, maximumLines: 1)
        // A long name between two logos takes three small lines.
        let whole = canvas.layout(head.project, style.text(7.6, .regular, nil, .centre), width: box.width)
        let project = whole.lines.count <= 2 ? whole : canvas.layout(head.project, style.text(6.2, .regular, nil, .centre), width: box.width, maximumLines: 3)
        var y = box.middle.y - (firm.height + title.height + project.height + 2) / 2
        for layout in [firm, title, project] {
            canvas.draw(layout, at: Point(x: box.x, y: y))
            y += layout.height + 1
        }
    }

    private func draw(_ sheet: Number, in box: Box, _ canvas: Canvas) {
        let words = head.words
        let lines = [(words("sheet"), words("of", ["n": String(sheet.page), "m": String(sheet.pages)])), (words("date"), head.day)]
        let height = box.height / 2
        for (index, line) in lines.enumerated() {
            let cell = Box(x: box.x, y: box.y + Double(index) * height, width: box.width, height: height)
            if index > 0 {
                canvas.segment(Point(x: cell.x, y: cell.y), Point(x: cell.right, y: cell.y))
                canvas.stroke(style.line, width: 0.5)
            }
            canvas.draw(line.0, style.text(6.2, .regular, style.muted), at: Point(x: cell.x + 4, y: cell.y + 2))
            canvas.draw(line.1, style.text(8.2, .bold), at: Point(x: cell.x + 4, y: cell.bottom - 2.5), anchor: (0, 1), width: cell.width - 8)
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
        let left = [head.brand.contact ?? head.brand.name, head.author].filter { !$0.isEmpty }.joined(separator: " · ")
        canvas.draw(left, style.text(6.6, .regular, style.muted), at: Point(x: margin, y: y + 2.5), width: size.width - 2 * margin - 90)
        canvas.draw(
            head.words("page", ["n": String(page)]), style.text(6.6, .regular, style.muted), at: Point(x: size.width - margin, y: y + 2.5), anchor: (1, 0))
    }
}
