internal import Model

/// Counts an OpenDocument spreadsheet: the tables of its `content.xml`. A cell is filled if it has
/// a value or a text. Repeated cells and rows count as often as they are repeated. Notes and
/// drawings do not belong to the cell. Numbers are values of the types float, percentage and
/// currency.
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
    /// Names of elements whose contents do not belong to the sheet's cells.
    private static let others: Set<String> = [
        "annotation", "note", "ruby-text", "forms", "shapes", "tracked-changes", "dde-links",
    ]

    private(set) var tables: [TableCount] = []
    private(set) var fault: CountFault?
    private var name = ""
    private var counts: ColumnCounts?
    /// Depth within nested tables, notes and drawings, which do not belong to the sheet's cells.
    private var aside = 0
    private var path: [Bool] = []
    private var rowTimes = 1
    private var column = 0
    private var cells: [Cell] = []
    private var cell: Cell?
    private var isFilled = false
    /// Number of open paragraphs and headings.
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
                // Two paragraphs are separated by a line break.
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
            let number =
                ["float", "percentage", "currency"].contains(type)
                ? value.flatMap { NumberText.decimal(Array($0.utf8).span) } : nil
            let date = element["date-value", in: ":office:1.0"] ?? element["time-value", in: ":office:1.0"]
            let other =
                element["boolean-value", in: ":office:1.0"] ?? element["string-value", in: ":office:1.0"] ?? value
                ?? date
            let isDate = type == "date" ? DayText.isDay(date ?? "") : type == "time" && DayText.isDuration(date ?? "")
            cell = Cell(column: column, times: times, number: number, isDate: isDate)
            // Only LibreOffice marks errors, with a special type.
            isFilled =
                !(other ?? "").isEmpty || element.attributes.contains { $0.name == "value-type" && $0.value == "error" }
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
        // White space of the markup does not belong to the text; intended white space is written as
        // an element.
        if aside == 0, cell != nil, isParagraph > 0, !isFilled {
            isFilled = PlainNumberText.holdsMoreThanSpace(bytes, bytes.indices)
        }
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

/// Recognises texts that are days or durations, by their shape and by whether the day exists.
enum DayText {
    /// `2019-03-12`, optionally with a time, its fraction and the UTC mark. Any other notation of a
    /// date is a text.
    static func isDay(_ text: String) -> Bool {
        var shape = text.utf8.map { 0x30...0x39 ~= $0 ? UInt8(ascii: "9") : $0 }
        let hasTime = shape.count > 10
        if hasTime, shape.last == UInt8(ascii: "Z") { shape.removeLast() }
        if let point = shape.firstIndex(of: UInt8(ascii: ".")) {
            let fraction = shape[(point + 1)...]
            guard 1...31 ~= fraction.count, fraction.allSatisfy({ $0 == UInt8(ascii: "9") }) else { return false }
            shape.removeSubrange(point...)
        }
        guard String(decoding: shape, as: UTF8.self) == (hasTime ? "9999-99-99T99:99:99" : "9999-99-99") else {
            return false
        }
        let numbers = text.utf8.prefix(19).split { !(0x30...0x39 ~= $0) }.map {
            $0.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        return numbers[0] > 0 && isThere(numbers[0], numbers[1], numbers[2])
            && zip(numbers.dropFirst(3), [24, 60, 60]).allSatisfy { $0 < $1 }
    }

    /// Whether a date exists: its Julian day must convert back to it (Fliegel and Van Flandern
    /// 1968). 30 February converts to a day in March.
    private static func isThere(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        let winter = (month - 14) / 12
        let julian =
            day - 32_075 + 1461 * (year + 4800 + winter) / 4 + 367 * (month - 2 - winter * 12) / 12 - 3
            * ((year + 4900 + winter) / 100) / 4
        var rest = julian + 68_569
        let centuries = 4 * rest / 146_097
        rest -= (146_097 * centuries + 3) / 4
        let years = 4000 * (rest + 1) / 1_461_001
        rest -= 1461 * years / 4 - 31
        let months = 80 * rest / 2447
        return (year, month, day) == (
            100 * (centuries - 49) + years + months / 11, months + 2 - 12 * (months / 11), rest - 2447 * months / 80
        )
    }

    /// `PT07H30M05.5S`, optionally with days before it: each unit follows a number, and the text
    /// ends with a unit.
    static func isDuration(_ text: String) -> Bool {
        let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard unsigned.hasPrefix("P") else { return false }
        let halves = unsigned.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let counts = zip(halves, ["D", "HMS"]).map { parts($0, $1) }
        return counts.allSatisfy { $0 != nil } && counts.contains { $0 ?? 0 > 0 }
    }

    /// The number of values with a unit; nil if the text contains anything else.
    private static func parts(_ text: Substring, _ units: String) -> Int? {
        let numbers = text.split(omittingEmptySubsequences: false) { units.contains($0) }
        guard numbers.last == "", numbers.dropLast().allSatisfy(isNumber) else { return nil }
        return numbers.count - 1
    }

    private static func isNumber(_ text: Substring) -> Bool {
        text.utf8.count < 32 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
            && NumberText.decimal(Array(text.utf8).span) != nil
    }
}
