package import Foundation
package import Model
import Spreadsheets

/// Small tables as a workbook: a sheet for each table, with the headers in its first row. Equal
/// tables give equal bytes.
package struct TableWorkbook {
    private let title: String
    private let tables: [PlainTable]
    private let asOf: Date
    private let origin: BookOrigin?

    /// - Parameter origin: the export whose rows the tables have; nil: the workbook is no copy of an export.
    package init(title: String, tables: [PlainTable], asOf: Date, origin: BookOrigin? = nil) {
        self.title = title
        self.tables = tables
        self.asOf = asOf
        self.origin = origin
    }

    /// Writes the file, complete, under its temporary name beside `path`.
    package func write(to path: String) throws -> WrittenFile {
        let file = WorkbookFile(finalPath: path)
        try make(at: file.draftPath)
        return try file.finish(rows: tables.reduce(0) { $0 + $1.rows.count })
    }

    private func make(at path: String) throws {
        var book = try Workbook(path: path)
        try book.set(
            Workbook.Properties(
                title: title, subject: "", author: "", company: "", comments: "Fichero",
                created: Int(asOf.timeIntervalSince1970.rounded(.down)), origin: origin))
        var names = SheetNames(limit: XLSXLimits.excel.sheetName)
        for table in tables { try write(table, book.addSheet(names.take(table.title)), in: &book) }
        try book.close()
    }

    private func write(_ table: PlainTable, _ sheet: Workbook.SheetID, in book: inout Workbook) throws {
        for (column, content) in table.columns.enumerated() {
            try book.setColumn(column, sheet, width: content.width, nil, isHidden: content.isHidden)
            try book.write(text(content.label), sheet, row: 0, column: column, .tableHeader)
        }
        try setHeight(of: 0, table.columns.map { .text($0.label) }, table, sheet, in: &book)
        if !table.rows.isEmpty {
            try book.addFilter(sheet, header: 0, rows: table.rows.count, columns: table.columns.count)
        }
        book.freeze(sheet, rows: 1)
        try book.setPrinting(sheet, width: table.columns.reduce(0) { $0 + $1.width }, repeatsHeader: true, banner: "")
        for (row, cells) in table.rows.enumerated() {
            try setHeight(of: row + 1, cells, table, sheet, in: &book)
            for (column, cell) in cells.enumerated() {
                switch cell {
                case .empty: try book.writeBlank(sheet, row: row + 1, column: column, .tableCell)
                case .text(let value): try book.write(text(value), sheet, row: row + 1, column: column, .tableCell)
                case .number(let number): try book.write(number, sheet, row: row + 1, column: column, .tableCell)
                case .fault(let value):
                    try book.write(text(value), sheet, row: row + 1, column: column, .faulty(.error))
                case .sound(let value): try book.write(text(value), sheet, row: row + 1, column: column, .tableCell)
                case .marked(let value, let mark, let note):
                    try book.write(text(value), sheet, row: row + 1, column: column, .marked(mark))
                    guard let note else { break }
                    try book.comment(
                        LibraryText(note, limit: XLSXLimits.excel.text), sheet, row: row + 1, column: column,
                        size: (width: 260, height: 90))
                }
            }
        }
    }

    /// Sets the height of a row with texts of several lines, since not every program computes it
    /// before printing.
    private func setHeight(
        of row: Int, _ cells: [PlainTable.Cell], _ table: PlainTable, _ sheet: Workbook.SheetID, in book: inout Workbook
    ) throws {
        let lines = zip(cells, table.columns).map { cell, column in
            switch cell {
            case .empty, .number: 1
            case .text(let value), .fault(let value), .sound(let value), .marked(let value, _, _):
                Self.lines(value, in: Int(column.width) - 2)
            }
        }.max() ?? 1
        if lines > 1 { try book.setRow(row, sheet, height: min(15 * Double(lines), 400)) }
    }

    /// The number of lines of a text that is wrapped between words at `room` characters; may be one
    /// too many.
    private static func lines(_ text: String, in room: Int) -> Int {
        var lines = 0
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var used = 0
            lines += 1
            for word in paragraph.split(separator: " ") {
                if used > 0, used + 1 + word.count > room {
                    lines += 1
                    used = 0
                }
                used += word.count + (used > 0 ? 1 : 0)
                lines += max(0, used - 1) / room
                used = used > room ? (used - 1) % room + 1 : used
            }
        }
        return lines
    }

    private func text(_ value: String) -> String { LibraryText(value, limit: XLSXLimits.excel.text).string }
}
