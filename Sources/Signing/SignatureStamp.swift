import Canvas
import Model
import PDFArchive
import Zipping

/// A signature as its page shows it, above one of the lines on which people sign.
package struct SignatureStamp: Sendable {
    /// Counted from 1 on the left, on the last page that has such lines.
    package var line: Int
    /// Whose signature it is, and what is said of it.
    package var name: String
    package var note: String

    package init(line: Int, name: String, note: String) { (self.line, self.name, self.note) = (line, name, note) }

    /// No page is larger (ISO 32000-1, annex C).
    private static let farthest = 14_400.0

    /// Where it goes.
    struct Place {
        let page: PDFObject
        /// Left, bottom, right and top.
        let corners: [Double]

        var size: (width: Double, height: Double) { (corners[2] - corners[0], corners[3] - corners[1]) }
        var rectangle: String { corners.map(PDFText.number).joined(separator: " ") }
    }

    /// - Throws: `.noLine` where the document has no such line, or a signature stands there.
    func place(in document: ParsedDocument, path: String) throws(SigningFailure) -> Place {
        func lines(of page: PDFObject) -> [[Double]] {
            PageRecord.signatureLineKeys.reduce(page) { $0[$1] }.items.map { $0.items.compactMap(\.real) }.filter { corners in
                corners.count == 4 && corners[0] < corners[2] && corners[1] < corners[3] && corners.allSatisfy { abs($0) <= Self.farthest }
            }
        }
        let pages = (0..<document.pageCount).reversed().lazy.compactMap { document.page($0) }
        guard let page = pages.first(where: { !lines(of: $0).isEmpty }) else { throw .noLine(path: path, line: line, count: 0) }
        let found = lines(of: page), taken = page["/Annots"].items.map { $0["/Rect"].items.compactMap(\.real) }
        guard found.indices.contains(line - 1), !taken.contains(found[line - 1]) else { throw .noLine(path: path, line: line, count: found.count) }
        return Place(page: page, corners: found[line - 1])
    }

    /// The drawing as a form (ISO 32000-1, 8.10). Letters are outlines, so that it needs no font: what
    /// it says stands in the field too.
    func form(width: Double, height: Double) throws(SigningFailure) -> [UInt8] {
        do {
            var bytes: [UInt8] = []
            let page = try PDFDocument(PDFDocument.Metadata(title: "", created: "1970-01-01T00:00:00Z")) { bytes += $0 }
            try page.page(width: width, height: height) { canvas in
                let layouts = [
                    canvas.layout(name, TextStyle(size: 6.6, weight: .bold), width: width, maximumLines: 2),
                    canvas.layout(note, TextStyle(size: 6.2), width: width, maximumLines: 1),
                ]
                var y = height - layouts.reduce(0) { $0 + $1.height }
                for layout in layouts {
                    canvas.drawOutlines(of: layout, at: Point(x: 0, y: y))
                    y += layout.height
                }
            }
            try page.finish()
            let drawn = try ParsedDocument(bytes, path: "").page(0)
            let content = try ZlibStream.compress(ZlibStream.decompress((drawn?["/Contents"].stored ?? [])[...]), level: 9)
            let states = String(decoding: drawn?["/Resources"]["/ExtGState"].content ?? [], as: UTF8.self)
            let head =
                "<< /Type /XObject /Subtype /Form /BBox [0 0 \(PDFText.number(width)) \(PDFText.number(height))] /Resources << /ExtGState \(states) >> /Filter /FlateDecode /Length \(content.count) >>\nstream\n"
            return Array(head.utf8) + content + Array("\nendstream".utf8)
        } catch {
            // Also where our own drawing cannot be read: that is no fault of the document.
            throw .library(reason: "\(error)")
        }
    }
}
