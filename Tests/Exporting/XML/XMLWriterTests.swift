import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

@Suite struct XMLWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What Python's expat reads of each sheet: its element, its title, and its rows as lists of
    /// name, attributes and text.
    private struct ReadSheet: Decodable {
        struct Value: Decodable, Hashable {
            var name: String
            var attributes: [String: String]
            var text: String
        }
        var name: String
        var title: String
        var rows: [[Value]]
    }

    private func read(_ path: String) throws -> [ReadSheet] {
        let script = """
            import json, sys, xml.etree.ElementTree as E
            short = lambda n: n.split("}")[-1]
            sheets = []
            for s in list(E.parse(sys.argv[1]).getroot())[1:]:
                sheets.append(dict(name=short(s.tag), title=s.get("title"), rows=[[dict(name=short(v.tag),
                    attributes={short(k): a for k, a in v.attrib.items()}, text=v.text or "") for v in r] for r in s]))
            print(json.dumps(sheets))
            """
        let output = try OtherProgram.run("/usr/bin/python3", ["-c", script, path])
        try #require(output.status == 0, "\(output.text)")
        return try JSONDecoder().decode([ReadSheet].self, from: Data(output.text.utf8))
    }

    @Test func matchesItsGolden() throws {
        var watt = SampleExport.column("Potencia \"máx\"", .decimal(decimals: 1), unit: "W")
        watt.isParameter = true
        let family = SampleExport.sheet(
            "family", title: "Luces & tomas", row: "asset", [watt, SampleExport.column("id")],
            [[.real(12.5), .text("1")], [.text("n/a"), .text("2")], [.null, .text("3")]])
        let files = try folder.write(SampleExport.document([SampleExport.everyKind, family]), with: XMLWriter())
        #expect(files.keys.sorted() == ["out.xml"])
        #expect(files["out.xml"]?.rows == 7)
        try WrittenText.expectGolden(folder.data(of: "out.xml"), "xml/calicatas.xml")
    }

    @Test func valuesComeBack() throws {
        let findings = FindingList()
        _ = try folder.write(SampleExport.document([SampleExport.everyKind]), with: XMLWriter(), findings: findings)
        let sheet = try #require(try read(folder.file("out.xml")).first)
        #expect(sheet.name == "cortes" && sheet.title == "Cortes")
        let texts = sheet.rows.map { row in row.map { "\($0.name)=\($0.attributes["raw"] ?? $0.text)" } }
        #expect(
            texts[0] == [
                "code=C-01", "strata=3", "depth_m=-12.5", "is_wet=true", "end_date=2025-12-31", "at_time=07:30:00",
                "created_at=2026-01-01T03:04:05Z", "storage_path=photos/c 01.jpg", "description=Arcilla, \"gris\"; húmeda\nfirme",
            ])
        #expect(texts[1] == ["code=-C", "is_wet=false", "description="])
        #expect(texts[3].contains("code=a\u{FFFD}b\u{FFFD}") && texts[3].contains("storage_path=<&>"))
        let misfits = sheet.rows[2].filter { $0.attributes["nil"] == "true" }.map(\.name)
        #expect(misfits == ["end_date", "at_time", "created_at"])
        #expect(findings.findings.map(\.code) == ["TEXT-CHARACTER"])
        #expect(findings.findings.first?.arguments == ["count": "2", "sheet": "Cortes"])
    }

    @Test func randomTextsComeBack() throws {
        var generator = SeededNumbers(5)
        let pieces = ["a", "<", ">", "&", "\"", "'", "]]>", "\r", "\n", "\r\n", "\t", " ", "ñ", "🪨", "&#0;", "<!--", "\u{2028}", "\u{FEFF}"]
        let texts = (0..<2000).map { _ in
            (0..<Int.random(in: 0...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        var date = SampleExport.column("day", .date)
        date.label = "Day"
        let rows = texts.map { [MemoryRows.Value.text($0), .text($0)] }
        _ = try folder.write(SampleExport.document([SampleExport.sheet("t", [SampleExport.column("a"), date], rows)]), with: XMLWriter())
        let read = try #require(try read(folder.file("out.xml")).first)
        #expect(read.rows.count == texts.count)
        for (row, text) in zip(read.rows, texts) {
            #expect(row[0].text.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text.debugDescription)")
            #expect(row[1].attributes["raw"]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("depth_m", "depth_m"), ("left-out", "left_out"), ("1a", "_1a"), ("", "_"), ("día x", "d_a_x"), ("about", "about"), (".a", "_.a"), ("a:b", "a_b"),
    ])
    func namesAreNames(name: String, expected: String) {
        #expect(XMLName.make(name) == expected)
        #expect(XMLName.sheet("about") == "about_" && XMLName.column("parameter") == "parameter_")
    }

    @Test func sameInputSameBytes() throws {
        let document = SampleExport.document([SampleExport.everyKind])
        let first = try folder.write(document, with: XMLWriter(), stem: "first")["first.xml"]
        let second = try folder.write(document, with: XMLWriter(), stem: "second")["second.xml"]
        #expect(first?.sha256 == second?.sha256)
        #expect(try folder.data(of: "first.xml") == folder.data(of: "second.xml"))
        #expect(try first?.bytes == Int64(folder.data(of: "first.xml").count))
    }

    @Test func leavesNothingBehindWhenItFails() throws {
        let short = Sheet(name: "short", rowName: "r", title: "s", columns: [SampleExport.column("a")], rowCount: 2) {
            MemoryRows(columnCount: 1, rows: [[.integer(1)]])
        }
        #expect(throws: OutputFailure.rowCount(sheet: "short", expected: 2, found: 1)) {
            try folder.write(SampleExport.document([short]), with: XMLWriter())
        }
        #expect(throws: OutputFailure.directoryMissing(path: folder.file("no/out.xml"))) {
            try folder.write(SampleExport.document([]), with: XMLWriter(), stem: "no/out")
        }
        #expect(try folder.names == [])
    }
}
