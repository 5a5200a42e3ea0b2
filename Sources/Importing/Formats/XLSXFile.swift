import Foundation
package import Model
import Zipping

/// A workbook of Excel 2007 and later (ECMA-376, transitional and strict). The rows of its
/// worksheets are streamed in constant memory; shared strings are stored in memory up to a limit. A
/// formula's cell has its saved value. Macros are ignored.
package final class XLSXFile: TableFormat, TableFile, PictureFile {
    package static let kind = "xlsx"
    package static let isWorkbook = true
    package private(set) var tables: [ForeignTable] = []
    package let origin: BookOrigin?
    private let parts: WorkbookParts
    private var stringsPart: String?
    private var stylesPart: String?
    private var epoch = SerialDate.Epoch.year1900
    /// Read when the first sheet is opened.
    private var strings: SharedStrings?
    private var styles: CellStyles?

    private struct Sheet {
        var name: String
        var relation: String
        var isHidden: Bool
    }

    /// Recognises an archive with the parts of an Office document. Also recognises a compound file
    /// with an encrypted document, so that the encryption can be reported.
    package static func recognises(_ head: FileHead) -> Bool {
        if EncryptedPackage.recognises(head) { return true }
        guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return false }
        if ["[Content_Types].xml", "xl/", "xl\\", "_rels/.rels"].contains(where: head.contains) { return true }
        guard let zip = try? ZipReader(path: head.path, takesBackslashes: true) else { return false }
        return zip.entry("[Content_Types].xml") != nil
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try XLSXFile(path: head.path, limits: options.limits)
    }

    package init(path: String, limits: TableLimits = TableLimits()) throws {
        if let head = try? FileHead(path: path), EncryptedPackage.recognises(head) {
            throw TableFailure.encrypted(path: path, kind: Self.kind)
        }
        parts = try WorkbookParts(path: path, limits: limits)
        origin = try? parts.origin(in: "docProps/core.xml")
        guard
            let book = try parts.relations(of: "").values.first(where: { $0.type.hasSuffix("/officeDocument") })?.target
        else {
            throw parts.damaged("the archive holds no workbook", part: "")
        }
        guard !book.lowercased().hasSuffix(".bin") else {
            tables = try XLSBBook(parts, book: book).tables
            return
        }
        let sheets = try readWorkbook(book)
        let relations = try parts.relations(of: book)
        stringsPart = relations.values.first { $0.type.hasSuffix("/sharedStrings") && !$0.isExternal }?.target
        stylesPart = relations.values.first { $0.type.hasSuffix("/styles") && !$0.isExternal }?.target
        for sheet in sheets {
            // Chart sheets and dialog sheets have no cells.
            guard let relation = relations[sheet.relation], relation.type.hasSuffix("/worksheet"), !relation.isExternal
            else { continue }
            let part = relation.target
            tables.append(ForeignTable(
                name: sheet.name, isHidden: sheet.isHidden,
                details: { [parts] in try SheetDetailsReader(parts: parts, part: part, sheet: sheet.name).read() },
                open: { [self] in try rows(of: part, sheet: sheet.name) }))
        }
    }

    package func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8] {
        try parts.bytes(of: entry, atMost: limit)
    }

    private func rows(of part: String, sheet: String) throws -> any ForeignRows {
        let strings =
            try self.strings ?? stringsPart.map {
                parts.contains($0) ? try SharedStrings(parts, part: $0) : SharedStrings()
            } ?? SharedStrings()
        let styles =
            try self.styles ?? stylesPart.map { parts.contains($0) ? try CellStyles(parts, part: $0) : CellStyles() }
            ?? CellStyles()
        self.strings = strings
        self.styles = styles
        return try XLSXRows(parts, part: part, sheet: sheet, strings: strings, styles: styles, epoch: epoch)
    }

    private func readWorkbook(_ part: String) throws -> [Sheet] {
        try parts.reading(part) {
            var sheets: [Sheet] = []
            var scanner = try parts.smallScanner(of: part)
            var isFirst = true
            while true {
                let token = try scanner.next()
                if token == .finished { return sheets }
                guard token == .start else { continue }
                if isFirst, !scanner.isNamed("workbook") { throw parts.damaged("\(part) is no workbook", part: part) }
                isFirst = false
                if scanner.isNamed("workbookPr") {
                    if let value = try scanner.attribute("date1904"), value == "1" || value == "true" {
                        epoch = .year1904
                    }
                } else if scanner.isNamed("sheet"), let name = try scanner.attribute("name"),
                    let relation = try scanner.attribute("id")
                {
                    guard sheets.count < parts.limits.tables else {
                        throw TableFailure.tooLarge(
                            .init(file: parts.path), kind: Self.kind, limit: "tables \(parts.limits.tables)")
                    }
                    let state = try scanner.attribute("state") ?? "visible"
                    sheets.append(Sheet(name: name, relation: relation, isHidden: state != "visible"))
                }
            }
        }
    }
}

/// An encrypted Office document is a compound file ([MS-OFFCRYPTO] 2.3) with a stream of this name
/// in its directory.
enum EncryptedPackage {
    static func recognises(_ head: FileHead) -> Bool {
        guard head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]), head.bytes.count >= 512 else {
            return false
        }
        let bytes = head.bytes
        let shift = bytes[30] == 12 ? 12 : 9
        let sector = (0..<4).reduce(0) { $0 | Int(bytes[48 + $1]) << ($1 * 8) }
        let start = (sector + 1) << shift
        let name = "EncryptedPackage".utf8.flatMap { [$0, 0] as [UInt8] }
        if bytes.firstRange(of: name) != nil { return true }
        guard start < head.size, let handle = FileHandle(forReadingAtPath: head.path) else { return false }
        defer { try? handle.close() }
        guard (try? handle.seek(toOffset: UInt64(start))) != nil, let directory = try? handle.read(upToCount: 4096)
        else { return false }
        return Array(directory).firstRange(of: name) != nil
    }
}

/// The shared texts of a workbook, in one buffer.
final class SharedStrings {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    init() {}

    /// Reads the texts. Runs of rich text are joined; phonetic runs are left out.
    init(_ parts: WorkbookParts, part: String) throws {
        let limit = min(parts.limits.sharedStringBytes, Int(UInt32.max))
        try parts.reading(part) {
            var scanner = try parts.scanner(of: part)
            var reader = SharedStringReader()
            while true {
                switch try scanner.next() {
                case .finished: return
                case .text: try reader.take(scanner)
                case .start: if try reader.open(scanner) { ends.append(UInt32(bytes.count)) }
                case .end:
                    guard reader.close(scanner) else { continue }
                    TextRepair.repair(&reader.text)
                    guard bytes.count + reader.text.count + ends.count * 4 <= limit else {
                        throw TableFailure.tooLarge(
                            Place(file: parts.path), kind: XLSXFile.kind, limit: "sharedStringBytes \(limit)")
                    }
                    bytes.append(contentsOf: reader.text)
                    ends.append(UInt32(bytes.count))
                    reader.text.removeAll(keepingCapacity: true)
                }
            }
        }
    }

    var count: Int { ends.count }

    /// Appends a text to a batch; false for an invalid index.
    @inline(__always) func append(_ index: Int, to batch: inout ForeignBatch) -> Bool {
        guard index >= 0, index < ends.count else { return false }
        let start = index == 0 ? 0 : Int(ends[index - 1])
        let end = Int(ends[index])
        if start == end {
            batch.appendEmpty()
        } else {
            let texts = bytes
            batch.append(.text, texts.span.extracting(start..<end))
        }
        return true
    }
}

/// Collects the runs of one shared text after the other.
private struct SharedStringReader {
    var text: [UInt8] = []
    private var isText = false
    /// Number of open phonetic runs, whose texts are ignored.
    private var phonetic = 0
    /// Where the current run begins in the text, and whether it keeps spaces.
    private var start = 0
    private var isPreserved = false
    /// Whether the table of texts, the text and its run keep spaces (`xml:space`; XML 1.0, 2.10).
    private var (inTable, inItem, inRun) = (false, false, false)

    /// Returns whether the tag is a text without content.
    @inline(__always) mutating func open(_ scanner: borrowing MarkupScanner) throws -> Bool {
        if scanner.isNamed("t") {
            isText = !scanner.isEmpty
            start = text.count
            isPreserved = try scanner.preservesSpace(within: inRun)
        } else if scanner.isNamed("sst") {
            inTable = try scanner.preservesSpace(within: false)
            inRun = inTable
        } else if scanner.isNamed("r") {
            inRun = try scanner.preservesSpace(within: inItem)
        } else if scanner.isNamed("rPh") {
            phonetic += scanner.isEmpty ? 0 : 1
        } else if scanner.isNamed("si") {
            inItem = try scanner.preservesSpace(within: inTable)
            inRun = inItem
            return scanner.isEmpty
        }
        return false
    }

    @inline(__always) mutating func take(_ scanner: borrowing MarkupScanner) throws {
        if isText, phonetic == 0 { try scanner.appendText(to: &text) }
    }

    /// Returns whether the tag ends a text.
    @inline(__always) mutating func close(_ scanner: borrowing MarkupScanner) -> Bool {
        if scanner.isNamed("t") {
            isText = false
            if !isPreserved { TextRepair.trim(&text, from: start) }
        } else if scanner.isNamed("rPh") {
            phonetic = max(0, phonetic - 1)
        }
        return scanner.isNamed("si")
    }
}
