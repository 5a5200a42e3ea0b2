import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// What people change is written into the pack's log of events, once; what files bring is not.
@Suite struct ChangeEventsTests {
    private func events(_ exchange: ExchangeScene) throws -> [String] { try exchange.sql("SELECT type, pit, payload FROM pit_events ORDER BY rowid") }

    @Test func eachThingThatAPersonDoesIsAnEvent() throws {
        let exchange = try ExchangeScene()
        try exchange.begin()
        // The event itself says the project.
        #expect(try events(exchange) == ["PitCreated|c1|{\"code\":\"C1\",\"depth_m\":1.5,\"status\":\"BORRADOR\"}"])
        try exchange.change([row("calicatas", "c1", ["title": .text("Río"), "depth_m": .real(2)])])
        try exchange.change([row("calicatas", "c1", ["title": .null])])
        #expect(try events(exchange).dropFirst() == ["PitUpdated|c1|{\"title\":\"Río\",\"depth_m\":2.0}", "PitUpdated|c1|{\"title\":null}"])
        try exchange.change(deleting: "c1", [])
        #expect(try events(exchange).last == "PitDeleted|c1|{}")
        #expect(try exchange.sql("SELECT DISTINCT project_id, person, time, sync_state, synced FROM pit_events") == ["\(ExchangeScene.project)|\(exchange.scene.actor.id)|2026-03-01T12:00:00Z|local_only|"])
        #expect(try exchange.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'pit_events' AND operation = 'INSERT'") == ["4"])
    }

    @Test func aFieldWithATypeOfItsOwnIsNotToldTwice() throws {
        let exchange = try ExchangeScene()
        try exchange.begin()
        try exchange.change([row("calicatas", "c1", ["status": .text("APROBADO"), "title": .text("Río")])])
        #expect(try events(exchange).dropFirst() == ["PitStateChanged|c1|{\"to\":\"APROBADO\"}", "PitUpdated|c1|{\"title\":\"Río\"}"])
    }

    @Test func whatFilesBringAndWhatNoTypeTellsIsNoEvent() throws {
        let exchange = try ExchangeScene()
        try exchange.begin()
        try exchange.importFile([ExchangeScene.pit("c2")])
        try exchange.receive([ExchangeScene.pit("c3", state: .synced)])
        try exchange.change([row("calicata_cortes", "s1", ["calicata_id": .text("c1"), "number": .integer(1)])])
        try exchange.change([row("projects", ExchangeScene.project, ["client": .text("Obra")])])
        #expect(try events(exchange).count == 1)
        // A change that changes nothing.
        try exchange.change([row("calicatas", "c1", ["code": .text("C1")])])
        #expect(try events(exchange).count == 1)
    }
}
