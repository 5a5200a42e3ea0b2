import Blocks
import Model
import Spreadsheets

extension SheetPen {
    /// The maximum height of a frozen heading, in points.
    private static let highestFrozen = 260.0
    /// The maximum width of a frozen column, in points.
    private static let widestFrozen = 160.0
    /// The least height of a row, in points.
    private static let lowestRow = 15.0

    /// - Parameter spans: the span of each column, if the sheet's columns are this table's.
    mutating func draw(_ table: TableContent, spans: [Range<Int>]?) throws {
        guard !table.columns.isEmpty else { return }
        if let title = table.title { try draw(title: title, level: 3) }
        let spans = spans ?? grid.spans(SheetPlan.widths(table, usable: plan.usable.width, fit: fit))
        let header = try drawHeader(table.columns.map(\.label), spans)
        if table.rows.isEmpty {
            if let empty = table.empty { try drawRow(empty, styles.missing, least: 18) }
        }
        let levels = table.rows.contains { if case .group = $0.kind { true } else { false } }
        let depth = table.rows.reduce(0) { deepest, row in
            switch row.kind {
            case .group(let level), .subtotal(let level): max(deepest, level + 1)
            case .data, .total: deepest
            }
        }
        if depth > 0 {
            let isBelow = table.rows.contains { if case .subtotal = $0.kind { true } else { false } }
            draft.book.setOutline(sheet, summaryBelow: isBelow || !levels)
        }
        let start = row
        let least = table.rowHeight.map { plan.points(onPaper: $0) } ?? Self.lowestRow
        for content in table.rows { try draw(content, table.columns, spans, depth: depth, least: least) }
        try finish(table, spans, header: header, start: start, isGrouped: depth > 0)
        try addRows(height: 6)
    }

    private mutating func finish(
        _ table: TableContent, _ spans: [Range<Int>], header: Range<Int>, start: Int, isGrouped: Bool
    ) throws {
        guard plan.isTable, !table.rows.isEmpty else { return }
        if isLastOfItsKind { repeated = header }
        // The first column identifies the row, so it remains visible while a wide sheet is
        // scrolled.
        let frozen = spans.count > 4 && grid.points(of: 0..<1) < Self.widestFrozen ? 1 : 0
        if frozenHeight <= Self.highestFrozen { draft.book.freeze(sheet, rows: header.upperBound, columns: frozen) }
        // A filter would separate rows from the lines of their groups.
        guard !isGrouped, header.count == 1 else { return }
        let data = table.rows.count { $0.kind == .data }
        // Totals are below the data, outside the filter. A table cannot be filtered if one of its
        // rows fills several rows of the sheet.
        guard data > 0, row - start == table.rows.count else { return }
        try draft.book.addFilter(sheet, header: header.lowerBound, rows: data, columns: grid.count)
    }

    /// Draws a row of headings. The caller repeats it on each page.
    @discardableResult
    mutating func drawHeader(_ labels: [String], _ spans: [Range<Int>]) throws -> Range<Int> {
        let style = styles.header
        let height = zip(labels, spans).map { label, span in
            // The arrow of the filter covers part of the width.
                fit.height(
                    label, in: grid.points(of: span) - (plan.isTable ? 10 : 0), size: ReportStyles.bodySize,
                    isBold: true)
        }.max() ?? 0
        let rows = try addRows(height: min(max(height, 20), Self.highest))
        frozenHeight = top
        for (label, span) in zip(labels, spans) { try put(.text(label), rows: rows, span: span, style) }
        return rows
    }

    private mutating func draw(
        _ content: TableContent.Row, _ columns: [TableContent.Column], _ spans: [Range<Int>], depth: Int, least: Double
    ) throws {
        let (base, level) = format(of: content.kind, depth: depth)
        if case .group = content.kind, content.cells.dropFirst().allSatisfy(\.isEmpty) {
            let whole = (spans.first?.lowerBound ?? 0)..<(spans.last?.upperBound ?? grid.count)
            let cell = content.cells.first ?? .empty
            let style = styles.toned(base, content.tone ?? cell.tone)
            let shown = CellContent(cell, mark: ReportStyles.mark(content.tone), dates: &draft.dates)
            let rows = try addRows(height: max(height(shown.shown, span: whole, style), 16), level: level)
            return try put(shown, rows: rows, span: whole, style, link: cell.link)
        }
        let cells = cells(of: content, columns, spans, base)
        let highest = zip(cells, spans).map { cell, span in
            height(cell.style.wraps ? cell.content.shown : "", span: span, cell.style)
        }.max() ?? 0
        let lowest = content.kind == .data ? least : Self.lowestRow
        let rows = try addRows(height: max(highest, lowest), level: level)
        for (index, cell) in cells.enumerated() {
            let link = content.cells.indices.contains(index) ? content.cells[index].link : nil
            try put(cell.content, rows: rows, span: spans[index], cell.style, link: link)
        }
    }

    /// The style of a row's cells, and the level of its outline.
    private func format(of kind: TableContent.Row.Kind, depth: Int) -> (style: CellStyle, level: Int) {
        switch kind {
        case .data: (styles.cell, depth)
        case .group(let level): (styles.group(level), level)
        case .subtotal(let level): (styles.subtotal(level), level)
        case .total: (styles.total, 0)
        }
    }

    private mutating func cells(
        of content: TableContent.Row, _ columns: [TableContent.Column], _ spans: [Range<Int>], _ base: CellStyle
    ) -> [(content: CellContent, style: CellStyle)] {
        var cells: [(content: CellContent, style: CellStyle)] = []
        cells.reserveCapacity(spans.count)
        // The mark of a row precedes its first value.
        var mark = ReportStyles.mark(content.tone)
        for (index, span) in spans.enumerated() {
            let cell = content.cells.indices.contains(index) ? content.cells[index] : .empty
            var shown = CellContent(
                cell, decimals: columns[index].decimals, mark: mark ?? ReportStyles.mark(cell.tone),
                dates: &draft.dates)
            if mark != nil, !cell.isEmpty { mark = nil }
            var style = styles.toned(styles.toned(base, content.tone), cell.tone)
            if columns[index].isNumeric {
                style.side = .right
            } else if style.side == nil {
                style.side = cell.isNumber ? .right : .left
            }
            // An indent separates the text from the border and from the neighbour's figures.
            style.indent = max(style.indent, 1)
            shown = seen(shown, span, style)
            if case .number = shown.value { style.wraps = false }
            cells.append((shown, style))
        }
        return cells
    }
}

extension TableContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self, spans: pen.mainSpans) }
    func columns(usable: Double, fit: TextFit) -> [Double] { SheetPlan.widths(self, usable: usable, fit: fit) }
    var tables: Int { rows.isEmpty ? 0 : 1 }
    var mayFollowTable: Bool { rows.isEmpty }
}
