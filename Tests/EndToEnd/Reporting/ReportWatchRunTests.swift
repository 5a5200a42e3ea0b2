import Foundation
import Testing
import Workbench

/// `report --watch` as a process: a preview at once and after each save, mistakes with their line,
/// and nothing registered.
@Suite struct ReportWatchRunTests {
    private let office: Office
    private let templates: String

    init() throws {
        office = try Office.assets()
        templates = office.path("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
    }

    private var report: String { templates + "/anagrafica/reports/computo/report.yaml" }

    private func save(_ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect(text.contains(old))
        try text.replacing(old, with: new).write(toFile: report, atomically: true, encoding: .utf8)
    }

    @Test func everySaveIsRenderedAndAMistakeToldWithItsLine() throws {
        let running = try ProgramRun.start(
            ProgramRun.fichero, ["report", "computo", "--project", AssetReportTests.school, "--format", "pdf", "-o", "out", "--templates", templates, "--watch", "--json", "--lang", "en"],
            in: office.folder, environment: office.variables)
        func line() -> String {
            var said = Data()
            while said.last != UInt8(ascii: "\n") {
                let more = running.process.output.availableData
                if more.isEmpty { break }
                said += more
            }
            return String(decoding: said, as: UTF8.self)
        }
        let first = line()
        #expect(first.contains("computo") && first.contains("-preview.pdf") && first.split(separator: "\n").count == 1, "\(first)")
        try save("report: computo", "reprot: computo")
        let broken = line()
        #expect(broken.contains("PACK-INVALID") && broken.contains("reports") && broken.contains("report.yaml:4:"), "\(broken)")
        try save("reprot: computo", "report: computo")
        #expect(line().contains("-preview.pdf"))
        // The mistake of a query has its line too.
        try save("FROM measured AS m JOIN levels", "FROM measures AS m JOIN levels")
        let query = line()
        #expect(query.contains("PACK-QUERY") && query.contains("measures") && query.contains("report.yaml:"), "\(query)")
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.finish().status == 75)
        #expect(try office.sql("SELECT count(*) FROM exports") == "0")
        #expect(try office.files("out").count == 1)
    }

    @Test func whatIsRegisteredIsNotWatched() throws {
        for option in ["--draft", "--again", "--mark-exported"] {
            #expect(try office.run("report", "computo", "--watch", option).status == 64, "\(option)")
        }
    }
}
