internal import Foundation
internal import Model

/// Bounds of what is read of an old workbook.
package struct XLSLimits: FormatLimits {
    /// Bytes of the workbook's stream, which is held in memory.
    package var bytes = 256 << 20
    package var sheets = 4096
    /// Cells with values of all sheets.
    package var cells = 10_000_000

    package static let bounds: [FormatBound<XLSLimits>] = [
        .init("xlsBytes", .bytes, \.bytes, highest: 1 << 31),
        .init("xlsSheets", .count, \.sheets),
        .init("xlsCells", .count, \.cells),
    ]

    package init() {}
}

/// A workbook of Excel 2 to 2003 (BIFF2 to BIFF8), bare or in a compound file.
///
/// All records are walked before the first row is given, so that what is cut off is known at once. A form that this reader does not know goes
/// through LibreOffice where that is installed; a damaged file does not, for LibreOffice gives what is left of it without a word.
package final class XLSFile: TableFormat, TableFile {
    package static let kind = "xls"
    package static let isWorkbook = true
    package static let bounds = ReadingBound.of(XLSLimits.self)
    package private(set) var tables: [ForeignTable] = []

    /// Whether a file's first bytes are those of a compound file or of a bare stream of BIFF2 to BIFF5. What a compound file holds is seen
    /// when it is opened.
    package static func recognises(_ head: [UInt8]) -> Bool {
        if head.starts(with: CompoundFile.signature) { return true }
        guard let id = head.little16(0), let length = head.little16(2), let kind = head.little16(6) else { return false }
        let isBeginning = [0x0009, 0x0209, 0x0409].contains(id) && 4...8 ~= length || id == 0x0809 && 8...16 ~= length
        return isBeginning && [0x05, 0x06, 0x10, 0x20, 0x40, 0x0100].contains(kind)
    }

    package static func recognises(_ head: FileHead) -> Bool { recognises(head.bytes) }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try XLSFile(path: head.path, limits: XLSLimits(options.limits), openXLSX: { try XLSXFile(path: $0, limits: options.limits) })
    }

    /// Opens the workbook. `encoding` names the code page of texts before BIFF8 and goes before what the file says.
    ///
    /// `openXLSX` reads what LibreOffice makes of a form that is not known here; `search` are the folders where it may be, as `PATH` has them.
    package init(
        path: String, encoding: String? = nil, limits: XLSLimits = XLSLimits(),
        openXLSX: ((String) throws -> any TableFile)? = nil, search: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    ) throws {
        do {
            let book = try Self.workbook(path, encoding, limits)
            tables = book.sheets.indices.map { index in
                let details = SheetDetails(mergedRanges: book.sheets[index].mergedRanges)
                return ForeignTable(name: book.sheets[index].name, isHidden: book.sheets[index].isHidden, details: { details }) {
                    BIFFRows(path: path, book: book, sheet: index)
                }
            }
        } catch .unknownForm(let form) {
            guard let openXLSX else { throw TableFailure.needs(path: path, kind: Self.kind, what: "a reader for \(form)") }
            tables = try LibreOfficeConversion.tables(path, form: form, search: search, openXLSX)
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func workbook(_ path: String, _ encoding: String?, _ limits: XLSLimits) throws(XLSDamage) -> BIFFWorkbook {
        guard let file = try? FileBytes(path) else { throw .damaged("it cannot be opened") }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard file.read(at: 0, 8) == CompoundFile.signature else {
            guard file.count <= limits.bytes else { throw .tooLarge("xlsBytes \(limits.bytes)") }
            return try BIFFWorkbook(file.read(at: 0, file.count), name: name, encoding: encoding, limits: limits)
        }
        let compound = try CompoundFile(file, limit: limits.bytes)
        // BIFF8's stream and that of BIFF5; a file for both versions has both.
        for stream in ["Workbook", "Book"] {
            if let bytes = try compound.stream(stream, limit: limits.bytes) {
                return try BIFFWorkbook(bytes, name: name, encoding: encoding, limits: limits)
            }
        }
        // A workbook of today that has a password.
        if compound.entries.contains(where: { $0.name == "EncryptedPackage" }) { throw .encrypted }
        throw .damaged("its compound file holds no workbook")
    }

    static func failure(_ damage: XLSDamage, _ path: String, sheet: String? = nil) -> TableFailure {
        switch damage {
        case .damaged(let reason): .damaged(Place(file: path, sheet: sheet), kind: kind, reason: reason)
        case .encrypted: .encrypted(path: path, kind: kind)
        case .tooLarge(let limit): .tooLarge(Place(file: path, sheet: sheet), kind: kind, limit: limit)
        case .unknownForm(let form): .needs(path: path, kind: kind, what: "a reader for \(form)")
        }
    }
}
