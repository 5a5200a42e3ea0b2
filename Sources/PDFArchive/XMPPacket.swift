import Digests

/// The metadata of an archive (ISO 19005-3, 6.6): the entries of the information dictionary, and
/// the part of the norm with which the file complies.
struct XMPPacket {
    let description: ArchiveDescription

    var text: String {
        let about = description
        var lines = [
            "<dc:format>application/pdf</dc:format>", alternative("dc:title", about.title),
            "<dc:language><rdf:Bag><rdf:li>\(Self.escaped(about.language))</rdf:li></rdf:Bag></dc:language>",
        ]
        if !about.author.isEmpty {
            lines.append("<dc:creator><rdf:Seq><rdf:li>\(Self.escaped(about.author))</rdf:li></rdf:Seq></dc:creator>")
        }
        if !about.subject.isEmpty { lines.append(alternative("dc:description", about.subject)) }
        if !about.keywords.isEmpty { lines.append(element("pdf:Keywords", about.keywords)) }
        lines += [
            element("pdf:Producer", about.producer), element("xmp:CreatorTool", about.creator),
            element("xmp:CreateDate", PDFText.metadataDate(about.created)),
            element("xmp:ModifyDate", PDFText.metadataDate(about.modified)),
            "<pdfaid:part>3</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>",
        ]
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
            xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
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

    /// Escapes a text for XML. Characters that XML does not allow become spaces.
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

/// The description of a document: title, author, program, times, language.
package struct ArchiveDescription: Sendable, Hashable {
    package var title: String
    package var author: String
    package var subject: String
    package var keywords: String
    /// The program that requested the file.
    package var creator: String
    /// The library that wrote the file.
    package var producer: String
    /// ISO 8601 with seconds and `Z` or an offset, `2026-03-01T10:00:00Z`.
    package var created: String
    package var modified: String
    /// The language's code, such as `es`.
    package var language: String

    package init(
        title: String, author: String = "", subject: String = "", keywords: String = "", creator: String = "",
        producer: String = "", created: String,
        modified: String, language: String
    ) {
        self.title = title
        self.author = author
        self.subject = subject
        self.keywords = keywords
        self.creator = creator
        self.producer = producer
        self.created = created
        self.modified = modified
        self.language = language
    }

    /// The document's information dictionary (ISO 32000-1, 14.3.3).
    var information: String {
        let texts = [
            ("Title", title), ("Author", author), ("Subject", subject), ("Keywords", keywords), ("Creator", creator),
            ("Producer", producer),
        ]
        let filled = texts.filter { !$0.1.isEmpty }.map { "/\($0.0) \(PDFText.string($0.1))" }
        return "<<" + filled.joined(separator: "\n")
            + "\n/CreationDate \(PDFText.date(created))\n/ModDate \(PDFText.date(modified))>>"
    }
}

/// Texts and numbers as PDF files write them.
package enum PDFText {
    /// A text that viewers display: in PDFDocEncoding if that has all its characters. Otherwise in
    /// UTF-16 as hexadecimal digits, which needs four times the space.
    package static func string(_ text: String) -> String {
        var codes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let code = code(scalar) else {
                return "<FEFF" + text.utf16.map { $0.hexadecimal(4).uppercased() }.joined() + ">"
            }
            codes.append(code)
        }
        return literal(codes)
    }

    /// A text as its bytes, for names of places and addresses.
    static func bytes(_ text: String) -> String { literal(Array(text.utf8)) }

    /// PDFDocEncoding (ISO 32000-1, annex D.2), without its rarer characters.
    private static func code(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 32...126, 0xA1...0xAC, 0xAE...0xFF: UInt8(scalar.value)
        case 0x2013: 0x85
        case 0x2014: 0x84
        case 0x2026: 0x83
        case 0x2212: 0x8A
        default: nil
        }
    }

    private static func literal(_ bytes: [UInt8]) -> String {
        var result = "("
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): result += "\\" + String(UnicodeScalar(byte))
            case 32...126: result.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let octal = String(byte, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - octal.utf8.count) + octal
            }
        }
        return result + ")"
    }

    /// `D:20260301100000Z` of an instant in ISO 8601.
    package static func date(_ instant: String) -> String {
        let digits = instant.utf8.prefix(19).filter { (48...57).contains($0) }
        return "(D:" + String(decoding: digits, as: UTF8.self) + zone(instant, minutes: "'") + ")"
    }

    /// An instant without fractions of a second, as metadata has it.
    static func metadataDate(_ instant: String) -> String { instant.prefix(19) + zone(instant, minutes: ":") }

    private static func zone(_ instant: String, minutes: String) -> String {
        guard let sign = instant.dropFirst(19).firstIndex(where: { $0 == "+" || $0 == "-" }) else { return "Z" }
        let digits = instant[sign...].filter { $0.isNumber }
        return "\(instant[sign])\(digits.prefix(2))\(minutes)\(digits.dropFirst(2).prefix(2))"
    }

    /// A number to hundredths, never with an exponent.
    package static func number(_ value: Double) -> String {
        let hundredths = Int((max(-1e6, min(value.isFinite ? value : 0, 1e6)) * 100).rounded())
        let rest = abs(hundredths) % 100
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
