import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// What the remote refused waits, longer each time, and holds back what hangs on it.
@Suite struct PushWaitTests {
    private func refuse(_ id: String, _ item: PushItem, _ scene: PushScene) -> PushOutcome.Result {
        item.rowID == id ? .failed(class: .schema, message: "no") : scene.server.take(item)
    }

    /// Pushes while the remote refuses a pit; returns the rows that were sent.
    private func refusing(_ id: String = "c1", _ scene: PushScene) throws -> [String] {
        try scene.push(isWaiting: true) { refuse(id, $0, scene) }.map(\.rowID)
    }

    /// A pit with a part, refused once.
    private func refused() throws -> PushScene {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1", parts: ["s1"])
        #expect(try refusing("c1", scene) == ["p1", "c1"])
        return scene
    }

    @Test func theWaitDoublesUpToADay() {
        let ids = (0..<200).map { UUIDv7.make(at: testTime.addingTimeInterval(Double($0) / 1000)) }
        for (failures, wait) in [(1, 60), (2, 120), (3, 240), (10, 30_720), (11, 61_440), (12, 86_400), (400, 86_400)] {
            let all = ids.map { PushWaits.seconds(after: failures, of: $0) }
            #expect(all.allSatisfy { $0 >= wait && $0 < wait + wait / 4 })
            #expect(all == ids.map { PushWaits.seconds(after: failures, of: $0) }, "the same again")
            #expect(Set(all).count > 10, "not all at once")
        }
    }

    @Test func aRefusedItemIsLeftOutUntilItIsDue() throws {
        let scene = try refused()
        try scene.addPit("c2")
        scene.clock += 30
        #expect(try refusing("c1", scene) == ["c2"])
        #expect(scene.hold.counts == [.waiting: 1, .reference: 1])
        let due = try #require(scene.hold.due.flatMap(Timestamp.parse))
        #expect(try scene.sql("SELECT due_at FROM push_waits") == [Timestamp.format(due)])
        #expect((60..<75).contains(due.timeIntervalSince(testTime)))
        scene.clock = due - 1
        #expect(try refusing("c1", scene).isEmpty)
        scene.clock = due
        #expect(try refusing("c1", scene) == ["c1"])
        let next = try scene.sql("SELECT failures, failed_at, due_at FROM push_waits JOIN sync_queue AS q ON q.id = item_id WHERE retry_count = 2")
        #expect(next.first?.hasPrefix("2|2026-03-01T12:00:00Z|") == true)
        scene.clock += 119
        #expect(try refusing("c1", scene).isEmpty)
        // Without the wait all is tried, and what is sent leaves nothing.
        #expect(try scene.push().map(\.rowID) == ["c1", "s1"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue") == ["0"] && scene.sql("SELECT count(*) FROM push_waits") == ["0"])
    }

    @Test func aChangeOfTheRowEndsItsWait() throws {
        let scene = try refused()
        try scene.edit("c1", "depth_m", .real(2))
        // The remote takes the pit as it is now.
        func answer(_ item: PushItem) -> PushOutcome.Result { item.payload?.contains("1.5") == true ? .failed(class: .schema, message: "no") : scene.server.take(item) }
        let sent = try scene.push(isWaiting: true) { answer($0) }
        #expect(sent.map(\.rowID) == ["c1", "c1"] && sent.map(\.operation) == [.insert, .insert])
        #expect(try scene.sql("SELECT sync_state FROM calicatas") == ["synced"])
        #expect(try scene.fields(RowKey(entity: "calicatas", id: "c1")) == scene.server.rows[RowKey(entity: "calicatas", id: "c1")]?.fields)
        #expect(try scene.push(isWaiting: true) { answer($0) }.map(\.rowID) == ["s1"])
        for table in ["sync_queue", "push_waits", "row_bases"] { #expect(try scene.sql("SELECT count(*) FROM \(table)") == ["0"], "\(table)") }
    }

    @Test func theWaitBeginsAnewAfterAChange() throws {
        let scene = try refused()
        scene.clock += 75
        #expect(try refusing("c1", scene) == ["c1"])
        try scene.edit("c1", "depth_m", .real(2))
        #expect(try refusing("c1", scene) == ["c1", "c1"])
        #expect(try scene.sql("SELECT failures FROM push_waits") == ["1", "1"])
        #expect(try scene.sql("SELECT retry_count FROM sync_queue WHERE entity_id = 'c1' ORDER BY content_stamp") == ["3", "1"], "all failures are counted")
        // Now both wait.
        #expect(try refusing("c1", scene).isEmpty)
        #expect(scene.hold.counts == [.waiting: 1, .earlier: 1, .reference: 1])
    }

    /// What failed once may have had bad luck: the steps of a state are not skipped for that.
    @Test func theOrderOfARowsChangesIsKeptAfterOneFailure() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        try scene.edit("c1", "title", .text("x"))
        #expect(try refusing("c1", scene) == ["p1", "c1"])
        #expect(scene.hold.counts == [.earlier: 1])
        scene.clock += 75
        #expect(try scene.push(isWaiting: true) { scene.server.take($0) }.map(\.operation) == [.insert, .update])
    }

    @Test func aRefusedRowThatIsRemovedIsForgotten() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        _ = try refusing("c1", scene)
        try scene.delete("c1")
        let sent = try scene.push(isWaiting: true) { refuse($0.operation == .delete ? "" : "c1", $0, scene) }
        #expect(sent.last?.operation != .insert)
        for table in ["sync_queue", "push_waits"] { #expect(try scene.sql("SELECT count(*) FROM \(table) WHERE \(table == "sync_queue" ? "entity_type = 'calicatas'" : "true")") == ["0"], "\(table)") }
    }

    @Test func aClockThatWentBackHoldsNothing() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1")
        scene.clock = testTime + 40_000_000
        _ = try refusing("c1", scene)
        scene.clock = testTime
        #expect(try refusing("c1", scene) == ["c1"])
        #expect(try scene.sql("SELECT failed_at, tried_at FROM push_waits") == ["2026-03-01T12:00:00Z|2026-03-01T12:00:00Z"])
        #expect(try refusing("c1", scene).isEmpty)
    }

    @Test func whatAnUndoTookAwayIsForgotten() throws {
        let scene = try refused()
        try scene.undoLast()
        try scene.addPit("c2")
        try scene.push()
        #expect(try scene.sql("SELECT count(*) FROM push_waits") == ["0"])
    }

    /// A part could not be deleted: its owner waits too.
    @Test func theSummaryFindsWhatHangsOnADeletion() throws {
        let scene = try PushScene()
        try scene.addProjects(["p1"])
        try scene.addPit("c1", parts: ["s1"])
        try scene.addPit("c2", parts: ["s2"])
        try scene.push()
        try scene.delete("c1")
        try scene.addPit("c3", parts: ["s3"])
        #expect(try refusing("s1", scene).contains("s3"))
        let held = try scene.replica.pushSummary(by: scene.actor, at: scene.clock).held
        #expect(held.map(\.entity) == ["calicata_cortes", "calicatas"] && held.map(\.reason) == [.waiting, .parts])
        #expect(try refusing("s1", scene).isEmpty && scene.hold.counts == [.waiting: 1, .parts: 1], "a run holds the same")
    }

    @Test func aBrokenPayloadDoesNotStopTheSummary() throws {
        let scene = try refused()
        try scene.write("UPDATE sync_queue SET payload_json = '{' WHERE entity_id = 's1'")
        #expect(try scene.replica.pushSummary(by: scene.actor, at: scene.clock).held.map(\.reason) == [.waiting])
    }

    @Test func theSummarySaysUntilWhen() throws {
        let scene = try refused()
        let summary = try scene.replica.pushSummary(by: scene.actor, at: scene.clock + 1)
        let due = try scene.sql("SELECT due_at FROM push_waits").first
        #expect(summary.held == [.init(entity: "calicata_cortes", reason: .reference, count: 1), .init(entity: "calicatas", reason: .waiting, count: 1, until: due)])
        #expect(try scene.replica.pushSummary(by: scene.actor).held.isEmpty)
    }
}
