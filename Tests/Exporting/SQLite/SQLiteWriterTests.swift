import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Exporting

/// An export as an SQLite database. SQLite's own program reads it.
@Suite struct SQLiteWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func query(_ sql: String, _ name: String = "out.sqlite") throws -> String {
        let output = try OtherProgram.run("/usr/bin/sqlite3", ["-readonly", folder.file(name), sql])
        try #require(output.status == 0, "\(output.text)")
        return output.text.trimmingCharacters(in: .newlines)
    }

    private static func column(_ name: String, _ joint: SheetColumn.Joint, _ kind: SheetColumn.Kind = .text) -> SheetColumn {
        SheetColumn(name: name, label: name.capitalized, kind: kind, joint: joint)
    }

    private static func sheet(_ name: String, of entity: String, _ columns: [SheetColumn], _ rows: [[MemoryRows.Value]]) -> Sheet {
        Sheet(name: name, rowName: "row", title: name.capitalized, entity: entity, columns: columns, rowCount: rows.count) {
            MemoryRows(columnCount: columns.count, rows: rows)
        }
    }

    /// Projects; their pits, which name the project by its code; and strata, which name both. The
    /// person who logged a stratum is not in the export.
    private static var tied: [Sheet] { [
        sheet("proyectos", of: "projects", [column("code", .key(field: "code")), column("id", .key(field: "id"))], [[.text("PE-1"), .text("p1")], [.text("PE-2"), .text("p2")]]),
        sheet(
            "calicatas", of: "calicatas",
            [column("project_code", .reference(entity: "projects", field: "code")), SampleExport.column("depth_m", .decimal(decimals: 2), unit: "m"), column("id", .key(field: "id"))],
            [[.text("PE-1"), .real(1.5), .text("c1")], [.null, .null, .text("c2")]]),
        sheet(
            "cortes", of: "calicata_cortes",
            [
                column("project_code", .reference(entity: "projects", field: "code")), SampleExport.column("number", .integer), column("id", .key(field: "id")),
                column("calicata_id", .reference(entity: "calicatas", field: "id")), column("logged_by", .reference(entity: "profiles", field: "id")),
            ],
            [[.text("PE-1"), .integer(1), .text("s1"), .text("c1"), .text("x")], [.text("PE-1"), .integer(2), .text("s2"), .text("c1"), .null]]),
    ] }

    @Test func matchesItsGolden() throws {
        let files = try folder.write(SampleExport.document([SampleExport.everyKind] + Self.tied), with: SQLiteWriter())
        #expect(files.keys.sorted() == ["out.sqlite"])
        #expect(files["out.sqlite"]?.rows == 10)
        try WrittenText.expectGolden(Data(query(".dump").utf8), "sqlite/everything.sql")
    }

    @Test func isWholeAndTyped() throws {
        let file = try #require(try folder.write(SampleExport.document([SampleExport.everyKind]), with: SQLiteWriter())["out.sqlite"])
        #expect(try query("PRAGMA integrity_check") == "ok")
        #expect(try query("SELECT count(*) FROM cortes") == "4")
        #expect(try query("SELECT group_concat(typeof(strata) || typeof(depth_m) || typeof(is_wet), ' ') FROM cortes") == "integerrealinteger nullnullinteger integerrealnull integerrealinteger")
        // A text that looks like a formula is not changed, because a database runs no formulas.
        #expect(try query("SELECT description FROM cortes WHERE code = ' espacio '") == "=HYPERLINK(\"http://example.com\")")
        #expect(try query("SELECT quote(description) FROM cortes WHERE code = '-C'") == "''")
        #expect(try query("SELECT label || ' ' || unit || ' ' || kind FROM fields WHERE table_name = 'cortes' AND name = 'depth_m'") == "Depth_M m decimal")
        #expect(try query("SELECT value FROM about WHERE name = 'title'") == "Calicatas – Túnel Pasco")
        #expect(try query("SELECT rows FROM tables") == "4")
        let bytes = try folder.data(of: "out.sqlite")
        #expect(file.bytes == Int64(bytes.count))
        #expect(try OtherProgram.run("/usr/bin/sha256sum", [folder.file("out.sqlite")]).text.hasPrefix(file.sha256))
    }

    @Test func tablesAreTiedByKeysIndexesAndViews() throws {
        _ = try folder.write(SampleExport.document(Self.tied), with: SQLiteWriter())
        #expect(try query("SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name)") == "calicatas_proyectos,cortes_calicatas,cortes_proyectos")
        #expect(try query("SELECT number || ' ' || calicatas_depth_m || ' ' || calicatas_project_code FROM cortes_calicatas ORDER BY number") == "1 1.5 PE-1\n2 1.5 PE-1")
        #expect(try query("SELECT count(*), count(proyectos_id) FROM calicatas_proyectos") == "2|1")
        #expect(try query("SELECT \"table\" || ' ' || \"from\" || ' ' || \"to\" FROM pragma_foreign_key_list('cortes')") == "calicatas calicata_id id")
        #expect(try query("PRAGMA foreign_key_check") == "")
        #expect(try query("SELECT name FROM pragma_table_info('cortes') WHERE pk") == "id")
        #expect(try query("EXPLAIN QUERY PLAN SELECT * FROM cortes WHERE calicata_id = 'c1'").contains("cortes_calicata_id"))
    }

    @Test func theSameExportGivesTheSameBytes() throws {
        _ = try folder.write(SampleExport.document([SampleExport.everyKind] + Self.tied), with: SQLiteWriter(), stem: "one")
        _ = try folder.write(SampleExport.document([SampleExport.everyKind] + Self.tied), with: SQLiteWriter(), stem: "two")
        #expect(try folder.data(of: "one.sqlite") == folder.data(of: "two.sqlite"))
    }

    @Test func namesThatSQLiteTakesForOneAreTwo() throws {
        let columns = ["name", "Name", "a\"b", "sqlite"].map { SampleExport.column($0) }
        let sheets = ["fields", "sqlite-x"].map { SampleExport.sheet($0, columns, [[.text("1"), .text("2"), .text("3"), .text("4")]]) }
        _ = try folder.write(SampleExport.document(sheets), with: SQLiteWriter())
        #expect(try query("SELECT group_concat(name) FROM tables") == "fields_2,sqlite-x")
        #expect(try query("SELECT name || \"Name_2\" || \"a\"\"b\" FROM fields_2") == "123")
    }

    @Test func aParameterTakesNoNameOfTheRecordsOwnColumns() throws {
        let parameter = SheetColumn(name: "id", label: "Id", kind: .text, isParameter: true)
        let sheet = Self.sheet("equipos", of: "equipment", [parameter, Self.column("id", .key(field: "id"))], [[.text("7"), .text("e1")]])
        _ = try folder.write(SampleExport.document([sheet]), with: SQLiteWriter())
        #expect(try query("SELECT id, id_2 FROM equipos") == "e1|7")
        #expect(try query("SELECT name FROM pragma_table_info('equipos') WHERE pk = 1") == "id")
    }

    @Test func aNameWithANULCharacterIsWritten() throws {
        let sheet = SampleExport.sheet("t", title: "T", [SampleExport.column("a\u{0}b"), SampleExport.column("c")], [[.text("1"), .text("2")]])
        _ = try folder.write(SampleExport.document([sheet]), with: SQLiteWriter())
        #expect(try query("SELECT \"a\u{FFFD}b\" || c FROM t") == "12")
    }

    @Test func textsThatNobodyCouldReadAreReported() throws {
        let findings = FindingList()
        let sheet = SampleExport.sheet("t", title: "T", [SampleExport.column("a")], [[.text("x\u{0}y")], [.text("z")]])
        _ = try folder.write(SampleExport.document([sheet]), with: SQLiteWriter(), findings: findings)
        #expect(findings.findings.map { "\($0.code) \($0.arguments["count"] ?? "")" } == ["TEXT-CHARACTER 1"])
        #expect(try query("SELECT a FROM t") == "x\u{FFFD}y\nz")
    }

    @Test func nothingIsLeftOfAFileThatCannotBeMade() throws {
        var sheet = SampleExport.everyKind
        sheet.rowCount = 3
        #expect(throws: OutputFailure.rowCount(sheet: "cortes", expected: 3, found: 4)) {
            try folder.write(SampleExport.document([sheet]), with: SQLiteWriter())
        }
        #expect(throws: OutputFailure.directoryMissing(path: folder.file("no/out.sqlite"))) {
            try folder.write(SampleExport.document([sheet]), with: SQLiteWriter(), stem: "no/out")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
