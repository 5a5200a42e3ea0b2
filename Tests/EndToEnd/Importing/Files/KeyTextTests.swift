import Foundation
import Testing
import Workbench

/// A name is the same in every form: composed or decomposed, with one blank or two. The stored
/// value stays as it was given.
@Suite struct KeyTextTests {
    private static let head = "Obra;Nombre;Calicata;Progresiva;Lado;Este;Norte;Cota;Profundidad;NF;Fecha;Estrato;Desde;Hasta;SUCS;Descripci\u{F3}n\n"

    private func write(_ office: Office, _ rows: String...) throws {
        try (Self.head + rows.joined(separator: "\n") + "\n").write(toFile: office.folder + "/a.csv", atomically: true, encoding: .utf8)
    }

    private func read(_ office: Office) throws -> ProgramRun {
        try office.run("import", "a.csv", "--mapping", "registro-plano", "--fail-on", "never", "--actor", Office.administrator)
    }

    @Test func aFileThatWritesNamesOtherwiseBringsTheSameRecords() throws {
        let office = try Office.pits()
        try write(office, "P\u{F1}-1;Obra;\u{D1}U 01;1+000;D;;;;2,00;;14/05/2012;1;0;0,5;CL;arcilla")
        #expect(try read(office).status == 0)
        let rows = "SELECT (SELECT count(*) FROM projects), (SELECT count(*) FROM calicatas), (SELECT count(*) FROM calicata_cortes), (SELECT count(*) FROM conflicts)"
        let before = try office.sql(rows)
        #expect(try office.sql("SELECT key_text IS NULL FROM calicatas WHERE code = '\u{D1}U 01'") == "1")
        try write(office, "Pn\u{303}-1;Obra;N\u{303}U\u{A0} 01;1+000;D;;;;2,00;;14/05/2012;1;0;0,5;CL;arcilla")
        let again = try read(office)
        #expect(again.status == 0, "\(again.error)")
        #expect(try office.sql(rows) == before)
        // The value stays as it was first given.
        #expect(try office.sql("SELECT hex(code) FROM calicatas WHERE code LIKE '%U 01'") == "C3915520303" + "1")
    }

    @Test func whatCameFirstInAnotherFormIsFoundByItsName() throws {
        let office = try Office.pits()
        try write(office, "HYO-2025;Obra;N\u{303}U\u{A0} 01;1+000;D;;;;2,00;;14/05/2012;1;0;0,5;CL;arcilla")
        #expect(try read(office).status == 0)
        #expect(try office.sql("SELECT key_text FROM calicatas WHERE code LIKE '%01' AND key_text IS NOT NULL") == "\u{D1}U 01")
        let count = try office.sql("SELECT count(*) FROM calicatas")
        try write(office, "HYO-2025;Obra;\u{D1}U 01;1+000;D;;;;2,00;;14/05/2012;2;0,5;0,9;SP;arena")
        #expect(try read(office).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas") == count)
        #expect(try office.sql("SELECT count(*) FROM calicata_cortes AS k JOIN calicatas AS c ON c.id = k.calicata_id WHERE c.key_text IS NOT NULL") == "2")
        // A person may type the name in any form.
        let edited = try office.run("edit", "\u{D1}U 01", "--project", "HYO-2025", "--set", "observations=visto", "--actor", Office.administrator)
        #expect(edited.status == 0, "\(edited.error)")
        let double = try office.run(
            "add", "calicatas", "--project", "HYO-2025", "--set", "code=\u{D1}U  01", "--set", "depth_m=1", "--actor", Office.administrator)
        #expect(double.status == 65 && (double.output + double.error).contains("CHANGE-KEY"), "\(double.error)")
        // After a correction, the new name is compared. When the correction is taken back, the old
        // name is compared again.
        #expect(try office.run("edit", "\u{D1}U 01", "--project", "HYO-2025", "--set", "code=ZZ-01", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT key_text IS NULL FROM calicatas WHERE code = 'ZZ-01'") == "1")
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas WHERE key_text = '\u{D1}U 01'") == "1")
    }

    @Test func doublesThatAreThereAlreadyAreFindings() throws {
        let office = try Office.assets()
        func family(_ id: String, _ name: String) -> String {
            "{\"id\": \"\(id)\", \"project_id\": \"\(project)\", \"name\": \"\(name)\", \"parameter_schema\": {\"parameters\": []}}"
        }
        let project = try office.sql("SELECT project_id FROM project_members AS m JOIN profiles AS p ON p.id = m.profile_id WHERE p.email = '\(office.actor)' LIMIT 1")
        let one = family("00000000-0000-4000-8000-000000000001", "Unit\u{E0} esterna"), other = family("00000000-0000-4000-8000-000000000002", "Unita\u{300}  esterna")
        try "[\(one), \(other)]".write(toFile: office.folder + "/f.json", atomically: true, encoding: .utf8)
        let brought = try office.run("import", "f.json", "--entity", "families", "--fail-on", "never", "--actor", Office.administrator)
        #expect(brought.status == 0, "\(brought.error)")
        let found = try office.run("validate", "--json", "--fail-on", "never")
        let findings = try #require(Reading.json(found.output)["findings"] as? [[String: Any]])
        #expect(findings.filter { $0["code"] as? String == "FIELD-UNIQUE" }.count == 2, "\(found.output.prefix(1000))")
    }
}
