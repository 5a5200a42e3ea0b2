import Foundation
import Testing
import Workbench

/// For every fault of a replica, a pack or a disk, the exit code says which of them it is. It is
/// never 70 or a signal.
@Suite struct FaultCodeTests {
    private static let commands = [
        ["status"], ["export", "calicatas", "-o", "out"], ["validate", "--fail-on", "never"], ["history"], ["report", "resumen-proyecto", "-o", "out"],
        ["import", ProgramRun.root + "/Samples/ingeplus/broken/strata", "--fail-on", "never"], ["edit", "C-01", "--set", "title=x", "--project", "HYO-2025"],
    ]

    @Test(arguments: ["DROP TABLE calicata_cortes", "DROP TABLE sync_queue", "DROP TABLE run_outputs", "ALTER TABLE calicatas DROP COLUMN observations"])
    func aTableOrColumnThatIsGoneIsDamage(_ sql: String) throws {
        let office = try Office.pits()
        _ = try office.writableSQL("PRAGMA foreign_keys = OFF; " + sql)
        var damaged = 0
        for command in Self.commands {
            let run = try office.run(command)
            #expect(run.status == 0 || run.status == 65, "\(command) \(run.status) \(run.error)")
            if run.status == 65 { damaged += run.error.contains("REPLICA-DAMAGED") ? 1 : 0 }
        }
        #expect(damaged > 0)
        #expect(try office.run("doctor").status == 65)
    }

    /// One byte of the schema's text is changed. Most such bytes change nothing that a command
    /// reads. What SQLite reports of the others is damage of the replica.
    @Test func aByteOfTheSchemaThatIsAnotherIsDamageOrNothing() throws {
        let office = try Office.pits()
        _ = try office.writableSQL("PRAGMA wal_checkpoint(TRUNCATE)")
        let sound = try Data(contentsOf: URL(fileURLWithPath: office.replica))
        let statements = sound.ranges(of: Data("CREATE TABLE".utf8))
        var generator = SeededNumbers(8)
        var damaged = 0
        for _ in 0..<8 {
            let statement = try #require(statements.randomElement(using: &generator))
            let place = statement.lowerBound + Int.random(in: 0..<100, using: &generator), mask = UInt8.random(in: 1...255, using: &generator)
            var bytes = sound
            bytes[place] ^= mask
            for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: office.replica + ending) }
            try bytes.write(to: URL(fileURLWithPath: office.replica))
            for command in [["status"], ["validate", "--fail-on", "never"], ["doctor"]] {
                let run = try office.run(command)
                damaged += run.status == 0 ? 0 : 1
                #expect([0, 65].contains(run.status), "byte \(place) ^ \(mask): \(command) \(run.status) \(run.error)")
            }
        }
        #expect(damaged > 0)
    }

    @Test func aRuleWhoseValuesAreTooLongIsTheFaultOfItsPack() throws {
        var office = try Office.pits()
        let templates = office.path("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        let rules = templates + "/ingeplus/rules/calicatas.yaml"
        let text = try String(contentsOfFile: rules, encoding: .utf8)
        try text.replacing("WHERE bottom.depth > pit.depth_m + 0.005", with: "WHERE 1").replacing("SELECT pit.id, pit.depth_m, bottom.depth AS bottom_m", with: "SELECT pit.id, pit.depth_m, hex(zeroblob(900000000)) AS bottom_m")
            .write(toFile: rules, atomically: true, encoding: .utf8)
        office.environment["FICHERO_TEMPLATES"] = templates
        #expect(try office.run("init", "--actor", Office.administrator).status == 0)
        let run = try office.run("validate")
        #expect(run.status == 78 && run.error.contains("VALIDATION-QUERY"), "\(run.status) \(run.error)")
    }

    @Test(arguments: ["status", "export calicatas -o out", "validate --fail-on never", "report resumen-proyecto -o out"])
    func aDiskThatFailsOnceIs74(_ words: String) throws {
        let office = try Office.pits()
        let command = words.split(separator: " ").map(String.init)
        let reads = BrokenCall(paths: "*/fichero.db", calls: "read")
        let count = try reads.count(command, in: try Office.pits())
        for part in [1, 4, 20] {
            let run = try reads.run(command, in: office, at: max(1, count * part / 40), .fault)
            #expect(run.status == 74, "read \(part) of \(count): \(run.status) \(run.error)")
        }
    }

    /// Another program never gives its lock of the replica free.
    @Test func aForeignLockIs75AfterTheWait() throws {
        let office = try Office.pits()
        let holder = try ProgramRun.start(
            "/usr/bin/python3",
            ["-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read(); __import__('time').sleep(600)", office.replica],
            in: nil, environment: [:])
        defer { kill(holder.process.processIdentifier, SIGKILL) }
        _ = holder.process.output.availableData
        for command in [["export", "calicatas", "-o", "out"], ["run", "monthly", "-o", "out"], ["undo", "last", "--actor", Office.administrator]] {
            let run = try office.run(command + ["--wait", "1"])
            #expect(run.status == 75 && run.error.contains("REPLICA-BUSY"), "\(command) \(run.status) \(run.error)")
        }
        #expect(try office.files("out").isEmpty)
    }

    /// What a person may not see looks as if it did not exist: the code and the sentence are the
    /// same.
    @Test func whatIsNotOnesOwnIsAsWhatIsNotThere() throws {
        let office = try Office.pits()
        // This person is a member of no more than two projects.
        let actor = "campo2@example.pe"
        let foreign = try office.sql("SELECT c.id FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE p.code = 'HYO-2025' LIMIT 1")
        let nowhere = "0198a000-0000-7000-8000-0000000000aa"
        func said(_ run: ProgramRun, _ name: String) -> String { "\(run.status) " + run.error.replacing(name, with: "NAME") }
        #expect(!foreign.isEmpty)
        let records = try [foreign, nowhere].map { said(try office.run("edit", $0, "--set", "title=x", "--actor", actor), $0) }
        #expect(records[0] == records[1] && records[0].hasPrefix("66 error: RECORD-UNKNOWN"), "\(records)")
        let projects = try ["HYO-2025", "NO-SUCH"].map { said(try office.run("validate", "--project", $0, "--actor", "especialista@example.pe"), $0) }
        #expect(projects[1].hasPrefix("66 error: PROJECT-UNKNOWN"), "\(projects)")
        let others = try ["BAY-2025", "NO-SUCH"].map { said(try office.run("validate", "--project", $0, "--actor", "especialista@example.pe"), $0) }
        #expect(others[0] == others[1], "\(others)")
    }

    @Test func whatIsSaidFitsTheCommand() throws {
        let office = try Office.pits()
        let nothing = try office.run("users", "change", office.actor, "--actor", Office.administrator)
        #expect(nothing.status == 64 && nothing.error.contains("--role, --status, --name") && !nothing.error.contains("--set"), "\(nothing.error)")
        let draft = try office.sql("SELECT id FROM calicatas WHERE status = 'BORRADOR' AND sync_state = 'local_only' ORDER BY id LIMIT 1")
        try #require(!draft.isEmpty, "the samples have a draft")
        let tried = try office.run("delete", draft, "--dry-run", "--actor", Office.administrator)
        #expect(tried.status == 0 && tried.output.contains("would be gone") && !tried.output.contains("are gone"), "\(tried.output)\(tried.error)")
        let reference = try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "project_id=0198a000-0000-7000-8000-0000000000aa", "--actor", Office.administrator)
        #expect(!reference.output.contains("Import"), "\(reference.output)")
    }
}
