import Model
import OutputFiles
import Spreadsheets

/// Every finding in a row of its own, with a link to its row in the copy of the data. It takes
/// several sheets where one does not suffice.
struct FindingListSheet {
    let workbook: FindingWorkbook
    let plan: FindingSheetPlan

    private var columns: [(label: String, width: Double)] {
        let text = workbook.text
        return [
            (text.word("cover.severity"), 13), (text.word("cover.code"), 30), (text.word("cover.project"), 16), (text.word("report.table"), 18),
            (text.word("report.key"), 26), (text.word("report.field"), 22), (text.word("report.value"), 24), (text.word("cover.what"), 56),
            (text.word("report.remedy"), 46), (text.word("report.row"), 10), (text.word("report.accepted"), 30), (text.word("report.file"), 24),
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
        _ reported: PlacedFinding, _ sheet: Workbook.SheetID, row: Int, _ columns: [(label: String, width: Double)], in book: inout Workbook
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
            text.word("severity." + finding.severity.rawValue), finding.code, reported.project ?? "", text.table(of: finding) ?? "",
            finding.place.key ?? finding.place.id ?? "", text.field(of: finding) ?? "", value, message, remedy,
        ]
        for (column, value) in values.enumerated() {
            try workbook.put(value, sheet, row: row, column: column, column == 0 ? .faulty(finding.severity) : .tableCell, in: &book)
        }
        if let target = reported.row, target < plan.mostRows, let name = finding.place.table.flatMap({ plan.copyOfTable[$0] }) {
            let place = CellReference.cell(row: FindingDataSheet.firstRow + target, column: 0)
            try book.writeLink(to: name, cell: place, label: "→ \(FindingDataSheet.firstRow + target + 1)", sheet, row: row, column: 9)
        } else {
            try workbook.put("", sheet, row: row, column: 9, .tableCell, in: &book)
        }
        let place = finding.place
        let spot = [place.file, place.sheet, place.cell, place.line.map(String.init), place.pointer].compactMap { $0 }.joined(separator: " · ")
        for (column, value) in [text.acceptance(of: finding) ?? "", spot, finding.fingerprint].enumerated() {
            try workbook.put(value, sheet, row: row, column: 10 + column, .tableCell, in: &book)
        }
    }
}
