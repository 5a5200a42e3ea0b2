import Foundation
import Testing

@testable import Model
@testable import Replica

@Suite struct RunJournalTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    @Test func aRunFromBeginningToEnd() throws {
        try scene.beginRun("r1")
        #expect(try scene.sql("SELECT command, state, pid, as_of, actor_id = (SELECT id FROM profiles) FROM pipeline_runs")
            == ["export|running|\(ProcessInfo.processInfo.processIdentifier)|2026-03-01T12:00:00Z|1"])
        try scene.replica.finishRun(id: "r1", state: .done, exitCode: 1, summary: "{\"files\":2}", finishedAt: testTime)
        _ = try scene.sql("UPDATE pipeline_runs SET as_of = '2026-02-28T12:00:00Z'")
        let run = try #require(try scene.replica.history().runs.first)
        #expect(run.asOf == "2026-02-28T12:00:00Z" && run.startedAt == "2026-03-01T12:00:00Z")
        #expect(run.state == .done && run.exitCode == 1 && run.finishedAt == "2026-03-01T12:00:00Z" && run.summary == "{\"files\":2}")
    }

    @Test func whatAKilledRunLeftBehindIsFound() throws {
        let output = RunOutput(step: 1, temporaryPath: "/out/.a.part", finalPath: "/out/a.xlsx")
        for run in ["alive", "killed", "ended"] {
            try scene.beginRun(run)
            try scene.replica.plan([output], run: run)
        }
        try scene.replica.mark([output], as: .written, run: "killed")
        // This process has ended, so its number is free.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        _ = try scene.sql("UPDATE pipeline_runs SET pid = \(process.processIdentifier) WHERE id <> 'alive'")
        try scene.replica.finishRun(id: "ended", state: .failed, exitCode: 74, summary: nil, finishedAt: testTime)
        let interrupted = try scene.replica.interruptedRuns()
        #expect(interrupted.map(\.run.id) == ["killed", "ended"], "one that was killed, one that failed and could not take its files back")
        #expect(interrupted.first?.outputs == [RunOutput(step: 1, temporaryPath: "/out/.a.part", finalPath: "/out/a.xlsx", state: .written)])
        try scene.replica.finishRun(id: "killed", state: .interrupted, exitCode: 70, summary: nil, finishedAt: testTime)
        for run in ["killed", "ended"] { try scene.replica.forgetOpenOutputs(ofRun: run) }
        #expect(try scene.replica.interruptedRuns().isEmpty)
    }

    @Test func anotherProgramUnderTheSameNumberIsNotTheRun() throws {
        // This process is alive but is not a run of ours. It is ended by SIGKILL, because it may
        // block other signals.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cat")
        process.standardInput = Pipe()
        try process.run()
        #expect(!RunProcess.isAlive(Int(process.processIdentifier)))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test func aFilePlannedAgainStartsOver() throws {
        try scene.beginRun("r1")
        let output = RunOutput(temporaryPath: "/out/.a.1", finalPath: "/out/a.xlsx")
        try scene.replica.plan([output], run: "r1")
        try scene.replica.mark([output], as: .written, run: "r1")
        try scene.replica.plan([RunOutput(temporaryPath: "/out/.a.2", finalPath: "/out/a.xlsx")], run: "r1")
        #expect(try scene.replica.outputs(ofRun: "r1") == [RunOutput(temporaryPath: "/out/.a.2", finalPath: "/out/a.xlsx")])
    }
}

@Suite struct StatusTests {
    let scene: ReplicaScene

    init() throws {
        scene = try ReplicaScene()
        try scene.importing(smallPit + [
            row("projects", "p2", ["code": .text("P2")], state: .synced),
            row("calicatas", "d1", ["project_id": .text("p2"), "status": .text("BORRADOR")], state: .synced),
            row("calicata_cortes", "d1s", ["calicata_id": .text("d1")], state: .error),
        ])
    }

    @Test func rowsByStates() throws {
        let status = try scene.replica.status()
        #expect(status.packName == "pits" && status.createdAt == "2026-03-01T12:00:00Z")
        #expect(status.projects.map(\.code) == ["P2", "TPA"])
        let pits = try #require(status.tables.first { $0.entity == "calicatas" })
        #expect(pits.rows == 2 && pits.bySyncState == ["local_only": 1, "synced": 1] && pits.byState == ["APROBADO": 1, "BORRADOR": 1])
        #expect(status.queue == ["INSERT": 7])
        #expect(status.openConflicts == 0 && status.openRejects == 0 && status.lastRuns.isEmpty)
        #expect(!status.tables.contains { $0.entity == "sync_queue" })
    }

    @Test func oneMemberSeesItsProjects() throws {
        try scene.join("p2", scene.actor.id)
        let status = try scene.replica.status(visibleTo: scene.actor.id)
        #expect(status.projects.map(\.code) == ["P2"] && status.projects.map(\.members) == [1])
        // A stratum belongs to the project of its pit.
        #expect(status.tables.first { $0.entity == "calicata_cortes" }?.bySyncState == ["error": 1])
        // One item belongs to the profile, and one to the stratum that was not uploaded.
        #expect(status.queue == ["INSERT": 2])
        // Everybody may see rows that belong to no project.
        #expect(status.tables.first { $0.entity == "profiles" }?.rows == 1)
        #expect(try scene.replica.status(visibleTo: "stranger").projects.isEmpty)
    }

    @Test func historyOfSomeProjects() throws {
        try scene.beginRun("r1")
        let all = try scene.replica.history()
        #expect(all.runs.map(\.id) == ["r1"] && all.activity.first?.action == "import")
        #expect(all.activity.first?.actorEmail == "jefa@example.pe")
        #expect(try scene.replica.history(limit: 2).activity.count == 2)
        let one = try scene.replica.history(projectIDs: [ReplicaScene.project])
        #expect(one.runs.isEmpty && one.activity.count == 5 && one.activity.allSatisfy { $0.projectID == ReplicaScene.project })
        #expect(try scene.replica.history(projectIDs: []).activity.isEmpty)
    }

    /// A file may bring log entries about an unknown table. Such an entry may quote anything, so
    /// only administrators see it.
    @Test func detailsOfUnknownTablesAreForAdministrators() throws {
        _ = try scene.sql("""
            INSERT INTO activity_logs (id, actor_id, action, entity_type, details, created_at, import_source) VALUES ('a', 'x', 'seen', 'wages', '{"wage": 1}', '2026-01-01', 1);
            INSERT INTO activity_logs (id, actor_id, action, entity_type, details, created_at) VALUES ('b', 'x', 'seen', 'wages', '{"own": 1}', '2026-01-01')
            """)
        func details(_ reader: Model.Actor) throws -> Set<String> {
            Set(try scene.replica.history(reader: reader).activity.filter { $0.action == "seen" }.compactMap(\.details))
        }
        var clerk = scene.actor
        clerk.role = Role(name: "ASISTENTE", permissions: [.read], sees: ["public"])
        #expect(try details(clerk) == [#"{"own": 1}"#])
        #expect(try details(scene.actor) == [#"{"own": 1}"#, #"{"wage": 1}"#])
    }
}
