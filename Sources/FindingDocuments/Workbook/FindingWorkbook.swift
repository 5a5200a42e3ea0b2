import Foundation
package import Model
import OutputFiles
import Spreadsheets

/// Writes findings as one workbook: a summary, the records with findings, every finding with a link
/// to its row, and for each table with findings a copy of its data with marks and comments on the
/// cells with findings.
///
/// Rows are streamed, so that memory grows neither with the findings nor with the data. Equal
/// findings give equal bytes.
package struct FindingWorkbook {
    let text: FindingText
    let head: FindingDocumentHead
    let tally: FindingTally
    let limits: XLSXLimits
    /// The number of cells of one sheet that get a comment: programs become slow with many.
    let mostComments: Int

    package init(_ text: FindingText, head: FindingDocumentHead, tally: FindingTally) {
        self.init(text, head: head, tally: tally, limits: .excel, mostComments: 5000)
    }

    init(_ text: FindingText, head: FindingDocumentHead, tally: FindingTally, limits: XLSXLimits, mostComments: Int) {
        self.text = text
        self.head = head
        self.tally = tally
        self.limits = limits
        self.mostComments = mostComments
    }

    /// Writes the file, complete, under its temporary name beside `path`.
    package func write(_ source: any FindingRowSource, to path: String) throws -> WrittenFile {
        let file = WorkbookFile(finalPath: path)
        try make(source, at: file.draftPath)
        return try file.finish(rows: tally.total)
    }

    private func make(_ source: any FindingRowSource, at path: String) throws {
        let tables = try source.tables()
        var names = SheetNames(limit: limits.sheetName)
        let plan = FindingSheetPlan(text: text, tally: tally, tables: tables, limits: limits, names: &names)
        var book = try Workbook(path: path, isStreaming: true)
        try book.set(
            Workbook.Properties(
                title: text.word("report.title"), subject: head.system, author: head.actor, company: head.packName,
                comments: "Fichero \(head.programVersion) · \(head.packName) \(head.packVersion)",
                created: Int(head.asOf.timeIntervalSince1970.rounded(.down))))
        let summary = try book.addSheet(plan.summary)
        let records = try book.addSheet(plan.records)
        var lists: [Workbook.SheetID] = []
        for name in plan.lists { lists.append(try book.addSheet(name)) }
        try FindingSummarySheet(workbook: self, plan: plan).write(summary, in: &book)
        try FindingRecordSheet(workbook: self).write(source, records, in: &book)
        try FindingListSheet(workbook: self, plan: plan).write(source, lists, in: &book)
        for (table, name) in zip(tables, plan.copies) {
            let sheet = try book.addSheet(name)
            try FindingDataSheet(workbook: self, table: table).write(source, sheet, in: &book)
        }
        try book.close()
    }

    // MARK: What the sheets share

    func put(
        _ value: String, _ sheet: Workbook.SheetID, row: Int, column: Int, _ style: CellStyle, in book: inout Workbook
    ) throws(OutputFailure) {
        try book.write(LibraryText(value, limit: limits.text).string, sheet, row: row, column: column, style)
    }

    /// Writes a row of headers that stays visible, with arrows to filter by.
    func putHeader(
        _ columns: [(label: String, width: Double)], _ sheet: Workbook.SheetID, row: Int, rows: Int, in book: inout Workbook
    ) throws(OutputFailure) {
        for (column, content) in columns.enumerated() { try book.setColumn(column, sheet, width: content.width, nil) }
        try book.addFilter(sheet, header: row, rows: rows, columns: columns.count)
        book.freeze(sheet, rows: row + 1)
        try book.setPrinting(
            sheet, width: columns.reduce(0) { $0 + $1.width }, repeatsHeader: row == 0, banner: head.environmentBanner ?? "")
        try book.setRow(row, sheet, height: 32)
        for (column, content) in columns.enumerated() { try put(content.label, sheet, row: row, column: column, .tableHeader, in: &book) }
    }
}

/// The names and places of all sheets, chosen before the first cell is written.
struct FindingSheetPlan {
    let summary: String
    let records: String
    /// The sheets of findings, as many as they need.
    let lists: [String]
    /// One for each table.
    let copies: [String]
    let copyOfTable: [String: String]
    /// Findings of one sheet, without the header.
    let perSheet: Int
    /// Rows of a table's copy.
    let mostRows: Int

    init(text: FindingText, tally: FindingTally, tables: [FindingTable], limits: XLSXLimits, names: inout SheetNames) {
        summary = names.take(text.word("report.summary"))
        records = names.take(text.word("report.records"))
        perSheet = limits.rows - 1
        mostRows = limits.rows - FindingDataSheet.firstRow
        var lists: [String] = []
        for part in 0..<max(1, (tally.total + perSheet - 1) / perSheet) {
            lists.append(names.take(text.word("cover.findings"), part: part + 1))
        }
        self.lists = lists
        var copies: [String] = []
        for table in tables { copies.append(names.take(table.title)) }
        self.copies = copies
        copyOfTable = Dictionary(zip(tables.map(\.entity), copies)) { first, _ in first }
    }

    /// The place of the finding with this number, counted from zero.
    func place(of number: Int) -> (sheet: Int, row: Int) { (number / perSheet, number % perSheet + 1) }
}
