package import Model
import OutputFiles

/// Writes an export as one XML file, `STEM.xml`, which conforms to the schema of its pack
/// (`XMLSchema`).
///
/// Adds the finding `TEXT-CHARACTER` once for each sheet that had characters which XML cannot
/// contain. Throws `OutputFailure`.
package struct XMLWriter: ExportWriter {
    private static let pieceSize = 1 << 17

    package init() {}

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let sink = BackgroundSink(try XMLOutput(try OutputFile(finalPath: stem + ".xml")))
        var buffer = ByteBuffer(capacity: Self.pieceSize * 2)
        XMLHead.append(document, to: &buffer)
        var done = 0
        for sheet in document.sheets {
            done += try append(sheet, to: sink, &buffer, findings) { progress(done + $0) }
        }
        buffer.append("</export>\n" as StaticString)
        try sink.send(&buffer)
        return [try sink.finish().close(rows: done)]
    }

    /// Writes one sheet; returns the number of its rows.
    private func append(
        _ sheet: Sheet, to sink: BackgroundSink<XMLOutput>, _ buffer: inout ByteBuffer, _ findings: any FindingSink,
        progress: (Int) -> Void
    ) throws -> Int {
        let element = XMLName.sheet(sheet.name)
        var formatter = XMLFormatter(columns: sheet.columns, rowName: sheet.rowName)
        var head = XMLEscape()
        buffer.append(utf8: "<" + element)
        head.append(attribute: "title", sheet.title, to: &buffer)
        head.append(attribute: "rows", String(sheet.rowCount), to: &buffer)
        buffer.append(">\n" as StaticString)
        let count = try sheet.forEachBatch(progress: progress) { batch in
            formatter.append(batch, to: &buffer)
            if buffer.count >= Self.pieceSize { try sink.send(&buffer) }
        }
        buffer.append(utf8: "</\(element)>\n")
        let changes = TextChanges(characters: formatter.escape.replaced + head.replaced)
        try changes.add(sheet: sheet.title, to: findings)
        return count
    }
}
