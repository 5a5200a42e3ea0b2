internal import Model

/// Counts a workbook of Excel 2 to 2003: the records of its stream, in order ([MS-XLS] 2.4; before
/// Excel 5 a file is a single sheet). Texts are indices into a shared list, of which only the blank
/// ones are stored.
enum XLSCount: FileCount {
    static let kind = "xls"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let stream: [UInt8]
        if try file.read(at: 0, 8) == CompoundStreams.signature {
            let streams = try CompoundStreams(file)
            if try streams.bytes(of: "EncryptedPackage") != nil { throw .encrypted }
            var found = try streams.bytes(of: "Workbook")
            if found == nil { found = try streams.bytes(of: "Book") }
            guard let found else { throw .damaged("its compound file holds no workbook") }
            stream = found
        } else {
            guard file.count <= CountBounds.current.xlsBytes else {
                throw .tooLarge("xlsBytes \(CountBounds.current.xlsBytes)")
            }
            stream = try file.read(at: 0, file.count)
        }
        var records = try XLSRecords(stream, isCancelled: file.isCancelled)
        return SourceCount(tables: try records.tables(named: file.stem), datesAreNumbers: true)
    }
}

private struct XLSRecords {
    private let bytes: [UInt8]
    private let isCancelled: @Sendable () -> Bool
    /// Version of the format: 2 to 5, and 8 for all later ones.
    private let version: Int
    private var isUnicode: Bool { version == 8 }
    private var blankTexts: Set<Int> = []

    init(_ bytes: [UInt8], isCancelled: @escaping @Sendable () -> Bool) throws(CountFault) {
        self.bytes = bytes
        self.isCancelled = isCancelled
        guard let id = bytes.low(0, 2), let version = Self.beginnings[id] else {
            throw .damaged("it does not begin as a workbook does")
        }
        self.version = version == 5 && bytes.low(4, 2) == 0x0600 ? 8 : version
    }

    /// The records that begin a workbook, a sheet or a chart, and their versions.
    private static let beginnings = [0x0009: 2, 0x0209: 3, 0x0409: 4, 0x0809: 5]

    /// Number and bytes of a record; nil at the end.
    private func record(at place: Int) throws(CountFault) -> (id: Int, body: Range<Int>)? {
        guard place < bytes.count else { return nil }
        guard let id = bytes.low(place, 2), let length = bytes.low(place + 2, 2), place + 4 + length <= bytes.count
        else {
            // Streams may end with fewer bytes than a record needs.
            if bytes[place...].allSatisfy({ $0 == 0 }) { return nil }
            throw .damaged("a record is cut off")
        }
        return (id, (place + 4)..<(place + 4 + length))
    }

    mutating func tables(named stem: String) throws(CountFault) -> [TableCount] {
        if version < 5, bytes.low(6, 2) == 0x0100 { throw .damaged("it binds several workbooks") }
        guard version >= 5, bytes.low(6, 2) == 5 else { return [try sheet(at: 0, stem)] }
        var sheets: [(name: String, place: Int)] = []
        var place = 0
        while let (id, body) = try record(at: place) {
            place = body.upperBound
            if id == 0x0A { break }
            switch id {
            case 0x2F: throw .encrypted
            case 0xFC: try readTexts(body)
            case 0x85:
                guard body.count >= 8, let start = bytes.low(body.lowerBound, 4) else {
                    throw .damaged("its list of sheets is cut off")
                }
                // Charts and macro sheets are not tables.
                if bytes[body.lowerBound + 5] == 0 { sheets.append((name(Array(bytes[body].dropFirst(6))), start)) }
                guard sheets.count <= CountBounds.current.xlsSheets else {
                    throw .tooLarge("xlsSheets \(CountBounds.current.xlsSheets)")
                }
            default: break
            }
        }
        var walked = 0
        var tables: [TableCount] = []
        for sheet in sheets {
            tables.append(try self.sheet(at: sheet.place, sheet.name))
            walked += 1
            // Without this check, many sheets at the same offset would be read over and over.
            guard Set(sheets.prefix(walked).map(\.place)).count == walked else {
                throw .damaged("its sheets lie over one another")
            }
        }
        return tables
    }

    private func name(_ text: [UInt8]) -> String {
        let count = Int(text.first ?? 0)
        guard isUnicode, text.count > 1 else { return String(decoding: text.dropFirst().prefix(count), as: UTF8.self) }
        guard text[1] & 1 != 0 else {
            return String(String.UnicodeScalarView(text.dropFirst(2).prefix(count).map { Unicode.Scalar($0) }))
        }
        return String(decoding: (0..<count).compactMap { text.low(2 + 2 * $0, 2).map { UInt16($0) } }, as: UTF16.self)
    }

    /// Reads the list of shared texts, which continues over several records. If a text is split,
    /// the next record begins with its letters' new width.
    private mutating func readTexts(_ first: Range<Int>) throws(CountFault) {
        var parts = [first]
        while let (id, body) = try record(at: parts[parts.count - 1].upperBound), id == 0x3C { parts.append(body) }
        guard let stated = bytes.low(first.lowerBound + 4, 4) else { throw .damaged("its list of texts is cut off") }
        var part = 0
        var place = first.lowerBound + 8
        func number(_ width: Int) throws(CountFault) -> Int {
            var found: [UInt8] = []
            while found.count < width {
                while place >= parts[part].upperBound {
                    part += 1
                    guard part < parts.count else { throw .damaged("its list of texts is cut off") }
                    place = parts[part].lowerBound
                }
                found.append(bytes[place])
                place += 1
            }
            return found.low(0, width) ?? 0
        }
        func skip(_ count: Int) throws(CountFault) {
            var left = count
            while left > 0 {
                let step = min(left, parts[part].upperBound - place)
                place += step
                left -= step
                if left > 0 {
                    part += 1
                    guard part < parts.count else { throw .damaged("its list of texts is cut off") }
                    place = parts[part].lowerBound
                }
            }
        }
        for index in 0..<stated {
            var letters = try number(2)
            if letters == 0 { blankTexts.insert(index) }
            guard blankTexts.count <= 1 << 22 else { throw .tooLarge("blank texts \(1 << 22)") }
            var flags = try number(1)
            let runs = flags & 8 != 0 ? try number(2) : 0
            let more = flags & 4 != 0 ? try number(4) : 0
            while letters > 0 {
                while place >= parts[part].upperBound { flags = try number(1) }
                let width = flags & 1 + 1
                let step = min(letters, (parts[part].upperBound - place) / width)
                guard step > 0 else { throw .damaged("its list of texts is cut within a letter") }
                try skip(step * width)
                letters -= step
            }
            try skip(4 * runs + more)
        }
    }

    // MARK: cells

    private struct Cell {
        var row: Int
        var column: Int
        var number: Double?
        /// False if the text is blank; the cell nevertheless replaces an earlier value.
        var isFilled = true
    }

    private func sheet(at start: Int, _ name: String) throws(CountFault) -> TableCount {
        var counts = ColumnCounts(numbers: true)
        var last = (row: -1, column: -1)
        var isOrdered = true
        try forEachCell(from: start) { (cell) throws(CountFault) in
            guard isOrdered else { return }
            isOrdered = cell.row > last.row || (cell.row == last.row && cell.column > last.column)
            if cell.row != last.row { counts.endRow() }
            last = (cell.row, cell.column)
            try Self.add(cell, to: &counts)
        }
        if !isOrdered {
            // If a cell has two values, the later one counts.
            var cells: [Int: Cell] = [:]
            let most = CountBounds.current.xlsCells
            try forEachCell(from: start) { (cell) throws(CountFault) in
                cells[cell.row << 8 | cell.column] = cell
                guard cells.count <= most else { throw .tooLarge("xlsCells \(most)") }
            }
            counts = ColumnCounts(numbers: true)
            last.row = -1
            for cell in cells.values.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) }) {
                if cell.row != last.row { counts.endRow() }
                last.row = cell.row
                try Self.add(cell, to: &counts)
            }
        }
        counts.endRow()
        return counts.table(name)
    }

    /// Counts a cell, unless its text is blank.
    private static func add(_ cell: Cell, to counts: inout ColumnCounts) throws(CountFault) {
        guard cell.isFilled else { return }
        if let number = cell.number, number.isFinite {
            try counts.fill(cell.column, number: number)
        } else {
            try counts.fill(cell.column)
        }
    }

    private func forEachCell(from start: Int, _ body: (Cell) throws(CountFault) -> Void) throws(CountFault) {
        guard bytes.low(start, 2).map({ Self.beginnings[$0] != nil }) ?? false else {
            throw .damaged("a sheet does not begin where it should")
        }
        var place = start
        // The number of open sheets and charts: charts within a sheet have cells, too.
        var depth = 0
        /// A formula whose text is in a following record.
        var waiting: Cell?
        var recordCount = 0
        while let (id, range) = try record(at: place) {
            (place, recordCount) = (range.upperBound, recordCount + 1)
            if recordCount % 4096 == 0, isCancelled() { throw .cancelled }
            if Self.beginnings[id] != nil { depth += 1 }
            if id == 0x0A { depth -= 1 }
            guard depth > 0 else { break }
            let at = range.lowerBound
            guard depth == 1, let row = bytes.low(at, 2) else { continue }
            if id == 0x2F, version < 5 { throw .encrypted }
            // A file of Excel 2 may have records of Excel 3, in which cells have two bytes for the
            // format, not three, and lengths have two bytes.
            let isOfExcel2 = version == 2 && id < 0x0200
            if id == 0x0207 || (id == 0x07 && isOfExcel2) {
                if var cell = waiting {
                    cell.isFilled = bytes.low(at, isOfExcel2 ? 1 : 2) != 0
                    try body(cell)
                    waiting = nil
                }
                continue
            }
            guard Self.cellRecords.contains(id) || (isOfExcel2 && 0x02...0x05 ~= id) else { continue }
            if let cell = waiting { try body(cell) }
            waiting = nil
            guard let column = bytes.low(at + 2, 2), column < 256, range.count >= 8 else {
                throw .damaged("a cell's record is none")
            }
            if id == 0xBD {
                for part in 0..<((range.count - 6) / 6) {
                    let number = Self.packed(bytes.low(at + 6 + 6 * part, 4) ?? 0)
                    try body(Cell(row: row, column: column + part, number: number))
                }
                continue
            }
            let empty = Cell(row: row, column: column)
            let filled = filled(empty, by: id, at + (isOfExcel2 ? 7 : 6), isOfExcel2: isOfExcel2)
            if let filled { try body(filled) } else { waiting = empty }
        }
        if let cell = waiting { try body(cell) }
        guard depth == 0 else { throw .damaged("a sheet has no end") }
    }

    /// The cell with the value of its record; nil for a formula whose text is in a following record.
    private func filled(_ empty: Cell, by id: Int, _ value: Int, isOfExcel2: Bool) -> Cell? {
        var cell = empty
        switch id {
        case 0x027E: cell.number = Self.packed(bytes.low(value, 4) ?? 0)
        case 0x02: cell.number = Double(bytes.low(value, 2) ?? 0)
        case 0x03, 0x0203: cell.number = double(value)
        case 0xFD: cell.isFilled = !blankTexts.contains(bytes.low(value, 4) ?? 0)
        case 0x04, 0x0204, 0xD6: cell.isFilled = bytes.low(value, isOfExcel2 ? 1 : 2) != 0
        case 0x05, 0x0205: break
        default:
            if bytes.low(value + 6, 2) != 0xFFFF {
                cell.number = double(value)
            } else if bytes.low(value, 1) == 0 {
                return nil
            } else {
                cell.isFilled = [1, 2].contains(bytes.low(value, 1))
            }
        }
        return cell
    }

    /// Record numbers since Excel 3; 0x06 is a formula in all versions.
    private static let cellRecords: Set<Int> = [
        0xBD, 0x0203, 0x0204, 0xD6, 0x0205, 0x027E, 0xFD, 0x06, 0x0206, 0x0406,
    ]

    private func double(_ place: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: Int64(bytes.low(place, 8) ?? 0)))
    }

    /// Decodes thirty bits and two flags: an integer or the upper part of a double, optionally in
    /// hundredths.
    private static func packed(_ word: Int) -> Double {
        let whole = word & 2 != 0
        let value =
            whole ? Double(Int32(truncatingIfNeeded: word) >> 2) : Double(bitPattern: UInt64(word & 0xFFFF_FFFC) << 32)
        return word & 1 != 0 ? value / 100 : value
    }
}

extension CountBounds {
    var xlsBytes: Int { self["xlsBytes", usually: 256 << 20] }
    var xlsSheets: Int { self["xlsSheets", usually: 4096] }
    var xlsCells: Int { self["xlsCells", usually: 10_000_000] }
}
