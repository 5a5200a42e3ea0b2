import Digests
import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

@Suite struct CSVWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func csv(_ dialect: CSVDialect, zipped: Bool = false) -> CSVWriter { CSVWriter(dialect: dialect, zipped: zipped) }

    @Test(arguments: CSVDialect.allCases) func matchesItsGolden(dialect: CSVDialect) throws {
        let language: Language =
            switch dialect {
            case .excelItalian: .italian
            case .excelAmerican: .english
            default: .spanish
            }
        let files = try folder.write(
            SampleExport.document([SampleExport.everyKind], language: language), with: csv(dialect))
        #expect(files.keys.sorted() == ["out-about.csv", "out-cortes.csv"])
        try WrittenText.expectGolden(folder.data(of: "out-cortes.csv"), "csv/cortes-\(dialect.rawValue).csv")
        try WrittenText.expectGolden(folder.data(of: "out-about.csv"), "csv/about-\(dialect.rawValue).csv")
    }

    @Test func standardDialectIsReadBack() throws {
        _ = try folder.write(SampleExport.document([SampleExport.everyKind]), with: csv(.standard))
        let rows = try WrittenText.readCSV(folder.file("out-cortes.csv"))
        #expect(rows[0] == ["code", "strata", "depth_m", "is_wet", "end_date", "at_time", "created_at", "storage_path", "description"])
        #expect(
            rows[1] == [
                "C-01", "3", "-12.5", "true", "2025-12-31", "07:30", "2026-01-01T03:04:05Z", "photos/c 01.jpg",
                "Arcilla, \"gris\"; húmeda\nfirme",
            ])
        #expect(rows[2] == ["'-C", "", "", "false", "", "", "", "", ""])
        #expect(rows[3] == [" espacio ", "-7", "1e+21", "", "2025-02-30", "25:00", "ayer", "x", "'=HYPERLINK(\"http://example.com\")"])
        #expect(rows[4].prefix(4) == ["a\u{FFFD}b\u{FFFD}", "9223372036854775807", "0.1", "2"])
        #expect(rows.count == 5)
    }

    /// Words are those of the person's language, whatever the dialect.
    @Test(arguments: [
        (CSVDialect.excelSpanish, Language.spanish, "sí"), (.excelItalian, .italian, "sì"),
        (.excelSpanish, .english, "yes"),
    ])
    func excelDialectsAreReadBack(dialect: CSVDialect, language: Language, yes: String) throws {
        _ = try folder.write(SampleExport.document([SampleExport.everyKind], language: language), with: csv(dialect))
        #expect(try folder.data(of: "out-cortes.csv").starts(with: [0xEF, 0xBB, 0xBF]))
        let rows = try WrittenText.readCSV(folder.file("out-cortes.csv"), separator: ";", encoding: "utf-8-sig")
        #expect(rows[0].prefix(4) == ["Code", "Strata", "Depth_M (m)", "Is_Wet"])
        #expect(rows[1].prefix(4) == ["C-01", "3", "-12,5", yes])
        #expect(rows[1][6] == "2025-12-31 22:04:05")
        #expect(rows[2][3] == "no")
        #expect(rows[3][6] == "ayer")
        #expect(rows[4][2] == "0,1")
        #expect(rows[4][6] == "2024-02-29 18:59:59")
    }

    @Test(arguments: [(CSVDialect.excelPeruvian, Language.spanish, "sí"), (.excelAmerican, .english, "yes")])
    func countriesWithADecimalPointSeparateByCommas(dialect: CSVDialect, language: Language, yes: String) throws {
        _ = try folder.write(SampleExport.document([SampleExport.everyKind], language: language), with: csv(dialect))
        #expect(try folder.data(of: "out-cortes.csv").starts(with: [0xEF, 0xBB, 0xBF]))
        let rows = try WrittenText.readCSV(folder.file("out-cortes.csv"), separator: ",", encoding: "utf-8-sig")
        #expect(rows[0].prefix(4) == ["Code", "Strata", "Depth_M (m)", "Is_Wet"])
        #expect(rows[1].prefix(4) == ["C-01", "3", "-12.5", yes])
        #expect(rows[1][6] == "2025-12-31 22:04:05" && rows[4][2] == "0.1")
    }

    @Test(arguments: [
        ("America/Lima", Language.spanish, CSVDialect.excelPeruvian), ("Europe/Madrid", .spanish, .excelSpanish),
        ("America/Bogota", .spanish, .excelSpanish), ("Europe/Rome", .italian, .excelItalian),
        ("America/Chicago", .english, .excelAmerican), ("America/Indiana/Knox", .english, .excelAmerican),
        ("America/Lima", .english, .standard), ("GMT", .english, .standard),
    ]) func theDialectIsThatOfTheOfficesCountry(zone: String, language: Language, expected: CSVDialect) {
        #expect(CSVDialect(timeZone: zone, language: language) == expected)
    }

    @Test func reportsWhatItChangedOnceForEachSheet() throws {
        let findings = FindingList()
        let other = SampleExport.sheet("otros", title: "Otros", [SampleExport.column("a")], [[.text("+x")], [.text("ok")], [.text("=y")]])
        _ = try folder.write(SampleExport.document([SampleExport.everyKind, other]), with: csv(.standard), findings: findings)
        let told = findings.findings.map { "\($0.code) \($0.severity.rawValue) \($0.place.sheet ?? "") \($0.arguments["count"] ?? "")" }
        #expect(told == ["TEXT-CHARACTER warning Cortes 2", "TEXT-FORMULA note Cortes 2", "TEXT-FORMULA note Otros 2"])
    }

    @Test func randomTextsComeBack() throws {
        var generator = SeededNumbers(11)
        let pieces = ["a", "\"", ",", ";", "\r", "\n", "\r\n", " ", "ñ", "🪨", "=", "-", "1", "\t", "'", "", "“", "\u{FEFF}", "long long long text"]
        let texts = (0..<3000).map { _ in
            (0..<Int.random(in: 0...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        let columns = [SampleExport.column("a"), SampleExport.column("b"), SampleExport.column("c", .integer)]
        let rows = texts.enumerated().map { [MemoryRows.Value.text($1), .text(String($1.reversed())), .integer(Int64($0))] }
        for (dialect, separator) in [(CSVDialect.standard, ","), (.excelSpanish, ";")] {
            _ = try folder.write(
                SampleExport.document([SampleExport.sheet("t", columns, rows)]), with: csv(dialect), stem: dialect.rawValue)
            let read = try WrittenText.readCSV(folder.file(dialect.rawValue + "-t.csv"), separator: separator, encoding: "utf-8-sig")
            #expect(read.count == texts.count + 1)
            for (index, (row, text)) in zip(read.dropFirst(), texts).enumerated() {
                #expect(row[2] == String(index))
                for (got, original) in [(row[0], text), (row[1], String(text.reversed()))] {
                    let isNeutral = got.unicodeScalars.elementsEqual(("'" + original).unicodeScalars)
                    #expect(got.unicodeScalars.elementsEqual(original.unicodeScalars) || isNeutral, "\(original.debugDescription)")
                }
            }
        }
    }

    @Test func emptyAndMissingStayApart() throws {
        let sheet = SampleExport.sheet("t", [SampleExport.column("a"), SampleExport.column("b")], [[.text(""), .null], [.null, .text("")]])
        let single = SampleExport.sheet("one", [SampleExport.column("a")], [[.null], [.text("x")]])
        _ = try folder.write(SampleExport.document([sheet, single]), with: csv(.standard))
        #expect(try folder.data(of: "out-t.csv") == Data("a,b\r\n\"\",\r\n,\"\"\r\n".utf8))
        #expect(try WrittenText.readCSV(folder.file("out-one.csv")) == [["a"], [""], ["x"]])
    }

    @Test func namesFilesAfterSheetsAndFamilies() throws {
        var parameter = SampleExport.column("watt", .decimal(decimals: nil))
        parameter.isParameter = true
        let sheets = [
            SampleExport.sheet("family", title: "Luci", [parameter], []), SampleExport.sheet("family", title: "LUCI!", [parameter], []),
            SampleExport.sheet("rooms", title: "Locali", [SampleExport.column("a")], []),
            SampleExport.sheet("family", title: "Rooms", [parameter], []), SampleExport.sheet("about", title: "x", [SampleExport.column("a")], []),
        ]
        #expect(CSVNames.make(for: sheets) == ["luci", "luci-2", "rooms", "rooms-2", "about-2"])
        #expect(CSVNames.make(for: [sheets[0]]) == ["luci"])
        let files = try folder.write(SampleExport.document(sheets), with: csv(.standard))
        #expect(files.count == 6)
    }

    @Test func packsAllIntoOneArchive() throws {
        let document = SampleExport.document([
            SampleExport.everyKind, SampleExport.sheet("otros", [SampleExport.column("a")], [[.text("x")]]),
        ])
        let zipped = try folder.write(document, with: csv(.standard, zipped: true))
        let plain = try folder.write(document, with: csv(.standard))
        let archive = try #require(zipped["out-csv.zip"])
        #expect(zipped.count == 1 && archive.rows == 5)
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
            for n in z.namelist():
                assert z.read(n) == open(sys.argv[2] + "-" + n, "rb").read(), n
                print(n)
            """
        let output = try OtherProgram.run("/usr/bin/python3", ["-c", script, folder.file("out-csv.zip"), folder.file("out")])
        #expect(output.text == "cortes.csv\notros.csv\nabout.csv\n")
        #expect(plain.values.reduce(0) { $0 + $1.rows } == 5)
    }

    @Test(arguments: [true, false]) func sameInputSameBytes(zipped: Bool) throws {
        let document = SampleExport.document([SampleExport.everyKind])
        let first = try folder.write(document, with: csv(.excelItalian, zipped: zipped), stem: "first")
        let second = try folder.write(document, with: csv(.excelItalian, zipped: zipped), stem: "second")
        #expect(first.values.map(\.sha256).sorted() == second.values.map(\.sha256).sorted())
        for (name, file) in first {
            let data = try folder.data(of: name)
            #expect(SHA256.digest(of: [UInt8](data)).hexadecimal == file.sha256)
            #expect(Int64(data.count) == file.bytes)
        }
    }

    @Test func leavesNothingBehindWhenASheetFails() throws {
        struct Broken: Error {}
        final class FailingRows: RowSource {
            let columnCount = 1
            var batches = 0
            func fill(_ batch: inout RowBatch) throws {
                batch.removeAll()
                batches += 1
                guard batches < 3 else { throw Broken() }
                batch.append(Int64(1))
                batch.endRow()
            }
        }
        let column = SampleExport.column("a", .integer)
        let failing = Sheet(name: "bad", rowName: "r", title: "bad", columns: [column], rowCount: 9) { FailingRows() }
        for zipped in [true, false] {
            #expect(throws: Broken.self) {
                try folder.write(SampleExport.document([SampleExport.everyKind, failing]), with: csv(.standard, zipped: zipped))
            }
            #expect(try folder.names == [])
        }
        let short = Sheet(name: "short", rowName: "r", title: "s", columns: [column], rowCount: 2) {
            MemoryRows(columnCount: 1, rows: [[.integer(1)]])
        }
        #expect(throws: OutputFailure.rowCount(sheet: "short", expected: 2, found: 1)) {
            try folder.write(SampleExport.document([short]), with: csv(.standard))
        }
        #expect(throws: OutputFailure.directoryMissing(path: folder.file("no/out-cortes.csv"))) {
            try folder.write(SampleExport.document([SampleExport.everyKind]), with: csv(.standard), stem: "no/out")
        }
        #expect(try folder.names == [])
    }
}
