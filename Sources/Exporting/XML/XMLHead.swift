import Foundation
import Model

/// The beginning of an XML file: the root element with the facts for programs, and `<about>` with
/// the cover for people.
enum XMLHead {
    static func append(_ document: ExportDocument, to buffer: inout ByteBuffer) {
        var escape = XMLEscape()
        buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<export" as StaticString)
        let attributes = [
            ("xmlns", XMLName.namespace(pack: document.packName)), ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
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
