import Model
import Spreadsheets

/// The heading, titles, texts, fields and signatures.
extension SheetPen {
    /// Logos on both sides, between them the document's title, the project and the firm, and under them what the document is not: final,
    /// or of production.
    mutating func drawHeading() throws {
        let head = draft.head
        let most = (width: grid.width * 0.22, height: 42.0)
        let left = head.brand.logo.map { Self.size(of: $0, within: most) }
        let right = head.brand.clientLogo.map { Self.size(of: $0, within: most) }
        let leftSpan = left.map { grid.span(of: $0.width + 8, fromRight: false) } ?? 0..<0
        let rightSpan = right.map { grid.span(of: $0.width + 8, fromRight: true) } ?? grid.count..<grid.count
        let between = leftSpan.upperBound..<max(rightSpan.lowerBound, leftSpan.upperBound)
        // A table of few wide columns has no room between the logos: they stand above the texts.
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
                ReportPicture(bytes: logo.bytes, isPNG: logo.isPNG, width: logo.width, height: logo.height), row: start.row, column: span.lowerBound,
                x: x, y: max((height - size.height) / 2 - 1, 0), width: size.width, height: size.height, head.brand.name)
        }
        if let banner = head.environmentBanner { try drawRow(banner, styles.environmentBanner, least: 18) }
        if let banner = head.draftBanner { try drawRow(banner, styles.draftBanner, least: 18) }
        try addRows(height: 8)
    }

    private static func size(of logo: ReportPicture, within most: (width: Double, height: Double)) -> (width: Double, height: Double) {
        let scale = min(most.width / Double(logo.width), most.height / Double(logo.height))
        return (Double(logo.width) * scale, Double(logo.height) * scale)
    }

    mutating func draw(title: String, level: Int) throws {
        // Never the last row of a page.
        keepTogether(90)
        try drawRow(title, styles.title(level), least: ReportStyles.size(ofTitle: level) * 1.3 + (level <= 1 ? 6 : 10))
    }

    /// A row for each paragraph, and for a part of one that would be higher than Excel's rows.
    mutating func draw(text: String, _ style: ReportBlock.TextStyle) throws {
        let look = styles.text(style)
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            repeat {
                let part = piece(of: rest, look)
                try drawRow(String(part), look)
                rest = rest[part.endIndex...].drop { $0 == " " }
            } while !rest.isEmpty
        }
    }

    /// As much of a text as goes into one row, ending with a word.
    private func piece(of text: Substring, _ style: CellStyle) -> Substring {
        guard height(String(text), span: grid.all, style) > Self.highest else { return text }
        var length = text.count
        while length > 100, height(String(text.prefix(length)), span: grid.all, style) > Self.highest { length = length * 4 / 5 }
        let part = text.prefix(length)
        guard let space = part.lastIndex(of: " "), space > part.startIndex else { return part }
        return part[..<space]
    }

    // MARK: Fields

    mutating func draw(_ fields: FieldsContent) throws {
        guard !fields.items.isEmpty else { return }
        let columns = max(min(fields.columns, grid.count / 2), 1)
        // Labels take what they need, as long as it is less than the values beside them have.
        let pair = grid.width / Double(columns)
        var labels = [Double](repeating: pair * 0.25, count: columns)
        var place = 0
        for item in fields.items {
            let span = min(max(item.span, 1), columns)
            if place + span > columns { place = 0 }
            let width = fit.width(item.label, size: ReportStyles.smallSize, isBold: true) + TextFit.padding + 14
            labels[place] = max(labels[place], min(width, pair * 0.45))
            place += span
        }
        let spans = grid.spans(labels.flatMap { [$0, pair - $0] })
        var line: [(item: FieldsContent.Item, column: Int, span: Int)] = []
        var used = 0
        for item in fields.items {
            let span = min(max(item.span, 1), columns)
            if used + span > columns {
                try draw(line, spans)
                line = []
                used = 0
            }
            line.append((item, used, span))
            used += span
        }
        try draw(line, spans)
        try addRows(height: 6)
    }

    private mutating func draw(_ line: [(item: FieldsContent.Item, column: Int, span: Int)], _ spans: [Range<Int>]) throws {
        guard !line.isEmpty else { return }
        var cells: [(content: CellContent, span: Range<Int>, style: CellStyle, link: ReportCell.Link?)] = []
        for (index, (item, column, span)) in line.enumerated() {
            // The last value goes on to the edge.
            let end = index == line.count - 1 ? grid.count : spans[(column + span) * 2 - 1].upperBound
            let value = spans[column * 2 + 1].lowerBound..<end
            cells.append((.text(item.label), spans[column * 2], styles.label, nil))
            cells.append((CellContent(item.cell, dates: &draft.dates), value, styles.toned(styles.value, item.cell.tone), item.cell.link))
        }
        let height = cells.map { self.height($0.content.shown, span: $0.span, $0.style) }.max() ?? 0
        let rows = try addRows(height: max(height, 16))
        for cell in cells { try put(cell.content, rows: rows, span: cell.span, cell.style, link: cell.link) }
    }

    // MARK: Signatures

    mutating func draw(_ signatures: [SignatureContent]) throws {
        var rest = signatures[...]
        let most = min(3, (grid.count + 1) / 2)
        while !rest.isEmpty {
            let line = rest.prefix(most)
            rest = rest.dropFirst(most)
            // Lines beside each other with a gap between them; one alone is as long as one of two.
            let places = max(line.count, 2)
            let spans = grid.spans((0..<places * 2 - 1).map { $0 % 2 == 0 ? 1 : 0.2 })
            // Room to sign.
            try addRows(height: 44)
            let cells = zip(line, stride(from: 0, to: spans.count, by: 2)).map { ($0, spans[$1]) }
            var height = cells.map { self.height($0.label, span: $1, styles.signature) }.max() ?? 0
            var rows = try addRows(height: height)
            for (signature, span) in cells { try put(.text(signature.label), rows: rows, span: span, styles.signature) }
            guard line.contains(where: { $0.name?.isEmpty == false }) else { continue }
            height = cells.map { self.height($0.name ?? "", span: $1, styles.signatory) }.max() ?? 0
            rows = try addRows(height: height)
            for (signature, span) in cells { try put(.text(signature.name ?? ""), rows: rows, span: span, styles.signatory) }
        }
    }
}
