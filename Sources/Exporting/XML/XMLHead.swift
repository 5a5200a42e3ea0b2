import Foundation
package import Model
import OutputFiles

/// The beginning of an XML file: the root element with facts about the export as attributes, and
/// `<about>` with the cover.
enum XMLHead {
    static func append(_ document: ExportDocument, to buffer: inout ByteBuffer) {
        var escape = XMLEscape()
        buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<export" as StaticString)
        let attributes = [
            ("xmlns", XMLName.namespace(pack: document.packName)),
            ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:type", XMLName.exportType(document.name)), ("name", document.name), ("pack", document.packName),
            ("packVersion", document.packVersion), ("asOf", Timestamp.format(document.asOf)),
            ("timeZone", document.timeZone.identifier), ("language", document.language.rawValue),
        ]
        for (name, value) in attributes { escape.append(attribute: name, value, to: &buffer) }
        buffer.append(">\n" as StaticString)
        about(document.cover, &escape, &buffer)
    }

    private static func about(_ cover: Cover, _ escape: inout XMLEscape, _ buffer: inout ByteBuffer) {
        func element(_ name: String, _ text: String) {
            buffer.append(utf8: "<\(name)>")
            escape.append(content: text, to: &buffer)
            buffer.append(utf8: "</\(name)>")
        }
        func line(_ name: String, _ text: String?) {
            guard let text else { return }
            element(name, text)
            buffer.append(UInt8(ascii: "\n"))
        }
        buffer.append("<about>\n" as StaticString)
        line("title", cover.title)
        line("subtitle", cover.subtitle)
        line("author", cover.author)
        line("environmentBanner", cover.environmentBanner)
        line("draftBanner", cover.draftBanner)
        for entry in cover.lines {
            buffer.append("<line" as StaticString)
            escape.append(attribute: "name", entry.name, to: &buffer)
            escape.append(attribute: "label", entry.label, to: &buffer)
            buffer.append(UInt8(ascii: ">"))
            escape.append(content: entry.value, to: &buffer)
            buffer.append("</line>\n" as StaticString)
        }
        for table in cover.tables {
            buffer.append("<table" as StaticString)
            escape.append(attribute: "name", table.name, to: &buffer)
            escape.append(attribute: "title", table.title, to: &buffer)
            buffer.append(">\n<head>" as StaticString)
            for header in table.headers { element("cell", header) }
            buffer.append("</head>\n" as StaticString)
            for row in table.rows {
                buffer.append("<row>" as StaticString)
                for cell in row { element("cell", cell) }
                buffer.append("</row>\n" as StaticString)
            }
            buffer.append("</table>\n" as StaticString)
        }
        buffer.append("</about>\n" as StaticString)
    }
}

/// Writes text between tags and in attributes (XML 1.0, sections 2.4, 2.11 and 3.3.3). Characters
/// that a reader would interpret as markup or normalise are written as references.
struct XMLEscape: ~Copyable {
    private(set) var replaced = 0
    private let content = ByteClasses(escaped: Array("<>&\r".utf8))
    private let attribute = ByteClasses(escaped: Array("<>&\r\n\t\"".utf8))

    @inline(__always) mutating func append(content bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        if unsafe content.union(bytes) == 0 {
            unsafe buffer.append(bytes)
        } else {
            unsafe append(careful: bytes, to: &buffer)
        }
    }

    @inline(never) private mutating func append(careful bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer)
    {
        unsafe buffer.appendClean(bytes, content, replaced: &replaced, escape: Self.reference)
    }

    mutating func append(attribute bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        unsafe buffer.appendClean(bytes, attribute, replaced: &replaced, escape: Self.reference)
    }

    mutating func append(content text: String, to buffer: inout ByteBuffer) {
        var text = text
        text.withUTF8 { unsafe append(content: $0, to: &buffer) }
    }

    /// Appends an attribute: ` name="value"`
    mutating func append(attribute name: String, _ value: String, to buffer: inout ByteBuffer) {
        var value = value
        buffer.append(UInt8(ascii: " "))
        buffer.append(utf8: name)
        buffer.append("=\"" as StaticString)
        value.withUTF8 { unsafe append(attribute: $0, to: &buffer) }
        buffer.append(UInt8(ascii: "\""))
    }

    private static func reference(_ byte: UInt8, _ buffer: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "<"): buffer.append("&lt;" as StaticString)
        case UInt8(ascii: ">"): buffer.append("&gt;" as StaticString)
        case UInt8(ascii: "&"): buffer.append("&amp;" as StaticString)
        case UInt8(ascii: "\""): buffer.append("&quot;" as StaticString)
        case 0x09: buffer.append("&#9;" as StaticString)
        case 0x0A: buffer.append("&#10;" as StaticString)
        default: buffer.append("&#13;" as StaticString)
        }
    }
}

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
