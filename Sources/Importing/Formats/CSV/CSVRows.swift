package import Model

/// Records of a CSV file in one pass. Lines end with LF, CR or both. A quoted cell may contain
/// separators, doubled quotes and line endings; in an unquoted cell, a quote is an ordinary
/// character. Cells without a character are empty; records of only such cells are left out.
final class CSVRows: ForeignRows {
    private var parser: CSVParser

    init(
        _ source: any ByteSource, path: String, encoding: EncodingDetector.Guess, dialect: TextDialect,
        skipsFirstLine: Bool, limits: TableLimits
    ) {
        parser = CSVParser(
            source, path: path, encoding: encoding, dialect: dialect, skipsFirstLine: skipsFirstLine, limits: limits)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        try parser.fill(&batch)
    }
}

struct CSVParser: ~Copyable {
    private enum State {
        /// Before a cell's first character.
        case start
        case plain, quoted
        /// After a quote within a quoted cell: another one doubles it, anything else ends the
        /// quoted part.
        case closing
    }

    private let source: any ByteSource
    private let path: String
    private let dialect: TextDialect
    private let limits: TableLimits
    private var decoder: TextDecoder
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    /// Decoded text that is being parsed.
    private var text: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// Number of bytes of the byte order mark that are still to be skipped.
    private var mark: Int
    private var skipsLine: Bool

    private var state = State.start
    /// The part of a cell that is already parsed: from earlier chunks or before a doubled quote.
    private var cell: [UInt8] = []
    private var line = 1
    private var recordLine = 1
    private var quoteLine = 1
    private var afterReturn = false

    init(
        _ source: any ByteSource, path: String, encoding: EncodingDetector.Guess, dialect: TextDialect,
        skipsFirstLine: Bool, limits: TableLimits
    ) {
        self.source = source
        self.path = path
        self.dialect = dialect
        self.limits = limits
        decoder = TextDecoder(encoding.encoding)
        mark = encoding.mark
        skipsLine = skipsFirstLine
    }

    mutating func fill(_ batch: inout ForeignBatch) throws {
        while !batch.isFull {
            if position == text.count, try !more() {
                try finish(&batch)
                return
            }
            switch state {
            case .start: try startCell(&batch)
            case .plain: try plain(&batch)
            case .quoted: try quoted()
            case .closing: closing()
            }
        }
    }

    private mutating func startCell(_ batch: inout ForeignBatch) throws {
        let byte = text[position]
        if afterReturn {
            afterReturn = false
            if byte == 0x0A {
                position += 1
                return
            }
        }
        if byte == dialect.quote {
            position += 1
            quoteLine = line
            state = .quoted
        } else {
            state = .plain
        }
    }

    /// Reads up to the next separator or line end.
    private mutating func plain(_ batch: inout ForeignBatch) throws {
        var end = position
        let separator = dialect.separator
        do {
            let bytes = text.span
            while end < bytes.count {
                let byte = bytes[end]
                if byte == separator || byte == 0x0A || byte == 0x0D { break }
                end += 1
            }
        }
        guard end < text.count else {
            try keep(position..<end)
            position = end
            return
        }
        if cell.isEmpty {
            try add(text.span.extracting(position..<end), to: &batch)
        } else {
            try keep(position..<end)
            try add(cell.span, to: &batch)
            cell.removeAll(keepingCapacity: true)
        }
        let byte = text[end]
        position = end + 1
        state = .start
        guard byte != separator else { return }
        afterReturn = byte == 0x0D
        line += 1
        try endRecord(&batch)
    }

    private mutating func quoted() throws {
        var end = position
        let quote = dialect.quote
        var lines = 0
        do {
            let bytes = text.span
            var before: UInt8 = position > 0 ? 0 : cell.last ?? 0
            while end < bytes.count {
                let byte = bytes[end]
                if byte == quote { break }
                if byte == 0x0D || (byte == 0x0A && before != 0x0D) { lines += 1 }
                before = byte
                end += 1
            }
        }
        line += lines
        try keep(position..<end)
        position = end
        if end < text.count {
            position += 1
            state = .closing
        }
    }

    private mutating func closing() {
        if text[position] == dialect.quote {
            cell.append(dialect.quote)
            position += 1
            state = .quoted
        } else {
            state = .plain
        }
    }

    /// Adds a range of the decoded text to the cell.
    private mutating func keep(_ range: Range<Int>) throws {
        guard cell.count + range.count <= limits.cellBytes else {
            if state == .quoted { throw unclosed("beyond cellBytes \(limits.cellBytes)") }
            throw tooLarge("cellBytes \(limits.cellBytes)", line: line)
        }
        let text = text
        unsafe text.withUnsafeBufferPointer { unsafe cell.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }

    private func add(_ value: Span<UInt8>, to batch: inout ForeignBatch) throws {
        guard batch.openWidth < limits.columns else { throw tooLarge("columns \(limits.columns)", line: recordLine) }
        if value.count == 0 { batch.appendEmpty() } else { batch.append(.text, value) }
    }

    private mutating func endRecord(_ batch: inout ForeignBatch) throws {
        guard recordLine <= limits.rows else { throw tooLarge("rows \(limits.rows)", line: recordLine) }
        if skipsLine { batch.dropOpenRow() } else { batch.endRowUnlessBlank(number: recordLine) }
        skipsLine = false
        recordLine = line
    }

    private mutating func finish(_ batch: inout ForeignBatch) throws {
        if state == .quoted { throw unclosed("to the file's end") }
        guard state != .start || batch.openWidth > 0 || !cell.isEmpty else { return }
        try add(cell.span, to: &batch)
        cell.removeAll()
        state = .start
        try endRecord(&batch)
    }

    private mutating func more() throws -> Bool {
        text.removeAll(keepingCapacity: true)
        position = 0
        while text.isEmpty {
            guard !isAtEnd else { return false }
            let count = try source.read(into: &chunk, from: 0)
            isAtEnd = count == 0
            let drop = min(mark, count)
            mark -= drop
            let bytes = chunk
            decoder.decode(bytes.span.extracting(drop..<count), isLast: isAtEnd, to: &text)
            // The end-of-file mark of MS-DOS (Ctrl-Z).
            if isAtEnd || count < chunk.count, text.last == 0x1A { text.removeLast() }
        }
        return true
    }

    private func unclosed(_ how: String) -> TableFailure {
        .damaged(
            Place(file: path, line: quoteLine), kind: CSVFile.kind,
            reason: "the quote opened in line \(quoteLine) is not closed \(how)")
    }

    private func tooLarge(_ limit: String, line: Int) -> TableFailure {
        .tooLarge(Place(file: path, line: line), kind: CSVFile.kind, limit: limit)
    }
}

/// A text file with one record a line (RFC 4180 and its variants): encoding, separator and quote
/// are detected from its start.
package final class CSVFile: TableFormat, TableFile {
    package static let kind = "csv"
    package internal(set) var tables: [ForeignTable]
    package let encoding: EncodingDetector.Guess
    package let dialect: TextDialect
    /// Whether the first line declares the separator (`sep=;`) and is not part of the table.
    let skipsFirstLine: Bool
    package let findings: [Finding]
    package var encodingName: String? { encoding.encoding.rawValue }

    /// Recognises any text.
    package static func recognises(_ head: FileHead) -> Bool {
        !head.bytes.isEmpty && EncodingDetector.guess(head.bytes) != nil && TablelessKind.name(of: head) == nil
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try CSVFile(head, options: options)
    }

    package init(_ head: FileHead, options: TableOptions = TableOptions()) throws {
        var guess =
            EncodingDetector.guess(head.bytes)
            ?? EncodingDetector.Guess(encoding: .windows1252, mark: 0, isCertain: false)
        if let stated = options.encoding {
            if stated != guess.encoding { guess = EncodingDetector.Guess(encoding: stated, mark: 0, isCertain: true) }
        } else {
            guess = try EncodingScan.confirmed(guess, head, kind: Self.kind)
        }
        findings = options.encoding == nil ? try EncodingScan.finding(guess, head.path).map { [$0] } ?? [] : []
        var decoder = TextDecoder(guess.encoding)
        var sample: [UInt8] = []
        decoder.decode(
            head.bytes.span.extracting(droppingFirst: guess.mark), isLast: head.bytes.count == head.size, to: &sample)
        var dialect = options.dialect ?? TextDialect.detect(sample)
        if let separator = options.separator { dialect.separator = separator }
        let statesSeparator = TextDialect.statedSeparator(sample) != nil
        encoding = guess
        self.dialect = dialect
        skipsFirstLine = statesSeparator
        tables = [ForeignTable(name: head.tableName) { [dialect] in
                CSVRows(
                    try FileStream(path: head.path), path: head.path, encoding: guess, dialect: dialect,
                    skipsFirstLine: statesSeparator,
                    limits: options.limits)
        }]
        tables[0].isText = true
    }
}
