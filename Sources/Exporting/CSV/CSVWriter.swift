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

    /// The number of bytes that are passed on at a time.
    private static let pieceSize = 1 << 17

    package init(dialect: CSVDialect, zipped: Bool) {
        self.dialect = dialect
        isZipped = zipped
    }

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let style = CSVStyle(dialect, texts: document.texts, timeZone: document.timeZone)
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
        _ sheet: Sheet, _ style: CSVStyle, to sink: BackgroundSink<Sink>, _ findings: any FindingSink, progress: (Int) -> Void
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
