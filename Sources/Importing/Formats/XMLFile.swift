import Model

/// Any XML document: elements that repeat within their parent are the rows of a table, with one
/// table for each path of such elements, named by the path; a document in which nothing repeats is
/// a single row. A document that declares entities is rejected, and an external document type is
/// never loaded.
package final class XMLFile: TableFormat, TableFile {
    package static let kind = "xml"
    package let tables: [ForeignTable]

    package static func recognises(_ head: FileHead) -> Bool {
        guard let text = head.text else { return false }
        let start = Array(text.drop { $0 <= 0x20 }.prefix(2))
        guard start.count == 2, start[0] == 0x3C else { return false }
        return start[1] == 0x3F || start[1] == 0x21 || start[1] == 0x5F || start[1] >= 0x80 || (start[1] | 0x20 >= 0x61 && start[1] | 0x20 <= 0x7A)
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile { try XMLFile(head, options: options) }

    package init(_ head: FileHead, options: TableOptions = TableOptions()) throws {
        let limits = options.limits
        let outline = XMLOutline(limits: limits)
        let reading = try XMLChunks(head.path, handler: outline, limits: limits)
        while try reading.next() {
            if let limit = outline.exceeded { throw TableFailure.tooLarge(Place(file: head.path, line: reading.line), kind: Self.kind, limit: limit) }
        }
        tables = outline.tables.map { path, node in
            let reader = XMLTableReader(node, in: outline.root, limits: limits)
            return ForeignTable(name: path, columns: reader.columns) {
                try XMLRows(head.path, reader: XMLTableReader(node, in: outline.root, limits: limits), limits: limits)
            }
        }
    }
}

/// A document that is parsed chunk by chunk.
final class XMLChunks {
    private let source: FileStream
    private let path: String
    private let parser: MarkupParser
    private let depth: Int
    private var chunk = [UInt8](repeating: 0, count: 1 << 15)

    init(_ path: String, handler: any MarkupHandler, limits: TableLimits) throws {
        source = try FileStream(path: path)
        self.path = path
        depth = limits.depth
        guard let parser = MarkupParser(.xml, handler: handler, maximumDepth: limits.depth) else {
            throw TableFailure.damaged(Place(file: path), kind: XMLFile.kind, reason: "no memory for its parser")
        }
        self.parser = parser
    }

    var line: Int { parser.line }

    /// Parses the next chunk; false at the document's end.
    func next() throws -> Bool {
        let count = try source.read(into: &chunk, from: 0)
        do throws(MarkupParser.Fault) {
            try parser.feed(Array(chunk.prefix(count)), isLast: count == 0)
        } catch {
            throw error.failure(path, kind: XMLFile.kind, depth: depth)
        }
        return count > 0
    }
}

/// Rows of one of a document's tables.
final class XMLRows: ForeignRows {
    private let path: String
    private let reader: XMLTableReader
    private let chunks: XMLChunks
    private var isFinished = false

    init(_ path: String, reader: XMLTableReader, limits: TableLimits) throws {
        self.path = path
        self.reader = reader
        chunks = try XMLChunks(path, handler: reader, limits: limits)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        while !reader.move(to: &batch), !isFinished {
            isFinished = try !chunks.next()
            if let limit = reader.exceeded { throw TableFailure.tooLarge(Place(file: path, line: chunks.line), kind: XMLFile.kind, limit: limit) }
        }
    }
}
