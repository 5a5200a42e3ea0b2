package import Model

/// An HTML page with tables, which web systems and field apps often save as `.xls`. Each outer
/// table of the page is one table, including the rows of tables nested in it. All values are text.
package final class HTMLFile: TableFormat, TableFile {
    package static let kind = "html"
    package let tables: [ForeignTable]
    package let encodingName: String?
    package let findings: [Finding]

    package static func recognises(_ head: FileHead) -> Bool {
        guard let text = head.text else { return false }
        guard text.first(where: { $0 > 0x20 }) == 0x3C else { return false }
        let small = text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return ["<html", "<!doctype html", "<table"].contains { small.firstRange(of: Array($0.utf8)) != nil }
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try HTMLFile(head, options: options)
    }

    package init(_ head: FileHead, options: TableOptions = TableOptions()) throws {
        let guess = try Self.encoding(head, options)
        encodingName = guess.encoding.rawValue
        findings =
            options.encoding == nil
            ? try EncodingScan.finding(guess, head.path, said: Self.label(head) ?? "—").map { [$0] } ?? [] : []
        let counter = HTMLTableReader(table: nil, limits: options.limits)
        let reading = try HTMLRows(head.path, encoding: guess, reader: counter, limits: options.limits)
        var batch = ForeignBatch()
        repeat { try reading.fill(&batch) } while !reading.isFinished
        let full = counter.rowsOfTables.indices.filter { counter.rowsOfTables[$0] > 0 }
        guard full.count <= options.limits.tables else {
            throw TableFailure.tooLarge(
                Place(file: head.path), kind: Self.kind, limit: "tables \(options.limits.tables)")
        }
        tables = full.map { index in
            ForeignTable(name: full.count == 1 ? head.tableName : "\(head.tableName) \(index + 1)") {
                try HTMLRows(
                    head.path, encoding: guess, reader: HTMLTableReader(table: index, limits: options.limits),
                    limits: options.limits)
            }
        }
    }

    /// The encoding proved by a byte order mark or valid UTF-8; otherwise the page's declared one,
    /// if it is supported; otherwise the most likely one.
    private static func encoding(_ head: FileHead, _ options: TableOptions) throws -> EncodingDetector.Guess {
        var guess = EncodingDetector.guess(head.bytes) ?? .init(encoding: .windows1252, mark: 0, isCertain: false)
        if let stated = options.encoding {
            return stated == guess.encoding ? guess : .init(encoding: stated, mark: 0, isCertain: true)
        }
        guess = try EncodingScan.confirmed(guess, head, kind: Self.kind)
        guard !guess.isCertain, guess.encoding.codePage != nil else { return guess }
        switch label(head) {
        // Browsers treat ISO 8859-1 as Windows-1252.
        case "iso-8859-1", "latin1", "windows-1252", "cp1252":
            return .init(encoding: .windows1252, mark: 0, isCertain: true)
        case "iso-8859-15": return .init(encoding: .latin9, mark: 0, isCertain: true)
        case "ibm850", "cp850": return .init(encoding: .cp850, mark: 0, isCertain: true)
        case "ibm437", "cp437": return .init(encoding: .cp437, mark: 0, isCertain: true)
        default: return guess
        }
    }

    /// The encoding that the page declares.
    private static func label(_ head: FileHead) -> String? {
        let small = head.bytes.prefix(4096).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        guard let found = small.firstRange(of: Array("charset=".utf8)) else { return nil }
        let label = small[found.upperBound...].drop { $0 == 0x22 || $0 == 0x27 }.prefix {
            $0 > 0x20 && !Array("\"'>;/".utf8).contains($0)
        }
        return String(decoding: label.prefix(40), as: UTF8.self)
    }
}

/// Rows of one of a page's tables. The page is decoded to UTF-8 and parsed chunk by chunk, and the
/// rows of each chunk are passed on.
final class HTMLRows: ForeignRows {
    private(set) var isFinished = false
    private let source: FileStream
    private let path: String
    private let reader: HTMLTableReader
    private let parser: MarkupParser
    private let depth: Int
    private var decoder: TextDecoder
    /// Number of bytes of the byte order mark that are still to be skipped.
    private var mark: Int
    private var chunk = [UInt8](repeating: 0, count: 1 << 15)

    init(_ path: String, encoding: EncodingDetector.Guess, reader: HTMLTableReader, limits: TableLimits) throws {
        source = try FileStream(path: path)
        self.path = path
        depth = limits.depth
        self.reader = reader
        decoder = TextDecoder(encoding.encoding)
        mark = encoding.mark
        guard let parser = MarkupParser(.html, handler: reader, maximumDepth: limits.depth) else {
            throw TableFailure.damaged(Place(file: path), kind: HTMLFile.kind, reason: "no memory for its parser")
        }
        self.parser = parser
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        while !reader.move(to: &batch), !isFinished {
            let count = try source.read(into: &chunk, from: 0)
            isFinished = count == 0
            let drop = min(mark, count)
            mark -= drop
            let bytes = chunk
            var text: [UInt8] = []
            decoder.decode(bytes.span.extracting(drop..<count), isLast: isFinished, to: &text)
            do throws(MarkupParser.Fault) {
                try parser.feed(text, isLast: isFinished)
            } catch {
                throw error.failure(path, kind: HTMLFile.kind, depth: depth)
            }
            if let limit = reader.exceeded {
                throw TableFailure.tooLarge(Place(file: path, line: parser.line), kind: HTMLFile.kind, limit: limit)
            }
        }
    }
}
