internal import Foundation
package import Model

/// Limits for reading a DBF table. A file that exceeds one is rejected, or the value is reported as
/// too long.
package struct DBFLimits: FormatLimits {
    package var records = 10_000_000
    /// Bytes of one memo.
    package var memoBytes = 16 << 20

    package static let bounds: [FormatBound<DBFLimits>] = [
        .init("dbfRecords", .count, \.records),
        .init("dbfMemoBytes", .bytes, \.memoBytes, highest: 1 << 30),
    ]

    package init() {}
}

/// A table of dBase, FoxBASE, FoxPro, Visual FoxPro or Clipper, with its memo file beside it.
///
/// Records marked as deleted are left out and counted. The code page is the given one, that of a
/// `.cpg` file beside the table, or that of the table's language driver. Without any of them, the
/// most likely page for the texts is chosen and reported. If everything is ASCII, it is CP1252 for
/// Visual FoxPro and CP850 for files of DOS programs.
package final class DBFFile: TableFormat, TableFile {
    package static let kind = "dbf"
    package static let bounds = ReadingBound.of(DBFLimits.self)
    package private(set) var tables: [ForeignTable] = []
    package private(set) var findings: [Finding] = []
    package let codePage: CodePage
    package var encodingName: String? { codePage.name }
    /// Number of records left out by the last reading because they are marked as deleted.
    package internal(set) var deletedRecords = 0

    /// Checks whether a file begins like a table: a known version, a possible date, plausible
    /// lengths, a first column.
    package static func recognises(_ head: [UInt8]) -> Bool {
        guard let version = head.first, DBFHeader.versions.contains(version) else { return false }
        let isOld = version == 0x02
        let column = isOld ? 8 : 32
        guard head.count > column + 32 else { return false }
        if !isOld {
            guard head[2] <= 12, head[3] <= 31, let header = head.little16(8), header >= 33,
                let length = head.little16(10), length >= 1
            else {
                return false
            }
        }
        let isSevenLevel = version & 7 == 4 && head.count > 101 && DBFField.types.contains(head[100])
        return isSevenLevel || (head[column].isNameByte && DBFField.types.contains(head[column + 11]))
    }

    package static func recognises(_ head: FileHead) -> Bool { recognises(head.bytes) }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try DBFFile(
            path: head.path, encoding: options.encoding?.rawValue, limits: DBFLimits(options.limits),
            isWithoutMemos: options.isWithoutMemos)
    }

    /// Opens the table. `encoding` is the name of a code page and overrides the file's.
    /// `isWithoutMemos` makes memos empty if their file is missing, which is otherwise an error.
    package init(path: String, encoding: String? = nil, limits: DBFLimits = DBFLimits(), isWithoutMemos: Bool = false)
        throws
    {
        let file = try FileBytes(path)
        let header = try Self.header(of: file, path, limits)
        let memoPath = Self.memoPath(path)
        let memo = { try memoPath.map { DBFMemo(try FileBytes($0), limits: limits) } }
        let named = encoding ?? Self.besideCodePage(path) ?? DBFCodePages.name(header.languageDriver)
        var page = named ?? (header.isVisualFoxPro ? "cp1252" : "cp850")
        if named == nil {
            let sample = DBFTextSample(file, header, memo: try memo())
            if let likeliest = sample.likeliest(isVisualFoxPro: header.isVisualFoxPro) {
                page = likeliest
                findings.append(
                    Finding(
                        "IMPORT-CODE-PAGE", place: Place(file: path),
                        arguments: [
                            "encoding": page, "said": "driver " + OldValueText.hexadecimal([header.languageDriver]),
                            "count": String(sample.letters),
                        ]))
            }
        }
        guard let codePage = CodePage(named: page) else {
            throw TableFailure.damaged(
                Place(file: path), kind: Self.kind,
                reason: "its texts are in the code page \(page), which is not known here; say another with --encoding")
        }
        self.codePage = codePage
        let visible = header.fields.filter { $0.type != UInt8(ascii: "0") }
        let columns = visible.map { field in
            var name: [UInt8] = []
            codePage.decode(OldValueText.trimmed(field.name[...]), into: &name)
            return String(decoding: name, as: UTF8.self)
        }
        let memoFields = visible.indices.filter { visible[$0].isMemo(in: header) }
        if isWithoutMemos, memoPath == nil, !memoFields.isEmpty {
            findings.append(Finding(
                "IMPORT-NO-MEMO", place: Place(file: path),
                arguments: ["columns": memoFields.map { columns[$0] }.joined(separator: ", ")]))
        }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        tables = [
            ForeignTable(name: name, columns: columns, statedRows: header.statedRecords) { [weak self] in
                self?.deletedRecords = 0
                return DBFRows(
                    file: file, header: header, memo: try memo(), codePage: codePage, isWithoutMemos: isWithoutMemos,
                    owner: self)
            }
        ]
    }

    private static func header(of file: FileBytes, _ path: String, _ limits: DBFLimits) throws -> DBFHeader {
        let header: DBFHeader
        do {
            header = try DBFHeader(file.read(at: 0, 1 << 17))
        } catch {
            throw TableFailure.damaged(Place(file: path), kind: kind, reason: error.reason)
        }
        guard !header.isEncrypted else { throw TableFailure.encrypted(path: path, kind: kind) }
        guard header.statedRecords <= limits.records else {
            throw TableFailure.tooLarge(
                Place(file: path), kind: kind, limit: "dbfRecords \(limits.records)",
                found: String(header.statedRecords))
        }
        return header
    }

    static func missingMemo(_ path: String, record: Int) -> TableFailure {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return .missingMemo(Place(file: path, line: record), name: name)
    }

    /// The code page declared in a `.cpg` file beside the table, as GIS programs write it.
    private static func besideCodePage(_ path: String) -> String? {
        guard let beside = beside(path, ["cpg"]), let file = try? FileBytes(beside) else { return nil }
        let text = String(decoding: file.read(at: 0, 64), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    private static func memoPath(_ path: String) -> String? {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "scx": beside(path, ["sct"])
        case "vcx": beside(path, ["vct"])
        case "dbc": beside(path, ["dct"])
        default: beside(path, ["fpt", "dbt"])
        }
    }

    /// Finds a file of the same name with one of the extensions, regardless of case.
    private static func beside(_ path: String, _ endings: [String]) -> String? {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent.lowercased()
        let folder = url.deletingLastPathComponent().path
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        for ending in endings {
            if let found = names.first(where: { $0.lowercased() == "\(name).\(ending)" }) {
                return folder == "/" ? "/\(found)" : "\(folder)/\(found)"
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool { self >= 0x80 || 0x41...0x5A ~= self || 0x61...0x7A ~= self || self == 0x5F }
}
