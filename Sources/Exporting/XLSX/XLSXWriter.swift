package import Model
import OutputFiles
import Spreadsheets
import Zipping

/// Writes an export as one workbook: a cover, a sheet for each table (several if it has too many
/// rows), a hidden sheet of long lists, and a sheet of texts that are too long for a cell.
///
/// Three threads share the work: one reads rows, the calling one formats them, and one compresses
/// and writes. Memory use does not grow with the number of rows. Throws `OutputFailure` and the
/// errors of the row source; after an error no files remain.
package struct XLSXWriter: ExportWriter {
    private let limits: XLSXLimits
    /// The level of zlib; 1 gives a third more bytes than 6, in a fifth of the time.
    private let compressionLevel: Int32

    package init() { self.init(limits: .excel) }

    init(limits: XLSXLimits, compressionLevel: Int32 = 1) {
        self.limits = limits
        self.compressionLevel = compressionLevel
    }

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let path = stem + ".xlsx"
        let plan = try XLSXPlan(document, limits: limits)
        for finding in plan.findings { try findings.add(finding.placed(in: path)) }

        let output = try OutputFile(finalPath: path, isPatched: true)
        let pattern = try PatternWorkbook(plan, document, beside: path)
        try add(replaced: pattern.replacedOnCover, on: plan.coverName, path, findings)

        var package = XLSXPackage(ZipWriter(output), compressionLevel: compressionLevel)
        try package.copyFirst(from: pattern)
        let words = XLSXWords(document)
        let longTexts = LongTexts(beside: path, pieceLength: limits.text - 767)
        var rows = 0
        var place = XLSXPlan.firstDataSheet
        for (sheet, parts) in zip(document.sheets, plan.parts) {
            let reading = SheetRows(
                try sheet.open(), title: sheet.title, expected: sheet.rowCount, columns: sheet.columns.count)
            for part in parts {
                let frame = try pattern.frame(ofSheet: place, columns: part.columns.count).fitted(
                    part.columns, to: reading.characters(part.columns))
                var formatter = RowFormatter(
                    part, styles: frame.styles, words: words, timeZone: document.timeZone, limits: limits,
                    longTexts: longTexts,
                    longTextsName: plan.longTextsName)
                package = try package.streaming(PatternWorkbook.partName(place), frame, part.rows, reading, &formatter)
                { progress(rows + $0) }
                rows += part.rows
                place += 1
                try add(formatter, on: part.name, plan, path, findings)
            }
            try reading.finish()
        }
        package = try finish(package, pattern, plan, document, longTexts, words, path, findings)
        return [try package.close(rows: rows)]
    }

    /// Adds the remaining parts. If there are long texts, their sheets are written first. The
    /// pattern workbook is then made a second time with them, because only now their number is
    /// known.
    private func finish(
        _ package: consuming XLSXPackage, _ pattern: consuming PatternWorkbook, _ plan: XLSXPlan,
        _ document: ExportDocument,
        _ longTexts: LongTexts, _ words: XLSXWords, _ path: String, _ findings: any FindingSink
    ) throws -> XLSXPackage {
        guard longTexts.pieces > 0 else {
            try package.copyRest(from: pattern)
            return package
        }
        let sheets = plan.longTextSheets(pieces: longTexts.pieces, words: words, limits: limits)
        let whole = try PatternWorkbook(plan, document, trailing: sheets, beside: path)
        let reading = SheetRows(
            try longTexts.rows(), title: plan.longTextsName, expected: longTexts.pieces,
            columns: words.longTextColumns.count)
        var place = XLSXPlan.firstDataSheet + plan.sheets.count + (plan.lists.isEmpty ? 0 : 1)
        var package = package
        for sheet in sheets {
            let frame = try whole.frame(ofSheet: place, columns: sheet.columns.count)
            var formatter = RowFormatter(
                sheet, styles: frame.styles, words: words, timeZone: document.timeZone, limits: limits,
                longTexts: longTexts,
                longTextsName: plan.longTextsName)
            package = try package.streaming(PatternWorkbook.partName(place), frame, sheet.rows, reading, &formatter) {
                _ in
            }
            place += 1
            try add(formatter, on: sheet.name, plan, path, findings)
        }
        try reading.finish()
        try package.copyRest(from: whole)
        return package
    }

    // MARK: Findings

    private func add(
        _ formatter: RowFormatter, on sheet: String, _ plan: XLSXPlan, _ path: String, _ findings: any FindingSink
    ) throws {
        try add(replaced: formatter.replaced, on: sheet, path, findings)
        guard formatter.longCount > 0 else { return }
        try findings.add(
            Finding(
                "TEXT-LONG", place: Place(file: path, sheet: sheet, cell: formatter.firstLong),
                arguments: [
                    "count": String(formatter.longCount), "sheet": sheet, "limit": String(limits.text),
                    "overflow": plan.longTextsName,
                ]))
    }

    private func add(replaced: Int, on sheet: String, _ path: String, _ findings: any FindingSink) throws {
        guard replaced > 0 else { return }
        try findings.add(
            Finding(
                "TEXT-CHARACTER", place: Place(file: path, sheet: sheet),
                arguments: ["count": String(replaced), "sheet": sheet]))
    }
}

extension Finding {
    fileprivate func placed(in file: String) -> Finding {
        var copy = self
        copy.place.file = file
        return copy
    }
}

/// The final package while it is put together, part by part in a fixed order.
struct XLSXPackage: ~Copyable {
    private var zip: ZipWriter<OutputFile>
    private let compressionLevel: Int32
    private var written: Set<String> = []
    private var streamed: Set<String> = []

    /// The number of bytes that are passed to the other thread at once.
    private static let chunk = 1 << 17

    init(_ zip: consuming ZipWriter<OutputFile>, compressionLevel: Int32) {
        self.zip = zip
        self.compressionLevel = compressionLevel
    }

    /// Copies the first part, by which programs such as `file` recognise the format.
    mutating func copyFirst(from pattern: borrowing PatternWorkbook) throws {
        for entry in pattern.entries where entry.name == "_rels/.rels" { try copy(entry, from: pattern) }
    }

    /// Copies every part that is not yet in the package.
    mutating func copyRest(from pattern: borrowing PatternWorkbook) throws {
        for entry in pattern.entries where !written.contains(entry.name) { try copy(entry, from: pattern) }
    }

    private mutating func copy(_ entry: ZipEntry, from pattern: borrowing PatternWorkbook) throws {
        written.insert(entry.name)
        try pattern.copy(entry, to: &zip)
    }

    /// Returns this package with another data sheet. The rows are formatted on this thread, and
    /// compressed and written on another.
    consuming func streaming(
        _ name: String, _ frame: SheetFrame, _ count: Int, _ rows: SheetRows, _ formatter: inout RowFormatter,
        progress: (Int) -> Void
    ) throws -> XLSXPackage {
        let compressionLevel = compressionLevel
        let (written, streamed) = (written.union([name]), streamed.union([name]))
        let sink = BackgroundSink(try ZipStream(zip, name: name, level: compressionLevel))
        var buffer = ByteBuffer(capacity: Self.chunk * 2)
        buffer.append(frame.head)
        var done = 0
        while done < count {
            let range = try rows.take(count - done)
            // The header is row 1.
            try formatter.append(rows.batch, range, row: done + 2, to: &buffer)
            done += range.count
            if buffer.count >= Self.chunk { try sink.send(&buffer) }
            progress(done)
        }
        buffer.append(frame.tail)
        try sink.send(&buffer)
        return XLSXPackage(try sink.finish().finish(), compressionLevel: compressionLevel, written, streamed)
    }

    private init(
        _ zip: consuming ZipWriter<OutputFile>, compressionLevel: Int32, _ written: Set<String>, _ streamed: Set<String>
    ) {
        self.zip = zip
        self.compressionLevel = compressionLevel
        self.written = written
        self.streamed = streamed
    }

    /// Ends the archive and reads it back to check it. The content of the streamed data sheets is
    /// not read again; their rows were counted while they were written.
    consuming func close(rows: Int) throws -> WrittenFile {
        let streamed = streamed
        return try zip.close(rows: rows) { !streamed.contains($0) }
    }
}
