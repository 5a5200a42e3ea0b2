import Testing

/// What an undo takes back besides rows of a file, and what it refuses with a code of its own.
@Suite struct UndoRefusalTests {
    @Test func theAdministratorOfInitStays() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let undo = try office.run("undo", "last", "--actor", Office.administrator)
        #expect(undo.status == 64 && undo.error.contains("UNDO-OWN-ACT"), "\(undo.status) \(undo.error)")
        #expect(try office.sql("SELECT count(*) FROM profiles; SELECT source, format FROM imports") == "1\ninit|init")
        #expect(try office.run("history", "changes", "--actor", Office.administrator).output.contains("init"))
    }

    /// A person who lost a right cannot use it again by taking back an earlier change.
    @Test func leaveThatIsLostIsNotUsedByAnUndo() throws {
        let office = try Office.pits()
        func users(_ words: String...) throws { #expect(try office.run(["users"] + words + ["--actor", Office.administrator]).status == 0) }
        let second = "segunda@example.pe", eve = "eva@example.pe"
        try users("add", second, "--role", "ADMINISTRADOR_GENERAL", "--name", "S")
        try users("add", eve, "--role", "COORDINADOR_PROYECTO", "--name", "E")
        #expect(try office.run("users", "change", eve, "--role", "LECTOR", "--actor", second).status == 0)
        try users("change", second, "--role", "LECTOR")
        let undo = try office.run("undo", "last", "--actor", second)
        #expect(undo.status == 77 && undo.error.contains("ACTOR-NOT-ALLOWED"), "\(undo.status) \(undo.error)")
        #expect(try office.sql("SELECT role FROM profiles WHERE email = '\(eve)'") == "LECTOR")
        // `last` passes over the change of `init` if there is another change to take back.
        try users("change", second, "--role", "ADMINISTRADOR_GENERAL")
        #expect(try office.run("init", "--admin", "tercera@example.pe", "--actor", Office.administrator).status == 0)
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT role FROM profiles WHERE email = '\(second)'") == "LECTOR")
    }

    @Test func whatWasDeliveredStays() throws {
        let office = try Office.pits()
        let made = try office.run("export", "calicatas", "--format", "xlsx", "--mark-exported", "-o", "out", "--fail-on", "never")
        #expect(made.status == 0, "\(made.error)")
        let books = "SELECT count(*), (SELECT count(*) FROM own_marks), (SELECT count(*) FROM activity_logs WHERE action = 'marked_exported') FROM exports"
        let before = try office.sql(books)
        #expect(!before.hasPrefix("0|0"))
        let run = try office.sql("SELECT DISTINCT run_id FROM exports LIMIT 1")
        let undo = try office.run("undo", String(run.suffix(12)), "--actor", Office.administrator)
        #expect(undo.status == 64 && undo.error.contains("UNDO-OWN-ACT") && undo.error.contains("→"), "\(undo.status) \(undo.error)")
        #expect(try office.sql(books) == before)
    }

    /// The management accepts findings but imports no files.
    @Test func whoBringsNoFilesTakesHisWordBack() throws {
        let office = try Office.pits()
        let manager = "gerente@example.pe"
        let project = try office.sql("SELECT p.code FROM projects AS p JOIN calicatas AS c ON c.project_id = p.id WHERE c.status = 'APROBADO' ORDER BY c.id LIMIT 1")
        let added = try office.run("users", "add", manager, "--role", "GERENCIA", "--name", "Gerente", "--project", project, "--actor", Office.administrator)
        #expect(added.status == 0, "\(added.error)")
        try office.change("""
            UPDATE calicatas SET easting = 1 WHERE id = (SELECT c.id FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE p.code = '\(project)' AND c.status = 'APROBADO' ORDER BY c.id LIMIT 1)
            """)
        #expect(try office.run("validate", "--actor", manager, "--json").status == 1)
        let print = try office.sql("SELECT fingerprint FROM run_findings WHERE severity = 'error' LIMIT 1")
        let accepted = try office.run("accept", print, "--reason", "known", "--until", "2026-12-31", "--actor", manager)
        #expect(accepted.status == 0, "\(accepted.error)")
        let undo = try office.run("undo", "last", "--actor", manager)
        #expect(undo.status == 0 && undo.output.contains("finding_acceptances"), "\(undo.status) \(undo.output) \(undo.error)")
        #expect(try office.sql("SELECT withdrawn_at IS NOT NULL FROM finding_acceptances") == "1")
        // Of an import of somebody else nobody learns whether there is one.
        let file = try office.sql("SELECT id FROM imports WHERE format = 'package' LIMIT 1")
        let foreign = try office.run("undo", file, "--actor", manager), none = try office.run("undo", "0190a000-0000-7000-8000-000000000000", "--actor", manager)
        #expect(foreign.status == 66 && none.status == 66 && foreign.error.contains("UNDO-UNKNOWN") && none.error.contains("UNDO-UNKNOWN"))
    }
}
