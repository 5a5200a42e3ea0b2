import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// What rows of the other side say about what waits here.
@Suite struct AcknowledgementsTests {
    let exchange: ExchangeScene
    init() throws {
        exchange = try ExchangeScene()
        try exchange.begin()
        try exchange.send()
    }

    private func waiting(_ entity: String = "calicatas") throws -> Int? { Int(try exchange.sql("SELECT count(*) FROM sync_queue WHERE entity_type = '\(entity)'")[0]) }
    private func pit(_ id: String = "c1") throws -> String? {
        try exchange.sql("SELECT coalesce(title, '-'), sync_state, coalesce(remote_updated_at, '-') FROM calicatas WHERE id = '\(id)'").first
    }

    @Test func theSameRowThatSaysSoAcknowledges() throws {
        try exchange.receive([ExchangeScene.pit("c1")])
        #expect(try waiting() == 1 && pit() == "-|local_only|-", "a copy of what was sent says nothing")
        try exchange.receive([ExchangeScene.pit("c1", ["depth_m": .real(9)], state: .synced)])
        #expect(try waiting() == 1, "another row is no answer to this one")
        let other = try ExchangeScene()
        try other.begin()
        try other.receive([ExchangeScene.pit("c1", state: .synced)])
        #expect(try other.sql("SELECT sync_state, remote_updated_at FROM calicatas") == ["synced|2026-03-01T13:00:00Z"])
        #expect(try other.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas'") == ["0"])
    }

    @Test func anAnswerCountsForTheChangesUpToTheOneThatItHas() throws {
        try exchange.change([row("calicatas", "c1", ["title": .text("Río")])])
        try exchange.change([row("calicatas", "c1", ["title": .text("Cerro")])])
        #expect(try waiting() == 3)
        try exchange.receive([ExchangeScene.pit("c1", ["title": .text("Río")], state: .synced)])
        #expect(try waiting() == 1 && pit() == "Cerro|pending_upload|2026-03-01T13:00:00Z")
        try exchange.receive([ExchangeScene.pit("c1", ["title": .text("Cerro")], state: .synced)], version: "2026-03-01T14:00:00Z")
        #expect(try waiting() == 0 && pit() == "Cerro|synced|2026-03-01T14:00:00Z")
        #expect(try exchange.sql("SELECT count(*) FROM conflicts") == ["0"])
    }

    @Test func anEventIsAcknowledgedByItsFieldAndNeverChanges() throws {
        let stored = try exchange.sql("SELECT id, person, payload FROM pit_events")[0].split(separator: "|", maxSplits: 2).map(String.init)
        func event(_ payload: String, synced: Bool) -> ImportedRow {
            row(
                "pit_events", stored[0],
                [
                    "type": .text("PitCreated"), "pit": .text("c1"), "payload": .text(payload), "project_id": .text(ExchangeScene.project), "person": .text(stored[1]),
                    "time": .text("2026-03-01T12:00:00Z"), "synced": .integer(synced ? 1 : 0),
                ])
        }
        #expect(try exchange.receive([event("{\"forged\":true}", synced: true)]) == ["SYNC-EVENT-DIFFERS"])
        #expect(try exchange.receive([event(stored[2], synced: false)]).isEmpty)
        #expect(try waiting("pit_events") == 1)
        // The members of the payload come back in another order.
        let members = try JSONSerialization.jsonObject(with: Data(stored[2].utf8)) as? [String: Any] ?? [:]
        let turned = try members.keys.sorted(by: >).map { "\"\($0)\":" + String(decoding: try JSONSerialization.data(withJSONObject: members[$0] ?? "", options: .fragmentsAllowed), as: UTF8.self) }
        #expect(try exchange.receive([event("{\(turned.joined(separator: ","))}", synced: true)]).isEmpty)
        #expect(try waiting("pit_events") == 0)
        #expect(try exchange.sql("SELECT synced, sync_state, payload = '\(stored[2])' FROM pit_events") == ["1|synced|1"])
    }

    @Test func anOlderPackageChangesNothingBack() throws {
        try exchange.receive([ExchangeScene.pit("c1", state: .synced)], version: "2026-03-01T13:00:00Z")
        try exchange.receive([ExchangeScene.pit("c1", ["title": .text("Río")], state: .synced)], version: "2026-03-01T13:30:00Z")
        #expect(try pit() == "Río|synced|2026-03-01T13:30:00Z")
        try exchange.receive([ExchangeScene.pit("c1", ["title": .text("Antes")], state: .synced)], version: "2026-03-01T13:10:00Z")
        #expect(try pit() == "Río|synced|2026-03-01T13:30:00Z" && waiting() == 0)
    }

    @Test func aRowThatWasRemovedHereDoesNotComeBack() throws {
        try exchange.receive([ExchangeScene.pit("c1", state: .synced)])
        try exchange.change(deleting: "c1", [])
        try exchange.receive([ExchangeScene.pit("c1", state: .synced)], version: "2026-03-01T14:00:00Z")
        #expect(try pit() == nil)
    }
}
