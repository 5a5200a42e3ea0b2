import Model

/// Rows of one of a page's tables: the page is decoded to UTF-8 and parsed chunk by chunk, and the
/// rows of each chunk are passed on.
final class HTMLRows: ForeignRows {
    private(set) var isFinished = false
    private let source: FileStream
    private let path: String
    private let reader: HTMLTableReader
    private let parser: MarkupParser
    private let depth: Int
    private var decoder: TextDecoder
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
