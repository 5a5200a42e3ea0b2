/// The metadata of an archive (ISO 19005-3, 6.6): the same as the information dictionary, and the
/// part of the norm that the file holds to.
struct XMPPacket {
    let description: ArchiveDescription

    var text: String {
        let about = description
        var lines = [
            "<dc:format>application/pdf</dc:format>", alternative("dc:title", about.title),
            "<dc:language><rdf:Bag><rdf:li>\(Self.escaped(about.language))</rdf:li></rdf:Bag></dc:language>",
        ]
        if !about.author.isEmpty { lines.append("<dc:creator><rdf:Seq><rdf:li>\(Self.escaped(about.author))</rdf:li></rdf:Seq></dc:creator>") }
        if !about.subject.isEmpty { lines.append(alternative("dc:description", about.subject)) }
        if !about.keywords.isEmpty { lines.append(element("pdf:Keywords", about.keywords)) }
        lines += [
            element("pdf:Producer", about.producer), element("xmp:CreatorTool", about.creator),
            element("xmp:CreateDate", PDFText.metadataDate(about.created)), element("xmp:ModifyDate", PDFText.metadataDate(about.modified)),
            "<pdfaid:part>3</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>",
        ]
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
            xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
            \(lines.joined(separator: "\n"))
            </rdf:Description>
            </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    private func element(_ name: String, _ text: String) -> String { "<\(name)>\(Self.escaped(text))</\(name)>" }

    private func alternative(_ name: String, _ text: String) -> String {
        "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(text))</rdf:li></rdf:Alt></\(name)>"
    }

    /// Characters that XML cannot have become spaces.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\t", "\n", "\r": result += " "
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
