import Model
import OutputFiles
import Spreadsheets

/// The first sheet: what was checked, and the number of findings of each code, with a link to the
/// first finding.
struct FindingSummarySheet {
    let workbook: FindingWorkbook
    let plan: FindingSheetPlan

    private static let widths: [Double] = [26, 60, 48, 12, 12, 14]

    func write(_ sheet: Workbook.SheetID, in book: inout Workbook) throws(OutputFailure) {
        let text = workbook.text
        book.hideGridlines(sheet)
        try book.setPrinting(sheet, repeatsHeader: false, banner: workbook.head.environmentBanner ?? "")
        for (column, width) in Self.widths.enumerated() { try book.setColumn(column, sheet, width: width, nil) }
        var row = 0
        try book.setRow(row, sheet, height: 28)
        try workbook.put(text.word("report.title"), sheet, row: row, column: 0, .title, in: &book)
        row += 1
        if let banner = workbook.head.environmentBanner {
            for column in Self.widths.indices {
                try workbook.put(
                    column == 0 ? banner : "", sheet, row: row, column: column, .environmentBanner, in: &book)
            }
            row += 1
        }
        row += 1
        for line in workbook.head.lines(text) {
            let lines = Int((Double(line.value.count) * 1.1 / Self.widths[1]).rounded(.up))
            if lines > 1 { try book.setRow(row, sheet, height: min(15 * Double(lines), 400)) }
            try workbook.put(line.label, sheet, row: row, column: 0, .label, in: &book)
            try workbook.put(line.value, sheet, row: row, column: 1, .value, in: &book)
            row += 1
        }
        row += 1
        row = try writeSeverities(sheet, from: row, in: &book)
        try writeCodes(sheet, from: row + 1, in: &book)
    }

    private func writeSeverities(_ sheet: Workbook.SheetID, from first: Int, in book: inout Workbook)
        throws(OutputFailure) -> Int
    {
        let text = workbook.text
        var row = first
        for (column, key) in ["cover.severity", "cover.count"].enumerated() {
            try workbook.put(text.word(key), sheet, row: row, column: column, .tableHeader, in: &book)
        }
        row += 1
        for severity in Severity.allCases.reversed() {
            try workbook.put(
                text.word("severity." + severity.rawValue), sheet, row: row, column: 0, .faulty(severity), in: &book)
            try book.write(Double(workbook.tally.severities[severity] ?? 0), sheet, row: row, column: 1, .tableNumber)
            row += 1
        }
        if workbook.tally.accepted > 0 {
            try workbook.put(text.word("report.accepted"), sheet, row: row, column: 0, .tableCell, in: &book)
            try book.write(Double(workbook.tally.accepted), sheet, row: row, column: 1, .tableNumber)
            row += 1
        }
        return row
    }

    private func writeCodes(_ sheet: Workbook.SheetID, from first: Int, in book: inout Workbook) throws(OutputFailure) {
        let text = workbook.text
        var row = first
        let headers = [
            "cover.severity", "cover.code", "report.meaning", "cover.count", "report.accepted", "cover.findings",
        ]
        for (column, key) in headers.enumerated() {
            try workbook.put(text.word(key), sheet, row: row, column: column, .tableHeader, in: &book)
        }
        row += 1
        var number = 0
        for entry in workbook.tally.entries {
            try workbook.put(
                text.word("severity." + entry.severity.rawValue), sheet, row: row, column: 0, .faulty(entry.severity),
                in: &book)
            try workbook.put(entry.code, sheet, row: row, column: 1, .tableCell, in: &book)
            try workbook.put(text.title(of: entry.code), sheet, row: row, column: 2, .tableCell, in: &book)
            try book.write(Double(entry.count), sheet, row: row, column: 3, .tableNumber)
            try book.write(Double(entry.accepted), sheet, row: row, column: 4, .tableNumber)
            let place = plan.place(of: number)
            if plan.lists.indices.contains(place.sheet) {
                let cell = CellReference.cell(row: place.row, column: 0)
                try book.writeLink(
                    to: plan.lists[place.sheet], cell: cell, label: "→ \(cell)", sheet, row: row, column: 5)
            }
            number += entry.count
            row += 1
        }
    }
}

/// The second sheet: records with findings, including the findings of their parts.
struct FindingRecordSheet {
    let workbook: FindingWorkbook

    func write(_ source: any FindingRowSource, _ sheet: Workbook.SheetID, in book: inout Workbook) throws {
        let text = workbook.text
        var count = 0
        try source.records { _ in count += 1 }
        let most = workbook.limits.rows - 1
        let columns: [(String, Double)] = [
            (text.word("cover.project"), 18), (text.word("report.table"), 22), (text.word("report.key"), 36),
            (text.word("report.errors"), 12),
            (text.word("report.warnings"), 14), (text.word("report.notes"), 12), (text.word("report.total"), 12),
        ]
        try workbook.putHeader(
            columns.map { (label: $0.0, width: $0.1) }, sheet, row: 0, rows: min(count, most), in: &book)
        var row = 1
        // If not all records fit, the last row shows that some are missing.
        let shown = count > most ? most - 1 : count
        try source.records { record in
            guard row <= shown else { return }
            try workbook.put(record.project ?? "", sheet, row: row, column: 0, .tableCell, in: &book)
            try workbook.put(text.name(ofTable: record.table), sheet, row: row, column: 1, .tableCell, in: &book)
            let worst = Severity.allCases.filter { (record.counts[$0] ?? 0) > 0 }.max() ?? .note
            try workbook.put(record.key, sheet, row: row, column: 2, .faulty(worst), in: &book)
            for (column, severity) in Severity.allCases.reversed().enumerated() {
                try book.write(Double(record.counts[severity] ?? 0), sheet, row: row, column: 3 + column, .tableNumber)
            }
            try book.write(Double(record.counts.values.reduce(0, +)), sheet, row: row, column: 6, .tableNumber)
            row += 1
        }
        if shown < count {
            let cut = text.word("report.copy_cut", ["rows": String(shown), "count": String(count)])
            try workbook.put(cut, sheet, row: row, column: 0, .label, in: &book)
        }
    }
}

extension CellStyle {
    static let tableNumber = CellStyle(numberFormat: "#,##0", border: CellStyle.Border(.hair))
}
