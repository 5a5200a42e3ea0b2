import Blocks
import Model
import Spreadsheets

/// Draws the heading, titles, texts, and the space between blocks.
extension SheetPen {
    /// Draws the heading: logos on both sides, and between them the document's title, the project
    /// and the firm. Banners below show that the document is a draft, or not from production.
    mutating func drawHeading() throws {
        let head = draft.head
        let most = (width: grid.width * 0.22, height: 42.0)
        let left = head.brand.logo.map { Self.size(of: $0, within: most) }
        let right = head.brand.clientLogo.map { Self.size(of: $0, within: most) }
        let leftSpan = left.map { grid.span(of: $0.width + 8, fromRight: false) } ?? 0..<0
        let rightSpan = right.map { grid.span(of: $0.width + 8, fromRight: true) } ?? grid.count..<grid.count
        let between = leftSpan.upperBound..<max(rightSpan.lowerBound, leftSpan.upperBound)
        // Few wide columns leave no room between the logos, which are then above the texts.
        let isBeside = grid.points(of: between) > grid.width * 0.5
        let start = (row: row, top: top)
        if !isBeside { try addRows(height: most.height + 4) }
        let middle = isBeside ? between : grid.all
        let side: CellStyle.Side = isBeside && left != nil && right != nil ? .center : .left
        let firm = [head.brand.name, head.day, head.author].filter { !$0.isEmpty }.joined(separator: " · ")
        try drawRow(head.title, span: middle, styles.documentTitle(side), least: 21)
        try drawRow(head.project, span: middle, styles.project(side), least: 14)
        try drawRow(firm, span: middle, styles.firm(side), least: 14)
        let height = isBeside ? top - start.top : most.height + 4
        for (logo, size, span) in [(head.brand.logo, left, leftSpan), (head.brand.clientLogo, right, rightSpan)] {
            guard let logo, let size else { continue }
            if isBeside { try draft.book.merge(sheet, rows: start.row..<row, columns: span, styles.logo) }
            let x = span.lowerBound == 0 && logo == head.brand.logo ? 2 : grid.points(of: span) - size.width - 2
            try insert(
                ReportPicture(bytes: logo.bytes, isPNG: logo.isPNG, width: logo.width, height: logo.height),
                row: start.row, column: span.lowerBound,
                x: x, y: max((height - size.height) / 2 - 1, 0), width: size.width, height: size.height, head.brand.name
            )
        }
        if let banner = head.environmentBanner { try drawRow(banner, styles.environmentBanner, least: 18) }
        if let banner = head.draftBanner { try drawRow(banner, styles.draftBanner, least: 18) }
        try addRows(height: 8)
    }

    private static func size(of logo: ReportPicture, within most: (width: Double, height: Double)) -> (
        width: Double, height: Double
    ) {
        let scale = min(most.width / Double(logo.width), most.height / Double(logo.height))
        return (Double(logo.width) * scale, Double(logo.height) * scale)
    }

    mutating func draw(title: String, level: Int) throws {
        // A title must not be the last row of a page.
        keepTogether(90)
        try drawRow(title, styles.title(level), least: ReportStyles.size(ofTitle: level) * 1.3 + (level <= 1 ? 6 : 10))
    }

    /// Draws a row for each paragraph. A paragraph higher than Excel's maximum fills several rows.
    mutating func draw(text: String, _ style: TextContent.Style) throws {
        try draw(text: text, look: styles.text(style))
    }

    mutating func draw(text: String, look: CellStyle) throws {
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            repeat {
                let part = piece(of: rest, look)
                try drawRow(String(part), look)
                rest = rest[part.endIndex...].drop { $0 == " " }
            } while !rest.isEmpty
        }
    }

    /// The part of a text that fits into one row, up to the end of a word.
    private func piece(of text: Substring, _ style: CellStyle) -> Substring {
        guard height(String(text), span: grid.all, style) > Self.highest else { return text }
        var length = text.count
        while length > 100, height(String(text.prefix(length)), span: grid.all, style) > Self.highest {
            length = length * 4 / 5
        }
        let part = text.prefix(length)
        guard let space = part.lastIndex(of: " "), space > part.startIndex else { return part }
        return part[..<space]
    }
}

extension TitleContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(title: text, level: level) }
}

extension TextContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(text: text, style) }
    var mayFollowTable: Bool { true }
}

extension PageBreakContent: SheetDrawable {
    func draw(with pen: inout SheetPen) { pen.breakPage() }
}

extension SpaceContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        try pen.addRows(height: min(pen.plan.points(onPaper: millimetres), SheetPen.highest))
    }
    var mayFollowTable: Bool { true }
}
