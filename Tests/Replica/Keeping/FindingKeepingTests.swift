import Foundation
import Model
import Testing

@testable import Replica

/// Findings that are stored for a later comparison, and findings that a person accepts for some
/// time.
@Suite struct FindingKeepingTests {
    private let scene: ReadingScene
    private let replica: Replica

    init() throws {
        scene = try ReadingScene.pits()
        replica = try Replica.open(at: scene.file, pack: scene.pack)
    }

    private func finding(_ id: String, _ value: String = "1", code: String = "E", field: String? = "f", _ severity: Severity = .error) -> Finding {
        Finding(code: code, severity: severity, place: Place(table: "calicatas", id: id, field: field), arguments: ["value": value])
    }

    private func session(_ findings: [Finding]) throws -> ReadSession {
        let session = try scene.session()
        for finding in findings { try session.findings.add(finding) }
        return session
    }

    private func context(_ run: String, asOf: Date = testTime) -> RunContext {
        RunContext(
            id: run, asOf: asOf, timeZone: .gmt, language: .english, environment: "DEV", actor: scene.actor(scene.pack.roles[0].name),
            programVersion: "1")
    }

    private func keep(_ run: String, _ findings: [Finding], projects: [String] = ["p1"], at seconds: Double = 0) throws {
        let time = testTime.addingTimeInterval(seconds)
        try replica.keepValidation(
            context(run), projects: projects, findings: try session(findings).findings, summary: "{}", exitCode: .done, startedAt: time,
            finishedAt: time)
    }

    private func compare(
        _ run: String, _ findings: [Finding], projects: [String] = ["p1"], unjudged: Set<String> = [], hidden: [(entity: String, field: String)] = []
    ) throws -> (FindingComparison, new: [String], mended: [String]) {
        let store = try session(findings).findings
        let comparison = try store.compare(with: try replica.keptValidation(run), projects: projects, unjudged: unjudged, hidden: hidden)
        var (new, mended): ([String], [String]) = ([], [])
        try store.forEach(status: .new) { new.append($0.place.key ?? "") }
        try store.forEachMended { mended.append($0.place.key ?? "") }
        return (comparison, new, mended)
    }

    @Test func tellsNewMendedAndRemaining() throws {
        try keep("run-aaaaaa", [finding("c1"), finding("c2")])
        let (comparison, new, mended) = try compare("last", [finding("c2", "other value"), finding("c3")])
        #expect(comparison == FindingComparison(run: "run-aaaaaa", asOf: Timestamp.format(testTime), new: 1, mended: 1, remaining: 1))
        #expect(new == ["TPA-1 / C-3"])
        #expect(mended == ["TPA-1 / C-1"])
    }

    @Test func severalFindingsAtOnePlaceAreCounted() throws {
        try keep("run-aaaaaa", [finding("c1", "1"), finding("c1", "2"), finding("c1", "3")])
        let (comparison, _, mended) = try compare("run-aaaaaa", [finding("c1", "2"), finding("c1", "3")])
        #expect((comparison.new, comparison.mended, comparison.remaining) == (0, 1, 2))
        #expect(mended.count == 1)
    }

    private func joinSecondProject() throws {
        _ = try scene.sql("INSERT INTO project_members (id, project_id, profile_id) VALUES ('m2', 'p2', '\(ReadingScene.actorID)')")
    }

    @Test func onlyWhatBothJudgedIsCompared() throws {
        try joinSecondProject()
        let hidden = finding("c2", code: "P", field: "secret")
        try keep("run-aaaaaa", [finding("c1"), finding("c1", code: "SLOW"), hidden, finding("x1")], projects: ["p1", "p2"])
        let (comparison, _, mended) = try compare("last", [], unjudged: ["SLOW"], hidden: [("calicatas", "secret")])
        #expect(comparison.mended == 1)
        #expect(mended == ["TPA-1 / C-1"])
        // The earlier run did not look at this project, so none of its findings counts as new.
        try keep("run-bbbbbb", [], projects: ["p2"], at: 1)
        #expect(try compare("last", [finding("c1")]).0.new == 0)
    }

    @Test func aRunIsNamedByItsEndOrAsTheLast() throws {
        try keep("run-aaaaaa", [], at: 0)
        try keep("run-bbbbbb", [], at: 1)
        #expect(try replica.keptValidation("last").run == "run-bbbbbb")
        #expect(try replica.keptValidation("aaaaaa").run == "run-aaaaaa")
        #expect(throws: ValidationFailure.noSuchRun("bbb")) { try replica.keptValidation("bbb") }
        try keep("xun-bbbbbb", [], at: 2)
        #expect(throws: ValidationFailure.ambiguousRun("bbbbbb")) { try replica.keptValidation("bbbbbb") }
    }

    @Test func oldValidationsKeepNoFindings() throws {
        for number in 0...Replica.keptValidations { try keep("run-\(100000 + number)", [finding("c1")], at: Double(number)) }
        #expect(try scene.sql("SELECT count(DISTINCT run_id), count(*) FROM run_findings") == ["20|20"])
        #expect(throws: ValidationFailure.noSuchRun("run-100000")) { try replica.keptValidation("run-100000") }
        #expect(try scene.sql("SELECT count(*) FROM pipeline_runs") == ["21"])
    }

    // MARK: acceptance

    @Test func anAcceptedFindingIsShownAndWithholdsNothing() throws {
        try keep("run-aaaaaa", [finding("c1"), finding("c2")])
        let print = finding("c1").fingerprint
        let accepted = try replica.accept(
            [String(print.prefix(8))], reason: " known ", until: "2026-03-31", context: context("r"), projectIDs: ["p1"])
        #expect(accepted.map(\.reason) == ["known"])
        let session = try session([finding("c1"), finding("c2")])
        #expect(try session.findings.counts().map { [$0.count, $0.accepted, $0.open] } == [[2, 1, 1]])
        var shown: [Acceptance?] = []
        try session.findings.forEach { shown.append($0.acceptance) }
        #expect(shown == [Acceptance(reason: "known", actor: "tester@example.pe", acceptedAt: Timestamp.format(testTime), until: "2026-03-31"), nil])
        _ = try session.select(scene.record, in: session.projects[0], SelectionRequest(), hasRemote: true)
        #expect(try session.withholdRecordsWithErrors() == 1)
        #expect(try session.leftOut(limit: 9).map(\.key) == ["TPA-1 / C-2"])
        #expect(try scene.sql("SELECT action, entity_type, entity_id, project_id FROM activity_logs WHERE entity_type <> 'imports'") == ["finding_accepted|calicatas|c1|p1"])
    }

    @Test func itEndsWithItsDayItsValuesOrAWord() throws {
        try keep("run-aaaaaa", [finding("c1")])
        let print = finding("c1").fingerprint
        let open = { (value: String) in try self.session([self.finding("c1", value)]).findings.counts().map(\.open) }
        _ = try replica.accept([print], reason: "known", until: "2026-03-01", context: context("r"), projectIDs: ["p1"])
        #expect(try open("1") == [0])
        #expect(try open("2") == [1], "the same finding with another value asks again")
        _ = try scene.sql("UPDATE finding_acceptances SET until = '2026-02-28'")
        #expect(try open("1") == [1])
        _ = try scene.sql("UPDATE finding_acceptances SET until = '2026-03-02'")
        #expect(try open("1") == [0])
        #expect(try replica.withdrawAcceptances([String(print.prefix(12))], context: context("r"), projectIDs: ["p1"]) == 1)
        #expect(try open("1") == [1])
        #expect(try replica.acceptances(asOf: testTime, timeZone: .gmt, projectIDs: ["p1"]).map(\.state) == [.withdrawn])
        #expect(throws: AcceptanceFailure.noSuchFinding(print)) {
            try replica.withdrawAcceptances([print], context: context("r"), projectIDs: ["p1"])
        }
    }

    @Test func aNewWordReplacesTheOld() throws {
        try keep("run-aaaaaa", [finding("c1")])
        for (reason, until) in [("first", "2026-03-31"), ("second", "2026-03-15")] {
            _ = try replica.accept([finding("c1").fingerprint], reason: reason, until: until, context: context("r"), projectIDs: ["p1"])
        }
        let states = try replica.acceptances(asOf: testTime, timeZone: .gmt, projectIDs: ["p1"]).map { "\($0.reason) \($0.state.rawValue)" }
        #expect(Set(states) == ["first withdrawn", "second holds"])
    }

    @Test func whatCannotBeAcceptedIsSaid() throws {
        try joinSecondProject()
        try keep("run-aaaaaa", [finding("c1"), finding("x1")], projects: ["p1", "p2"])
        func accept(_ print: String, reason: String = "r", until: String = "2026-12-31", projects: [String] = ["p1"]) throws {
            _ = try replica.accept([print], reason: reason, until: until, context: context("r"), projectIDs: projects)
        }
        let print = finding("c1").fingerprint
        #expect(throws: AcceptanceFailure.noReason) { try accept(print, reason: " \n") }
        #expect(throws: AcceptanceFailure.badDay("31-12-2026")) { try accept(print, until: "31-12-2026") }
        #expect(throws: AcceptanceFailure.badDay("2026-02-31")) { try accept(print, until: "2026-02-31") }
        #expect(throws: AcceptanceFailure.dayIsPast("2026-02-28")) { try accept(print, until: "2026-02-28") }
        #expect(throws: AcceptanceFailure.badFingerprint("%")) { try accept("%") }
        #expect(throws: AcceptanceFailure.noSuchFinding("00000000")) { try accept("00000000") }
        // A finding in a project of others is unknown to this actor.
        #expect(throws: AcceptanceFailure.noSuchFinding(finding("x1").fingerprint)) { try accept(finding("x1").fingerprint) }
        try accept(finding("x1").fingerprint, projects: ["p2"])
        #expect(try scene.sql("SELECT count(*) FROM finding_acceptances") == ["1"])
    }

    @Test func allOrNoneAreAccepted() throws {
        try keep("run-aaaaaa", [finding("c1")])
        #expect(throws: AcceptanceFailure.self) {
            try replica.accept([finding("c1").fingerprint, "00000000"], reason: "r", until: "2026-12-31", context: context("r"), projectIDs: ["p1"])
        }
        #expect(try scene.sql("SELECT (SELECT count(*) FROM finding_acceptances), (SELECT count(*) FROM activity_logs)") == ["0|0"])
    }

    /// An acceptance is a change set like others. It is in the history and can be taken back.
    @Test func aWordIsTakenBack() throws {
        try keep("run-aaaaaa", [finding("c1"), finding("c2")])
        func states() throws -> [String] { try scene.sql("SELECT reason, withdrawn_at IS NULL FROM finding_acceptances ORDER BY rowid") }
        func undo(_ name: String = "last") throws -> UndoAccount { try replica.undoImport(name, context: context("u")) }
        let prints = [finding("c1").fingerprint, finding("c2").fingerprint]
        _ = try replica.accept(prints, reason: "first", until: "2026-03-31", context: context("r"), projectIDs: ["p1"])
        let first = try scene.sql("SELECT id FROM imports")[0]
        _ = try replica.accept([prints[0]], reason: "second", until: "2026-03-15", context: context("r"), projectIDs: ["p1"])
        #expect(try states() == ["first|0", "first|1", "second|1"])
        #expect(try scene.sql("SELECT i.source, d.reason FROM imports AS i JOIN import_details AS d ON d.import_id = i.id ORDER BY d.stamp") == ["accept|first", "accept|second"])
        // An acceptance that a later one replaced can be taken back only after the later one.
        #expect(throws: UndoFailure.self) { try undo(first) }
        #expect(try undo().lines == [.init(entity: "finding_acceptances", removed: 1, restored: 1)])
        #expect(try states() == ["first|1", "first|1", "second|0"])
        #expect(try replica.withdrawAcceptances([prints[1]], context: context("r"), projectIDs: ["p1"]) == 1)
        #expect(try undo().lines == [.init(entity: "finding_acceptances", removed: 0, restored: 1)])
        #expect(try states() == ["first|1", "first|1", "second|0"])
        // An acceptance cannot be taken back after a document was registered because of it.
        _ = try scene.sql("INSERT INTO exports (id, project_id, file_name) VALUES ('e', 'p1', 'x.xlsx')")
        #expect(throws: UndoFailure.builtOn(first, .exported, records: ["x.xlsx"], count: 1)) { try undo(first) }
        _ = try scene.sql("DELETE FROM exports")
        #expect(try undo(first).lines == [.init(entity: "finding_acceptances", removed: 2, restored: 0)])
        #expect(try states() == ["first|0", "first|0", "second|0"])
    }

    /// A withdrawn acceptance does not come back if there is a newer one.
    @Test func whoSaidLastIsRight() throws {
        try keep("run-aaaaaa", [finding("c1")])
        let print = finding("c1").fingerprint
        _ = try replica.accept([print], reason: "long", until: "2027-12-31", context: context("r"), projectIDs: ["p1"])
        #expect(try replica.withdrawAcceptances([print], context: context("r"), projectIDs: ["p1"]) == 1)
        let withdrawal = try scene.sql("SELECT i.id FROM imports AS i JOIN import_details AS d ON d.import_id = i.id ORDER BY d.stamp DESC LIMIT 1")[0]
        _ = try replica.accept([print], reason: "short", until: "2026-03-31", context: context("r"), projectIDs: ["p1"])
        let failure = #expect(throws: UndoFailure.self) { try replica.undoImport(withdrawal, context: context("u")) }
        #expect(failure?.code == "UNDO-LATER")
        #expect(try scene.sql("SELECT reason FROM finding_acceptances WHERE withdrawn_at IS NULL") == ["short"])
    }

    /// The gate decides whether a project is the actor's, and not the command.
    @Test func aStrangerAcceptsNothing() throws {
        try joinSecondProject()
        try keep("run-aaaaaa", [finding("x1")], projects: ["p1", "p2"])
        var stranger = context("r")
        stranger.actor.id = "nobody"
        stranger.actor.role.permissions.remove(.administer)
        #expect(throws: AcceptanceFailure.noSuchFinding(finding("x1").fingerprint)) {
            try replica.accept([finding("x1").fingerprint], reason: "r", until: "2026-12-31", context: stranger, projectIDs: ["p1", "p2"])
        }
        stranger.actor.role.permissions = [.read]
        #expect(throws: ActorFailure.self) { try replica.withdrawAcceptances(["00000000"], context: stranger, projectIDs: ["p1", "p2"]) }
        #expect(try scene.sql("SELECT (SELECT count(*) FROM finding_acceptances), (SELECT count(*) FROM imports)") == ["0|0"])
    }

    @Test func aReplicaOfTheVersionBeforeGetsTheTables() throws {
        _ = try scene.sql("DROP TABLE run_findings; DROP TABLE finding_acceptances; PRAGMA user_version = 1")
        #expect(throws: ReplicaFailure.packChanged(path: scene.file, pack: scene.pack.name)) { try Replica.open(at: scene.file, pack: scene.pack) }
        #expect(try Replica.initialise(at: scene.file, pack: scene.pack, now: testTime)
            == .migrated(additions: ["run_findings", "finding_acceptances"], leftovers: []))
        #expect(try Replica.initialise(at: scene.file, pack: scene.pack, now: testTime) == .current)
        let again = try Replica.open(at: scene.file, pack: scene.pack)
        #expect(try again.acceptances(asOf: testTime, timeZone: .gmt, projectIDs: []).isEmpty)
        #expect(
            try scene.sql(
                "SELECT name FROM sqlite_schema WHERE name LIKE '%acceptances%' AND name NOT LIKE 'sqlite%' AND type <> 'trigger' ORDER BY 1"
            )
            == ["finding_acceptances", "ix_finding_acceptances_fingerprint"])
    }
}
