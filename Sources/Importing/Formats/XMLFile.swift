import Foundation
import Model

/// Any XML document. Elements that repeat within their parent are rows; each path of such elements
/// is a table, named by the path. A document without repeated elements is a single row. A document
/// that declares entities is rejected, and an external document type is never loaded.
package final class XMLFile: TableFormat, TableFile {
    package static let kind = "xml"
    package let tables: [ForeignTable]

    package static func recognises(_ head: FileHead) -> Bool {
        guard let text = head.text else { return false }
        let start = Array(text.drop { $0 <= 0x20 }.prefix(2))
        guard start.count == 2, start[0] == 0x3C else { return false }
        return start[1] == 0x3F || start[1] == 0x21 || start[1] == 0x5F || start[1] >= 0x80
            || (start[1] | 0x20 >= 0x61 && start[1] | 0x20 <= 0x7A)
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try XMLFile(head, options: options)
    }

    package init(_ head: FileHead, options: TableOptions = TableOptions()) throws {
        let limits = options.limits
        let outline = XMLOutline(limits: limits)
        let reading = try XMLChunks(head.path, handler: outline, limits: limits)
        while try reading.next() {
            if let limit = outline.exceeded {
                throw TableFailure.tooLarge(Place(file: head.path, line: reading.line), kind: Self.kind, limit: limit)
            }
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

    /// Parses the next chunk; returns false at the document's end.
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
            if let limit = reader.exceeded {
                throw TableFailure.tooLarge(Place(file: path, line: chunks.line), kind: XMLFile.kind, limit: limit)
            }
        }
    }
}

/// A workbook as a single XML document (`urn:schemas-microsoft-com:office:spreadsheet`), often
/// named `.xls`. Excel 2002 and 2003 wrote it, and some office programs still do. A formula's cell
/// has its saved value.
package final class XML2003File: TableFormat, TableFile {
    package static let kind = "xml2003"
    package static let isWorkbook = true
    package let tables: [ForeignTable]

    package static func recognises(_ head: FileHead) -> Bool {
        guard XMLFile.recognises(head), let text = head.text else { return false }
        return ["urn:schemas-microsoft-com:office:spreadsheet", "Workbook"].allSatisfy {
            text.firstRange(of: Array($0.utf8)) != nil
        }
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try XML2003File(path: head.path, limits: options.limits)
    }

    package init(path: String, limits: TableLimits = TableLimits()) throws {
        let outline = try XML2003Outline(path: path, limits: limits)
        tables = outline.sheets.enumerated().map { index, sheet in
            ForeignTable(name: sheet.name, isHidden: sheet.isHidden, details: { sheet.details }) {
                try XML2003Rows(path: path, sheet: index, of: outline, limits: limits)
            }
        }
    }

    /// A scanner at the start of the document's markup.
    static func scanner(_ path: String, _ limits: TableLimits) throws -> MarkupScanner {
        MarkupScanner(UnicodeBytes(try FileStream(path: path)), limit: limits.cellBytes)
    }

    /// Runs `body` and reports faults of the markup as failures of this file.
    static func reading<Result>(_ path: String, sheet: String? = nil, row: Int? = nil, _ body: () throws -> Result)
        throws -> Result
    {
        let place = Place(file: path, sheet: sheet, line: row)
        do {
            return try body()
        } catch let fault as MarkupScanner.Fault {
            switch fault {
            case .cut: throw TableFailure.damaged(place, kind: kind, reason: "it is cut off")
            case .documentType:
                throw TableFailure.damaged(
                    place, kind: kind, reason: "it has a document type, which a workbook never has")
            case .notUTF8: throw TableFailure.damaged(place, kind: kind, reason: "it is neither UTF-8 nor UTF-16")
            case .unknownEntity:
                throw TableFailure.damaged(place, kind: kind, reason: "it has an entity that is not XML's")
            case .tooLong(let limit): throw TableFailure.tooLarge(place, kind: kind, limit: "cellBytes \(limit)")
            }
        }
    }
}
