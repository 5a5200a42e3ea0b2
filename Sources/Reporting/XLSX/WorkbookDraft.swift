package import Blocks
import Foundation
package import Model
import OutputFiles
import Spreadsheets

/// The unfinished workbook, with data shared by its sheets and data waiting for the last sheet.
final class WorkbookDraft {
    let head: DocumentHead
    let styles: ReportStyles
    let fit: TextFit
    let drawings: CanvasPictures
    let pictures: PictureStore
    var book: Workbook
    var dates: CellDates
    /// The number of rows of all sheets so far.
    var rows = 0
    private var names = SheetNames()
    private let dataSheetName: String
    private var sheetOfAnchor: [String: String] = [:]
    private var waiting: [WaitingLink] = []
    private var charts: [ChartContent] = []
    private var chartRows = 0

    /// A cell with a link to a section that may follow later.
    private struct WaitingLink {
        var anchor: String
        var content: CellContent
        var sheet: Workbook.SheetID
        var row: Int
        var column: Int
        var style: CellStyle
    }

    init(head: DocumentHead, drawings: CanvasPictures, pictures: PictureStore, path: String) throws {
        self.head = head
        self.drawings = drawings
        self.pictures = pictures
        styles = ReportStyles(head.brand)
        fit = TextFit(font: head.brand.font)
        dates = CellDates(head)
        dataSheetName = names.take(head.words("sheet.data"))
        book = try Workbook(path: path)
        book.useArial()
        try book.set(
            Workbook.Properties(
                title: head.title, subject: head.project, author: head.author, company: head.brand.name,
                comments: "Fichero",
                created: Int(head.asOf.timeIntervalSince1970.rounded(.down)), origin: BookOrigin(head.title)))
    }

    func addSheet(_ title: String, anchor: String?) throws -> Workbook.SheetID {
        let name = names.take(title)
        if let anchor, sheetOfAnchor[anchor] == nil { sheetOfAnchor[anchor] = name }
        return try book.addSheet(name)
    }

    // MARK: Cells

    /// Writes a cell in `style`, with the content's number format.
    func put(
        _ content: CellContent, _ sheet: Workbook.SheetID, row: Int, column: Int, _ style: CellStyle,
        link: ReportCell.Link?
    ) throws {
        var style = style
        style.numberFormat = content.numberFormat
        switch link {
        case .anchor(let anchor):
            waiting.append(
                WaitingLink(anchor: anchor, content: content, sheet: sheet, row: row, column: column, style: style))
        case .address(let address):
            if let address = LinkAddress(address), !Self.isBlank(content) {
                style.isLink = true
                try book.link(to: address, label: Self.label(content), sheet, row: row, column: column, style)
            }
        case nil: break
        }
        try write(content, sheet, row, column, style)
    }

    private func write(_ content: CellContent, _ sheet: Workbook.SheetID, _ row: Int, _ column: Int, _ style: CellStyle)
        throws
    {
        switch content.value {
        case .blank: try book.writeBlank(sheet, row: row, column: column, style)
        case .text(let text): try book.write(Self.clean(text), sheet, row: row, column: column, style)
        case .number(let number): try book.write(number, sheet, row: row, column: column, style)
        }
    }

    /// The part of a text that fits into a cell. If escapes make a text longer than the limit, half
    /// of the text certainly fits.
    private static func clean(_ text: String) -> String {
        let most = XLSXLimits.excel.text
        let clean = LibraryText(text, limit: most).string
        return clean.utf16.count <= most ? clean : LibraryText(text, limit: most / 2).string
    }
    private static func label(_ content: CellContent) -> String { clean(content.shown.isEmpty ? "–" : content.shown) }
    private static func isBlank(_ content: CellContent) -> Bool {
        if case .blank = content.value { true } else { false }
    }

    // MARK: Charts

    /// Stores a chart's figures for the data sheet, and returns their place on the data sheet.
    func takeData(of chart: ChartContent) -> (sheet: String, header: Int) {
        let header = chartRows
        charts.append(chart)
        // An empty row separates two charts.
        chartRows += chart.categories.count + 2
        return (dataSheetName, header)
    }

    private func writeData() throws {
        guard !charts.isEmpty else { return }
        let sheet = try book.addSheet(dataSheetName)
        book.hide(sheet)
        var row = 0
        for chart in charts {
            try put(.text(chart.title ?? ""), sheet, row: row, column: 0, CellStyle(isBold: true), link: nil)
            for (index, series) in chart.series.enumerated() {
                try put(.text(series.name), sheet, row: row, column: index + 1, CellStyle(isBold: true), link: nil)
            }
            for (place, category) in chart.categories.enumerated() {
                row += 1
                try put(.text(category), sheet, row: row, column: 0, CellStyle(), link: nil)
                for (index, series) in chart.series.enumerated() where series.values.indices.contains(place) {
                    guard let value = series.values[place], value.isFinite else { continue }
                    try book.write(value, sheet, row: row, column: index + 1, CellStyle())
                }
            }
            row += 2
        }
    }

    // MARK: The end

    /// Writes everything that waited for the last section. Nothing may be added afterwards.
    func complete() throws {
        for link in waiting {
            var style = link.style
            if let target = sheetOfAnchor[link.anchor], !Self.isBlank(link.content) {
                style.isLink = true
                try book.link(
                    to: target, cell: "A1", label: Self.label(link.content), link.sheet, row: link.row,
                    column: link.column, style)
            }
            try write(link.content, link.sheet, link.row, link.column, style)
        }
        waiting = []
        try writeData()
    }

    func close() throws { try book.close() }
}

/// Writes sections as the sheets of a workbook. Numbers and days are cells of these types; a sheet
/// with one table can be filtered.
package final class WorkbookRenderer: ReportRenderer {
    private var file: WorkbookFile?
    private var draft: WorkbookDraft?
    private let head: DocumentHead
    private let pictures: PictureStore
    private var sections = 0

    /// - Parameter path: the final path; its directory exists.
    package init(head: DocumentHead, path: String) throws {
        self.head = head
        // Without fonts, no file is begun.
        let drawings = try CanvasPictures(head)
        let file = WorkbookFile(finalPath: path)
        pictures = try PictureStore(beside: path)
        draft = try WorkbookDraft(head: head, drawings: drawings, pictures: pictures, path: file.draftPath)
        self.file = consume file
    }

    package func add(_ section: SectionContent) throws {
        guard let draft else { return }
        sections += 1
        let sheet = try draft.addSheet(section.title, anchor: section.anchor)
        var pen = try SheetPen(section, sheet, draft)
        try pen.draw()
    }

    package func finish() throws -> WrittenFile {
        guard let draft, let file = file.take() else {
            throw OutputFailure.library(name: "libxlsxwriter", reason: "finished twice")
        }
        if sections == 0 {
            // A workbook must have a sheet.
            try add(
                SectionContent(
                    name: "", title: head.title, anchor: "", isOfRow: false, paper: ReportPaper(),
                    blocks: [TextContent(head.words("sheet.empty"), style: .note)]))
        }
        try draft.complete()
        let rows = draft.rows
        try draft.close()
        self.draft = nil
        return try file.finish(rows: rows, pictures: pictures)
    }
}

/// Writes sections into a file, one after the other. Each format is one conforming type.
package protocol ReportRenderer: AnyObject {
    /// Adds the next section. The renderer stores no more of it than the file needs.
    func add(_ section: SectionContent) throws
    /// Completes the file under its temporary name.
    /// - Returns: the written file; its `rows` are pages (PDF) or rows of sheets (XLSX).
    func finish() throws -> WrittenFile
}
