internal import Model

/// A spreadsheet of OpenDocument: the tables of its `content.xml`. A cell with a value of its own or a text holds something; repeated cells and
/// rows count as often as they are repeated; notes and drawings are none of the cell. Numbers are values of the types float, percentage
/// and currency.
enum ODSCount: FileCount {
    static let kind = "ods"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let archive = try ArchiveEntries(file)
        let sheets = ODSSheets()
        try MarkupStream.read(try archive.open("content.xml"), sheets)
        return SourceCount(tables: sheets.tables, datesAreNumbers: true)
    }
}

private final class ODSSheets: MarkupReceiver {
    private struct Cell {
        var column: Int
        var times: Int
        var number: Double?
        var isDate: Bool
    }

    private let mostRows = CountBounds.current.rows
    private let mostColumns = ColumnCounts.mostColumns
    private static let others: Set<String> = ["annotation", "note", "ruby-text", "forms", "shapes", "tracked-changes", "dde-links"]

    private(set) var tables: [TableCount] = []
    private(set) var fault: CountFault?
    private var name = ""
    private var counts: ColumnCounts?
    /// Tables within a cell, notes and drawings: what stands there is none of the sheet.
    private var aside = 0
    private var path: [Bool] = []
    private var rowTimes = 1
    private var column = 0
    private var cells: [Cell] = []
    private var cell: Cell?
    private var isFilled = false
    private var isParagraph = 0
    private var paragraphs = 0

    func open(_ element: MarkupElement) {
        let isTable = element.namespace.hasSuffix(":table:1.0")
        let isAside = aside > 0 || (counts != nil && cell != nil && isTable && element.name == "table")
            || Self.others.contains(element.name) || element.namespace.hasSuffix(":drawing:1.0")
        path.append(isAside)
        if isAside {
            aside += 1
            return
        }
        if isTable {
            openTable(element)
        } else if cell != nil, element.namespace.hasSuffix(":text:1.0") {
            if element.name == "p" || element.name == "h" {
                isParagraph += 1
                paragraphs += 1
                // A line break stands between two.
                if paragraphs > 1 { isFilled = true }
            }
            if ["s", "tab", "line-break"].contains(element.name) { isFilled = true }
        }
    }

    private func openTable(_ element: MarkupElement) {
        switch element.name {
        case "table":
            counts = ColumnCounts(numbers: true)
            name = element["name", in: ":table:1.0"] ?? ""
        case "table-row":
            rowTimes = times(element["number-rows-repeated", in: ":table:1.0"])
            column = 0
            cells = []
        case "table-cell", "covered-table-cell":
            let times = times(element["number-columns-repeated", in: ":table:1.0"])
            let type = element["value-type", in: ":office:1.0"] ?? ""
            let value = element["value", in: ":office:1.0"]
            let number = ["float", "percentage", "currency"].contains(type) ? value.flatMap { NumberText.decimal(Array($0.utf8).span) } : nil
            let date = element["date-value", in: ":office:1.0"] ?? element["time-value", in: ":office:1.0"]
            let other = element["boolean-value", in: ":office:1.0"] ?? element["string-value", in: ":office:1.0"] ?? value ?? date
            let isDate = type == "date" ? DayText.isDay(date ?? "") : type == "time" && DayText.isDuration(date ?? "")
            cell = Cell(column: column, times: times, number: number, isDate: isDate)
            // LibreOffice alone tells errors, by a type of its own.
            isFilled = !(other ?? "").isEmpty || element.attributes.contains { $0.name == "value-type" && $0.value == "error" }
            (isParagraph, paragraphs) = (0, 0)
        default: break
        }
    }

    func close(_ name: String) {
        if path.popLast() == true {
            aside -= 1
            return
        }
        switch name {
        case "p", "h": isParagraph = max(0, isParagraph - 1)
        case "table-cell", "covered-table-cell":
            guard let cell else { return }
            if isFilled { cells.append(cell) }
            column += min(cell.times, mostColumns)
            self.cell = nil
        case "table-row": endRow()
        case "table":
            guard let counts else { return }
            tables.append(counts.table(self.name))
            self.counts = nil
        default: break
        }
    }

    func text(_ bytes: Span<UInt8>) {
        // White space of the markup is none of the text; what is meant is written as an element.
        if aside == 0, cell != nil, isParagraph > 0, !isFilled { isFilled = PlainNumberText.holdsMoreThanSpace(bytes, bytes.indices) }
    }

    private func endRow() {
        do throws(CountFault) {
            for cell in cells {
                for place in cell.column..<(cell.column + cell.times) {
                    if let number = cell.number {
                        try counts?.fill(place, number: number, times: rowTimes)
                    } else if cell.isDate {
                        try counts?.fillDate(place, times: rowTimes)
                    } else {
                        try counts?.fill(place, times: rowTimes)
                    }
                }
            }
            counts?.endRow(times: rowTimes)
            if counts?.rows ?? 0 > mostRows { throw .tooLarge("rows \(mostRows)") }
        } catch { fault = error }
        cells = []
    }

    private func times(_ text: String?) -> Int { min(max(text.flatMap { Int($0) } ?? 1, 1), 1 << 31) }
}
