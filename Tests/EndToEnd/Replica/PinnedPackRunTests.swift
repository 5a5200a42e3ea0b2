import Foundation
import Testing
import Workbench

/// The replica's own pack rules, whatever folder a command is pointed at.
@Suite struct PinnedPackRunTests {
    private static let reader = "lector.prueba@example.pe"

    /// An office with a reader, and a folder of packs of the same version in which readers may administer.
    private func office() throws -> (office: Office, templates: String) {
        let office = try Office.pits()
        #expect(
            try office.run("users", "add", Self.reader, "--role", "LECTOR", "--actor", Office.administrator).status == 0
        )
        let templates = office.path("Other")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        let file = templates + "/ingeplus/pack.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let changed = text.replacing(
            "- name: LECTOR\n    may: [read]\n    sees: [public]",
            with:
                "- name: LECTOR\n    may: [read, validate, export, report, run, import, edit, mark, sync, resolve, administer]\n    sees: [public, internal, personal]"
        )
        try #require(changed != text)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        return (office, templates)
    }

    @Test func aReaderDoesNotBecomeAnAdministratorByAFolder() throws {
        let (office, templates) = try office()
        for command in [
            ["users", "add", "otro@example.pe", "--role", "LECTOR"], ["query", "SELECT phone FROM profiles"], ["init"],
        ] {
            let run = try office.run(command + ["--templates", templates, "--actor", Self.reader])
            #expect(
                run.status == 77 && run.error.contains("REPLICA-PACK-REFUSED")
                    && run.error.contains("ADMINISTRADOR_GENERAL"), "\(run.output)\(run.error)")
        }
        #expect(try office.run("doctor", "--templates", templates).output.contains("✗ REPLICA-PACK-REFUSED"))
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action LIKE 'pack_%'") == "0")
        // The pack that rules goes on.
        #expect(try office.run("status").status == 0)
    }

    @Test func anAdministratorTakesItAndTheLogSaysBothContents() throws {
        let (office, templates) = try office()
        let taken = try office.run("init", "--templates", templates, "--actor", Office.administrator)
        #expect(taken.status == 0, "\(taken.error)")
        #expect(try office.run("users", "--templates", templates, "--actor", Self.reader).status == 0)
        let both = "length(details ->> '$.before.fingerprint'), length(details ->> '$.after.fingerprint')"
        #expect(
            try office.sql(
                "SELECT \(both), actor_id = (SELECT id FROM profiles WHERE email = '\(Office.administrator)') FROM activity_logs WHERE action = 'pack_taken'"
            ) == "64|64|1")
        #expect(try office.run("doctor", "--templates", templates).output.contains("✓ REPLICA-LOG "))
        // The pack that came with the program does not come back without an administrator either.
        #expect(try office.run("status").status == 77)
        #expect(try office.run("init", "--actor", Office.administrator).status == 0 && office.run("status").status == 0)
    }

    @Test func eachRunNamesThePackThatRuled() throws {
        let (office, templates) = try office()
        func run(_ words: String...) throws {
            #expect(try office.run(words + ["--project", "HYO-2025", "--fail-on", "never"]).status == 0)
        }
        func runs() throws -> String {
            try office.sql(
                "SELECT command || ' ' || coalesce(pack, '—') FROM pipeline_runs ORDER BY rowid DESC LIMIT 2")
        }
        try run("edit", "C-01", "--set", "observations=seen")
        try run("validate")
        #expect(try runs() == "validate 1\nedit 1")
        #expect(try office.run("init", "--templates", templates, "--actor", Office.administrator).status == 0)
        try run("edit", "C-01", "--set", "observations=again", "--templates", templates)
        try run("validate", "--templates", templates)
        #expect(try runs() == "validate 2\nedit 2")
        #expect(try office.sql("SELECT pack FROM log_chain ORDER BY position DESC LIMIT 1") == "2")
        #expect(try office.run("doctor", "--templates", templates).output.contains("✓ REPLICA-LOG "))
    }

    /// What an office may change freely does not rule.
    @Test(arguments: [
        "reports/ficha-calicata/report.yaml", "jobs/monthly.yaml", "imports/access-calicatas.yaml", "texts/en.yaml",
    ])
    func whatLetsNobodyDoMoreIsNoOtherPack(_ path: String) throws {
        let office = try Office.pits()
        let templates = office.path("Other")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        let file = templates + "/ingeplus/" + path
        try (String(contentsOfFile: file, encoding: .utf8) + "\n# ours\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        #expect(try office.run("status", "--templates", templates).status == 0)
    }
}
