import Blocks
import Model
import Spreadsheets

/// Draws a section onto its sheet, block by block, from top to bottom.
struct SheetPen {
    let section: SectionContent
    let sheet: Workbook.SheetID
    let draft: WorkbookDraft
    let plan: SheetPlan
    private let blocks: [any SheetDrawn]
    /// Blocks that are still to come.
    private var rest: ArraySlice<any SheetDrawn> = []
    /// The columns of the block under way, where they are the sheet's.
    private(set) var mainSpans: [Range<Int>]?
    /// The next free row.
    private(set) var row = 0
    /// Points of all rows above it.
    private(set) var top = 0.0
    /// Points of the page under way that are taken.
    private var used = 0.0
    private var breaks: [Int] = []
    /// The rows on top of every page.
    var repeated: Range<Int>?
    /// Points from the top to the end of the header that was drawn last.
    var frozenHeight = 0.0

    var styles: ReportStyles { draft.styles }
    var fit: TextFit { draft.fit }
    var grid: SheetGrid { plan.grid }

    /// Excel's highest row, in points.
    static let highest = 409.0

    init(_ section: SectionContent, _ sheet: Workbook.SheetID, _ draft: WorkbookDraft) throws {
        self.section = section
        self.sheet = sheet
        self.draft = draft
        blocks = try section.drawnOnSheets()
        plan = SheetPlan(section.paper, blocks, fit: draft.fit)
        for (column, pixels) in plan.grid.pixels.enumerated() { try draft.book.setColumn(column, sheet, pixels: pixels) }
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
        // Excel forgets breaks where it fits a sheet to the page's width; and LibreOffice's columns are a little wider than Excel's.
        let scale = breaks.isEmpty ? Workbook.Page.Scale.fitsWidth : .percent(Int(plan.scale * 93))
        let banners = [head.environmentBanner, head.draftBanner].compactMap { $0 }.joined(separator: " · ")
        return Workbook.Page(
            paper: paper, isLandscape: section.paper.isLandscape, margin: section.paper.margin, scale: scale, repeated: repeated,
            header: Workbook.Page.Line(left: head.title, center: banners, right: head.project),
            footer: Workbook.Page.Line(
                left: [head.brand.name, head.brand.contact ?? ""].filter { !$0.isEmpty }.joined(separator: " · "), center: head.day,
                right: head.words("sheet.page", ["page": "{page}", "pages": "{pages}"])))
    }

    /// Whether nothing follows that the header of a table, repeated on every page, would stand over wrongly.
    var isLastOfItsKind: Bool { rest.allSatisfy(\.mayFollowTable) }

    mutating func breakPage() {
        guard row > 0, breaks.last != row else { return }
        breaks.append(row)
        used = 0
    }

    /// Begins a page where what follows would be parted from its title.
    mutating func keepTogether(_ height: Double) {
        if height > left, height < pageHeight { breakPage() }
    }

    // MARK: Rows and cells

    /// Points of rows that a page holds.
    var pageHeight: Double { plan.usable.height / plan.scale }

    /// Points that are left on the page under way.
    var left: Double { pageHeight - used }

    /// Takes as many rows as the height needs, one where that suffices.
    /// - Parameter level: in Excel's outline, 0 is outside of it.
    @discardableResult
    mutating func addRows(height: Double, level: Int = 0) throws -> Range<Int> {
        let count = max(Int((height / Self.highest).rounded(.up)), 1)
        // Whole pixels, so that pictures and rows end at the same place.
        let each = min((height / Double(count) / 0.75).rounded(.up) * 0.75, Self.highest - 0.25)
        let rows = row..<row + count
        for row in rows { try draft.book.setRow(row, sheet, height: each, level: level) }
        row += count
        top += each * Double(count)
        // A row that does not fit goes to the next page as a whole.
        for _ in rows { used = used + each > pageHeight ? each : used + each }
        return rows
    }

    /// Writes a value into a block of cells that are one.
    func put(_ content: CellContent, rows: Range<Int>, span: Range<Int>, _ style: CellStyle, link: ReportCell.Link? = nil) throws {
        if rows.count > 1 || span.count > 1 { try draft.book.merge(sheet, rows: rows, columns: span, style) }
        try draft.put(content, sheet, row: rows.lowerBound, column: span.lowerBound, style, link: link)
    }

    /// The height that a text needs in a span.
    func height(_ text: String, span: Range<Int>, _ style: CellStyle) -> Double {
        fit.height(text, in: grid.points(of: span) - Double(style.indent) * 7, size: style.size ?? 11, isBold: style.isBold)
    }

    /// A text over a span of a row, or of several where it is too long for one.
    mutating func drawRow(_ text: String, span: Range<Int>? = nil, _ style: CellStyle, least: Double = 0, level: Int = 0) throws {
        let span = span ?? grid.all
        let rows = try addRows(height: max(height(text, span: span, style), least), level: level)
        try put(.text(text), rows: rows, span: span, style)
    }
}
