import Blocks
import Drawing
import Model
import Spreadsheets

/// Fills the sheet of a section from top to bottom.
struct SheetPen {
    let section: SectionContent
    let sheet: Workbook.SheetID
    let draft: WorkbookDraft
    let plan: SheetPlan
    private let blocks: [any SheetDrawable]
    /// The blocks that follow the current one.
    private var rest: ArraySlice<any SheetDrawable> = []
    /// The spans of the current block's columns; nil if the sheet's columns are not this block's.
    private(set) var mainSpans: [Range<Int>]?
    /// The next free row.
    private(set) var row = 0
    /// The height of all rows above the next free row, in points.
    private(set) var top = 0.0
    /// The height already filled on the current page, in points.
    private var used = 0.0
    private var breaks: [Int] = []
    /// The rows that are repeated at the top of every page.
    var repeated: Range<Int>?
    /// Points from the top to the end of the last header.
    var frozenHeight = 0.0

    var styles: ReportStyles { draft.styles }
    var fit: TextFit { draft.fit }
    var grid: SheetGrid { plan.grid }

    /// The greatest height of a row in Excel, in points.
    static let highest = 409.0

    init(_ section: SectionContent, _ sheet: Workbook.SheetID, _ draft: WorkbookDraft) throws {
        self.section = section
        self.sheet = sheet
        self.draft = draft
        blocks = try section.drawnOnSheets()
        plan = SheetPlan(section.paper, blocks, fit: draft.fit)
        for (column, pixels) in plan.grid.pixels.enumerated() {
            try draft.book.setColumn(column, sheet, pixels: pixels)
        }
    }

    mutating func draw() throws {
        draft.book.hideGridlines(sheet)
        draft.book.setTab(sheet, color: section.isOfRow ? styles.accent : styles.primary)
        try drawHeading()
        for (index, block) in blocks.enumerated() {
            rest = blocks[(index + 1)...]
            mainSpans = plan.main == index ? plan.mainSpans : nil
            try block.draw(with: &self)
        }
        try draft.book.setBreaks(sheet, before: breaks)
        try draft.book.setPage(sheet, page)
        draft.rows += row
    }

    private var page: Workbook.Page {
        let head = draft.head
        let paper =
            switch section.paper.size {
            case .a4: 9
            case .a3: 8
            case .letter: 1
            }
        // Excel ignores page breaks if a sheet is fitted to the page's width.
        let scale =
            breaks.isEmpty && (!plan.isToScale || plan.scale == 1)
            ? Workbook.Page.Scale.fitsWidth : .percent(plan.percent)
        let banners = [
            head.environmentBanner, head.draftBanner,
            section.identity?.isDraft == true ? head.words("draft_stamp") : nil,
        ].compactMap { $0 }.joined(separator: " · ")
        return Workbook.Page(
            paper: paper, isLandscape: section.paper.isLandscape, margin: section.paper.margin, scale: scale,
            repeated: repeated,
            header: Workbook.Page.Line(
                left: head.title.utf16.count + head.project.utf16.count < 225
                    ? head.title + "\n" + printed(head.project) : printed(head.project)),
            footer: Workbook.Page.Line(
                left: banners + "\n"
                    + [head.day, head.brand.name, head.brand.contact ?? ""].filter { !$0.isEmpty }.joined(
                        separator: " · "),
                right: head.words("sheet.page", ["page": "{page}", "pages": "{pages}"])))
    }

    /// Breaks a text of the page's head into lines of the paper's width: long texts overlap.
    private func printed(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let longer = lines[lines.count - 1].isEmpty ? String(word) : lines[lines.count - 1] + " " + word
            if lines[lines.count - 1].isEmpty || fit.width(longer, size: 8) < plan.usable.width {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a table's header may be repeated on every page: no later block would wrongly have
    /// this header above it.
    var isLastOfItsKind: Bool { rest.allSatisfy(\.mayFollowTable) }

    mutating func breakPage() {
        guard row > 0, breaks.last != row else { return }
        breaks.append(row)
        used = 0
    }

    /// Begins a new page if a title would otherwise be separated from the following content.
    mutating func keepTogether(_ height: Double) {
        if height > left, height < pageHeight { breakPage() }
    }

    // MARK: Rows and cells

    /// The height available for rows on a page, in points.
    var pageHeight: Double { plan.usable.height / plan.scale }

    /// The height that is left on the current page, in points.
    var left: Double { pageHeight - used }

    /// Adds one row of the given height in points, or several rows if the height exceeds Excel's
    /// limit.
    /// - Parameter level: the level in Excel's outline; 0 is outside it.
    @discardableResult
    mutating func addRows(height: Double, level: Int = 0) throws -> Range<Int> {
        let count = max(Int((height / Self.highest).rounded(.up)), 1)
        // Heights are whole pixels, so that pictures end where rows end.
        let each = min((height / Double(count) / 0.75).rounded(.up) * 0.75, Self.highest - 0.25)
        let rows = row..<row + count
        for row in rows { try draft.book.setRow(row, sheet, height: each, level: level) }
        row += count
        top += each * Double(count)
        // A row that does not fit is placed on the next page as a whole.
        for _ in rows { used = used + each > pageHeight ? each : used + each }
        return rows
    }

    /// Writes a value into a range of cells, merged if there are several.
    func put(
        _ content: CellContent, rows: Range<Int>, span: Range<Int>, _ style: CellStyle, link: ReportCell.Link? = nil
    ) throws {
        if rows.count > 1 || span.count > 1 { try draft.book.merge(sheet, rows: rows, columns: span, style) }
        // LibreOffice does not wrap a text with a link, so a text that is too long gets no link.
        let isLinked = link != nil && fits(content, span, style)
        try draft.put(content, sheet, row: rows.lowerBound, column: span.lowerBound, style, link: isLinked ? link : nil)
    }

    /// Whether a content fits into one line of a span.
    func fits(_ content: CellContent, _ span: Range<Int>, _ style: CellStyle) -> Bool {
        fit.width(content.shown, size: style.size ?? 11, isBold: style.isBold) + TextFit.padding + Double(style.indent)
            * 7 <= grid.points(of: span)
    }

    /// The content in a visible form: a number wider than its cells would be shown as ###, so it
    /// becomes a text, which wraps.
    func seen(_ content: CellContent, _ span: Range<Int>, _ style: CellStyle) -> CellContent {
        guard case .number = content.value, !fits(content, span, style) else { return content }
        return .text(content.shown)
    }

    /// The height of a text in a span, in points.
    func height(_ text: String, span: Range<Int>, _ style: CellStyle) -> Double {
        fit.height(
            text, in: grid.points(of: span) - Double(style.indent) * 7, size: style.size ?? 11, isBold: style.isBold)
    }

    /// Draws a text over a span of a row, or of several rows if the text is too long for one.
    mutating func drawRow(
        _ text: String, span: Range<Int>? = nil, _ style: CellStyle, least: Double = 0, level: Int = 0
    ) throws {
        let span = span ?? grid.all
        let rows = try addRows(height: max(height(text, span: span, style), least), level: level)
        try put(.text(text), rows: rows, span: span, style)
    }
}

/// A block's content that draws itself onto a sheet, and declares its requirements in advance.
protocol SheetDrawable: BlockContent {
    func draw(with pen: inout SheetPen) throws
    /// The widths of the block's columns in points, for use as the sheet's columns.
    func columns(usable: Double, fit: TextFit) -> [Double]
    /// The minimum number of columns of the sheet.
    var leastColumns: Int { get }
    /// The number of tables as which the block counts. A sheet with more than one cannot be
    /// filtered as a table.
    var tables: Int { get }
    /// Whether the block may be below a table whose header is repeated on every page.
    var mayFollowTable: Bool { get }
}

extension SheetDrawable {
    func columns(usable: Double, fit: TextFit) -> [Double] { [] }
    var leastColumns: Int { 1 }
    var tables: Int { 0 }
    var mayFollowTable: Bool { false }
}

extension SectionContent {
    /// The section's blocks as sheet drawings. Throws if a block cannot be drawn on sheets.
    func drawnOnSheets() throws -> [any SheetDrawable] {
        try blocks.map { block in
            switch block {
            case let block as any SheetDrawable: return block
            case let content as any DrawnContent: return DrawnOnSheet(content: content)
            default: throw ReportFailure.template(name, String(describing: type(of: block)))
            }
        }
    }
}

extension ChartContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self) }
}

extension SheetPen {
    mutating func draw(_ chart: ChartContent) throws {
        guard !chart.categories.isEmpty, !chart.series.isEmpty else {
            if let title = chart.title { try draw(title: title, level: 3) }
            return try draw(text: draft.head.words("sheet.nothing"), .note)
        }
        let height = plan.points(onPaper: chart.millimetres ?? ChartContent.usualSize.height)
        let rows = try addRows(height: height + 6)
        let data = draft.takeData(of: chart)
        let colors = styles.chartColors
        let kind: Workbook.Chart.Kind =
            switch chart.kind {
            case .columns: .columns
            case .bars: .bars
            case .stacked: .stacked
            case .line: .line
            case .pie: .pie
            }
        let series = chart.series.indices.map { index in
            Workbook.Chart.Series(
                column: index + 1,
                colors: kind == .pie
                    ? chart.categories.indices.map { colors[$0 % colors.count] } : [colors[index % colors.count]])
        }
        let format =
            chart.decimals.map { $0 <= 0 ? "0" : "0." + String(repeating: "0", count: min($0, 15)) } ?? "General"
        try draft.book.insert(
            Workbook.Chart(
                kind: kind, title: chart.title, measure: chart.measure, isReversed: chart.isReversed,
                numberFormat: format, font: styles.font, sheet: data.sheet,
                header: data.header, rows: chart.categories.count, categories: 0,
                series: kind == .pie ? Array(series.prefix(1)) : series),
            sheet,
            at: Workbook.Placement(
                row: rows.lowerBound, column: 0, y: 4, width: grid.width / 0.75 - 2, height: height / 0.75),
            description: chart.title ?? chart.measure)
    }
}

extension SymbolsContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(symbols) }
    var leastColumns: Int { 6 }
    var mayFollowTable: Bool { true }
}

extension SheetPen {
    mutating func draw(_ symbols: [SymbolContent]) throws {
        let columns = max(min(3, grid.count / 2), 1)
        let hasRoom = grid.count >= 2
        let spans = hasRoom ? grid.spans((0..<columns).flatMap { _ in [0.16, 0.84] }) : [0..<1]
        var rest = symbols[...]
        while !rest.isEmpty {
            let line = rest.prefix(columns)
            rest = rest.dropFirst(columns)
            let texts = line.map { $0.saysNothingMore ? $0.name : "\($0.symbol)  \($0.name)" }
            let places = line.indices.indices.map { hasRoom ? spans[($0 - line.startIndex) * 2 + 1] : spans[0] }
            let height = zip(texts, places).map { self.height($0, span: $1, styles.text(.small)) }.max() ?? 0
            let rows = try addRows(height: max(height, 19))
            for (index, symbol) in line.enumerated() {
                var style = styles.text(.small)
                style.alignment = .middle
                try put(.text(texts[index]), rows: rows, span: places[index], style)
                guard hasRoom else { continue }
                let sample = spans[index * 2]
                let width = min(grid.points(of: sample) - 4, 48)
                let picture = try draft.drawings.symbol(symbol.symbol, width: width, height: 14)
                // The sample is at the right edge of its cell, beside its name.
                try insert(
                    picture, row: rows.lowerBound, column: sample.lowerBound, x: grid.points(of: sample) - width - 2,
                    y: 2.25, width: width, height: 14,
                    symbol.name)
            }
        }
        try addRows(height: 6)
    }
}
