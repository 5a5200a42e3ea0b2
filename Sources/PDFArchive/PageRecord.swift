/// The marks, links, named places and signature lines of a page.
package final class PageRecord {
    /// The page's index, counted from 0.
    let index: Int
    /// The page's height in points.
    let height: Double
    /// The structure elements of the page's marked contents, in their order.
    private(set) var marks: [StructureElement] = []
    private(set) var links: [PageLink] = []
    private(set) var places: [(name: String, x: Double, y: Double)] = []
    /// The lines for signatures, as rectangles of PDF, and the names of those who are to sign on them.
    private var signatureLines: [String] = []
    private var signatories: [String] = []
    /// Whether the page is stamped as a draft.
    private var isDraft = false

    /// The number of links on earlier pages.
    let firstLink: Int

    init(index: Int, height: Double, firstLink: Int) {
        self.index = index
        self.height = height
        self.firstLink = firstLink
    }

    /// Counts the next marked content as a part of an element.
    package func mark(_ element: StructureElement) {
        element.parts.append(.mark(page: index, number: marks.count))
        marks.append(element)
    }

    /// - Parameters:
    ///   - x, y, width, height: in points from the upper left corner.
    package func link(
        to target: PageLink.Target, x: Double, y: Double, width: Double, height: Double, in element: StructureElement?
    ) {
        element?.child(.link).parts.append(.link(firstLink + links.count))
        links.append(
            PageLink(
                target: target, left: x, top: self.height - y, right: x + width, bottom: self.height - y - height,
                element: element))
    }

    /// Registers the lower edge of a box as a line for a signature. The other parameters are those
    /// of `link`.
    ///
    /// - Parameter signatory: the name of the person who is to sign there; nil if anybody may.
    package func signatureLine(x: Double, y: Double, width: Double, height: Double, signatory: String?) {
        signatureLines.append(
            "[\([x, self.height - y - height, x + width, self.height - y].map(PDFText.number).joined(separator: " "))]")
        signatories.append(signatory ?? "")
    }

    package func markDraft() { isDraft = true }

    /// The keys that lead from a page's dictionary to what the signing program must know, in the
    /// part for private data of a program (ISO 32000-1, 14.5).
    package static let noteKeys = ["/PieceInfo", "/Fichero", "/Private"]
    package static let signatureLinesKey = "/SignatureLines", signatoriesKey = "/Signatories", draftKey = "/Draft"

    /// The entries of the page's dictionary with its signature lines and its draft stamp, for the
    /// program that signs the document.
    func notes(modified: String) -> String {
        var notes = isDraft ? Self.draftKey + " true" : ""
        if !signatureLines.isEmpty {
            notes += "\(Self.signatureLinesKey)[\(signatureLines.joined())]"
            notes += "\(Self.signatoriesKey)[\(signatories.map(PDFText.string).joined())]"
        }
        guard !notes.isEmpty else { return "" }
        let keys = Self.noteKeys, time = "/LastModified\(PDFText.date(modified))"
        return "\(time)\(keys[0])<<\(keys[1])<<\(time)\(keys[2])<<\(notes)>>>>>>"
    }

    /// Names a place, in points from the upper left corner.
    package func place(_ name: String, x: Double, y: Double) { places.append((name, x, height - y)) }
}

/// A box of a page that links to a destination. Points from the lower left corner, as in PDF.
package struct PageLink {
    package enum Target: Sendable, Hashable {
        case destination(String)
        case uri(String)
    }

    let target: Target
    let left, top, right, bottom: Double
    let element: StructureElement?
}

/// The marked contents of a page's stream (ISO 32000-1, 14.6). cairo marks the requested contents
/// as spans; this type gives them the names of their elements, and everything else becomes an
/// artifact. cairo also marks letters that stand for another text; the end of such a mark must not
/// be confused with the end of a span.
struct PageMarks {
    let elements: [StructureElement]

    private static let begin = Array("/Span << /MCID ".utf8)
    private static let letters = Array("/Span << /ActualText ".utf8)
    private static let end = Array("EMC\n".utf8)
    private static let artifact = Array("/Artifact BMC\n".utf8)

    func rewrite(_ content: [UInt8]) throws(ArchiveFailure) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(content.count + elements.count * 24 + 64)
        var start = 0, found = 0, isWithinLetters = false
        // cairo writes each of these operators at the beginning of a line.
        var line = 0
        while line < content.count {
            let next = Self.nextLine(content, line)
            if content[line] == UInt8(ascii: "/"), Self.starts(content, line, Self.begin) {
                append(content[start..<line], to: &result)
                guard found < elements.count else { throw .marks(found: found + 1, expected: elements.count) }
                result += Array("/\(elements[found].kind.name) <</MCID \(found)>> BDC\n".utf8)
                found += 1
                start = next
            } else if content[line] == UInt8(ascii: "/"), Self.starts(content, line, Self.letters) {
                isWithinLetters = true
            } else if content[line] == UInt8(ascii: "E"), isWithinLetters, Self.starts(content, line, Self.end) {
                isWithinLetters = false
            } else if content[line] == UInt8(ascii: "E"), Self.starts(content, line, Self.end) {
                result += content[start..<next]
                start = next
            }
            line = next
        }
        append(content[start...], to: &result)
        guard found == elements.count else { throw .marks(found: found, expected: elements.count) }
        return result
    }

    /// Appends content that belongs to no element.
    private func append(_ content: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard content.contains(where: { $0 > 32 }) else { return result += content }
        result += Self.artifact
        result += content
        result += Self.end
    }

    private static func nextLine(_ content: [UInt8], _ place: Int) -> Int {
        var place = place
        while place < content.count, content[place] != 10 { place += 1 }
        return min(place + 1, content.count)
    }

    private static func starts(_ content: [UInt8], _ place: Int, _ text: [UInt8]) -> Bool {
        guard place + text.count <= content.count else { return false }
        for index in text.indices where content[place + index] != text[index] { return false }
        return true
    }
}
