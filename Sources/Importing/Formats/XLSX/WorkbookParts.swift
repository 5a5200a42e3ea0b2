import Model
import Zipping

/// The archive of a workbook and its parts, by the package rules (ECMA-376 part 2): relationships
/// link one part to the next.
final class WorkbookParts {
    struct Relation {
        var type: String
        var target: String
        var isExternal: Bool
    }

    let path: String
    let limits: TableLimits
    private let kind: String
    private let zip: ZipReader
    /// Entries by name in lower case, because names of parts must not differ in case alone.
    private var names: [String: String] = [:]
    /// Names that an archive nevertheless has twice, with the other spelling.
    private var doubled: [String: String] = [:]

    init(path: String, limits: TableLimits, kind: String = XLSXFile.kind) throws {
        self.path = path
        self.kind = kind
        self.limits = limits
        do throws(ZipFailure) {
            zip = try ZipReader(path: path, maximumEntries: limits.archiveEntries, takesBackslashes: true)
        } catch {
            throw Self.failure(error, path: path, kind: kind)
        }
        for entry in zip.entries {
            let name = entry.name.lowercased()
            if let other = names.updateValue(entry.name, forKey: name) { doubled[name] = other }
        }
    }

    private func entry(_ part: String) throws -> ZipEntry? {
        // Names in OpenDocument are case-sensitive.
        if kind == ODSFile.kind, let entry = zip.entry(part) { return entry }
        guard let name = names[part.lowercased()] else { return nil }
        // The reader would have to choose one of the two entries.
        if let other = doubled[part.lowercased()] { throw damaged("\(other) and \(name) have one name", part: part) }
        return zip.entry(name)
    }

    func contains(_ part: String) -> Bool { names[part.lowercased()] != nil }

    /// A scanner over a part. A part larger than `TableLimits.entryBytes`, or with an excessive
    /// compression ratio, is rejected without being read.
    func scanner(of part: String) throws -> MarkupScanner {
        guard let entry = try entry(part) else { throw damaged("part \(part) is missing", part: part) }
        guard entry.size <= UInt64(limits.entryBytes) else {
            throw tooLarge("entryBytes \(limits.entryBytes)", part: part, found: entry.size)
        }
        if entry.size > 64 << 20, entry.size / max(entry.compressedSize, 1) > UInt64(limits.compressionRatio) {
            throw tooLarge(
                "compressionRatio \(limits.compressionRatio)", part: part,
                found: entry.size / max(entry.compressedSize, 1))
        }
        do throws(ZipFailure) {
            let reader = try zip.reader(of: entry)
            // A second thread is worthwhile if there is much to inflate.
            return MarkupScanner(
                UnicodeBytes(entry.size > 1 << 20 ? ReadAhead(reader) : reader), limit: limits.cellBytes)
        } catch {
            throw Self.failure(error, path: path, kind: kind)
        }
    }

    /// A scanner over a part that fits in memory.
    func smallScanner(of part: String) throws -> MarkupScanner {
        if let entry = try entry(part), entry.size > UInt64(limits.partBytes) {
            throw tooLarge("partBytes \(limits.partBytes)", part: part, found: entry.size)
        }
        return try scanner(of: part)
    }

    /// Where the workbook comes from if this program wrote it, from its keywords.
    ///
    /// - Parameter part: the part with the document's properties, if the archive has it.
    func origin(in part: String) throws -> BookOrigin? {
        guard contains(part) else { return nil }
        return try reading(part) {
            var scanner = try smallScanner(of: part)
            var text: [UInt8] = []
            // LibreOffice makes an element of each word.
            var words: [String] = []
            while true {
                switch try scanner.next() {
                case .finished: return BookOrigin(keywords: words.joined(separator: " "))
                case .text: try scanner.appendText(to: &text)
                case .start: text.removeAll()
                case .end:
                    guard scanner.isNamed("keywords") || scanner.isNamed("keyword") else { continue }
                    words.append(String(decoding: text, as: UTF8.self))
                }
            }
        }
    }

    /// The bytes of a part that is not XML.
    ///
    /// - Parameter bound: the limit's name.
    func bytes(of part: String, atMost limit: UInt64, limit bound: String = "formPictureBytes") throws -> [UInt8] {
        guard let entry = try entry(part) else { throw damaged("part \(part) is missing", part: part) }
        guard entry.size <= limit else { throw tooLarge("\(bound) \(limit)", part: part, found: entry.size) }
        return try reading(part) { try zip.read(entry.name, atMost: limit) }
    }

    /// The relationships of a part by their id; empty if it has none. The archive itself is the
    /// part "".
    func relations(of part: String) throws -> [String: Relation] {
        let slash = part.lastIndex(of: "/")
        let folder = slash.map { String(part[..<$0]) + "/" } ?? ""
        let file = slash.map { String(part[part.index(after: $0)...]) } ?? part
        let relationsPart = folder + "_rels/" + file + ".rels"
        guard contains(relationsPart) else { return [:] }
        return try reading(relationsPart) {
            var relations: [String: Relation] = [:]
            var scanner = try smallScanner(of: relationsPart)
            while true {
                let token = try scanner.next()
                if token == .finished { return relations }
                guard token == .start, scanner.isNamed("Relationship"), let id = try scanner.attribute("Id"),
                    let target = try scanner.attribute("Target")
                else { continue }
                let isExternal = try scanner.attribute("TargetMode") == "External"
                relations[id] = Relation(
                    type: try scanner.attribute("Type") ?? "",
                    target: isExternal ? target : Self.resolve(target, from: folder), isExternal: isExternal)
            }
        }
    }

    /// Resolves a target to a name in the archive; `..` at the root is ignored.
    static func resolve(_ target: String, from folder: String) -> String {
        let target = target.replacing("\\", with: "/")
        var parts = target.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
        for part in target.split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    /// Runs `body` and reports faults of the archive and of the markup as failures of this part.
    func reading<Result>(_ part: String, sheet: String? = nil, row: Int? = nil, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let fault as MarkupScanner.Fault {
            throw self.failure(fault, part: part, sheet: sheet, line: row)
        } catch let failure as ZipFailure {
            throw Self.failure(failure, path: path, kind: kind, sheet: sheet)
        }
    }

    func failure(_ fault: MarkupScanner.Fault, part: String, sheet: String? = nil, line: Int? = nil) -> TableFailure {
        let place = Place(file: path, sheet: sheet, line: line)
        let reason =
            switch fault {
            case .cut: "\(part) is cut off"
            case .documentType: "\(part) has a document type, which a workbook never has"
            case .notUTF8: "\(part) is not UTF-8"
            case .unknownEntity: "\(part) has an entity that is not XML's"
            case .tooLong(let limit): "cellBytes \(limit)"
            }
        if case .tooLong = fault { return .tooLarge(place, kind: kind, limit: reason) }
        return .damaged(place, kind: kind, reason: reason)
    }

    func damaged(_ reason: String, part: String, sheet: String? = nil) -> TableFailure {
        .damaged(Place(file: path, sheet: sheet), kind: kind, reason: reason)
    }

    private func tooLarge(_ limit: String, part: String, found: UInt64) -> TableFailure {
        .tooLarge(Place(file: path, pointer: part), kind: kind, limit: limit, found: "\(found) (\(part))")
    }

    static func failure(_ failure: ZipFailure, path: String, kind: String, sheet: String? = nil) -> any Error {
        let reason: String
        switch failure {
        case .encrypted: return TableFailure.encrypted(path: path, kind: kind)
        case .cannotOpen: return ImportFailure.unreadable(path: path)
        case .tooManyEntries(let count, let limit):
            return TableFailure.tooLarge(
                Place(file: path), kind: kind, limit: "archiveEntries \(limit)", found: String(count))
        case .tooLarge(_, _, let limit):
            return TableFailure.tooLarge(Place(file: path), kind: kind, limit: "partBytes \(limit)")
        case .notAnArchive: reason = "the archive is cut off"
        case .damaged(_, let entry):
            reason = entry.map { "\($0) is cut off or changed" } ?? "the archive is cut off or contradicts itself"
        case .nameRefused: reason = "a name in the archive leaves it"
        case .duplicateName(let name): reason = "\(name) is in the archive twice"
        case .entryMissing(let name): reason = "\(name) is missing"
        case .methodUnknown(let name, let method): reason = "\(name) is packed by method \(method)"
        case .compression: reason = "the archive cannot be read"
        }
        return TableFailure.damaged(Place(file: path, sheet: sheet), kind: kind, reason: reason)
    }
}

/// The meaning of numbers, by the index of their cell's style.
struct CellStyles {
    private var formats: [NumberFormat] = []

    init() {}

    init(_ parts: WorkbookParts, part: String) throws {
        var codes: [Int: NumberFormat] = [:]
        var identifiers: [Int] = []
        try parts.reading(part) {
            var scanner = try parts.smallScanner(of: part)
            var isInside = false
            var isList = false
            while true {
                switch try scanner.next() {
                case .finished: return
                case .text: break
                case .start:
                    if scanner.isNamed("numFmts") {
                        isList = !scanner.isEmpty
                    } else if isList, scanner.isNamed("numFmt") {
                        // Conditional formats (dxfs) also contain formats, whose ids may equal
                        // those of cells.
                        guard let id = try scanner.attribute("numFmtId").flatMap({ Int($0) }),
                            let code = try scanner.attribute("formatCode") else { break }
                        codes[id] = NumberFormat(code: code)
                    } else if scanner.isNamed("cellXfs") {
                        isInside = !scanner.isEmpty
                    } else if isInside, scanner.isNamed("xf") {
                        identifiers.append(try scanner.attribute("numFmtId").flatMap { Int($0) } ?? 0)
                    }
                case .end:
                    if scanner.isNamed("cellXfs") { isInside = false }
                    if scanner.isNamed("numFmts") { isList = false }
                }
            }
        }
        formats = identifiers.map { codes[$0] ?? NumberFormat(builtIn: $0) }
    }

    @inline(__always) subscript(index: Int) -> NumberFormat {
        index >= 0 && index < formats.count ? formats[index] : .number
    }
}
