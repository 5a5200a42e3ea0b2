import Foundation
import Testing

/// Killed after its change was stored, a command that is given again says that it is done.
@Suite struct DoneAlreadyTests {
    /// The office in which the command was killed after its change was stored and before it told.
    private func killed(_ command: [String], in office: Office, _ isStored: (Office) throws -> Bool) throws -> Office {
        let writes = BrokenCall(paths: "*/fichero.db-wal", calls: "write")
        let calls = try writes.count(command, in: office.copy())
        for number in stride(from: calls, to: 0, by: -1) {
            let copy = try office.copy()
            let run = try writes.run(command, in: copy, at: number, .kill)
            #expect(run.status == 128 + SIGKILL)
            if try isStored(copy), try copy.sql("SELECT summary IS NULL FROM pipeline_runs ORDER BY rowid DESC LIMIT 1") == "1" { return copy }
        }
        throw Office.Trouble(ProgramRun(status: 0, output: "no such moment", error: ""))
    }

    private func expectDone(_ command: [String], in office: Office) throws {
        let history = try office.run("history", "runs")
        let line = try #require(history.output.split(separator: "\n").first { $0.contains(command.prefix { !$0.hasPrefix("C-") }.joined(separator: " ")) })
        #expect(line.contains("done"), "\(line)")
        for language in ["en", "es", "it"] {
            let again = try office.run(command + ["--lang", language])
            #expect(again.status == 64 && again.error.contains("CHANGE-DONE"), "\(again.status) \(again.error)")
        }
        // Any other run ends it; the change can be taken back.
        #expect(try office.run("undo", "last").status == 0)
        #expect(try office.run(command).status <= 1)
        #expect(try office.run(command).status == 66)
    }

    @Test func aDeletion() throws {
        let office = try Office.pits()
        let code = try office.sql(
            """
            SELECT code FROM calicatas WHERE status = 'BORRADOR' AND sync_state <> 'conflict' AND project_id IN (SELECT id FROM projects WHERE code = 'JLP-2025')
            ORDER BY code LIMIT 1
            """)
        let command = ["delete", code, "--project", "JLP-2025", "--reason", "dug twice"]
        let rows = "SELECT count(*) FROM calicatas"
        let before = try office.sql(rows)
        try expectDone(command, in: killed(command, in: office) { try $0.sql(rows) != before })
    }

    @Test func aDecision() throws {
        let office = try Office.pits()
        let command = ["conflicts", "keep", "C-19", "theirs", "--project", "CHU-2025", "--reason", "field book", "--fail-on", "never"]
        let open = "SELECT count(*) FROM conflicts WHERE resolution_status = 'open'"
        let before = try office.sql(open)
        try expectDone(command, in: killed(command, in: office) { try $0.sql(open) != before })
    }
}
