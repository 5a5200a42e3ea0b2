import Foundation
import PDFArchive
import Testing

@testable import Canvas

@Suite struct PDFDocumentTests {
    static let metadata = PDFDocument.Metadata(
        title: "Calicata C-1 (ñandú)", author: "Pérez & Cía", subject: "Suelos", keywords: "SUCS, AASHTO", creator: "fichero",
        created: "2026-03-01T10:00:00Z", modified: "2026-03-02T11:30:00Z")

    static func document(recorder: TextRecorder? = nil, _ draw: (PDFDocument) throws -> Void) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let document = try PDFDocument(metadata) { bytes += $0 }
        document.recorder = recorder
        try draw(document)
        try document.finish()
        return bytes
    }

    static func twoPages(_ document: PDFDocument) throws {
        try document.page(width: 595, height: 842) { canvas in
            canvas.destination(named: "Calicata «1» (a)", at: Point(x: 20, y: 100))
            canvas.draw("Ñandú, café: año 2026", TextStyle(size: 12), at: Point(x: 20, y: 100))
            canvas.draw("negrita", TextStyle(size: 12, weight: .bold), at: Point(x: 20, y: 130))
            canvas.link(to: .destination("más allá"), in: Box(x: 20, y: 100, width: 200, height: 20))
            canvas.link(to: .uri("https://example.org/ñ (1)?a=b&c='d'"), in: Box(x: 20, y: 200, width: 200, height: 20))
        }
        try document.page(width: 842, height: 595) { canvas in
            canvas.destination(named: "más allá", at: Point(x: 0, y: 0))
            canvas.draw("segunda", TextStyle(), at: Point(x: 20, y: 100))
        }
        let top = document.addOutline("Calicata «1» — ñ", to: "Calicata «1» (a)", isOpen: true)
        document.addOutline("Hoja 2", to: "más allá", below: top)
    }

    @Test func readersFindPagesMetadataAndText() throws {
        let bytes = try Self.document(Self.twoPages)
        try Program.withFile(bytes, "pdf") { path in
            let info = try Program.run("pdfinfo", ["-isodates", path])
            #expect(info.contains("Title:           Calicata C-1 (ñandú)"))
            #expect(info.contains("Author:          Pérez & Cía"))
            #expect(info.contains("Subject:         Suelos"))
            #expect(info.contains("Keywords:        SUCS, AASHTO"))
            #expect(info.contains("Creator:         fichero"))
            #expect(info.contains("CreationDate:    2026-03-01T10:00:00Z"))
            #expect(info.contains("ModDate:         2026-03-02T11:30:00Z"))
            #expect(info.contains("Pages:           2"))
            #expect(try Program.run("pdftotext", ["-f", "1", "-l", "1", path, "-"]).contains("Ñandú, café: año 2026"))
            let fonts = try Program.run("pdffonts", [path]).split(separator: "\n").dropFirst(2)
            #expect(fonts.count == 2)
            // The columns are: name, type, encoding, embedded, subset, unicode.
            #expect(fonts.allSatisfy { $0.contains("LiberationSans") && $0.contains("yes yes yes") }, "\(fonts)")
        }
    }

    @Test func linksAndOutlineLeadWhereTheyShould() throws {
        let bytes = try Self.document(Self.twoPages)
        try Program.withFile(bytes, "pdf") { path in
            let links = try Program.run("pdfinfo", ["-url", path])
            #expect(links.contains("https://example.org/%C3%B1%20%281%29?a=b&c=%27d%27"))
            let destinations = try Program.run("pdfinfo", ["-dests", path])
            #expect(destinations.contains("1 [ XYZ   20  742 null      ]"), "\(destinations)")
            #expect(destinations.contains("2 [ XYZ    0  595 null      ]"), "\(destinations)")
            let page = try Program.run("pdftohtml", ["-xml", "-stdout", "-i", path])
            #expect(page.contains("Calicata «1» — ñ"))
            #expect(page.contains("Hoja 2"))
            #expect(page.contains("<outline>"))
        }
    }

    @Test func samePagesGiveTheSameBytes() throws {
        #expect(try Self.document(Self.twoPages) == Self.document(Self.twoPages))
    }

    /// poppler reads the structure: what belongs to no element is an artifact, and is not read.
    @Test func readersHearTheStructure() throws {
        let bytes = try Self.document { document in
            let section = document.structure.child(.section)
            let heading = section.child(.heading(1)), row = section.child(.table).child(.row), figure = section.child(.figure, alternative: "Dos estratos «ñ»")
            try document.page(width: 300, height: 300) { canvas in
                canvas.draw("Hoja 1", TextStyle(), at: Point(x: 10, y: 280))
                canvas.draw(as: heading) { canvas.draw("Título", TextStyle(), at: Point(x: 10, y: 10)) }
                canvas.draw(as: row) {
                    canvas.draw(as: row.child(.headerCell)) { canvas.draw("Código", TextStyle(), at: Point(x: 10, y: 30)) }
                    canvas.draw(as: row.child(.cell)) {
                        canvas.draw("C-1", TextStyle(), at: Point(x: 90, y: 30))
                        canvas.link(to: .uri("https://example.org/C-1"), in: Box(x: 90, y: 30, width: 40, height: 12))
                    }
                }
                // Within a figure, nothing is a part of its own.
                canvas.draw(as: figure) {
                    canvas.circle(Point(x: 50, y: 100), radius: 20)
                    canvas.fill(.black)
                    canvas.draw(as: section.child(.paragraph)) { canvas.draw("CL", TextStyle(), at: Point(x: 80, y: 100)) }
                }
            }
        }
        try Program.withFile(bytes, "pdf") { path in
            let told = try Program.run("pdfinfo", ["-struct-text", path]).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(told == [
                "Document", "Sect", "H1 (block)", "\"Título\"", "Table (block)", "TR", "TH:", "/Scope /Column", "\"Código\"", "TD", "\"C-1\"", "Link (inline)",
                told[12], "Figure", "\"CL\"",
            ])
            #expect(told[12].hasPrefix("Object "))
            #expect(try Program.run("qpdf", ["--json", "--json-key=qpdf", path]).contains(#""/Alt": "u:Dos estratos «ñ»""#))
            #expect(try Program.run("pdfinfo", [path]).contains("Tagged:          yes"))
        }
    }

    @Test func attachmentsComeOutAsTheyWentIn() throws {
        let files = ["datos 1.json": Array("{\"ñ\": 1}".utf8), "b.json": [UInt8](repeating: 120, count: 200_000), "vacío.json": []]
        let bytes = try Self.document { document in
            try document.page(width: 100, height: 100) { _ in }
            for (name, content) in files.sorted(by: { $0.key > $1.key }) {
                document.attach(try Attachment(name: name, type: "application/json", about: "Datos de \(name)", bytes: content))
            }
        }
        try Program.withFile(bytes, "pdf") { path in
            let folder = path + ".files"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            _ = try Program.run("pdfdetach", ["-saveall", "-o", folder, path])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == files.keys.sorted())
            for (name, content) in files { #expect(FileManager.default.contents(atPath: folder + "/" + name).map(Array.init) == content) }
        }
    }

    @Test func whatDanglesIsAnError() throws {
        let document = try PDFDocument(Self.metadata) { _ in }
        try document.page(width: 100, height: 100) { $0.link(to: .destination("nada"), in: $0.box) }
        #expect { try document.finish() } throws: { if case CanvasFailure.unknownDestination("nada") = $0 { true } else { false } }
    }

    @Test func orderOfPagesIsChecked() throws {
        let document = try PDFDocument(Self.metadata) { _ in }
        _ = try document.beginPage(width: 100, height: 100)
        #expect(throws: CanvasFailure.self) { try document.beginPage(width: 100, height: 100) }
        #expect(throws: CanvasFailure.self) { try document.finish() }
        try document.endPage()
        #expect(throws: CanvasFailure.self) { try document.endPage() }
        try document.finish()
        #expect(throws: CanvasFailure.self) { try document.finish() }
    }

    @Test func aFullDiskIsReported() throws {
        struct Full: Error {}
        let document = try PDFDocument(Self.metadata) { _ in throw Full() }
        #expect {
            for _ in 0..<50 {
                try document.page(width: 500, height: 500) { canvas in
                    // The lines do not compress well, so the document must write a part of itself
                    // early.
                    for index in 0..<4000 {
                        canvas.move(to: Point(x: Double(index * index % 499), y: Double(index * 7919 % 497)))
                        canvas.line(to: canvas.box.middle)
                    }
                    canvas.stroke(.black, width: 1)
                }
            }
            try document.finish()
        } throws: { if case CanvasFailure.writing(let error) = $0 { error is Full } else { false } }
    }

    @Test func whatCairoRefusesComesBackAsItsStatus() throws {
        let document = try PDFDocument(Self.metadata) { _ in }
        #expect {
            try document.page(width: 100, height: 100) { $0.scale(x: 0, y: 0) }
        } throws: { if case CanvasFailure.library = $0 { true } else { false } }
    }
}
