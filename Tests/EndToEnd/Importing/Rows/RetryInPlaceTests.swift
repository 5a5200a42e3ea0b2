import Foundation
import Testing

/// Some values of a rejected row follow from the rows around it. When the row is tried again, it is
/// converted at its own place among them.
@Suite struct RetryInPlaceTests {
    private let office: Office

    /// The mapping numbers the strata, and the file gives only their lower ends.
    private static let mapping = """
        import: numbered
        title: {es: Numerados, en: Numbered, it: Numerati}
        accepts: [csv]
        tables:
          - requires: [Calicata]
            rows:
              - entity: projects
                key: [code]
                repeats: true
                fields:
                  code: {column: [Obra], convert: [trim, upper]}
                  name: Obra
                  status: {value: CERRADO}
              - entity: calicatas
                key: [project_id, code]
                repeats: true
                fields:
                  project_id: {parent: projects, by: {code: {column: [Obra], convert: [trim, upper]}}}
                  code: {column: [Calicata], convert: [trim, upper]}
                  depth_m: {column: [Prof], convert: [decimal-comma]}
                  status: {value: BORRADOR}
              - entity: calicata_cortes
                key: [calicata_id, number]
                fields:
                  calicata_id:
                    parent: calicatas
                    by:
                      project_id: {parent: projects, by: {code: {column: [Obra], convert: [trim, upper]}}}
                      code: {column: [Calicata], convert: [trim, upper]}
                  number: {ordinal: [Calicata]}
                  depth_from_m: {above: Hasta, within: [Calicata], convert: [decimal-comma]}
                  depth_to_m: {column: [Hasta], convert: [decimal-comma]}
                  sucs: {column: [SUCS], convert: [trim, upper]}
        """

    init() throws {
        office = try Office(system: "ingeplus", set: nil)
        try Self.mapping.write(toFile: office.path("n.yaml"), atomically: true, encoding: .utf8)
    }

    private func bringIn(_ lines: String...) throws -> ProgramRun {
        try (["Obra;Calicata;Prof;Hasta;SUCS"] + lines).joined(separator: "\n").write(toFile: office.path("n.csv"), atomically: true, encoding: .utf8)
        return try office.run("import", "n.csv", "--mapping", "./n.yaml", "--actor", Office.administrator)
    }

    private func run(_ arguments: String...) throws -> ProgramRun { try office.run(arguments + ["--actor", Office.administrator]) }

    private func edit(_ sucs: String, _ set: String) throws {
        let id = try office.sql("SELECT id FROM rejects WHERE state = 'open' AND raw LIKE '%\"\(sucs)\"%'")
        let run = try run("rejects", "edit", id, "--set", set)
        #expect(run.status == 0, "\(run.error)")
    }

    private func strata() throws -> String {
        try office.sql(
            "SELECT group_concat(number || ' ' || printf('%.2f', depth_from_m) || ' ' || printf('%.2f', depth_to_m) || ' ' || sucs, '|') FROM (SELECT * FROM calicata_cortes ORDER BY calicata_id, number)")
    }

    private static let whole = "1 0.00 0.40 GM|2 0.40 0.90 CL|3 0.90 1.60 ML|4 1.60 2.00 GP"

    @Test func aCorrectedThirdLayerIsTheThird() throws {
        let first = try bringIn("N-1;C-01;2,00;0,40;GM", "N-1;C-01;2,00;0,90;CL", "N-1;C-01;2,00;hondo;ML", "N-1;C-01;2,00;2,00;GP")
        // The upper end of the layer below is not known.
        #expect(first.status == 1)
        #expect(try strata() == "1 0.00 0.40 GM|2 0.40 0.90 CL", "\(first.output)\(first.error)")
        #expect(try run("rejects", "retry").status == 1)
        try edit("ML", "Hasta=1,60")
        let again = try run("rejects", "retry")
        #expect(again.status == 0, "\(again.output)\(again.error)")
        #expect(try strata() == Self.whole)
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func layersThatWaitForTheirPitKeepTheirNumbers() throws {
        #expect(try bringIn("N-1;C-01;no;0,40;GM", "N-1;C-01;no;0,90;CL", "N-1;C-01;no;1,60;ML", "N-1;C-01;no;2,00;GP").status == 1)
        #expect(try office.sql("SELECT count(*) FROM rejects") == "5")
        let pit = try office.sql("SELECT id FROM rejects WHERE entity = 'calicatas'")
        #expect(try run("rejects", "edit", pit, "--set", "Prof=2,00").status == 0)
        let again = try run("rejects", "retry", pit)
        #expect(again.status == 0, "\(again.output)\(again.error)")
        #expect(try strata() == Self.whole)
    }

    @Test func aRowWhoseNumberWasNotKeptIsNotNumberedAnew() throws {
        #expect(try bringIn("N-1;C-01;2,00;0,40;GM", "N-1;C-01;2,00;no;CL").status == 1)
        // A replica of an earlier version has no such details.
        #expect(try ProgramRun.program("/usr/bin/sqlite3", [office.replica, "DELETE FROM reject_details"]).status == 0)
        try edit("CL", "Hasta=0,90")
        let run = try run("rejects", "retry")
        #expect(run.status == 1 && run.output.contains("IMPORT-PLACE-UNKNOWN"), "\(run.output)\(run.error)")
        #expect(try strata() == "1 0.00 0.40 GM")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
    }

    @Test func rowsThatRepeatARecordAreNoDuplicates() throws {
        // One pit has two different faults, so it has two rejected rows of one record.
        #expect(try bringIn("N-1;C-01;no;0,40;GM", "N-1;C-01;nada;0,90;CL").status == 1)
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'calicatas'") == "2")
        for id in try office.sql("SELECT group_concat(id) FROM rejects WHERE entity = 'calicatas'").split(separator: ",") {
            #expect(try run("rejects", "edit", String(id), "--set", "Prof=2,00").status == 0)
        }
        let again = try run("rejects", "retry")
        #expect(again.status == 0 && !again.output.contains("IMPORT-DUPLICATE"), "\(again.output)\(again.error)")
        #expect(try strata() == "1 0.00 0.40 GM|2 0.40 0.90 CL")
    }

    /// An error cell is not a text, even when its row is tried again. Only a correction gives it a
    /// value.
    @Test func anErrorCellStaysOneUntilItIsMended() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Samples/ingeplus/legacy/foxpro", toPath: office.path("foxpro"))
        let memo = try #require(FileHandle(forWritingAtPath: office.path("foxpro/ESTRATO.FPT")))
        try memo.truncate(atOffset: 900)
        try memo.close()
        let run = try office.run("import", "foxpro", "--mapping", "foxpro", "--join", "--actor", Office.administrator)
        #expect(run.status == 1 && run.output.contains("IMPORT-ERROR-CELL"), "\(run.status) \(run.error)")
        let count = "SELECT (SELECT count(*) FROM rejects WHERE state = 'open'), (SELECT count(*) FROM calicata_cortes), (SELECT count(*) FROM calicata_cortes WHERE description LIKE '%memo%')"
        let before = try office.sql(count)
        #expect(!before.hasPrefix("0|"))
        let again = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(again.status == 1, "\(again.status) \(again.output) \(again.error)")
        #expect(try office.sql(count) == before)
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open' AND raw LIKE '%{\"error\":\"%'") == before.prefix { $0 != "|" })
    }
}
