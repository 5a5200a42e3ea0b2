internal import Foundation
package import Model

/// Limits for reading a workbook of the old binary format.
package struct XLSLimits: FormatLimits {
    /// Bytes of the workbook's stream, which is read into memory.
    package var bytes = 256 << 20
    package var sheets = 4096
    /// Cells with values, in all sheets together.
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
/// All records are read before the first row is returned, so that truncation is found at once. A
/// variant that this reader does not know is converted by LibreOffice, if installed. A damaged file
/// is not converted, because LibreOffice would silently return only the file's readable part.
package final class XLSFile: TableFormat, TableFile {
    package static let kind = "xls"
    package static let isWorkbook = true
    package static let bounds = ReadingBound.of(XLSLimits.self)
    package private(set) var tables: [ForeignTable] = []
    package private(set) var findings: [Finding] = []

    /// Checks whether a file begins like a compound file or a bare stream of BIFF2 to BIFF5. The
    /// contents of a compound file are checked when it is opened.
    package static func recognises(_ head: [UInt8]) -> Bool {
        if head.starts(with: CompoundFile.signature) { return true }
        guard let id = head.little16(0), let length = head.little16(2), let kind = head.little16(6) else {
            return false
        }
        let isBeginning = [0x0009, 0x0209, 0x0409].contains(id) && 4...8 ~= length || id == 0x0809 && 8...16 ~= length
        return isBeginning && [0x05, 0x06, 0x10, 0x20, 0x40, 0x0100].contains(kind)
    }

    package static func recognises(_ head: FileHead) -> Bool { recognises(head.bytes) }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try XLSFile(
            path: head.path, limits: XLSLimits(options.limits),
            openXLSX: { try XLSXFile(path: $0, limits: options.limits) })
    }

    /// Opens the workbook. `encoding` is the code page of texts before BIFF8 and overrides the
    /// file's.
    ///
    /// `openXLSX` reads the workbook that LibreOffice converts from an unknown variant. `search`
    /// lists the folders to search for LibreOffice, like `PATH`.
    package init(
        path: String, encoding: String? = nil, limits: XLSLimits = XLSLimits(),
        openXLSX: ((String) throws -> any TableFile)? = nil,
        search: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    ) throws {
        do {
            let book = try Self.workbook(path, encoding, limits)
            tables = book.sheets.indices.map { index in
                let details = SheetDetails(mergedRanges: book.sheets[index].mergedRanges)
                return ForeignTable(
                    name: book.sheets[index].name, isHidden: book.sheets[index].isHidden, details: { details }
                ) {
                    BIFFRows(path: path, book: book, sheet: index)
                }
            }
        } catch .unknownForm(let form) {
            guard let openXLSX else {
                throw TableFailure.needs(path: path, kind: Self.kind, what: "a reader for \(form)")
            }
            tables = try LibreOfficeConversion.tables(path, form: form, search: search, openXLSX)
            let name = URL(fileURLWithPath: path).lastPathComponent
            findings = [
                Finding("IMPORT-CONVERTED", place: Place(file: path), arguments: ["name": name, "form": form])
            ]
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func workbook(_ path: String, _ encoding: String?, _ limits: XLSLimits) throws(XLSDamage)
        -> BIFFWorkbook
    {
        guard let file = try? FileBytes(path) else { throw .damaged("it cannot be opened") }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard file.read(at: 0, 8) == CompoundFile.signature else {
            guard file.count <= limits.bytes else { throw .tooLarge("xlsBytes \(limits.bytes)") }
            return try BIFFWorkbook(file.read(at: 0, file.count), name: name, encoding: encoding, limits: limits)
        }
        let compound = try CompoundFile(file, limit: limits.bytes)
        // The stream of BIFF8 and that of BIFF5; a file for both versions has both.
        for stream in ["Workbook", "Book"] {
            if let bytes = try compound.stream(stream, limit: limits.bytes) {
                return try BIFFWorkbook(bytes, name: name, encoding: encoding, limits: limits)
            }
        }
        // A workbook of Excel 2007 or later with a password.
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

/// Converts a workbook to XLSX with LibreOffice, which runs with limited time and memory and a
/// temporary profile.
enum LibreOfficeConversion {
    static var limits: ProgramLimits {
        var limits = ProgramLimits()
        limits.processorSeconds = 120
        limits.memory = 8 << 30
        limits.fileBytes = 1 << 30
        limits.output = 1 << 20
        limits.silentSeconds = 180
        return limits
    }

    static func tables(
        _ path: String, form: String, search: String, _ openXLSX: (String) throws -> any TableFile
    ) throws -> [ForeignTable] {
        let folder: PrivateFolder
        do {
            folder = try PrivateFolder()
            // A fixed name: no part of the user's file name can become an option or an output path.
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: path), to: folder.url.appendingPathComponent("book.xls"))
        } catch { throw ImportFailure.unreadable(path: path) }
        do throws(ProgramFault) {
            let program = try BoundedProgram(
                "soffice",
                [
                    "--headless", "--norestore",
                    "-env:UserInstallation=\(folder.url.appendingPathComponent("profile").absoluteString)",
                    "--convert-to", "xlsx", "--outdir", folder.url.path,
                    folder.url.appendingPathComponent("book.xls").path,
                ], search: search, limits: limits)
            _ = try program.all(limit: limits.output)
        } catch .notFound {
            throw TableFailure.needs(path: path, kind: XLSFile.kind, what: "LibreOffice (soffice), for \(form)")
        } catch {
            guard case .failed = error else {
                // The conversion exceeded a limit or was killed, which does not mean that the file
                // is damaged.
                let what = "more memory or time for \(form): \(error.reason("LibreOffice"))"
                throw TableFailure.needs(path: path, kind: XLSFile.kind, what: what)
            }
            throw TableFailure.damaged(Place(file: path), kind: XLSFile.kind, reason: error.reason("LibreOffice"))
        }
        let made = folder.url.appendingPathComponent("book.xlsx").path
        guard FileManager.default.fileExists(atPath: made) else {
            throw TableFailure.damaged(
                Place(file: path), kind: XLSFile.kind, reason: "LibreOffice cannot read it (\(form))")
        }
        let file = try openXLSX(made)
        return file.tables.map { table in
            var table = table
            let open = table.open
            table.open = {
                // The file and its folder live as long as any of its tables.
                try withExtendedLifetime((folder, file)) { try open() }
            }
            return table
        }
    }
}
