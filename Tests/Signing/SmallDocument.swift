import Foundation
import Workbench

/// A PDF of one page, with the parts that a test wants to be different.
enum SmallDocument {
    /// Objects by their numbers: 1 is the catalog.
    static func bytes(catalog: String = "", page: String = "", others: [String] = [], trailer: String = "") -> [UInt8] {
        let content = "BT /F1 24 Tf 72 700 Td (Ficha) Tj ET"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R \(catalog) >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> \(page) >>",
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ] + others
        var text = "%PDF-1.7\n", places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(repeating: "0", count: 10 - String(place).count) + "\(place) 00000 n \n" }
        return Array((text + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(table)\n%%EOF\n").utf8)
    }

    /// What qpdf makes of a document with these options.
    static func remade(_ bytes: [UInt8], _ options: [String]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let run = try OtherProgram.run("/usr/bin/qpdf", options + [folder.write(bytes, to: "in.pdf"), folder.file("out.pdf")])
        guard run.status == 0 else { throw Trouble(text: run.text) }
        return try Array(folder.data(of: "out.pdf"))
    }

    /// A document with objects that were changed or added after its end.
    static func adding(_ objects: [(number: Int, text: String)], to document: [UInt8], root: Int) throws -> [UInt8] {
        let text = String(decoding: document, as: Unicode.ASCII.self)
        guard let word = text.range(of: "startxref\n", options: .backwards) else { throw Trouble(text: text) }
        let before = text[word.upperBound...].prefix { $0 != "\n" }
        var added = "", table = "xref\n"
        for (number, object) in objects {
            let place = String(document.count + added.utf8.count)
            table += "\(number) 1\n\(String(repeating: "0", count: 10 - place.count))\(place) 00000 n \n"
            added += "\(number) 0 obj\n\(object)\nendobj\n"
        }
        let start = document.count + added.utf8.count
        return document + Array((added + table + "trailer\n<< /Size 100 /Root \(root) 0 R /Prev \(before) >>\nstartxref\n\(start)\n%%EOF\n").utf8)
    }

    struct Trouble: Error { var text: String }
}
