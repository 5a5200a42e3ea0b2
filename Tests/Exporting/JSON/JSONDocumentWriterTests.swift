import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

/// An export as one JSON document. Python reads it.
@Suite struct JSONDocumentWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func ask(_ expression: String) throws -> String {
        try OtherProgram.python("import json, sys; d = json.load(open(sys.argv[1], encoding='utf-8')); print(json.dumps(\(expression), ensure_ascii=False))", folder.file("out.json"))
    }

    @Test func everyColumnIsThereWithItsType() throws {
        let findings = FindingList()
        let files = try folder.write(SampleExport.document([SampleExport.everyKind]), with: JSONDocumentWriter(), findings: findings)
        #expect(files["out.json"]?.rows == 4)
        #expect(try ask("[d['export'], d['pack'], d['asOf'], d['about']['title'], d['about']['lines'][1]['value']]") == #"["calicatas", "ingeplus", "2026-01-31T12:00:00Z", "Calicatas – Túnel Pasco", "=depth_m >= 1.5"]"#)
        #expect(try ask("[c['name'] + (c['unit'] or '') for c in d['sheets'][0]['columns']][:3]") == #"["code", "strata", "depth_mm"]"#)
        let first = #"{"code": "C-01", "strata": 3, "depth_m": -12.5, "is_wet": true, "end_date": "2025-12-31", "at_time": "07:30", "created_at": "2026-01-01T03:04:05Z", "storage_path": "photos/c 01.jpg", "description": "Arcilla, \"gris\"; húmeda\nfirme"}"#
        #expect(try ask("d['sheets'][0]['rows'][0]") == first)
        #expect(try ask("d['sheets'][0]['rows'][1]").contains(#""strata": null, "depth_m": null, "is_wet": false"#))
        #expect(try ask("len({tuple(r) for r in d['sheets'][0]['rows']})") == "1")
    }

    @Test func fieldsThatAreJSONAreJSONAndOthersStayTexts() throws {
        var json = SampleExport.column("media")
        json.isJSON = true
        let sheet = SampleExport.sheet("a", [json, SampleExport.column("text")], [
            [.text(#"{"b": [1, 2.50], "a": null}"#), .text(#"{"b": 1}"#)], [.text("{broken"), .text("tab\tand\u{1}control")], [.null, .real(.infinity)],
        ])
        let empty = SampleExport.sheet("b", [SampleExport.column("x")], [])
        let findings = FindingList()
        _ = try folder.write(SampleExport.document([sheet, empty]), with: JSONDocumentWriter(), findings: findings)
        #expect(try ask("d['sheets'][0]['rows']") == #"[{"media": {"b": [1, 2.5], "a": null}, "text": "{\"b\": 1}"}, {"media": "{broken", "text": "tab\tand�control"}, {"media": null, "text": "inf"}]"#)
        #expect(try ask("d['sheets'][1]['rows']") == "[]")
        #expect(findings.findings.map(\.code) == ["TEXT-CHARACTER"])
    }

    @Test func aWrongNumberOfRowsLeavesNothing() throws {
        var sheet = SampleExport.everyKind
        sheet.rowCount = 5
        #expect(throws: OutputFailure.self) { try folder.write(SampleExport.document([sheet]), with: JSONDocumentWriter()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
