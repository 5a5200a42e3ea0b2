import Foundation
import Testing

/// Several files of one command, and the short report of an import.
@Suite struct SeveralFilesTests {
    private static let register = "Obra;Calicata;Profundidad;Estrato;Desde;Hasta\n"

    private func office() throws -> Office { try Office(system: "ingeplus", set: nil) }

    private func write(_ text: String, to name: String, _ office: Office) throws {
        try text.write(toFile: office.path(name), atomically: true, encoding: .utf8)
    }

    private func bringIn(_ office: Office, _ arguments: String...) throws -> ProgramRun {
        try office.run(["import"] + arguments + ["--actor", Office.administrator])
    }

    private static func project(_ number: Int) -> String {
        "{\"id\": \"019e0000-0000-7000-8000-00000000000\(number)\", \"code\": \"P-\(number)\", \"name\": \"n\", \"status\": \"ACTIVO\"}"
    }

    private static func pit(_ number: Int, of project: Int) -> String {
        """
        {"id": "019e0000-0000-7000-8000-0000000001\(number)", "project_id": "019e0000-0000-7000-8000-00000000000\(project)", "code": "C-\(number)", \
        "depth_m": 1.5, "status": "BORRADOR"}
        """
    }

    @Test func newProjectsThatTheActorDoesNotSeeAreReported() throws {
        let office = try office()
        try write(Self.register + "PE-77;C-1;1,5;1;0;1\n", to: "a.csv", office)
        let run = try bringIn(office, "a.csv", "--mapping", "registro-plano")
        #expect(run.status == 0 && run.output.contains("IMPORT-NOT-MEMBER") && run.output.contains("PE-77") && run.output.contains("--join"), "\(run.output)\(run.error)")
        // The report advises to take the import back and to repeat it with `--join`.
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        let joined = try bringIn(office, "a.csv", "--mapping", "registro-plano", "--join")
        #expect(joined.status == 0 && !joined.output.contains("IMPORT-NOT-MEMBER"), "\(joined.output)\(joined.error)")
        #expect(try bringIn(office, "a.csv", "--mapping", "registro-plano").output.contains("IMPORT-NOT-MEMBER") == false)
    }

    @Test func whatAnEarlierFileBroughtIsReportedWhenALaterOneFails() throws {
        let office = try office()
        try write("[" + Self.project(1) + "]", to: "good.json", office)
        try write("[" + Self.project(2) + ", {\"id\": \"019e0000", to: "broken.json", office)
        let run = try bringIn(office, "good.json", "broken.json", "--entity", "projects", "--join")
        #expect(run.status == 65)
        #expect(run.output.contains("Imported: good.json"), "\(run.output)")
        #expect(run.error.contains("broken.json") && run.error.contains("good.json") && run.error.contains("Nothing of this file"), "\(run.error)")
        #expect(try office.sql("SELECT group_concat(code) FROM projects") == "P-1")
        #expect(try office.sql("SELECT count(*) FROM project_members") == "1")
        let json = try bringIn(office, "good.json", "broken.json", "--entity", "projects", "--json")
        #expect(json.output.contains("\"imported\" : \"good.json\""), "\(json.output)")
    }

    @Test func aFileThatIsNotThereFailsBeforeAnythingGoesIn() throws {
        let office = try office()
        try write("[" + Self.project(1) + "]", to: "good.json", office)
        let run = try bringIn(office, "good.json", "gone.json", "--entity", "projects")
        #expect(run.status == 66 && !run.error.contains("good.json"), "\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM projects") == "0")
    }

    /// Writes a profile of the actor, which replaces the one that `init` made. Another
    /// administrator stays.
    private func ownProfile(_ role: String, _ status: String, _ office: Office) throws {
        #expect(try office.run("init", "--admin", "other@example.org", "--actor", Office.administrator).status == 0)
        let profile = """
            {"id": "019e0000-0000-7000-8000-0000000000f1", "email": "\(Office.administrator)", "full_name": "A", "role": "\(role)", "status": "\(status)", \
            "cached_at": "2025-11-01T00:00:00Z"}
            """
        try write(profile, to: "profiles.ndjson", office)
    }

    @Test func whoMayNoLongerWorkAfterAFileBringsInNoOther() throws {
        let office = try office()
        try ownProfile("ADMINISTRADOR_GENERAL", "INACTIVO", office)
        try write(Self.project(1), to: "projects.ndjson", office)
        let run = try bringIn(office, "profiles.ndjson", "projects.ndjson")
        #expect(run.status == 77 && run.error.contains("ACTOR-"), "\(run.status) \(run.error)")
        // A file that came in before is still reported.
        #expect(run.output.contains("Imported: profiles.ndjson"), "\(run.output)")
        #expect(try office.sql("SELECT count(*) FROM projects") == "0")
        #expect(try office.sql("SELECT group_concat(source) FROM imports").contains("projects") == false)
    }

    /// A profile came without the time at which it was validated. The same file, corrected, adds
    /// this time, and the import need not be taken back.
    @Test func aProfileIsValidatedByAMendedFile() throws {
        let office = try office()
        let profile = #"{"id": "019e0000-0000-7000-8000-0000000000f2", "email": "g@example.org", "role": "COORDINADOR_PROYECTO", "status": "ACTIVO"%@}"#
        try write(profile.replacing("%@", with: ""), to: "profiles.ndjson", office)
        #expect(try bringIn(office, "profiles.ndjson").status == 0)
        #expect(try office.run("status", "--actor", "g@example.org").status == 77)
        try write(profile.replacing("%@", with: #", "cached_at": "2025-11-01T00:00:00Z""#), to: "profiles.ndjson", office)
        #expect(try bringIn(office, "profiles.ndjson", "--policy", "update").status == 0)
        #expect(try office.run("status", "--actor", "g@example.org").status == 0)
        // A file never changes a time that is known.
        try write(profile.replacing("%@", with: #", "cached_at": "2026-11-01T00:00:00Z""#), to: "profiles.ndjson", office)
        #expect(try bringIn(office, "profiles.ndjson", "--policy", "update").status == 0)
        #expect(try office.sql("SELECT cached_at FROM profiles WHERE email = 'g@example.org'").hasPrefix("2025-11-01"))
    }

    @Test func theLastFileMayEndTheActorsRights() throws {
        let office = try office()
        try ownProfile("ADMINISTRADOR_GENERAL", "INACTIVO", office)
        try write(Self.project(1), to: "projects.ndjson", office)
        let run = try bringIn(office, "projects.ndjson", "profiles.ndjson")
        #expect(run.status == 0 && run.output.contains("Imported: profiles.ndjson"), "\(run.status) \(run.output)\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM projects") == "1")
        #expect(try bringIn(office, "projects.ndjson").status == 77)
    }

    /// The role that an earlier file gave decides what a later file may bring.
    @Test func aLesserRoleHoldsForTheNextFile() throws {
        let office = try office()
        try ownProfile("CAMPO", "ACTIVO", office)
        try write(Self.project(1), to: "projects.ndjson", office)
        try FileManager.default.createDirectory(atPath: office.path("more"), withIntermediateDirectories: true)
        try write(
            "{\"id\": \"019e0000-0000-7000-8000-0000000000f2\", \"email\": \"new@example.org\", \"full_name\": \"N\", \"role\": \"LECTOR\", \"status\": \"ACTIVO\"}",
            to: "more/profiles.ndjson", office)
        let run = try bringIn(office, "profiles.ndjson", "projects.ndjson", "more/profiles.ndjson", "--join")
        #expect(run.status == 1 && run.output.contains("IMPORT-NOT-ALLOWED"), "\(run.status) \(run.output)\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM profiles WHERE email = 'new@example.org'") == "0")
        // The member of the project is the profile that came in, not the one that it replaced.
        #expect(try office.sql("SELECT profile_id FROM project_members") == "019e0000-0000-7000-8000-0000000000f1")
    }

    @Test func filesInTheWrongOrderAreReported() throws {
        let office = try office()
        try write(Self.project(1), to: "projects.ndjson", office)
        try write(Self.pit(11, of: 1) + "\n" + Self.pit(12, of: 1), to: "calicatas.ndjson", office)
        let run = try bringIn(office, "calicatas.ndjson", "projects.ndjson", "--join")
        #expect(run.status == 1 && run.output.contains("IMPORT-ORDER") && run.output.contains("2 rows of calicatas.ndjson"), "\(run.output)\(run.error)")
        let retry = try office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retry.status == 0, "\(retry.output)\(retry.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "2")
    }

    @Test func quietIsNotSilentWhereItDoesNotEndWell() throws {
        let office = try office()
        try write(Self.register + "PE-77;C-1;hondo;1;0;1\n", to: "a.csv", office)
        let run = try bringIn(office, "a.csv", "--mapping", "registro-plano", "--quiet")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.error == "fichero import ended with 1: something was found; without --quiet it says what.\n", "\(run.error)")
    }

    @Test func twoPitsOfOneCodeAreReported() throws {
        let office = try office()
        try write(Self.register + "PE-77;C-1;1,5;1;0;1\nPE-77;C-1;2,5;2;1;2\n", to: "a.csv", office)
        let run = try bringIn(office, "a.csv", "--mapping", "registro-plano", "--join")
        #expect(run.status == 0 && run.output.contains("IMPORT-DIFFERENT-REPEAT") && run.output.contains("depth_m: 1.5 ≠ 2.5"), "\(run.output)\(run.error)")
    }

    @Test func aNameThatNobodyReadsCannotBeSet() throws {
        let office = try office()
        try write(Self.register + "PE-77;C-1;hondo;1;0;1\n", to: "a.csv", office)
        _ = try bringIn(office, "a.csv", "--mapping", "registro-plano", "--join")
        let id = try office.sql("SELECT id FROM rejects WHERE json_extract(place, '$.table') = 'calicatas'")
        func set(_ change: String) throws -> ProgramRun { try office.run("rejects", "edit", id, "--set", change, "--actor", Office.administrator) }
        let refused = try set("depth_m=1.5")
        #expect(refused.status == 64 && refused.error.contains("Profundidad"), "\(refused.error)\(refused.output)")
        // A value may be set for a column that the mapping reads but the row does not have, and in
        // other capital letters.
        for change in ["Humedad=seco", "PROFUNDIDAD=1,5"] { #expect(try set(change).status == 0, "\(change)") }
    }

    @Test func aTableLacksTheIDOrTheKey() throws {
        let office = try office()
        try write("color;depth_m\nx;1\n", to: "p.csv", office)
        let run = try bringIn(office, "p.csv", "--entity", "calicatas")
        #expect(run.status == 65 && run.error.contains("id | project_id"), "\(run.error)")
    }

    /// With `--join`, the person is a member as soon as the projects are stored, wherever the run
    /// is killed.
    @Test func membershipComesWithTheProjects() throws {
        let counted = try office()
        let arguments = ["import", ProgramRun.root + "/Samples/ingeplus/survey", "--join", "--fail-on", "never", "--actor", Office.administrator]
        let calls = try BrokenCall.any(in: counted).count(arguments, in: counted)
        let members = "SELECT (SELECT count(*) FROM projects), (SELECT count(DISTINCT m.project_id) FROM project_members AS m JOIN profiles AS p ON p.id = m.profile_id WHERE p.email = '\(Office.administrator)')"
        let expected = try counted.sql(members)
        for step in 0..<6 {
            let office = try office()
            _ = try BrokenCall.any(in: office).run(arguments, in: office, at: calls - 12 * step, .kill)
            #expect(try ["0|0", expected].contains(office.sql(members)))
            #expect(try office.run(arguments).status == 0)
            #expect(try office.sql(members) == expected)
        }
    }
}
