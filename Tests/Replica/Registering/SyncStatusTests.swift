import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// Each project's sync is told by itself, and what belongs to no project too.
@Suite struct SyncStatusTests {
    private func status(_ scene: PushScene) throws -> [SyncStatus] {
        let projects = try scene.replica.status().projects
        return try scene.replica.syncStatus(of: projects, for: scene.scene.actor, at: scene.clock)
    }

    @Test func whatWaitsIsCountedByProject() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1", "p2", "p3"])
        try scene.push()
        try scene.write("UPDATE activity_logs SET sync_state = 'synced'")
        try scene.addPit("c1", in: "p1", parts: ["s1"])
        try scene.addPit("c2", in: "p2")
        try scene.write("INSERT INTO sync_queue (id, operation, entity_type, entity_id, created_at) VALUES ('q1', 'INSERT', 'profiles', 'x', '2026-03-01T12:00:00Z')")
        try scene.push(of: ["p1", "p2"], isWaiting: true) { item in
            item.rowID == "c1" ? .failed(class: .rls, message: "no") : .contested(remote: #"{"id":"c2","updated_at":"x"}"#)
        }
        let found = try status(scene)
        #expect(found.map(\.project) == ["P1", "P2", "P3", nil])
        let due = try scene.sql("SELECT due_at FROM push_waits").first
        #expect(
            found[0].push
                == PushSummary(
                    waiting: [.init(entity: "calicata_cortes", operation: .insert, count: 1), .init(entity: "calicatas", operation: .insert, count: 1)],
                    failed: [.init(kind: .rls, count: 1, since: "2026-03-01T12:00:00Z")],
                    held: [.init(entity: "calicata_cortes", reason: .reference, count: 1), .init(entity: "calicatas", reason: .waiting, count: 1, until: due)], logs: found[0].push.logs))
        #expect(found.map(\.openConflicts) == [0, 1, 0, 0])
        #expect(found[1].push.held == [.init(entity: "calicatas", reason: .conflict, count: 1)])
        #expect(found[2].push == PushSummary())
        #expect(found[3].push.waiting == [.init(entity: "profiles", operation: .insert, count: 1)])
        #expect(try found[0].push.logs + found[1].push.logs + found[3].push.logs == Int(scene.sql("SELECT count(*) FROM activity_logs WHERE sync_state <> 'synced'")[0]))
        // All together are what one summary says.
        let whole = try scene.replica.pushSummary(by: scene.actor, at: scene.clock)
        var sum = PushSummary()
        for part in found.reversed() { sum.add(part.push) }
        #expect(sum == whole)
    }

    @Test func theLastPullIsTheActorsOwn() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1", "p2"])
        let actor = scene.scene.actor.id
        try scene.write("""
            INSERT INTO sync_cursors (remote, actor_id, role, scope, entity, snapshot, system, timeline, pulled_at) VALUES
              ('a', '\(actor)', 'r', 'p1', 'calicatas', '', '', '', '2026-02-01T00:00:00Z'), ('a', '\(actor)', 'r', 'p1', 'cortes', '', '', '', '2026-02-03T00:00:00Z'),
              ('b', '\(actor)', 'r', 'p1', 'calicatas', '', '', '', '2026-02-04T00:00:00Z'), ('a', 'other', 'r', 'p2', 'calicatas', '', '', '', '2026-02-09T00:00:00Z')
            """)
        let found = try status(scene)
        #expect(found[0].pulled == [.init(remote: "b", at: "2026-02-04T00:00:00Z"), .init(remote: "a", at: "2026-02-03T00:00:00Z")])
        #expect(found[1].pulled.isEmpty)
    }
}
