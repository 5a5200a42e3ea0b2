import Model

/// Rows of one sheet of a workbook in XML.
final class XML2003Rows: ForeignRows {
    private let path: String
    private let name: String
    private var parser: XML2003Parser

    init(path: String, sheet index: Int, of outline: XML2003Outline, limits: TableLimits) throws {
        self.path = path
        name = outline.sheets[index].name
        parser = XML2003Parser(
            try XML2003File.scanner(path, limits), limits: limits, place: Place(file: path, sheet: name), sheet: index,
            formats: outline.formats,
            epoch: outline.epoch)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        try XML2003File.reading(path, sheet: name, row: parser.rowNumber) { try parser.fill(&batch) }
    }
}

/// The parser of a sheet, with its position.
struct XML2003Parser: ~Copyable {
    /// The type in `ss:Type`.
    private enum Content {
        case text, number, dateTime, boolean, error
    }

    private(set) var rowNumber = 0
    private var scanner: MarkupScanner
    private let limits: TableLimits
    private let place: Place
    /// Index of the sheet whose rows are read.
    private let wanted: Int
    private let formats: [String: NumberFormat]
    private let epoch: SerialDate.Epoch

    private var sheets = 0
    private var isFinished = false
    /// Number of following rows that the last `Row` element covers.
    private var span = 0
    private var column = 0
    /// Number of columns after the last cell that it covers.
    private var merged = 0
    private var isInCell = false
    /// Depth of elements within `Data`; nil outside of it.
    private var depth: Int?
    private var skipped = 0
    private var style: NumberFormat?
    private var hasFormula = false
    private var hasData = false
    private var type = Content.text
    private var value: [UInt8] = []
    private var scratch: [UInt8] = []
    private var columns = ColumnRuns<NumberFormat>()
    private var rowFormat: NumberFormat?

    init(
        _ scanner: consuming MarkupScanner, limits: TableLimits, place: Place, sheet: Int,
        formats: [String: NumberFormat], epoch: SerialDate.Epoch
    ) {
        self.scanner = scanner
        self.limits = limits
        self.place = place
        wanted = sheet
        self.formats = formats
        self.epoch = epoch
    }

    mutating func fill(_ batch: inout ForeignBatch) throws {
        while !isFinished, !batch.isFull {
            switch try scanner.next() {
            case .finished: throw MarkupScanner.Fault.cut
            case .text:
                guard depth != nil, skipped == 0 else { break }
                guard value.count + scanner.textCount <= limits.cellBytes else {
                    throw tooLarge("cellBytes \(limits.cellBytes)")
                }
                try scanner.appendText(to: &value)
            case .start: if skipped > 0 { skipped += scanner.isEmpty ? 0 : 1 } else { try start() }
            case .end: if skipped > 0 { skipped -= 1 } else { try end(&batch) }
            }
        }
    }

    private mutating func start() throws {
        if scanner.isNamed("Worksheet") {
            sheets += 1
            isFinished = scanner.isEmpty && sheets == wanted + 1
        }
        guard sheets == wanted + 1 else { return }
        if depth != nil {
            // Elements for bold letters and the like are entered; phonetic text is skipped.
            if scanner.isNamed("PhoneticText") {
                skipped = scanner.isEmpty ? 0 : 1
            } else if !scanner.isEmpty {
                depth = (depth ?? 0) + 1
            }
        } else if isInCell {
            if scanner.isNamed("Data") {
                type = try content()
                hasData = true
                depth = scanner.isEmpty ? nil : 0
            } else {
                // A comment also contains `Data`, which does not belong to the cell.
                skipped = scanner.isEmpty ? 0 : 1
            }
        } else if scanner.isNamed("Cell") {
            try startCell()
        } else if scanner.isNamed("Row") {
            try startRow()
        } else if scanner.isNamed("Column") {
            let first = try number("Index").map { $0 - 1 } ?? columns.end
            columns.extend(to: first, .number)
            columns.extend(
                to: first + 1 + (try number("Span") ?? 0),
                try scanner.attribute("StyleID").flatMap { formats[$0] } ?? .number)
        }
    }

    private mutating func startRow() throws {
        let next = rowNumber + 1 + span
        rowNumber = try number("Index") ?? next
        guard rowNumber >= next else { throw damaged("rows are not in order") }
        guard rowNumber <= limits.rows else { throw tooLarge("rows \(limits.rows)") }
        span = try number("Span") ?? 0
        rowFormat = try scanner.attribute("StyleID").flatMap { formats[$0] }
        (column, merged) = (0, 0)
    }

    private mutating func startCell() throws {
        let next = column + merged + 1
        column = try number("Index") ?? next
        // Cells covered by a merged cell may also be written.
        guard column > next - merged - 1 else { throw damaged("cells of a row are not in order") }
        guard column <= limits.columns else { throw tooLarge("columns \(limits.columns)") }
        merged = try number("MergeAcross") ?? 0
        let own = formats.isEmpty ? nil : try scanner.attribute("StyleID").map { formats[$0] ?? .number }
        style = own ?? rowFormat ?? columns[column - 1]
        value.removeAll(keepingCapacity: true)
        type = .text
        (hasFormula, hasData) = (try scanner.attribute("Formula") != nil, false)
        isInCell = !scanner.isEmpty
    }

    private mutating func end(_ batch: inout ForeignBatch) throws {
        guard sheets == wanted + 1 else { return }
        if let inner = depth {
            depth = inner == 0 ? nil : inner - 1
        } else if isInCell {
            isInCell = false
            if !value.isEmpty {
                try endCell(&batch)
            } else if hasFormula, type != .text || !hasData {
                while batch.openWidth < column - 1 { batch.appendEmpty() }
                batch.appendUnsaved()
            }
        } else if scanner.isNamed("Row") {
            if batch.openWidth > 0 { batch.endRowUnlessBlank(number: rowNumber) }
        } else if scanner.isNamed("Worksheet") {
            isFinished = true
        }
    }

    private mutating func endCell(_ batch: inout ForeignBatch) throws {
        if rowNumber == 0 { rowNumber = 1 }
        while batch.openWidth < column - 1 { batch.appendEmpty() }
        let format = style ?? .number
        switch type {
        case .number:
            if DecimalBytes.isNumber(value.span) {
                if format.isDate, let number = Double(String(decoding: value, as: UTF8.self)) {
                    return SerialDate.append(number, as: format, epoch, to: &batch)
                }
                return batch.append(.number, value.span, mark: format == .percent ? .percent : .none)
            }
        case .dateTime:
            if let serial = ISODate.serial(value) {
                scratch.removeAll(keepingCapacity: true)
                // A date that its cell displays as a number or as elapsed hours becomes a number of
                // days.
                if format.isDate, let kind = SerialDate.append(serial, as: format, .year1900, to: &scratch) {
                    return batch.append(kind, scratch.span)
                }
                if !format.isDate, let kind = ISODate.kind(&value), serial >= 367 {
                    return batch.append(kind, value.span)
                }
                return batch.append(.number, OldValueText.shortest(serial))
            }
        case .boolean: return batch.append(.boolean, value == [0x31] ? "true" : "false")
        case .error:
            TextRepair.repair(&value, resolvesEscapes: false)
            return batch.append(.error, value.span)
        case .text: break
        }
        TextRepair.repair(&value, resolvesEscapes: false)
        batch.append(.text, value.span)
    }

    private func content() throws -> Content {
        switch try scanner.attribute("Type") {
        case "Number": .number
        case "DateTime": .dateTime
        case "Boolean": .boolean
        case "Error": .error
        default: .text
        }
    }

    private func number(_ name: StaticString) throws -> Int? {
        guard let number = try scanner.attribute(name).flatMap({ Int($0) }), number >= 0, number < 1 << 40 else {
            return nil
        }
        return number
    }

    private func damaged(_ reason: String) -> TableFailure {
        var place = place
        place.line = rowNumber
        return .damaged(place, kind: XML2003File.kind, reason: reason)
    }

    private func tooLarge(_ limit: String) -> TableFailure {
        var place = place
        place.line = rowNumber
        return .tooLarge(place, kind: XML2003File.kind, limit: limit)
    }
}
