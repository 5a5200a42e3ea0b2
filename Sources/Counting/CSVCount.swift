internal import Model

/// Counts the cells of delimited text independently of the importer, by the rules of Python's `csv`
/// module. A quote at a cell's start begins its quoted part, in which two quotes mean one; one
/// quote alone ends that part. A record ends with LF, CR or both. Bytes are not decoded; only
/// UTF-16 units are combined from their bytes.
enum CSVCount: FileCount {
    static let kind = "csv"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        var records = CSVRecords(separator: options.separator, quote: options.quote, skipsFirst: options.skipsFirstLine)
        var units = TextUnits(encoding: options.encoding)
        try file.forEachPiece { (piece) throws(CountFault) in
            let text = units.units(of: piece)
            try records.take(text.span)
        }
        try records.finish()
        return SourceCount(tables: [records.counts.table(file.stem)])
    }
}

/// Counts the records of a text, which is passed on in pieces.
struct CSVRecords {
    private enum State { case start, plain, quoted, closing }

    private(set) var counts = ColumnCounts(textNumbers: true)
    private let separator: UInt8
    private let quote: UInt8
    private var skips: Bool
    private var state = State.start
    private var column = 0
    /// The first characters of the cell, enough for a number.
    private var cell: [UInt8] = []
    private var length = 0
    private var afterReturn = false

    init(separator: UInt8, quote: UInt8, skipsFirst: Bool) {
        self.separator = separator
        self.quote = quote
        skips = skipsFirst
    }

    mutating func take(_ units: Span<UInt8>) throws(CountFault) {
        var index = 0
        while index < units.count {
            let unit = units[index]
            let isSecondOfTwo = afterReturn && unit == 0x0A
            afterReturn = false
            if isSecondOfTwo {
                index += 1
                continue
            }
            switch state {
            case .quoted:
                if unit == quote { state = .closing } else { keep(unit) }
                index += 1
            case .closing where unit == quote:
                keep(unit)
                state = .quoted
                index += 1
            case .start where unit == quote:
                state = .quoted
                index += 1
            default: index = try takePlain(units, from: index)
            }
        }
    }

    /// Reads up to the next separator or line end and returns its position.
    private mutating func takePlain(_ units: Span<UInt8>, from start: Int) throws(CountFault) -> Int {
        state = .plain
        var end = start
        while end < units.count, units[end] != separator, units[end] != 0x0A, units[end] != 0x0D { end += 1 }
        guard end < units.count else {
            for index in start..<end { keep(units[index]) }
            return end
        }
        if length > 0 {
            for index in start..<end { keep(units[index]) }
        } else if end > start, !skips {
            try counts.fill(column, text: units.extracting(start..<end))
        }
        try endCell()
        if units[end] != separator {
            endRecord()
            afterReturn = units[end] == 0x0D
        }
        return end + 1
    }

    mutating func finish() throws(CountFault) {
        guard state != .quoted else { throw .damaged("a quote is opened and not closed") }
        // The end-of-file mark of MS-DOS (Ctrl-Z) is not a cell.
        if length > 0, cell.last == 0x1A, cell.count == length {
            cell.removeLast()
            length -= 1
        }
        try endCell()
        endRecord()
    }

    /// Adds a character to the cell.
    private mutating func keep(_ unit: UInt8) {
        length += 1
        if cell.count < 65 { cell.append(unit) }
    }

    private mutating func endCell() throws(CountFault) {
        if length > 0, !skips {
            let text = cell
            if length == text.count { try counts.fill(column, text: text.span) } else { try counts.fill(column) }
        }
        cell.removeAll(keepingCapacity: true)
        length = 0
        column += 1
        state = .start
    }

    private mutating func endRecord() {
        counts.endRow()
        skips = false
        column = 0
    }
}

/// Converts the bytes of a text to units that show its structure: every UTF-16 unit above 0x7F
/// becomes one 0xFF, except the no-break space. Drops a byte order mark at the start.
struct TextUnits {
    private let isWide: Bool
    private let isLittle: Bool
    /// The byte order mark that the first piece may begin with.
    private var mark: [UInt8]
    private var carry: UInt8?

    init(encoding: String) {
        isWide = encoding.hasPrefix("utf-16")
        isLittle = encoding != "utf-16be"
        mark = isWide ? (isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]) : encoding == "utf-8" ? [0xEF, 0xBB, 0xBF] : []
    }

    mutating func units(of piece: [UInt8]) -> [UInt8] {
        var bytes = piece[...]
        if !mark.isEmpty, bytes.starts(with: mark) { bytes = bytes.dropFirst(mark.count) }
        mark = []
        guard isWide else { return Array(bytes) }
        var units: [UInt8] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        for byte in bytes {
            guard let first = carry else {
                carry = byte
                continue
            }
            carry = nil
            let (low, high) = isLittle ? (first, byte) : (byte, first)
            // The HTML count needs the no-break space; other characters beyond ASCII are not
            // distinguished.
            units.append(high == 0 && (low < 0x80 || low == 0xA0) ? low : 0xFF)
        }
        return units
    }
}
