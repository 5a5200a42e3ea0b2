import Model

/// Rows of a worksheet, parsed directly from the inflated bytes.
final class XLSXRows: ForeignRows {
    private let parts: WorkbookParts
    private let part: String
    private let sheet: String
    private var parser: SheetParser

    init(
        _ parts: WorkbookParts, part: String, sheet: String, strings: SharedStrings, styles: CellStyles,
        epoch: SerialDate.Epoch
    ) throws {
        self.parts = parts
        self.part = part
        self.sheet = sheet
        parser = SheetParser(
            try parts.scanner(of: part), limits: parts.limits, place: Place(file: parts.path, sheet: sheet),
            strings: strings, styles: styles,
            epoch: epoch)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        try parts.reading(part, sheet: sheet, row: parser.rowNumber) { try parser.fill(&batch) }
    }
}

/// The parser of a sheet, with its position. It is a struct, so that the hot loop works on unshared
/// memory.
struct SheetParser: ~Copyable {
    /// The type of a cell's value in its attribute `t` (ECMA-376, 18.18.11).
    private enum Content {
        case number, shared, string, inline, boolean, error, date
    }

    /// The origin of a cell's collected bytes. A cell has one value, but some writers write both
    /// forms.
    private enum Origin {
        case none, value, text
    }

    private(set) var rowNumber = 0
    private var scanner: MarkupScanner
    private let limits: TableLimits
    private let place: Place
    private let strings: SharedStrings
    private let styles: CellStyles
    private let epoch: SerialDate.Epoch

    private var isInData = false
    private var isFinished = false
    private var hasData = false
    private var isInCell = false
    private var hasFormula = false
    private var isCollecting = false
    /// Number of open phonetic readings (`rPh`), whose texts are ignored.
    private var phonetic = 0
    /// Start of the current run of text, and whether spaces around it are preserved.
    private var textStart = 0
    private var isPreserved = false
    /// Whether the sheet and the current run preserve spaces (`xml:space`; XML 1.0, 2.10).
    private var isSheetPreserved = false
    private var isRunPreserved = false
    private var column = -1
    private var style = 0
    private var content = Content.number
    private var origin = Origin.none
    private var value: [UInt8] = []
    private var scratch: [UInt8] = []

    init(
        _ scanner: consuming MarkupScanner, limits: TableLimits, place: Place, strings: SharedStrings,
        styles: CellStyles, epoch: SerialDate.Epoch
    ) {
        self.scanner = scanner
        self.limits = limits
        self.place = place
        self.strings = strings
        self.styles = styles
        self.epoch = epoch
    }

    mutating func fill(_ batch: inout ForeignBatch) throws {
        while !isFinished, !batch.isFull {
            switch try scanner.next() {
            case .text:
                guard isCollecting else { break }
                guard value.count + scanner.textCount <= limits.cellBytes else {
                    throw tooLarge("cellBytes \(limits.cellBytes)")
                }
                try scanner.appendText(to: &value)
            case .start: try start()
            case .end: try end(&batch)
            case .finished:
                // The part is read to its end, beyond the rows, because the checksum is compared at
                // the end.
                guard hasData, !isInData else { throw MarkupScanner.Fault.cut }
                isFinished = true
            }
        }
    }

    private mutating func start() throws {
        switch scanner.initial {
        case 0x63 where isInData && scanner.isNamed("c"): try startCell()
        case 0x76 where isInCell && scanner.isNamed("v"): collect(.value)
        case 0x66 where isInCell && scanner.isNamed("f"): hasFormula = true
        case 0x74 where isInCell && phonetic == 0 && scanner.isNamed("t"):
            collect(.text)
            textStart = value.count
            isPreserved = try scanner.preservesSpace(within: isRunPreserved)
        case 0x77 where !hasData && scanner.isNamed("worksheet"):
            isSheetPreserved = try scanner.preservesSpace(within: false)
        case 0x72 where isInData:
            if scanner.isNamed("row") {
                try startRow()
            } else if isInCell, scanner.isNamed("r") {
                isRunPreserved = try scanner.preservesSpace(within: isSheetPreserved)
            } else if isInCell, scanner.isNamed("rPh"), !scanner.isEmpty {
                phonetic += 1
            }
        case 0x73 where scanner.isNamed("sheetData"):
            hasData = true
            isInData = !scanner.isEmpty
        default: break
        }
    }

    /// Begins to collect a value. If a cell has values of both origins, the one that matches its
    /// type counts.
    private mutating func collect(_ new: Origin) {
        let isWanted = origin == .none || origin == new || (new == .text) == (content == .inline)
        if isWanted, origin != new {
            if !value.isEmpty { value.removeAll(keepingCapacity: true) }
            origin = new
        }
        isCollecting = isWanted && !scanner.isEmpty
    }

    private mutating func end(_ batch: inout ForeignBatch) throws {
        guard isInData else { return }
        switch scanner.initial {
        case 0x63 where isInCell && scanner.isNamed("c"):
            isInCell = false
            isCollecting = false
            if !value.isEmpty {
                try endCell(&batch)
            } else if hasFormula, content != .string {
                // A formula whose result is an empty text has the type of a text.
                while batch.openWidth < column { batch.appendEmpty() }
                batch.appendUnsaved()
            }
        case 0x76 where scanner.isNamed("v"): isCollecting = false
        case 0x74 where isCollecting && scanner.isNamed("t"):
            isCollecting = false
            if !isPreserved { TextRepair.trim(&value, from: textStart) }
        case 0x72:
            if scanner.isNamed("row") {
                if batch.openWidth > 0 { batch.endRowUnlessBlank(number: rowNumber) }
            } else if scanner.isNamed("rPh") {
                phonetic = max(0, phonetic - 1)
            }
        case 0x73 where scanner.isNamed("sheetData"): isInData = false
        default: break
        }
    }

    private mutating func startRow() throws {
        var number = rowNumber + 1
        var cursor = scanner.attributes.lowerBound
        while let attribute = scanner.nextAttribute(&cursor) {
            guard attribute.name.count == 1, scanner.window[attribute.name.lowerBound] == 0x72 else { continue }
            guard let stated = Self.integer(scanner.window.span.extracting(attribute.value)), stated > 0 else {
                throw damaged("a row has no number", cell: nil)
            }
            guard stated >= number else {
                throw damaged(stated == rowNumber ? "row \(stated) comes twice" : "rows are not in order", cell: nil)
            }
            number = stated
        }
        rowNumber = number
        guard number <= limits.rows else { throw tooLarge("rows \(limits.rows)") }
        column = -1
    }

    private mutating func startCell() throws {
        isRunPreserved = isSheetPreserved
        var next = column + 1
        var style = 0
        var content = Content.number
        var cursor = scanner.attributes.lowerBound
        while let attribute = scanner.nextAttribute(&cursor) {
            guard attribute.name.count == 1 else { continue }
            let bytes = scanner.window.span
            switch bytes[attribute.name.lowerBound] {
            case 0x72:
                guard let letters = Self.columnIndex(bytes.extracting(attribute.value)) else {
                    throw damaged("a cell's reference is none", cell: nil)
                }
                next = letters
            case 0x73: style = Self.integer(bytes.extracting(attribute.value)) ?? 0
            case 0x74: content = Self.content(bytes.extracting(attribute.value))
            default: break
            }
        }
        guard next > column else { throw damaged("cells of a row are not in order", cell: next) }
        guard next < limits.columns else {
            throw TableFailure.tooLarge(at(next), kind: XLSXFile.kind, limit: "columns \(limits.columns)")
        }
        column = next
        self.style = style
        self.content = content
        phonetic = 0
        hasFormula = false
        origin = .none
        isInCell = !scanner.isEmpty
        if !value.isEmpty { value.removeAll(keepingCapacity: true) }
    }

    private mutating func endCell(_ batch: inout ForeignBatch) throws {
        if rowNumber == 0 { rowNumber = 1 }
        while batch.openWidth < column { batch.appendEmpty() }
        switch content {
        case .number:
            let format = styles[style]
            if format.isDate, appendDate(format, to: &batch) { break }
            if let number = Self.trimmedNumber(value.span) {
                batch.append(.number, value.span.extracting(number), mark: format == .percent ? .percent : .none)
            } else {
                TextRepair.repair(&value)
                batch.append(.text, value.span)
            }
        case .shared:
            guard let index = Self.integer(value.span), strings.append(index, to: &batch) else {
                throw damaged("a cell points to a text that is not there", cell: column)
            }
        case .string, .inline:
            TextRepair.repair(&value)
            batch.append(.text, value.span)
        case .boolean: batch.append(.boolean, value == [0x31] || value == Array("true".utf8) ? "true" : "false")
        case .error:
            TextRepair.repair(&value, resolvesEscapes: false)
            batch.append(.error, value.span)
        case .date: appendISODate(as: styles[style], to: &batch)
        }
    }

    private mutating func appendDate(_ format: NumberFormat, to batch: inout ForeignBatch) -> Bool {
        guard let number = Double(String(decoding: value, as: UTF8.self)) else { return false }
        scratch.removeAll(keepingCapacity: true)
        guard let kind = SerialDate.append(number, as: format, epoch, to: &scratch) else { return false }
        batch.append(kind, scratch.span)
        return true
    }

    /// `t="d"`: a date, time or duration in ISO 8601, as strict workbooks write it.
    private mutating func appendISODate(as format: NumberFormat, to batch: inout ForeignBatch) {
        if value.last == 0x5A { value.removeLast() }
        if let kind = ISODate.kind(&value) {
            batch.append(kind, value.span)
        } else if let seconds = ISODate.duration(value) {
            SerialDate.append(seconds / 86_400, as: format, epoch, to: &batch)
        } else if ISODate.time(&value) {
            batch.append(.time, value.span)
        } else {
            TextRepair.repair(&value)
            batch.append(.text, value.span)
        }
    }

    // MARK: Small parts

    private static func content(_ bytes: Span<UInt8>) -> Content {
        switch bytes.count {
        case 1:
            switch bytes[0] {
            case 0x73: .shared
            case 0x62: .boolean
            case 0x65: .error
            case 0x64: .date
            default: .number
            }
        case 3: .string  // str
        case 9: .inline  // inlineStr
        default: .number
        }
    }

    private static func columnIndex(_ bytes: Span<UInt8>) -> Int? {
        var column = 0
        var index = 0
        while index < bytes.count, bytes[index] >= 0x41 {
            let letter = bytes[index] & 0xDF
            guard letter <= 0x5A, column < 1 << 20 else { return nil }
            column = column * 26 + Int(letter) - 0x40
            index += 1
        }
        return index == 0 || index == bytes.count ? nil : column - 1
    }

    private static func integer(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 0, bytes.count < 16 else { return nil }
        var number = 0
        for index in bytes.indices {
            let digit = bytes[index] &- 0x30
            guard digit <= 9 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }

    /// The range of the decimal number in the bytes, without surrounding spaces; nil if there is
    /// none.
    private static func trimmedNumber(_ bytes: Span<UInt8>) -> Range<Int>? {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
        return DecimalBytes.isNumber(bytes.extracting(start..<end)) ? start..<end : nil
    }

    private func at(_ column: Int?) -> Place {
        var place = place
        if let column {
            place.cell = CellAddress.name(row: max(rowNumber, 1) - 1, column: column)
        } else {
            place.line = rowNumber
        }
        return place
    }

    private func damaged(_ reason: String, cell column: Int?) -> TableFailure {
        .damaged(at(column), kind: XLSXFile.kind, reason: reason)
    }

    private func tooLarge(_ limit: String) -> TableFailure {
        .tooLarge(at(isInCell ? column : nil), kind: XLSXFile.kind, limit: limit)
    }
}
