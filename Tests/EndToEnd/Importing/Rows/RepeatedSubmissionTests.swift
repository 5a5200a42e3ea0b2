import Foundation
import Testing

/// Submissions of a form that were sent twice, or sent again after a correction. A part belongs to
/// its own submission: it comes in with it, or is rejected with it.
@Suite struct RepeatedSubmissionTests {
    private let office: Office

    init() throws { office = try Office(system: "ingeplus", set: nil) }

    private func submission(of pit: String = "C-01", depth: String = "1.50", _ strata: String...) -> String {
        let repeats = strata.map { #"{"estratos/desde":"\#($0.split(separator: "-")[0])","estratos/hasta":"\#($0.split(separator: "-")[1])","estratos/sucs":"SM"}"# }
        return #"{"_submission_time":"2025-01-02T03:04:05","obra/codigo":"PE-1","obra/nombre":"Obra","calicata/codigo":"\#(pit)","calicata/profundidad":"\#(depth)","estratos":[\#(repeats.joined(separator: ","))]}"#
    }

    /// The codes of the errors, with the number of each.
    private func bringIn(_ lines: String..., mapping: String = "formulario-kobo") throws -> [String: Int] {
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: office.path("envios.jsonl")))
        let run = try office.run("import", "envios.jsonl", "--mapping", mapping, "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)\(run.output)")
        return try MappedFolder.findings(run).filter { $0.severity == "error" }.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
    }

    private var strata: String {
        get throws {
            try office.sql(
                """
                SELECT group_concat(t, ' ') FROM (SELECT p.code || '/' || c.number || ':' || c.depth_from_m || '-' || c.depth_to_m AS t
                FROM calicata_cortes AS c JOIN calicatas AS p ON p.id = c.calicata_id ORDER BY p.code, c.number)
                """)
        }
    }

    @Test func aSubmissionSentTwiceComesInOnce() throws {
        let line = submission("0.0-0.5", "0.5-1.5")
        #expect(try bringIn(line, submission(of: "C-02", "0.0-1.0"), line) == ["IMPORT-SAME-KEY": 1, "IMPORT-REJECTED-PARENT": 2])
        #expect(try strata == "C-01/1:0.0-0.5 C-01/2:0.5-1.5 C-02/1:0.0-1.0")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "3")
    }

    @Test func anEditedSubmissionDoesNotAddItsPartsToTheFirst() throws {
        #expect(try bringIn(submission("0.0-0.5", "0.5-1.5"), submission(depth: "1.60", "0.0-0.4", "0.4-0.9", "0.9-1.6")) == ["IMPORT-SAME-KEY": 1, "IMPORT-REJECTED-PARENT": 3])
        #expect(try strata == "C-01/1:0.0-0.5 C-01/2:0.5-1.5")
    }

    @Test func partsOfAnUnreadableRecordDoNotBecomePartsOfAnother() throws {
        let codes = try bringIn(submission(depth: "hondo", "0.0-0.5", "0.5-1.5"), submission("0.0-1.5"))
        #expect(codes["IMPORT-REJECTED-PARENT"] == 2 && codes["IMPORT-SAME-KEY"] == nil, "\(codes)")
        #expect(try strata == "C-01/1:0.0-1.5")
    }

    /// Without another record of the same key, they wait for their own.
    @Test func partsOfAnUnreadableRecordWaitForIt() throws {
        let codes = try bringIn(submission(depth: "hondo", "0.0-0.5", "0.5-1.5"), submission(of: "C-02", "0.0-1.0"))
        #expect(codes["IMPORT-REJECTED-PARENT"] == nil && codes["IMPORT-WAITS"] == 1, "\(codes)")
        #expect(try strata == "C-02/1:0.0-1.0")
    }

    @Test func aMappingMayStillMakeOneRecordOfSeveralSubmissions() throws {
        let shipped = try String(contentsOfFile: ProgramRun.root + "/Templates/ingeplus/imports/formulario-kobo.yaml", encoding: .utf8)
        let own = shipped.replacing("import: formulario-kobo", with: "import: own\ntitle: own")
            .replacing("key: [project_id, code]", with: "key: [project_id, code]\n        repeats: true")
        try Data(own.utf8).write(to: URL(fileURLWithPath: office.path("own.yaml")))
        #expect(try bringIn(submission("0.0-0.5"), submission("0.5-1.5"), mapping: "./own.yaml").isEmpty)
        #expect(try strata == "C-01/1:0.0-0.5 C-01/2:0.5-1.5")
    }
}
