package import Foundation
package import Model
import Spreadsheets

/// Small tables as a workbook, a sheet each, headers in the first row. Equal tables give equal bytes.
package struct TableWorkbook {
    private let title: String
    private let tables: [PlainTable]
    private let asOf: Date

    package init(title: String, tables: [PlainTable], asOf: Date) {
        self.title = title
        self.tables = tables
        self.asOf = asOf
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
                title: title, subject: "", author: "", company: "", comments: "Fichero", created: Int(asOf.timeIntervalSince1970.rounded(.down))))
        var names = SheetNames(limit: XLSXLimits.excel.sheetName)
        for table in tables { try write(table, book.addSheet(names.take(table.title)), in: &book) }
        try book.close()
    }

    private func write(_ table: PlainTable, _ sheet: Workbook.SheetID, in book: inout Workbook) throws {
        for (column, content) in table.columns.enumerated() {
            try book.setColumn(column, sheet, width: content.width, nil)
            try book.write(text(content.label), sheet, row: 0, column: column, .tableHeader)
        }
        if !table.rows.isEmpty { try book.addFilter(sheet, header: 0, rows: table.rows.count, columns: table.columns.count) }
        book.freeze(sheet, rows: 1)
        try book.setPrinting(sheet, width: table.columns.reduce(0) { $0 + $1.width }, repeatsHeader: true, banner: "")
        for (row, cells) in table.rows.enumerated() {
            for (column, cell) in cells.enumerated() {
                switch cell {
                case .empty: try book.writeBlank(sheet, row: row + 1, column: column, .tableCell)
                case .text(let value): try book.write(text(value), sheet, row: row + 1, column: column, .tableCell)
                case .number(let number): try book.write(number, sheet, row: row + 1, column: column, .tableCell)
                case .fault(let value): try book.write(text(value), sheet, row: row + 1, column: column, .faulty(.error))
                case .sound(let value): try book.write(text(value), sheet, row: row + 1, column: column, .tableCell)
                }
            }
        }
    }

    private func text(_ value: String) -> String { LibraryText(value, limit: XLSXLimits.excel.text).string }
}
