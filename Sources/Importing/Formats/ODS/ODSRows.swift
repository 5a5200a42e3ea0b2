import Model

/// Rows of one table of an OpenDocument spreadsheet, parsed while its content is inflated.
final class ODSRows: ForeignRows {
    private let parts: WorkbookParts
    private let name: String
    private var parser: ODSParser

    init(_ parts: WorkbookParts, table index: Int, of outline: ODSOutline) throws {
        self.parts = parts
        name = outline.tables[index].name
        parser = ODSParser(
            try parts.scanner(of: "content.xml"), limits: parts.limits, place: Place(file: parts.path, sheet: name),
            table: index,
            elapsedStyles: outline.elapsedStyles)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        try parts.reading("content.xml", sheet: name, row: parser.rowNumber) { try parser.fill(&batch) }
    }
}

/// The parser of a table, with its position.
struct ODSParser: ~Copyable {
    /// Number of the next row.
    private(set) var rowNumber = 1
    private var scanner: MarkupScanner
    private let limits: TableLimits
    private let place: Place
    /// Index of the table whose rows are read.
    private let wanted: Int
    private let elapsedStyles: Set<String>

    private var tables = 0
    private var depth = 0
    /// Number of open elements whose contents do not belong to the table.
    private var skipped = 0
    private var isFinished = false
    private var row = ODSRow()
    private var repeats = 1
    /// Number of copies of the row that have not been returned yet.
    private var pending = 0
    /// Number of cells so far that repeat another cell.
    private var repeatedCells = 0
    private var column = 0
    /// Whether times are elapsed times, by column.
    private var columns = ColumnRuns<Bool>()
    private var isInCell = false
    private var cell = ODSCell()

    init(_ scanner: consuming MarkupScanner, limits: TableLimits, place: Place, table: Int, elapsedStyles: Set<String>)
    {
        self.scanner = scanner
        self.limits = limits
        self.place = place
        wanted = table
        self.elapsedStyles = elapsedStyles
    }

    /// Parts of a document whose cells do not belong to its tables.
    static func isOutside(_ scanner: borrowing MarkupScanner) -> Bool {
        switch scanner.initial {
        case 0x74: scanner.isNamed("tracked-changes")
        case 0x64: scanner.isNamed("dde-links")
        case 0x73: scanner.isNamed("shapes")
        case 0x66: scanner.isNamed("forms")
        default: false
        }
    }

    mutating func fill(_ batch: inout ForeignBatch) throws {
        while !batch.isFull {
            if pending > 0 {
                row.append(to: &batch, number: rowNumber)
                rowNumber += 1
                pending -= 1
                continue
            }
            guard !isFinished else { return }
            switch try scanner.next() {
            case .finished: throw MarkupScanner.Fault.cut
            case .text: if skipped == 0, isInCell { try takeText() }
            case .start: if skipped > 0 { skipped += scanner.isEmpty ? 0 : 1 } else { try start() }
            case .end: if skipped > 0 { skipped -= 1 } else { try end() }
            }
        }
    }

    private var isInTable: Bool { depth == 1 && tables == wanted + 1 }

    private mutating func start() throws {
        if isInCell { return try startInCell() }
        if scanner.isNamed("table") {
            if depth == 0 { tables += 1 }
            if scanner.isEmpty { isFinished = depth == 0 && tables == wanted + 1 } else { depth += 1 }
        } else if Self.isOutside(scanner) {
            skipped = scanner.isEmpty ? 0 : 1
        } else if isInTable {
            if scanner.isNamed("table-cell") || scanner.isNamed("covered-table-cell") {
                try startCell()
            } else if scanner.isNamed("table-row") {
                row.removeAll()
                column = 0
                repeats = try count("number-rows-repeated")
                if scanner.isEmpty { rowNumber += repeats }
            } else if scanner.isNamed("table-column") {
                let end = min(columns.end + (try count("number-columns-repeated")), limits.columns)
                columns.extend(
                    to: end,
                    try scanner.attribute("default-cell-style-name").map { elapsedStyles.contains($0) } ?? false)
            }
        }
    }

    private mutating func end() throws {
        if isInCell {
            if scanner.isNamed("table-cell") || scanner.isNamed("covered-table-cell") {
                isInCell = false
                try endCell()
            } else {
                cell.endElement()
            }
        } else if scanner.isNamed("table") {
            isFinished = isInTable
            depth -= 1
        } else if isInTable, scanner.isNamed("table-row") {
            try endRow()
        }
    }

    private mutating func endRow() throws {
        guard !row.isBlank else {
            rowNumber += repeats
            return
        }
        guard rowNumber - 1 <= limits.rows - repeats else { throw tooLarge("rows \(limits.rows)") }
        // A few bytes may declare any number of cells.
        let (cells, isTooMuch) = row.width.multipliedReportingOverflow(by: repeats - 1)
        guard !isTooMuch, cells <= limits.rows - repeatedCells else { throw tooLarge("rows \(limits.rows)") }
        repeatedCells += cells
        pending = repeats
    }

    private mutating func startCell() throws {
        // Moved out of the property without a copy, because `self` is borrowed below.
        var cell = ODSCell()
        swap(&cell, &self.cell)
        cell.removeAll()
        cell.count = 1
        var cursor = scanner.attributes.lowerBound
        while let attribute = scanner.nextAttribute(&cursor) {
            let name = scanner.window.span.extracting(attribute.name)
            let value = attribute.value
            if ODSCell.is(name, "value-type") {
                cell.take(type: scanner.window.span.extracting(value))
            } else if ODSCell.is(name, "number-columns-repeated") {
                cell.count = try count("number-columns-repeated")
            } else if ODSCell.is(name, "string-value") {
                cell.value = Array((try scanner.attribute("string-value") ?? "").utf8)
                cell.hasStringValue = true
            } else if ODSCell.is(name, "formula") {
                cell.hasFormula = true
            } else if cell.hasStringValue {
                continue
            } else if ODSCell.is(name, "value") || ODSCell.is(name, "date-value") || ODSCell.is(name, "time-value")
                || ODSCell.is(name, "boolean-value")
            {
                cell.value = Array(scanner.window[value])
            }
        }
        cell.isElapsed = false
        if cell.isTime, !elapsedStyles.isEmpty {
            cell.isElapsed =
                try scanner.attribute("style-name").map { elapsedStyles.contains($0) } ?? columns[column] ?? false
        }
        swap(&cell, &self.cell)
        if scanner.isEmpty { try endCell() } else { isInCell = true }
    }

    private mutating func startInCell() throws {
        if cell.isInParagraph {
            switch scanner.initial {
            case 0x73 where scanner.isNamed("s"):
                let spaces = try count("c")
                guard spaces <= limits.cellBytes - cell.text.count else {
                    throw tooLarge("cellBytes \(limits.cellBytes)")
                }
                cell.append(0x20, times: spaces)
                skipped = scanner.isEmpty ? 0 : 1
                return
            case 0x74 where scanner.isNamed("tab"):
                cell.append(0x09, times: 1)
                skipped = scanner.isEmpty ? 0 : 1
                return
            case 0x6C where scanner.isNamed("line-break"):
                cell.append(0x0A, times: 1)
                skipped = scanner.isEmpty ? 0 : 1
                return
            case 0x6E where scanner.isNamed("note"), 0x61 where scanner.isNamed("annotation"),
                0x72 where scanner.isNamed("ruby-text"),
                0x66 where scanner.isNamed("frame"):
                skipped = scanner.isEmpty ? 0 : 1
                return
            default: break
            }
            if !scanner.isEmpty { cell.startElement() }
        } else if scanner.isNamed("p") || scanner.isNamed("h") {
            cell.startParagraph(isEmpty: scanner.isEmpty)
        } else if !scanner.isNamed("list"), !scanner.isNamed("list-item"), !scanner.isEmpty {
            // Annotations, pictures, shapes, and tables within the cell.
            skipped = 1
        }
    }

    private mutating func takeText() throws {
        guard cell.isInParagraph else { return }
        guard cell.text.count + scanner.textCount <= limits.cellBytes else {
            throw tooLarge("cellBytes \(limits.cellBytes)")
        }
        var piece: [UInt8] = []
        try scanner.appendText(to: &piece)
        cell.append(piece)
    }

    private mutating func endCell() throws {
        let start = column
        let (end, isTooMuch) = column.addingReportingOverflow(cell.count)
        column = isTooMuch ? .max : end
        // A formula whose result is an empty text has the type of a text.
        let isUnsaved = cell.hasFormula && !cell.hasType
        guard let kind = cell.finish() ?? (isUnsaved ? .empty : nil) else { return }
        guard end <= limits.columns, !isTooMuch else { throw tooLarge("columns \(limits.columns)") }
        row.add(
            kind, cell.value, kind == .empty ? .unsaved : kind == .number ? cell.mark : .none, at: start,
            times: cell.count)
    }

    /// A number of repetitions; an invalid one counts as 1.
    private func count(_ name: StaticString) throws -> Int {
        guard let text = try scanner.attribute(name), let number = Int(text), number > 0 else { return 1 }
        return min(number, 1 << 40)
    }

    private func tooLarge(_ limit: String) -> TableFailure {
        var place = place
        place.line = rowNumber
        return .tooLarge(place, kind: ODSFile.kind, limit: limit)
    }
}

/// Settings of whole columns, for cells that have no such setting. They are stored as runs of equal
/// columns: there are few runs, however many columns.
struct ColumnRuns<Value: Equatable> {
    private var ends: [Int] = []
    private var values: [Value] = []

    /// The column, counted from 0, at which the next run begins.
    var end: Int { ends.last ?? 0 }

    /// Sets the value for all columns from the last run's end up to `end`.
    mutating func extend(to end: Int, _ value: Value) {
        guard end > self.end else { return }
        if values.last == value {
            ends[ends.count - 1] = end
        } else {
            ends.append(end)
            values.append(value)
        }
    }

    /// Nil beyond the last run.
    subscript(column: Int) -> Value? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > column { high = middle } else { low = middle + 1 }
        }
        return low < values.count ? values[low] : nil
    }
}
