import Foundation
import Testing

/// Values that occur twice: in rows that repeat a record, in columns of the same name, and in
/// alternative columns.
@Suite struct DoubledValueTests {
    @Test func aValueThatOnlyALaterRowHasIsReported() throws {
        let folder = try MappedFolder(MappedFolder.pits("depth_m: {column: Prof, convert: [decimal-comma]}"), repeats: true)
        try folder.write("Pozos", "Proyecto;Pozo;Prof", "P-1;C-1;2,0", "P-1;C-1;", "P-1;C-2;", "P-1;C-2;3,1")
        let run = try folder.bringIn("--json")
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-DIFFERENT-REPEAT" }
        #expect(found.count == 1 && found.first?.arguments["values"] == "depth_m: — ≠ 3.1", "\(run.output)\(run.error)")
        #expect(try folder.pits("depth_m") == "C-1 2.0|C-2")
    }

    @Test func twoFilledAlternativesThatDifferAreReported() throws {
        let folder = try MappedFolder(MappedFolder.pits("location: {column: [Lugar, Sitio]}"))
        try folder.write("Pozos", "Proyecto;Pozo;Sitio;Lugar", "P-1;C-1;Sur;Norte", "P-1;C-2;Este;Este", "P-1;C-3;Oeste;", "P-1;C-4;Sur;Alto")
        let run = try folder.bringIn("--json")
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-DIFFERENT-COLUMNS" }
        #expect(found.count == 1 && found.first?.arguments["count"] == "2", "\(run.output)\(run.error)")
        #expect(found.first?.arguments["columns"] == "Lugar, Sitio" && found.first?.arguments["values"] == "Norte ≠ Sur", "\(found)")
        #expect(try folder.pits("location") == "C-1 Norte|C-2 Este|C-3 Oeste|C-4 Alto")
    }

    @Test func theSecondOfTwoColumnsOfOneNameIsUnused() throws {
        let folder = try MappedFolder(MappedFolder.pits("location: Lugar"))
        try folder.write("Pozos", "Proyecto;Pozo;Lugar;Lugar", "P-1;C-1;Norte;Sur")
        let run = try folder.bringIn("--json")
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-UNUSED-COLUMN" }
        #expect(found.count == 1 && found.first?.arguments["columns"] == "Lugar (D)", "\(run.output)\(run.error)")
    }

    @Test func aRowWithTwoColumnsOfOneNameCanBeEditedAndTried() throws {
        let folder = try MappedFolder(MappedFolder.pits("depth_m: Prof", "location: Lugar"))
        try folder.write("Pozos", "Proyecto;Pozo;Prof;Lugar;Lugar", "P-1;C-1;hondo;Norte;Sur")
        #expect(try folder.bringIn().status == 1)
        #expect(try folder.office.sql("SELECT group_concat(key, '|') FROM rejects, json_each(raw)") == "Proyecto|Pozo|Prof|Lugar|Lugar (E)")
        try folder.edit("Prof=1.5")
        let run = try folder.run("rejects", "retry")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try folder.pits() == "C-1 1.5 Norte")
    }

    @Test func twoRowsOfOneKeyAreReportedByTheKey() throws {
        let folder = try MappedFolder(MappedFolder.pits("depth_m: {column: Prof, convert: [decimal-comma]}"))
        try folder.write("Pozos", "Proyecto;Pozo;Prof", "P-1;C-1;2,0", "P-1;C-2;2,0", "P-1;C-1;3,1")
        let run = try folder.bringIn("--json")
        let found = try MappedFolder.findings(run)
        #expect(found.map(\.code) == ["IMPORT-SAME-KEY"], "\(run.output)\(run.error)")
        let told = found.first?.arguments ?? [:]
        #expect(told["name"] == "P-1 / C-1" && told["first"] == "2" && told["line"] == "4" && told["values"] == "depth_m: 2.0 ≠ 3.1", "\(told)")
    }

    @Test func aParentThatIsMissingIsReportedByItsKey() throws {
        let mapping = """
            import: own
            title: own
            tables:
              - tables: [Pozos]
                rows:
                  - entity: calicatas
                    key: [project_id, code]
                    fields:
                      project_id: {parent: projects, by: {code: Proyecto}}
                      code: Pozo
                      status: {value: BORRADOR}
            """
        let folder = try MappedFolder(mapping)
        try folder.write("Pozos", "Proyecto;Pozo", "P-9;C-1")
        let run = try folder.bringIn("--json")
        let found = try MappedFolder.findings(run)
        #expect(found.map(\.code) == ["FIELD-REFERENCE"] && found.first?.arguments["value"] == "P-9", "\(run.output)\(run.error)")
        // A second attempt reports the same.
        let again = try folder.run("rejects", "retry", "--json")
        #expect(try MappedFolder.findings(again).first?.arguments["value"] == "P-9", "\(again.output)\(again.error)")
    }
}
