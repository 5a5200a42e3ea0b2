import Foundation
import Testing

/// Pages of every report that somebody looked at and approved. `FICHERO_UPDATE_GOLDENS=1` writes them anew: look at them before they
/// are committed.
@Suite struct DocumentGoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Goldens/reports").path
    /// Of 255, over all pixels of a page at 50 dots to the inch.
    private static let tolerance = 2.0

    struct Document: Sendable, CustomTestStringConvertible {
        var system: String
        var report: String
        var project: String
        var testDescription: String { "\(system) \(report)" }
    }

    /// Every report of the packs: one that nobody lists here has no approved page.
    static let documents: [Document] = {
        ["ingeplus": "CHU-2025", "anagrafica": ""].flatMap { system, project -> [Document] in
            let reports = (try? FileManager.default.contentsOfDirectory(atPath: ProgramRun.root + "/Templates/\(system)/reports")) ?? []
            return reports.sorted().filter { !$0.hasPrefix(".") && $0 != "entrega" }.map { Document(system: system, report: $0, project: project) }
        }.sorted { $0.testDescription < $1.testDescription }
    }()

    @Test(arguments: documents) func pagesLookAsApproved(_ document: Document) throws {
        let office = try document.system == "ingeplus" ? Office.pits() : Office.assets()
        let project = document.project.isEmpty ? try office.sql("SELECT name FROM projects ORDER BY name DESC LIMIT 1") : document.project
        let language = document.system == "ingeplus" ? "es" : "it"
        let run = try office.run("report", document.report, "--project", project, "--format", "pdf", "--lang", language, "-o", "out")
        #expect(run.status == 0, "\(run.error)")
        let file = try #require(try office.files("out").first { $0.hasSuffix(".pdf") })
        let drawn = try ProgramRun.program("/usr/bin/pdftoppm", ["-r", "50", "-l", "3", "-png", office.path("out/" + file), office.path("page")])
        #expect(drawn.status == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: office.folder).filter { $0.hasPrefix("page-") }.sorted()
        #expect(!pages.isEmpty)
        for (index, page) in pages.enumerated() {
            let golden = Self.folder + "/\(document.system)-\(document.report)-\(index + 1).png"
            if ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] == "1" {
                try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
                try? FileManager.default.removeItem(atPath: golden)
                // In few colours: a page is lines and tiles, and goldens are many.
                let kept = try Reading.python("import sys; from PIL import Image; Image.open(sys.argv[1]).convert('RGB').quantize(48).save(sys.argv[2], optimize=True)", office.path(page), golden)
                #expect(kept.status == 0, "\(kept.error)")
                continue
            }
            let comparison = try Reading.python(
                """
                import sys
                from PIL import Image, ImageChops, ImageStat
                a, b = (Image.open(path).convert('RGB').reduce(2) for path in sys.argv[1:])
                print(sum(ImageStat.Stat(ImageChops.difference(a, b)).mean) / 3 if a.size == b.size else 'size')
                """, golden, office.path(page))
            let difference = Double(comparison.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .infinity
            #expect(difference <= Self.tolerance, "\(document) page \(index + 1) looks different: \(difference)")
        }
    }
}
