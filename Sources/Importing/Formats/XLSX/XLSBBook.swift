import Model

/// A binary workbook (MS-XLSB): the parts that its sheets share. LibreOffice is not used, because
/// it recalculates formulas in a conversion, and writes booleans as numbers.
final class XLSBBook {
    private(set) var tables: [ForeignTable] = []
    let parts: WorkbookParts
    private(set) var epoch = SerialDate.Epoch.year1900
    private let relations: [String: WorkbookParts.Relation]
    /// Read when the first sheet is opened.
    private(set) lazy var texts = Result { try readTexts() }
    private(set) lazy var formats = Result { try readFormats() }

    private enum Kind {
        static let text = 19, format = 44, style = 47, settings = 153, sheet = 156, styles = 617, stylesEnd = 618
    }

    init(_ parts: WorkbookParts, book: String) throws {
        self.parts = parts
        relations = try parts.relations(of: book)
        var sheets: [(name: String, part: String, isHidden: Bool)] = []
        try forEachRecord(of: book) { record, records in
            let start = record.range.lowerBound
            if record.kind == Kind.settings, try records.number32(at: start) & 1 == 1 { epoch = .year1904 }
            guard record.kind == Kind.sheet else { return }
            let relation = try records.text(at: start + 8)
            // Chart sheets and dialog sheets have no cells.
            guard let part = relations[relation.text], part.type.hasSuffix("/worksheet"), !part.isExternal else {
                return
            }
            guard sheets.count < parts.limits.tables else {
                throw TableFailure.tooLarge(
                    Place(file: parts.path), kind: XLSXFile.kind, limit: "tables \(parts.limits.tables)")
            }
            sheets.append((try records.text(at: relation.end).text, part.target, try records.number32(at: start) != 0))
        }
        tables = sheets.map { sheet in
            ForeignTable(
                name: sheet.name, isHidden: sheet.isHidden,
                details: { [self] in try XLSBDetails.read(self, part: sheet.part) },
                open: { [self] in try XLSBRows(self, part: sheet.part, sheet: sheet.name) })
        }
    }

    func records(of part: String) throws -> XLSBRecords {
        XLSBRecords(try parts.bytes(of: part, atMost: UInt64(parts.limits.partBytes), limit: "partBytes"))
    }

    func forEachRecord(of part: String, _ body: (XLSBRecords.Record, XLSBRecords) throws -> Void) throws {
        var records = try records(of: part)
        do {
            while let record = try records.next() { try body(record, records) }
        } catch is XLSBRecords.Cut {
            throw parts.damaged("\(part) is cut off", part: part)
        }
    }

    /// Name of the part to which the workbook has a relationship of this type.
    private func part(_ type: String) -> String? {
        relations.values.first { $0.type.hasSuffix(type) && !$0.isExternal && parts.contains($0.target) }?.target
    }

    /// The shared texts of cells, without formats and phonetic readings.
    private func readTexts() throws -> [String] {
        guard let part = part("/sharedStrings") else { return [] }
        var texts: [String] = []
        try forEachRecord(of: part) { record, records in
            if record.kind == Kind.text { texts.append(try records.text(at: record.range.lowerBound + 1).text) }
        }
        return texts
    }

    /// The meaning of numbers, by the index of their cell's style.
    private func readFormats() throws -> [NumberFormat] {
        guard let part = part("/styles") else { return [] }
        var codes: [Int: NumberFormat] = [:]
        var identifiers: [Int] = []
        var isStyle = false
        try forEachRecord(of: part) { record, records in
            let start = record.range.lowerBound
            switch record.kind {
            case Kind.format:
                codes[Int(try records.number(at: start, 2))] = NumberFormat(code: try records.text(at: start + 2).text)
            case Kind.styles: isStyle = true
            case Kind.stylesEnd: isStyle = false
            case Kind.style: if isStyle { identifiers.append(Int(try records.number(at: start + 2, 2))) }
            default: break
            }
        }
        return identifiers.map { codes[$0] ?? NumberFormat(builtIn: $0) }
    }
}

/// Merged cells, links, and hidden rows and columns of a sheet of a binary workbook.
enum XLSBDetails {
    private enum Kind {
        static let row = 0, column = 60, merged = 176, link = 494
    }

    static func read(_ book: XLSBBook, part: String) throws -> SheetDetails {
        var details = SheetDetails()
        let relations = try book.parts.relations(of: part)
        try book.forEachRecord(of: part) { record, records in
            let start = record.range.lowerBound
            switch record.kind {
            case Kind.row:
                if try records.number(at: start + 11, 1) & 0x10 != 0 {
                    details.hiddenRows.append(try records.number32(at: start))
                }
            case Kind.column:
                let (first, last) = (try records.number32(at: start), try records.number32(at: start + 4))
                let isHidden = try records.number(at: start + 16, 1) & 1 == 1
                guard isHidden, first <= last, last < book.parts.limits.columns else { return }
                details.hiddenColumns.append(first...last)
            case Kind.merged:
                if let range = try range(records, start, book.parts.limits) { details.mergedRanges.append(range) }
            case Kind.link:
                let relation = try records.text(at: start + 16)
                let location = try records.text(at: relation.end).text
                let target = relations[relation.text]?.target ?? ""
                guard !target.isEmpty || !location.isEmpty, let range = try range(records, start, book.parts.limits)
                else { return }
                details.links[range.first] = target + (location.isEmpty ? "" : "#" + location)
            default: break
            }
        }
        return details
    }

    /// The first and last row, then the first and last column; nil if they are out of bounds.
    private static func range(
        _ records: XLSBRecords, _ start: Int, _ limits: TableLimits
    ) throws -> SheetDetails.CellRange? {
        let numbers = try (0..<4).map { try records.number32(at: start + 4 * $0) }
        guard numbers[0] <= numbers[1], numbers[1] < limits.rows, numbers[2] <= numbers[3], numbers[3] < limits.columns
        else { return nil }
        return SheetDetails.CellRange(
            first: SheetCell(row: numbers[0], column: numbers[2]), last: SheetCell(row: numbers[1], column: numbers[3]))
    }
}
