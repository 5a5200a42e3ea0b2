import Model
import OutputFiles
import Spreadsheets

/// A copy of a table. Cells with findings are marked by severity, and have a comment with message
/// and remedy. The first column shows the row's worst severity and the number of its findings.
struct FindingDataSheet {
    let workbook: FindingWorkbook
    let table: FindingTable

    /// The first data row; the two rows above are a description of the sheet and the header.
    static let firstRow = 2
    /// The maximum number of a row's findings in its comments; the sheet of findings lists all.
    private static let mostOfRow = 50
    private static let commentLength = 2000

    /// The findings of a row, collected as they arrive.
    private struct Pending {
        var row: Int
        var findings: [Finding] = []
        var count = 0
    }

    func write(_ source: any FindingRowSource, _ sheet: Workbook.SheetID, in book: inout Workbook) throws {
        let most = workbook.limits.rows - Self.firstRow
        let count = min(table.rowCount, most)
        try workbook.put(about(count), sheet, row: 0, column: 0, .label, in: &book)
        let columns =
            [(label: workbook.text.word("cover.findings"), width: 22.0)]
            + table.columns.map { (label: $0.header, width: Self.width(of: $0)) }
        try workbook.putHeader(columns, sheet, row: 1, rows: count, in: &book)
        book.freeze(sheet, rows: Self.firstRow, columns: 1)
        var rows = FindingRowReader(try source.rows(of: table), columns: table.columns.count)
        var next = 0
        var comments = 0
        var pending: Pending?
        func finish(_ done: Pending, _ book: inout Workbook) throws {
            while next <= done.row, next < count, try rows.advance() {
                try write(rows, next == done.row ? done : nil, sheet, at: next, &comments, in: &book)
                next += 1
            }
        }
        try source.forEach(in: table) { reported in
            guard let row = reported.row else { return }
            if let done = pending, done.row != row {
                try finish(done, &book)
                pending = nil
            }
            var gathering = pending ?? Pending(row: row)
            gathering.count += 1
            if gathering.findings.count < Self.mostOfRow { gathering.findings.append(reported.finding) }
            pending = gathering
        }
        if let done = pending { try finish(done, &book) }
        while next < count, try rows.advance() {
            try write(rows, nil, sheet, at: next, &comments, in: &book)
            next += 1
        }
    }

    private func about(_ count: Int) -> String {
        let text = workbook.text
        let arguments = ["rows": String(table.rowCount), "all": String(table.allRows)]
        var parts = [text.word(table.isWhole ? "report.copy_whole" : "report.copy_part", arguments)]
        if count < table.rowCount {
            parts.append(text.word("report.copy_cut", ["rows": String(count), "count": String(table.rowCount)]))
        }
        if workbook.tally.total > workbook.mostComments {
            parts.append(text.word("report.copy_comments", ["count": String(workbook.mostComments)]))
        }
        return parts.joined(separator: " ")
    }

    private static func width(of column: SheetColumn) -> Double {
        let wanted = max(Double(column.header.count) * 0.7, Double(min(column.expectedWidth ?? 14, 40)))
        return min(max(wanted, 10), 40)
    }

    private func write(
        _ rows: FindingRowReader, _ found: Pending?, _ sheet: Workbook.SheetID, at index: Int, _ comments: inout Int,
        in book: inout Workbook
    ) throws(OutputFailure) {
        let row = Self.firstRow + index
        var byColumn: [Int: [Finding]] = [:]
        for finding in found?.findings ?? [] {
            let column = finding.place.field.flatMap { name in table.columns.firstIndex { $0.name == name } }
            byColumn[column.map { $0 + 1 } ?? 0, default: []].append(finding)
        }
        if let found, let worst = found.findings.map(\.severity).max() {
            let label = "\(workbook.text.word("severity." + worst.rawValue)) (\(found.count))"
            try workbook.put(label, sheet, row: row, column: 0, .faulty(worst), in: &book)
        }
        for column in table.columns.indices {
            let worst = byColumn[column + 1]?.map(\.severity).max()
            let style = worst.map(CellStyle.faulty) ?? CellStyle()
            switch rows.value(column) {
            case .null: if worst != nil { try book.writeBlank(sheet, row: row, column: column + 1, style) }
            case .integer(let integer) where integer.magnitude < 1_000_000_000_000_000:
                try book.write(Double(integer), sheet, row: row, column: column + 1, style)
            case .integer(let integer):
                try workbook.put(String(integer), sheet, row: row, column: column + 1, style, in: &book)
            case .real(let real): try book.write(real, sheet, row: row, column: column + 1, style)
            case .text(let value): try workbook.put(value, sheet, row: row, column: column + 1, style, in: &book)
            }
        }
        for (column, findings) in byColumn.sorted(by: { $0.key < $1.key }) where comments < workbook.mostComments {
            try comment(findings, sheet, row: row, column: column, in: &book)
            comments += 1
        }
    }

    private func comment(
        _ findings: [Finding], _ sheet: Workbook.SheetID, row: Int, column: Int, in book: inout Workbook
    ) throws(OutputFailure) {
        let text = workbook.text
        let words = findings.map { finding in
            var lines = [
                "\(text.word("severity." + finding.severity.rawValue)) \(finding.code)", text.message(of: finding),
                "→ " + text.remedy(of: finding),
            ]
            if let acceptance = text.acceptance(of: finding) {
                lines.append("\(text.word("report.accepted_one")) \(acceptance)")
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
        let content = LibraryText(words, limit: Self.commentLength)
        // A line of a comment has room for about 48 characters.
        let lines = content.string.split(separator: "\n", omittingEmptySubsequences: false).reduce(0) {
            $0 + 1 + $1.count / 48
        }
        try book.comment(content, sheet, row: row, column: column, size: (320, min(24 + lines * 14, 480)))
    }
}

/// Rows of a source, one at a time.
struct FindingRowReader {
    private let source: any RowSource
    private var batch: RowBatch
    private var row = -1

    init(_ source: any RowSource, columns: Int) {
        self.source = source
        batch = RowBatch(columnCount: columns)
    }

    /// Goes to the next row; false at the end.
    mutating func advance() throws -> Bool {
        row += 1
        if row >= batch.rowCount {
            try source.fill(&batch)
            row = 0
        }
        return batch.rowCount > 0
    }

    /// A cell of the row that the last `advance` went to.
    func value(_ column: Int) -> MemoryRows.Value { batch.value(row, column) }
}
