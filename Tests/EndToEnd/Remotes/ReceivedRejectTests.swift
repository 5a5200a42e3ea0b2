import Foundation
import Testing

/// Rows of a package of the other side that were rejected and are retried by hand.
@Suite struct ReceivedRejectTests {
    private static let (asset, room) = ("019e0000-0000-7000-8000-00000000000a", "019e0000-0000-7000-8000-00000000000b")

    /// A package with a new asset in a room that only a later package brings.
    private func exchange() throws -> Exchange {
        let exchange = try Exchange()
        try #require(try exchange.sync().status == 0)
        try exchange.acknowledgeAll()
        try #require(try exchange.sync().status == 0)
        let draft = "(SELECT r.id FROM rooms r JOIN levels l ON l.id = r.level_id JOIN projects p ON p.id = l.project_id WHERE p.state = 'Draft')"
        let model = try exchange.sql("SELECT min(id) FROM instances WHERE room_id IN \(draft)")
        let place = try exchange.sql("SELECT room_id FROM instances WHERE id = '\(model)'")
        try exchange.acknowledgeAll(
            "b-", change: "row['id'] == '\(model)' and row.update(id='\(Self.asset)', room_id='\(Self.room)', photo_ids=[])", keep: "row['id'] == '\(Self.asset)'",
            at: "2025-12-01T13:10:00Z")
        let refused = try exchange.sync()
        #expect(refused.output.contains("FIELD-REFERENCE"), "\(refused.output)\(refused.error)")
        let table = refused.output.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        #expect(table.contains(["Assets", "0", "0", "0", "0", "0", "1", "0"]), "refused is no change of this side: \(refused.output)")
        try exchange.acknowledgeAll(
            "c-", change: "row['id'] == '\(place)' and row.update(id='\(Self.room)', number='9999')", keep: "row['id'] == '\(Self.room)'", at: "2025-12-01T13:20:00Z")
        let brought = try exchange.sync()
        try #require(brought.status == 0, "\(brought.output)\(brought.error)")
        try #require(try exchange.sql("SELECT count(*) FROM rooms WHERE id = '\(Self.room)'") == "1")
        return exchange
    }

    @Test func aRowThatIsRetriedComesInAsItWasReceived() throws {
        let exchange = try exchange()
        let retried = try exchange.office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retried.status == 0, "\(retried.output)\(retried.error)")
        #expect(try exchange.sql("SELECT sync_state, remote_updated_at FROM instances WHERE id = '\(Self.asset)'") == "synced|2025-12-01T13:10:00Z")
        #expect(try exchange.sql("SELECT count(*) FROM sync_queue WHERE entity_id = '\(Self.asset)'") == "0")
        let before = try exchange.sent()
        #expect(try exchange.sync(at: "2025-12-02T14:00:00Z").status == 0)
        #expect(try exchange.sent() == before, "it does not go back")
        try exchange.expectAllSynced()
    }

    @Test func aRowThatSomebodyEditedIsAChangeOfThisSide() throws {
        let exchange = try exchange()
        let reject = try exchange.sql("SELECT id FROM rejects WHERE state = 'open'")
        #expect(try exchange.office.run("rejects", "edit", reject, "--set", "plan_point=[1.5,2.5]", "--actor", Office.administrator).status == 0)
        let retried = try exchange.office.run("rejects", "retry", "--actor", Office.administrator)
        #expect(retried.status == 0, "\(retried.output)\(retried.error)")
        #expect(try exchange.sql("SELECT count(*) FROM sync_queue WHERE entity_id = '\(Self.asset)'") == "1")
    }

    @Test func anAnswerOfEventsAloneIsNoContradiction() throws {
        let exchange = try Exchange()
        #expect(try exchange.sync().status == 0)
        try exchange.acknowledgeAll(keep: "table == 'events'")
        let answered = try exchange.sync()
        #expect(answered.status == 0 && !answered.output.contains("EVENT-STATE-DIFFERS"), "\(answered.output)\(answered.error)")
        #expect(try exchange.sql("SELECT count(*) FROM events WHERE sync_state <> 'synced'") == "0")
    }
}
