import Blocks
import Model
import Spreadsheets

extension FieldsContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self) }
    var leastColumns: Int { columns * 2 }
}

extension IdentityContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        if isDraft { try pen.drawRow(pen.draft.head.words("draft_stamp"), pen.styles.draftBanner, least: 18) }
        // A sheet has room for three pairs side by side.
        if !items.isEmpty {
            try pen.draw(FieldsContent(columns: 3, items: items.map { .init(label: $0.label, cell: $0.cell, span: 1) }))
        }
    }
    var leastColumns: Int { 6 }
}

extension SheetPen {
    mutating func draw(_ fields: FieldsContent) throws {
        guard !fields.items.isEmpty else { return }
        var columns = max(min(fields.columns, grid.count / 2), 1)
        var (places, spans) = arrange(fields, columns)
        // Fewer pairs side by side are better than broken words.
        while columns > 1, !isWhole(fields, places, spans) {
            columns -= 1
            (places, spans) = arrange(fields, columns)
        }
        var line: [(item: FieldsContent.Item, column: Int, span: Int)] = []
        for (item, place) in zip(fields.items, places) {
            if place.lowerBound == 0, !line.isEmpty {
                try draw(line, spans)
                line = []
            }
            line.append((item, place.lowerBound, place.count))
        }
        try draw(line, spans)
        try addRows(height: 6)
    }

    /// The pairs that each item takes in its line, and the spans of labels and values.
    private func arrange(_ fields: FieldsContent, _ columns: Int) -> (places: [Range<Int>], spans: [Range<Int>]) {
        // A column of labels is as wide as its labels need, but at most 45 % of its pair.
        let pair = grid.width / Double(columns)
        var labels = [Double](repeating: pair * 0.25, count: columns)
        var values = [Double](repeating: 0, count: columns)
        var words = [Double](repeating: pair * 0.15, count: columns)
        var places: [Range<Int>] = []
        for item in fields.items {
            let share = Double(max(item.span, 1) * columns) / Double(max(fields.columns, columns))
            let span = min(max(Int(share.rounded()), 1), columns)
            let used = places.last?.upperBound ?? 0
            let place = used + span > columns ? 0 : used
            places.append(place..<place + span)
            let width = fit.width(item.label, size: ReportStyles.smallSize, isBold: true) + TextFit.padding + 14
            labels[place] = max(labels[place], min(width, pair * 0.45))
            let word = fit.longestWord(item.label, size: ReportStyles.smallSize, isBold: true) + TextFit.padding + 8
            words[place] = max(words[place], min(word, pair * 0.45))
            if !item.cell.mayWrap, span == 1 {
                values[place] = max(values[place], Self.width(ofWhole: item.cell.text, fit))
            }
        }
        // A label may wrap between words, a number may not.
        labels = labels.indices.map { max(min(labels[$0], pair - values[$0]), words[$0]) }
        return (places, grid.spans(labels.flatMap { [$0, pair - $0] }))
    }

    /// The widest word for which a value gets more room, in points.
    private static let widestWord = 130.0

    /// Whether no word of a label or value would be broken.
    private func isWhole(_ fields: FieldsContent, _ places: [Range<Int>], _ spans: [Range<Int>]) -> Bool {
        func holds(_ text: String, _ style: CellStyle, _ span: Range<Int>) -> Bool {
            let word = fit.longestWord(text, size: style.size ?? 11, isBold: style.isBold)
            return min(word, Self.widestWord) + TextFit.padding + Double(style.indent) * 7 <= grid.points(of: span)
        }
        return zip(fields.items, places).allSatisfy { item, place in
            let value = spans[place.lowerBound * 2 + 1].lowerBound..<spans[place.upperBound * 2 - 1].upperBound
            return holds(item.label, styles.label, spans[place.lowerBound * 2])
                && holds(item.cell.text, styles.value, value)
        }
    }

    /// The width in which a number or a day is visible, in points. Highlighted numbers are bold.
    private static func width(ofWhole text: String, _ fit: TextFit) -> Double {
        fit.width(text, size: ReportStyles.bodySize + 0.5, isBold: true) + TextFit.padding + 11
    }

    private mutating func draw(_ line: [(item: FieldsContent.Item, column: Int, span: Int)], _ spans: [Range<Int>])
        throws
    {
        guard !line.isEmpty else { return }
        var cells: [(content: CellContent, span: Range<Int>, style: CellStyle, link: ReportCell.Link?)] = []
        for (index, (item, column, span)) in line.enumerated() {
            // The last value extends to the edge.
            let end = index == line.count - 1 ? grid.count : spans[(column + span) * 2 - 1].upperBound
            let value = spans[column * 2 + 1].lowerBound..<end
            cells.append((.text(item.label), spans[column * 2], styles.label, nil))
            let style = styles.toned(styles.value, item.cell.tone)
            cells.append(
                (seen(CellContent(item.cell, dates: &draft.dates), value, style), value, style, item.cell.link))
        }
        let height = cells.map { self.height($0.content.shown, span: $0.span, $0.style) }.max() ?? 0
        let rows = try addRows(height: max(height, 16))
        for cell in cells { try put(cell.content, rows: rows, span: cell.span, cell.style, link: cell.link) }
    }
}

extension SignaturesContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(signatures) }
    var leastColumns: Int { 6 }
    var mayFollowTable: Bool { true }
}

extension SheetPen {
    mutating func draw(_ signatures: [SignatureContent]) throws {
        var rest = signatures[...]
        let most = min(3, (grid.count + 1) / 2)
        while !rest.isEmpty {
            let line = rest.prefix(most)
            rest = rest.dropFirst(most)
            // Gaps separate the lines. A single line is as long as one of two.
            let places = max(line.count, 2)
            let spans = grid.spans((0..<places * 2 - 1).map { $0 % 2 == 0 ? 1 : 0.2 })
            // This row is the space for the signature.
            try addRows(height: 44)
            let cells = zip(line, stride(from: 0, to: spans.count, by: 2)).map { ($0, spans[$1]) }
            var height = cells.map { self.height($0.label, span: $1, styles.signature) }.max() ?? 0
            var rows = try addRows(height: height)
            for (signature, span) in cells { try put(.text(signature.label), rows: rows, span: span, styles.signature) }
            guard line.contains(where: { $0.name?.isEmpty == false }) else { continue }
            height = cells.map { self.height($0.name ?? "", span: $1, styles.signatory) }.max() ?? 0
            rows = try addRows(height: height)
            for (signature, span) in cells {
                try put(.text(signature.name ?? ""), rows: rows, span: span, styles.signatory)
            }
            guard line.contains(where: { $0.note?.isEmpty == false }) else { continue }
            height = cells.map { self.height($0.note ?? "", span: $1, styles.signature) }.max() ?? 0
            rows = try addRows(height: height)
            for (signature, span) in cells {
                try put(.text(signature.note ?? ""), rows: rows, span: span, styles.signature)
            }
        }
    }
}

/// Draws a summary as merged rows with the labels' background: the heading, then the text in as
/// many rows as it needs.
extension SummaryContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        var look = pen.styles.label
        look.color = nil
        look.size = ReportStyles.textSize
        if let heading {
            pen.keepTogether(60)
            try pen.drawRow(heading, look, least: 18)
        }
        look.isBold = false
        try pen.draw(text: text, look: look)
        try pen.addRows(height: 6)
    }

    var mayFollowTable: Bool { true }
}
