import Foundation
import Testing

/// A picture beside the template stands in the document, and one that is missing or broken is told by its name.
@Suite struct PictureReportTests {
    private static let template = "ingeplus/reports/nota-campo/"

    /// An office whose field note begins with a picture.
    private func office(picture: String?) throws -> Office {
        var office = try Office.pits()
        let templates = office.path("templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        office.environment["FICHERO_TEMPLATES"] = templates
        let file = office.path("templates/" + Self.template + "report.yaml")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let changed = text.replacingOccurrences(of: "    blocks:\n", with: "    blocks:\n      - {block: picture, file: seal.png, height: 20}\n")
        try #require(changed != text)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        if let picture {
            let made = try Reading.python(picture, office.path("templates/" + Self.template + "seal.png"))
            try #require(made.status == 0, "\(made.error)")
        }
        return office
    }

    @Test func thePictureHasItsHeightAndItsColour() throws {
        let office = try office(picture: "import sys; from PIL import Image; Image.new('RGB', (120, 60), (200, 30, 30)).save(sys.argv[1])")
        let run = try office.run("report", "nota-campo", "--project", "CHU-2025", "--format", "pdf", "-o", "out")
        #expect(run.status == 0, "\(run.error)")
        let name = try #require(office.files("out").first { $0.hasSuffix(".pdf") })
        let list = try ProgramRun.program("/usr/bin/pdfimages", ["-list", office.path("out/" + name)])
        // 120 pixels over 40 mm are 76 pixels for an inch.
        let picture = try #require(list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }.first { $0.count > 12 && $0[3] == "120" })
        #expect(picture[4] == "60" && picture[12] == "76" && picture[13] == "76", "\(picture)")
    }

    @Test(arguments: [
        (nil, "PACK-MISSING-FILE"), ("import sys; open(sys.argv[1], 'w').write('no picture')", "REPORT-PICTURE"),
    ]) func aMissingOrBrokenPictureIsToldByItsName(_ picture: String?, _ code: String) throws {
        let office = try office(picture: picture)
        let run = try office.run("report", "nota-campo", "--project", "CHU-2025", "--format", "pdf", "-o", "out")
        #expect(run.status == 78 && run.error.contains(code) && run.error.contains("seal.png"), "\(run.status) \(run.error)")
        #expect(try office.files("out").isEmpty)
    }
}
