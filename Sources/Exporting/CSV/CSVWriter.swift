import Foundation
import Glibc
package import Model
import OutputFiles
import Zipping

/// Writes an export as CSV: `STEM-SHEET.csv` for each sheet and `STEM-about.csv` with the cover, or
/// `STEM-csv.zip` with `SHEET.csv` and `about.csv` inside.
///
/// Adds the findings `TEXT-CHARACTER` and `TEXT-FORMULA` once for each sheet with such texts.
/// Throws `OutputFailure`.
package struct CSVWriter: ExportWriter {
    private let dialect: CSVDialect
    private let isZipped: Bool

    /// The number of buffered bytes from which they are passed on to the sink.
    private static let pieceSize = 1 << 17

    package init(dialect: CSVDialect, zipped: Bool) {
        self.dialect = dialect
        isZipped = zipped
    }

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let style = CSVStyle(
            dialect, texts: document.texts, language: document.language, timeZone: document.timeZone)
        let names = CSVNames.make(for: document.sheets)
        return isZipped
            ? [try writeArchive(document, style, names, stem, findings, progress)]
            : try writeFiles(document, style, names, stem, findings, progress)
    }

    private func writeFiles(
        _ document: ExportDocument, _ style: CSVStyle, _ names: [String], _ stem: String, _ findings: any FindingSink,
        _ progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let finished = FinishedFiles()
        var done = 0
        for (sheet, name) in zip(document.sheets, names) {
            let sink = BackgroundSink(try OutputFile(finalPath: "\(stem)-\(name).csv"))
            let rows = try append(sheet, style, to: sink, findings) { progress(done + $0) }
            finished.add(try sink.finish().close(rows: rows))
            done += rows
        }
        var file = try OutputFile(finalPath: "\(stem)-\(CSVNames.about).csv")
        try about(document, style).withBytes { try file.write($0) }
        finished.add(try file.close(rows: 0))
        return finished.complete()
    }

    private func writeArchive(
        _ document: ExportDocument, _ style: CSVStyle, _ names: [String], _ stem: String, _ findings: any FindingSink,
        _ progress: (Int) -> Void
    ) throws -> WrittenFile {
        var zip = ZipWriter(try OutputFile(finalPath: "\(stem)-csv.zip"))
        var done = 0
        for (sheet, name) in Swift.zip(document.sheets, names) {
            let sink = BackgroundSink(try ZipStream(zip, name: "\(name).csv"))
            let rows = try append(sheet, style, to: sink, findings) { progress(done + $0) }
            zip = try sink.finish().finish()
            done += rows
        }
        try about(document, style).withBytes { try zip.add("\(CSVNames.about).csv", $0) }
        return try zip.close(rows: done)
    }

    /// Writes one sheet's header and rows; returns the number of rows.
    private func append<Sink: ByteSink & ~Copyable>(
        _ sheet: Sheet, _ style: CSVStyle, to sink: BackgroundSink<Sink>, _ findings: any FindingSink,
        progress: (Int) -> Void
    ) throws -> Int {
        guard !sheet.columns.isEmpty else { throw OutputFailure.noColumns(sheet: sheet.name) }
        var formatter = CSVFormatter(columns: sheet.columns, style: style)
        var buffer = ByteBuffer(capacity: Self.pieceSize * 2)
        if style.hasMark { buffer.append("\u{FEFF}" as StaticString) }
        formatter.append(line: sheet.columns.map { style.hasLabels ? $0.header : $0.name }, to: &buffer)
        let count = try sheet.forEachBatch(progress: progress) { batch in
            formatter.append(batch, to: &buffer)
            if buffer.count >= Self.pieceSize { try sink.send(&buffer) }
        }
        try sink.send(&buffer)
        try formatter.changes.add(sheet: sheet.title, to: findings)
        return count
    }

    private func about(_ document: ExportDocument, _ style: CSVStyle) -> ByteBuffer {
        var buffer = ByteBuffer()
        var formatter = CSVFormatter(columns: [], style: style)
        if style.hasMark { buffer.append("\u{FEFF}" as StaticString) }
        for line in CSVAbout.lines(document) { formatter.append(line: line, to: &buffer) }
        return buffer
    }
}

/// The export's cover as lines of CSV: first name, label and value of each fact, then each table
/// below its title. Every line has the same number of fields, as RFC 4180 requires.
enum CSVAbout {
    static func lines(_ document: ExportDocument) -> [[String]] {
        let cover = document.cover
        var lines = [["name", "label", "value"], ["title", "", cover.title], ["subtitle", "", cover.subtitle]]
        if let banner = cover.environmentBanner { lines.append(["environment_banner", "", banner]) }
        if let banner = cover.draftBanner { lines.append(["draft_banner", "", banner]) }
        lines += cover.lines.map { [$0.name, $0.label, $0.value] }
        for table in cover.tables {
            lines += [[], [table.name, table.title], table.headers]
            lines += table.rows
        }
        let width = lines.map(\.count).max() ?? 0
        return lines.map { $0 + Array(repeating: "", count: width - $0.count) }
    }
}

/// The finished files of an export that has several. If writing ends before all are finished, the
/// finished ones are deleted.
final class FinishedFiles {
    private var files: [WrittenFile] = []
    private var isComplete = false

    func add(_ file: WrittenFile) { files.append(file) }

    /// Returns all files, and leaves them to the caller.
    func complete() -> [WrittenFile] {
        isComplete = true
        return files
    }

    deinit {
        guard !isComplete else { return }
        for file in files { unsafe unlink(file.temporaryPath) }
    }
}

extension ExportFormat {
    /// Makes the writer of a format. Each writer is one type, in its format's folder.
    ///
    /// - Parameters:
    ///   - dialect: how CSV is written.
    ///   - zipped: whether CSV files go into one archive.
    package func writer(dialect: CSVDialect = .standard, zipped: Bool = false) -> any ExportWriter {
        switch self {
        case .csv: CSVWriter(dialect: dialect, zipped: zipped)
        case .xml: XMLWriter()
        case .json: JSONDocumentWriter()
        case .geojson: GeoJSONWriter()
        case .ics: CalendarWriter()
        case .sqlite: SQLiteWriter()
        case .xlsx: XLSXWriter()
        // When a pack is loaded, an export of sheets with such a format is refused.
        case .pdf, .zip: preconditionFailure("\(self) is not a format of sheets")
        }
    }
}

/// The differences between the dialects of CSV.
struct CSVStyle {
    var separator: UInt8
    var decimalSeparator: UInt8
    /// Whether the file begins with U+FEFF, without which Excel reads UTF-8 in the machine's code
    /// page.
    var hasMark: Bool
    /// Whether the first line has labels with units instead of machine names.
    var hasLabels: Bool
    /// Words that are written for true (`yes`) and false (`no`).
    var yes: String
    var no: String
    /// The time zone in which instants are written (`yyyy-MM-dd HH:mm:ss`); nil to write them in
    /// UTC, as stored.
    var timeZone: TimeZone?

    init(_ dialect: CSVDialect, texts: Texts, language: Language, timeZone: TimeZone) {
        separator = UInt8(ascii: dialect.hasDecimalComma ? ";" : ",")
        decimalSeparator = UInt8(ascii: dialect.hasDecimalComma ? "," : ".")
        (hasMark, hasLabels) = (dialect.isForExcel, dialect.isForExcel)
        yes = dialect.isForExcel ? texts.text("word.yes", in: language) : "true"
        no = dialect.isForExcel ? texts.text("word.no", in: language) : "false"
        self.timeZone = dialect.isForExcel ? timeZone : nil
    }
}

/// Formats query rows as CSV in the standard dialect: a line with the columns' names, then one for
/// each row.
package struct CSVListing: ~Copyable {
    private var formatter: CSVFormatter
    private var buffer = ByteBuffer()

    package init(columns: [String], texts: Texts) {
        let style = CSVStyle(.standard, texts: texts, language: .english, timeZone: .gmt)
        formatter = CSVFormatter(columns: columns.map { SheetColumn(name: $0, label: $0, kind: .text) }, style: style)
        formatter.append(line: columns, to: &buffer)
    }

    package mutating func append(_ batch: borrowing RowBatch) { formatter.append(batch, to: &buffer) }

    /// The bytes since the last call.
    package mutating func take() -> [UInt8] {
        defer { buffer.removeAll() }
        return buffer.array
    }
}

/// The names that distinguish an export's sheets in files: `calicatas`, `luci`.
enum CSVNames {
    /// The name of the file that describes the export.
    static let about = "about"

    /// One name for each sheet, in order. A sheet keeps its machine name. Sheets that share a
    /// machine name, and sheets with the columns of a family, are named by their titles.
    static func make(for sheets: [Sheet]) -> [String] {
        var taken: Set<String> = [about]
        let shared = Dictionary(grouping: sheets, by: \.name).filter { $0.value.count > 1 }
        let isNamedByTitle = sheets.map { shared[$0.name] != nil || $0.columns.contains(where: \.isParameter) }
        let own = zip(sheets, isNamedByTitle).map { sheet, byTitle in
            byTitle ? nil : ASCIIName.unique(fileName(sheet.name), &taken)
        }
        return zip(sheets, own).map { sheet, own in
            own ?? ASCIIName.unique(ASCIIName.slug(sheet.title), &taken)
        }
    }

    /// Returns a machine name unchanged, since packs allow only names that are safe in paths; makes
    /// a slug of any other name.
    private static func fileName(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        return isPlain && !name.isEmpty && name.utf8.count <= 60 ? name : ASCIIName.slug(name)
    }
}

/// Makes names of files and archive entries from titles: `Luci e prese (è)` → `luci-e-prese-e`.
enum ASCIIName {
    private static let longest = 60

    static func slug(_ title: String) -> String {
        var slug = ""
        for scalar in title.decomposedStringWithCompatibilityMapping.unicodeScalars {
            // An accent is dropped and does not become a hyphen.
            if scalar.properties.generalCategory == .nonspacingMark { continue }
            let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isKept {
                slug.append(Character(scalar).lowercased())
            } else if let last = slug.last, last != "-" {
                slug.append("-")
            }
            if slug.count == longest { break }
        }
        while slug.last == "-" { slug.removeLast() }
        return slug.isEmpty ? "sheet" : slug
    }

    /// The name, or the name with the suffix `-2`, `-3` …, so that each is unique.
    static func unique(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }
}
