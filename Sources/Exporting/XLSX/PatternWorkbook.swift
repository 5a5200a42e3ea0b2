import Foundation
import Glibc
import Model
import OutputFiles
import Spreadsheets
import Zipping

/// A complete workbook, made by libxlsxwriter in a temporary file, but without the rows. Each data
/// sheet has its header and one row of blank cells with the columns' styles. The ranges of tables,
/// filters and lists are already those of the final rows.
struct PatternWorkbook: ~Copyable {
    private let file: TemporaryFile
    private let reader: ZipReader
    /// The number of the cover's characters that were replaced.
    let replacedOnCover: Int

    /// The maximum size of a part; enough for a cover with many rows.
    private static let largestPart: UInt64 = 1 << 28

    /// `document` gives the properties; `trailing` are data sheets after the hidden sheet of lists.
    init(
        _ plan: XLSXPlan, _ document: ExportDocument, trailing: [DataSheetPlan] = [], beside finalPath: String
    ) throws {
        let file = TemporaryFile(path: TemporaryName.path(beside: finalPath))
        let replaced = try Self.write(plan, document, trailing, file.path)
        let reader = try Self.open(file.path)
        self.file = file
        self.reader = reader
        replacedOnCover = replaced
    }

    private static func open(_ path: String) throws(OutputFailure) -> ZipReader {
        do {
            return try ZipReader(path: path)
        } catch {
            throw .library(name: "libxlsxwriter", reason: "\(error)")
        }
    }

    var entries: [ZipEntry] { reader.entries }

    /// The name of the package's part that contains a sheet, counted from zero.
    static func partName(_ sheet: Int) -> String { "xl/worksheets/sheet\(sheet + 1).xml" }

    /// The XML before and after the rows of a data sheet.
    func frame(ofSheet sheet: Int, columns: Int) throws -> SheetFrame {
        try SheetFrame(try reader.read(Self.partName(sheet), atMost: Self.largestPart), columns: columns)
    }

    func copy<Output: ZipOutput & ~Copyable>(_ entry: ZipEntry, to zip: inout ZipWriter<Output>) throws {
        try zip.copy(entry, from: reader)
    }

    // MARK: Making it

    private static func write(
        _ plan: XLSXPlan, _ document: ExportDocument, _ trailing: [DataSheetPlan], _ path: String
    ) throws(OutputFailure) -> Int {
        var book = try Workbook(path: path)
        try book.set(properties(document))
        let cover = try book.addSheet(plan.coverName)
        let replaced = try CoverSheet.write(plan.cover, cover, in: &book)
        let banner = plan.cover.bannerLine
        for sheet in plan.sheets { try write(sheet, plan, banner, in: &book) }
        if !plan.lists.isEmpty { try writeLists(plan, in: &book) }
        for sheet in trailing { try write(sheet, plan, banner, in: &book) }
        try book.close()
        return replaced
    }

    private static func properties(_ document: ExportDocument) -> Workbook.Properties {
        Workbook.Properties(
            title: document.cover.title, subject: document.cover.subtitle, author: document.cover.author,
            company: document.packName,
            comments: "\(document.name) · \(document.packName) \(document.packVersion)",
            created: Int(document.asOf.timeIntervalSince1970.rounded(.down)), origin: document.origin)
    }

    private static func write(
        _ sheet: DataSheetPlan, _ plan: XLSXPlan, _ banner: String, in book: inout Workbook
    ) throws(OutputFailure) {
        let id = try book.addSheet(sheet.name)
        let columns = sheet.shownColumns
        try book.addTable(id, headers: columns.map(\.header), rows: sheet.rows)
        try book.setRow(0, id, height: 32)
        book.freeze(id, rows: 1, columns: sheet.frozen)
        try book.setPrinting(
            id, width: columns.reduce(0) { $0 + ($1.isHidden ? 0 : $1.width) }, repeatsHeader: true, banner: banner)
        for (column, content) in columns.enumerated() {
            try book.setColumn(column, id, width: content.width, content.style, isHidden: content.isHidden)
            if let note = content.note {
                try book.comment(
                    LibraryText(note, limit: XLSXLimits.excel.text), id, row: 0, column: column, size: Self.noteSize)
            }
            try book.writeBlank(id, row: 1, column: column, content.style)
            if let choices = content.choices {
                let source = choices.source ?? .range(range(of: choices.list ?? 0, plan))
                try book.addChoices(source, isClosed: choices.isClosed, id, column: column, rows: sheet.rows)
            }
        }
        // One cell in the last row, so that the library writes the final dimension.
        if sheet.rows > 1, let last = columns.last {
            try book.writeBlank(id, row: sheet.rows, column: columns.count - 1, last.style)
        }
    }

    private static let noteSize = (width: 220, height: 70)

    private static func writeLists(_ plan: XLSXPlan, in book: inout Workbook) throws(OutputFailure) {
        let id = try book.addSheet(plan.listsName)
        book.hide(id)
        for (column, list) in plan.lists.enumerated() {
            for (row, value) in list.enumerated() {
                try book.write(value, id, row: row, column: column, CellStyle(numberFormat: "@"))
            }
        }
    }

    private static func range(of list: Int, _ plan: XLSXPlan) -> String {
        let column = CellReference.letters(list)
        let name = plan.listsName.replacing("'", with: "''")
        return "'\(name)'!$\(column)$1:$\(column)$\(plan.lists[list].count)"
    }
}
