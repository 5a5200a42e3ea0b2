import Foundation
package import Model
import OutputFiles
import Spreadsheets

/// Writes findings as one workbook: a summary, the records with findings, and every finding with a
/// link to its row. Each table with findings has a copy of its data, with marks and comments on the
/// cells concerned.
///
/// Rows are streamed, so that memory grows neither with the findings nor with the data. Equal
/// findings give equal bytes.
package struct FindingWorkbook {
    let text: FindingText
    let head: FindingDocumentHead
    let tally: FindingTally
    let limits: XLSXLimits
    /// The maximum number of cells of a sheet with a comment: with many comments, spreadsheet
    /// programs become slow.
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

    // MARK: Common to all sheets

    func put(
        _ value: String, _ sheet: Workbook.SheetID, row: Int, column: Int, _ style: CellStyle, in book: inout Workbook
    ) throws(OutputFailure) {
        try book.write(LibraryText(value, limit: limits.text).string, sheet, row: row, column: column, style)
    }

    /// Writes a row of headers that stays visible, with arrows to filter by.
    func putHeader(
        _ columns: [(label: String, width: Double)], _ sheet: Workbook.SheetID, row: Int, rows: Int,
        in book: inout Workbook
    ) throws(OutputFailure) {
        for (column, content) in columns.enumerated() { try book.setColumn(column, sheet, width: content.width, nil) }
        try book.addFilter(sheet, header: row, rows: rows, columns: columns.count)
        book.freeze(sheet, rows: row + 1)
        try book.setPrinting(
            sheet, width: columns.reduce(0) { $0 + $1.width }, repeatsHeader: row == 0,
            banner: head.environmentBanner ?? "")
        try book.setRow(row, sheet, height: 32)
        for (column, content) in columns.enumerated() {
            try put(content.label, sheet, row: row, column: column, .tableHeader, in: &book)
        }
    }
}

/// The names and places of all sheets, chosen before the first cell is written.
struct FindingSheetPlan {
    let summary: String
    let records: String
    /// The sheets of findings, as many as are needed.
    let lists: [String]
    /// The names of the sheets with copies, one for each table.
    let copies: [String]
    let copyOfTable: [String: String]
    /// The maximum number of findings on one sheet, without the header.
    let perSheet: Int
    /// The maximum number of rows in a table's copy.
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

/// Every finding as one row, with a link to the data row in its copy. Uses several sheets if one is
/// not enough.
struct FindingListSheet {
    let workbook: FindingWorkbook
    let plan: FindingSheetPlan

    private var columns: [(label: String, width: Double)] {
        let text = workbook.text
        return [
            (text.word("cover.severity"), 13), (text.word("cover.code"), 30), (text.word("cover.project"), 16),
            (text.word("report.table"), 18),
            (text.word("report.key"), 26), (text.word("report.field"), 22), (text.word("report.value"), 24),
            (text.word("cover.what"), 56),
            (text.word("report.remedy"), 46), (text.word("report.row"), 10), (text.word("report.accepted"), 30),
            (text.word("report.file"), 24),
            (text.word("report.fingerprint"), 36),
        ]
    }

    func write(_ source: any FindingRowSource, _ sheets: [Workbook.SheetID], in book: inout Workbook) throws {
        let columns = columns
        for (index, sheet) in sheets.enumerated() {
            let rows = min(plan.perSheet, workbook.tally.total - index * plan.perSheet)
            try workbook.putHeader(columns, sheet, row: 0, rows: rows, in: &book)
        }
        var number = 0
        try source.forEach { reported in
            let place = plan.place(of: number)
            guard sheets.indices.contains(place.sheet) else { return }
            try write(reported, sheets[place.sheet], row: place.row, columns, in: &book)
            number += 1
        }
    }

    private func write(
        _ reported: PlacedFinding, _ sheet: Workbook.SheetID, row: Int, _ columns: [(label: String, width: Double)],
        in book: inout Workbook
    ) throws(OutputFailure) {
        let text = workbook.text
        let finding = reported.finding
        let message = text.message(of: finding)
        let remedy = text.remedy(of: finding)
        let value = text.value(of: finding)
        func lines(_ text: String, _ column: Int) -> Double {
            (Double(text.count) * 1.1 / columns[column].width).rounded(.up)
        }
        let key = finding.place.key ?? ""
        let highest: Double = max(lines(message, 7), lines(remedy, 8), lines(value, 6), lines(key, 4), 1)
        try book.setRow(row, sheet, height: min(15 * highest, 400))
        let values = [
            text.word("severity." + finding.severity.rawValue), finding.code, reported.project ?? "",
            text.table(of: finding) ?? "",
            finding.place.key ?? finding.place.id ?? "", text.field(of: finding) ?? "", value, message, remedy,
        ]
        for (column, value) in values.enumerated() {
            try workbook.put(
                value, sheet, row: row, column: column, column == 0 ? .faulty(finding.severity) : .tableCell, in: &book)
        }
        if let target = reported.row, target < plan.mostRows,
            let name = finding.place.table.flatMap({ plan.copyOfTable[$0] })
        {
            let place = CellReference.cell(row: FindingDataSheet.firstRow + target, column: 0)
            try book.writeLink(
                to: name, cell: place, label: "→ \(FindingDataSheet.firstRow + target + 1)", sheet, row: row, column: 9)
        } else {
            try workbook.put("", sheet, row: row, column: 9, .tableCell, in: &book)
        }
        let place = finding.place
        let spot = [place.file, place.sheet, place.cell, place.line.map(String.init), place.pointer].compactMap { $0 }
            .joined(separator: " · ")
        for (column, value) in [text.acceptance(of: finding) ?? "", spot, finding.fingerprint].enumerated() {
            try workbook.put(value, sheet, row: row, column: 10 + column, .tableCell, in: &book)
        }
    }
}
