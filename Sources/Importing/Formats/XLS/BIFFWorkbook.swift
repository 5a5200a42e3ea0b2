import Model

/// A workbook's stream of BIFF2 to BIFF8: its sheets, texts and formats, and the positions of its
/// cells.
///
/// Source: [MS-XLS] and "Microsoft Excel File Format" (OpenOffice.org, D. Rentz) for the earlier
/// versions.
final class BIFFWorkbook {
    struct Sheet {
        let name: String
        let isHidden: Bool
        /// Sorted by row and column.
        var cells: [CellPlace] = []
        /// Merged ranges; none before BIFF8.
        var mergedRanges: [SheetDetails.CellRange] = []
    }

    /// The position of a cell's value.
    struct CellPlace {
        let row: UInt16
        let column: UInt16
        /// Position of the cell's record in the stream.
        let record: UInt32
        /// Index of the value in a record with several values.
        let part: UInt16

        var order: Int { Int(row) << 16 | Int(column) }
    }

    let stream: [UInt8]
    let version: Int
    let limits: XLSLimits
    private(set) var sheets: [Sheet] = []
    private(set) var texts: [String] = []
    private(set) var epoch = SerialDate.Epoch.year1900
    private(set) var page: CodePage
    /// Whether the workbook states its code page.
    private var statesPage = false
    /// The code pages of the fonts, by their character sets (LOGFONT, lfCharSet).
    private var fontPages: Set<String> = []
    private static let pages: [UInt8: String] = [
        77: "mac-roman", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
        204: "cp1251", 222: "cp874", 238: "cp1250",
    ]
    private var formatTexts: [Int: NumberFormat] = [:]
    /// Whether the program that saved the file computed its formulas.
    private(set) var hasResults = false
    private var formatCount = 0
    /// Format number of each XF.
    private var cellFormats: [Int] = []
    private var cellCount = 0
    /// Bytes of all sheets read so far.
    private var walked = 0

    init(_ stream: [UInt8], name: String, encoding: String?, limits: XLSLimits) throws(XLSDamage) {
        self.stream = stream
        self.limits = limits
        guard let page = CodePage(named: encoding ?? "cp1252") else {
            throw .unknownForm("code page \(encoding ?? "")")
        }
        self.page = page
        var records = BIFFStream(bytes: stream, position: 0)
        guard let first = try records.next(), let version = Self.version(first, stream) else {
            throw .damaged("it does not begin as a workbook does")
        }
        self.version = version
        let kind = stream.little16(first.range.lowerBound + 2)
        if version <= 4 {
            guard kind != 0x0100 else { throw .unknownForm("a bound workspace of BIFF\(version)") }
            sheets = [Sheet(name: name, isHidden: false)]
            try readSheet(at: 0, 0, keepsEncoding: encoding != nil)
            return
        }
        if kind != 5 {
            // A single sheet saved without a workbook.
            sheets = [Sheet(name: name, isHidden: false)]
            try readSheet(at: 0, 0, keepsEncoding: encoding != nil)
            return
        }
        var places: [Int] = []
        var ended = false
        while !ended, let record = try records.next() {
            switch record.id {
            case 0x0A: ended = true
            case 0x85:
                guard let place = stream.little32(record.range.lowerBound), record.range.count >= 8,
                    let sheet = sheetName(record)
                else {
                    throw .damaged("its list of sheets is cut off")
                }
                // Charts and macro sheets are not tables.
                guard stream[record.range.lowerBound + 5] == 0 else { continue }
                guard sheets.count < limits.sheets else { throw .tooLarge("xlsSheets \(limits.sheets)") }
                sheets.append(Sheet(name: sheet, isHidden: stream[record.range.lowerBound + 4] & 3 != 0))
                places.append(place)
            case 0xFC: try readTexts(record)
            default: try readGlobal(record, keepsEncoding: encoding != nil)
            }
        }
        guard ended else { throw .damaged("it ends within its list of sheets") }
        for (index, place) in places.enumerated() { try readSheet(at: place, index, keepsEncoding: encoding != nil) }
    }

    private static func version(_ record: BIFFStream.Record, _ stream: [UInt8]) -> Int? {
        switch record.id {
        case 0x0009: 2
        case 0x0209: 3
        case 0x0409: 4
        case 0x0809: stream.little16(record.range.lowerBound) == 0x0600 ? 8 : 5
        default: nil
        }
    }

    func format(_ xf: Int) -> NumberFormat {
        guard cellFormats.indices.contains(xf) else { return .number }
        return format(number: cellFormats[xf])
    }

    func format(number: Int) -> NumberFormat {
        formatTexts[number] ?? (version >= 5 ? NumberFormat(builtIn: number) : .number)
    }

    // MARK: Parts

    private func readGlobal(_ record: BIFFStream.Record, keepsEncoding: Bool) throws(XLSDamage) {
        let start = record.range.lowerBound
        switch record.id {
        case 0x2F: throw .encrypted
        case 0x22: epoch = stream.little16(start) == 1 ? .year1904 : .year1900
        case 0x42:
            guard !keepsEncoding, version < 8, let number = stream.little16(start) else { return }
            let name = number == 0x8000 ? "mac-roman" : number == 0x8001 || number == 367 ? "cp1252" : "cp\(number)"
            guard let named = CodePage(named: name) else { throw .unknownForm("code page \(number)") }
            (page, statesPage) = (named, true)
        case 0x31:
            // FONT of BIFF5. If no code page is stated, the character sets of the fonts determine
            // it.
            guard !keepsEncoding, !statesPage, version == 5, record.range.count > 12 else { return }
            fontPages.insert(Self.pages[stream[start + 12]] ?? "cp1252")
            if let named = CodePage(named: fontPages.count == 1 ? fontPages.first ?? "" : "cp1252") { page = named }
        case 0xE0:
            guard let number = stream.little16(start + 2), record.range.count >= 4 else { return }
            cellFormats.append(number)
        case 0x243, 0x443:
            guard record.range.count >= 2 else { return }
            cellFormats.append(Int(stream[start + 1]))
        case 0x43:
            guard record.range.count >= 3 else { return }
            cellFormats.append(Int(stream[start + 2] & 0x3F))
        case 0x1E, 0x41E:
            var text = BIFFText(stream, segments: [record.range], skipping: 0)
            var number = formatCount
            formatCount += 1
            if record.id == 0x41E, let stated = text.number(2), version >= 5 { number = stated }
            let format =
                version == 8
                ? text.number(2).flatMap { text.unicode($0) } : text.number(1).flatMap { text.bytes($0, page) }
            if let format { formatTexts[number] = NumberFormat(code: format) }
        default: break
        }
    }

    private func sheetName(_ record: BIFFStream.Record) -> String? {
        var text = BIFFText(stream, segments: [record.range], skipping: 6)
        guard let count = text.number(1) else { return nil }
        return version == 8 ? text.unicode(count) : text.bytes(count, page)
    }

    /// Reads the shared texts.
    private func readTexts(_ record: BIFFStream.Record) throws(XLSDamage) {
        guard let stated = stream.little32(record.range.lowerBound + 4), record.range.count >= 8 else {
            throw .damaged("its list of texts is cut off")
        }
        var reader = BIFFText(
            stream, segments: BIFFStream(bytes: stream, position: 0).segments(from: record), skipping: 8)
        // Some programs state a wrong number of texts. All texts in the record are read, and a cell
        // that refers to a missing text is damaged.
        while reader.hasMore {
            guard texts.count < limits.cells else { throw .tooLarge("xlsCells \(limits.cells)") }
            guard let count = reader.number(2), let text = reader.unicode(count) else {
                if texts.count >= stated { return }
                throw .damaged("its list of texts is cut off after \(texts.count)")
            }
            texts.append(text)
        }
    }

    /// MergeCells ([MS-XLS] 2.4.168): a count, then first and last row, first and last column of
    /// each range.
    private func mergedRanges(_ record: BIFFStream.Record) -> [SheetDetails.CellRange] {
        let start = record.range.lowerBound
        let count = min(stream.little16(start) ?? 0, (record.range.count - 2) / 8)
        return (0..<max(count, 0)).compactMap { index in
            let numbers = (0..<4).compactMap { stream.little16(start + 2 + index * 8 + $0 * 2) }
            guard numbers.count == 4, numbers[0] <= numbers[1], numbers[2] <= numbers[3] else { return nil }
            return .init(
                first: .init(row: numbers[0], column: numbers[2]), last: .init(row: numbers[1], column: numbers[3]))
        }
    }

    /// Finds the cells of a sheet.
    private func readSheet(at place: Int, _ index: Int, keepsEncoding: Bool) throws(XLSDamage) {
        let name = sheets[index].name
        var records = BIFFStream(bytes: stream, position: place)
        guard let first = try records.next(), Self.version(first, stream) != nil else {
            throw .damaged("sheet \(name) does not begin where it should")
        }
        // Charts within a sheet have cells, too.
        var depth = 1
        var cells: [CellPlace] = []
        while depth > 0 {
            let position = records.position
            guard let record = try records.next() else { throw .damaged("sheet \(name) has no end") }
            if record.id == 0x0A {
                depth -= 1
            } else if [0x0009, 0x0209, 0x0409, 0x0809].contains(record.id) {
                depth += 1
            } else if depth == 1, let count = BIFFCell.count(record, version: version) {
                if !hasResults { hasResults = BIFFCell.hasResult(record, version: version, stream) }
                guard count >= 0, let row = stream.little16(record.range.lowerBound),
                    let column = stream.little16(record.range.lowerBound + 2),
                    column + count <= 256
                else { throw .damaged("sheet \(name): a cell's record at byte \(position) is not valid") }
                for part in 0..<count {
                    cells.append(
                        CellPlace(
                            row: UInt16(row), column: UInt16(column + part), record: UInt32(position),
                            part: UInt16(part)))
                }
                cellCount += count
                guard cellCount <= limits.cells else { throw .tooLarge("xlsCells \(limits.cells)") }
            } else if depth == 1, version == 8, record.id == 0xE5 {
                sheets[index].mergedRanges += mergedRanges(record)
            } else if depth == 1, version <= 4 || record.id == 0x2F {
                try readGlobal(record, keepsEncoding: keepsEncoding)
            }
        }
        // Without this check, many sheets at the same offset would be read over and over.
        walked += records.position - place
        guard walked <= 2 * stream.count else { throw .damaged("its sheets lie over one another") }
        if zip(cells, cells.dropFirst()).contains(where: { $0.order >= $1.order }) {
            // If a cell has two values, the later one counts, as in Excel.
            var last: [Int: CellPlace] = [:]
            for cell in cells { last[cell.order] = cell }
            cells = last.values.sorted { $0.order < $1.order }
        }
        sheets[index].cells = cells
    }
}

/// Reason in English why a workbook cannot be read.
enum XLSDamage: Error {
    case damaged(String)
    case encrypted
    case tooLarge(String)
    /// The file may be intact, but this reader does not know its variant.
    case unknownForm(String)
}
