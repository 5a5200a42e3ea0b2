import Foundation
import GRDB
import Testing
import Workbench

@testable import Model
@testable import Replica

@Suite struct LogChainTests {
    let scene: ReplicaScene

    init() throws {
        var pack = ErasureTests.pack
        pack.ruling = RulingContent(whole: "content", folder: "folder")
        scene = try ReplicaScene(pack: pack)
        try scene.importing(
            smallPit + [row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "code": .text("C-0002")])])
    }

    private func checks() -> [DoctorCheck] {
        Replica.doctor(at: scene.file, pack: scene.pack).filter { $0.code.hasPrefix("REPLICA-LOG") }
    }

    private func count(_ key: String) -> String? { checks().first { $0.code == "REPLICA-LOG" }?.arguments[key] }

    /// The ids of the entries that one check tells, each at the end of its line.
    private func told(_ code: String) -> [String] {
        let entries =
            checks().first { $0.code == code && $0.state == .error }?.arguments["entries"]?.components(
                separatedBy: "; ") ?? []
        return entries.map { String($0.split(separator: " ").last ?? "") }
    }

    private func entry(_ number: Int) throws -> String {
        try scene.sql("SELECT id FROM activity_logs ORDER BY rowid LIMIT 1 OFFSET \(number)")[0]
    }

    @Test func everyEntryHasItsLink() throws {
        let entries = try scene.sql("SELECT count(*) FROM activity_logs")[0]
        #expect(count("count") == entries && count("adopted") == "0" && count("foreign") == "0")
        #expect(
            try scene.sql(
                "SELECT count(*) FROM log_chain AS c JOIN activity_logs AS l ON l.id = c.entry_id WHERE c.act IS NULL")
                == [entries])
        #expect(
            try scene.sql(
                "SELECT DISTINCT p.fingerprint FROM log_chain AS c JOIN ruling_packs AS p ON p.number = c.pack") == [
                    scene.pack.ruling.whole
                ])
    }

    @Test func whatOneStatementWritesAndWhatFollowsAreOneChain() throws {
        try scene.importing([
            row("calicatas", "c3", ["project_id": .text(ReplicaScene.project), "code": .text("C-0003")])
        ])
        try scene.replica.write { db in
            func add(_ ids: String...) throws {
                let rows = ids.map { "('\($0)', 'row_viewed', '2026-01-01T00:00:00Z', 9)" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO activity_logs (id, action, created_at, content_stamp) VALUES " + rows)
            }
            try add("one")
            try LogChain.writingMany(db) { try add("two", "three") }
            try add("four")
            // An error leaves the connection as it was, whether its writes are undone or not.
            struct Trouble: Error {}
            #expect(throws: Trouble.self) { try LogChain.writingMany(db) { throw Trouble() } }
            try add("five")
            try db.inSavepoint {
                try? LogChain.writingMany(db) {
                    try add("undone")
                    throw Trouble()
                }
                return .rollback
            }
            try LogChain.writingMany(db) { try add("six") }
        }
        let entries = try scene.sql("SELECT count(*) FROM activity_logs")[0]
        #expect(count("count") == entries, "\(checks())")
        let order = try scene.sql(
            "SELECT group_concat(entry_id, ' ') FROM (SELECT entry_id FROM log_chain ORDER BY position DESC LIMIT 6)")
        #expect(order == ["six five four three two one"])
    }

    @Test func anotherProgramShows() throws {
        let (changed, missing) = try (entry(1), entry(2))
        _ = try scene.sql(
            "UPDATE activity_logs SET action = 'row_viewed' WHERE id = '\(changed)'; DELETE FROM activity_logs WHERE id = '\(missing)'"
        )
        _ = try scene.sql(
            "INSERT INTO activity_logs (id, action, created_at) VALUES ('put-in', 'row_updated', '2026-01-01T00:00:00Z')"
        )
        #expect(
            told("REPLICA-LOG-CHANGED") == [changed] && told("REPLICA-LOG-MISSING") == [missing]
                && told("REPLICA-LOG-UNKNOWN") == ["put-in"])
        #expect(told("REPLICA-LOG-CHAIN") == [] && count("count") == nil)
    }

    @Test func aLinkThatAnotherProgramChangesOrTakesShows() throws {
        _ = try scene.sql("UPDATE log_chain SET link = CAST(zeroblob(80) AS BLOB) WHERE position = 2")
        // The next one does not follow from it either.
        #expect(told("REPLICA-LOG-CHAIN") == ["2", "3"])
        _ = try scene.sql("DELETE FROM log_chain WHERE position = 2")
        #expect(told("REPLICA-LOG-CHAIN") == ["3"])
    }

    @Test func entriesOfFilesAreCountedAndNotChained() throws {
        try scene.importing([
            row("activity_logs", "claimed", ["action": .text("edit"), "created_at": .text("2026-01-01T00:00:00Z")])
        ])
        #expect(count("foreign") == "1")
        #expect(try scene.sql("SELECT count(*) FROM log_chain WHERE entry_id = 'claimed'") == ["0"])
    }

    @Test func whatWasSentKeepsItsLink() throws {
        _ = try scene.sql("UPDATE activity_logs SET sync_state = 'synced', remote_updated_at = '2026-03-02T00:00:00Z'")
        #expect(count("foreign") == "0")
    }

    @Test func anErasureIsChainedAndLeavesNoSaltToGuessWith() throws {
        let before = try #require(count("count"))
        let context = RunContext(
            id: "r", asOf: testTime, timeZone: .gmt, language: .english, environment: "DEV", actor: scene.actor,
            programVersion: "1")
        let entry = try scene.sql("SELECT id FROM activity_logs WHERE entity_id = 'c2'")[0]
        _ = try scene.replica.erase("C-0002", context: context, isDryRun: true)
        #expect(count("count") == before, "a trial chains nothing")
        _ = try scene.replica.erase("C-0002", context: context, isDryRun: false)
        #expect(count("erased").flatMap(Int.init) ?? 0 >= 1)
        #expect(
            try scene.sql(
                "SELECT coalesce(act, 'written'), hex(substr(link, 1, 16)) = '\(String(repeating: "0", count: 32))' FROM log_chain WHERE entry_id = '\(entry)'"
            )
            == ["written|1", "erased|0"])
        #expect(
            try scene.sql("SELECT count(*) FROM log_chain WHERE act IS NULL AND substr(link, 1, 16) <> zeroblob(16)")
                != ["0"])
    }

    @Test func anOlderReplicaBeginsItsChainWithWhatItHas() throws {
        let entries = try scene.sql("SELECT count(*) FROM activity_logs")[0]
        _ = try scene.sql(
            "DROP TABLE log_chain; DROP TABLE ruling_packs; ALTER TABLE pipeline_runs DROP COLUMN pack; PRAGMA user_version = 13"
        )
        #expect(throws: ReplicaFailure.packChanged(path: scene.file, pack: "pits")) {
            try Replica.open(at: scene.file, pack: scene.pack)
        }
        _ = try Replica.initialise(at: scene.file, pack: scene.pack, now: testTime)
        #expect(count("count") == entries && count("adopted") == entries)
        _ = try scene.sql("UPDATE activity_logs SET details = '{}' WHERE id = '\(try entry(0))'")
        #expect(try told("REPLICA-LOG-CHANGED") == [entry(0)])
    }
}
