import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// What was sent to a side that answers later goes once, in a file for each project.
@Suite struct SentItemsTests {
    let exchange: ExchangeScene
    init() throws {
        exchange = try ExchangeScene()
        try exchange.begin()
    }

    @Test func whatWasSentIsNotOfferedAgainUntilThatIsAskedFor() throws {
        let sent = try exchange.send()
        #expect(sent == ["projects", "calicatas", "pit_events"])
        #expect(try exchange.send().isEmpty)
        // A later change of the same row goes by itself.
        try exchange.change([row("calicatas", "c1", ["title": .text("Río")])])
        #expect(try exchange.send() == ["calicatas", "pit_events"])
        try exchange.replica.sendAgain(to: ExchangeScene.remote, of: ["another"])
        #expect(try exchange.send().isEmpty)
        try exchange.replica.sendAgain(to: ExchangeScene.remote, of: [ExchangeScene.project])
        #expect(try exchange.send() == ["projects", "calicatas", "pit_events", "calicatas", "pit_events"])
    }

    @Test func eachProjectGetsAFileThatStaysTheSameUntilItIsThere() throws {
        try exchange.importFile([row("projects", "q", ["code": .text("Q"), "name": .text("Q")])])
        try exchange.send()
        let files = try exchange.replica.sealBatches(for: ExchangeScene.remote, at: testTime)
        #expect(files.map(\.projectID).sorted() == [ExchangeScene.project, "q"].sorted() && Set(files.map(\.file)).count == 2)
        #expect(files.map(\.waiting).sorted() == [1, 3])
        // A run that was killed before the files were there finds them as they were.
        #expect(try exchange.replica.unwrittenBatches(for: ExchangeScene.remote) == files)
        #expect(try exchange.replica.sealBatches(for: ExchangeScene.remote, at: testTime + 60) == files)
        for file in files { try exchange.replica.noteWritten(file, for: ExchangeScene.remote, rows: 1, photos: 0, by: exchange.scene.actor, in: "DEV", at: testTime) }
        #expect(try exchange.replica.unwrittenBatches(for: ExchangeScene.remote).isEmpty)
        #expect(try exchange.sql("SELECT count(*) FROM activity_logs WHERE action = 'package_written'") == ["2"])
        #expect(try exchange.replica.sealBatches(for: "elsewhere", at: testTime).isEmpty)
    }

    @Test func whatIsAcknowledgedIsForgotten() throws {
        try exchange.send()
        _ = try exchange.replica.sealBatches(for: ExchangeScene.remote, at: testTime)
        try exchange.receive([ExchangeScene.pit("c1", state: .synced)])
        #expect(try exchange.replica.unwrittenBatches(for: ExchangeScene.remote).map(\.waiting) == [2])
        #expect(try exchange.sql("SELECT count(*) FROM sent_items WHERE item_id NOT IN (SELECT id FROM sync_queue)") == ["0"])
    }

    @Test func removalsTravelAsTheirEventsAndPeopleStay() throws {
        let people = try exchange.replica.untakenChanges(exchange.reach)
        #expect(people == Int(try exchange.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'profiles'")[0]) && people > 0)
        try exchange.send()
        try exchange.change(deleting: "c1", [])
        #expect(try exchange.send() == ["pit_events"], "no removal of a row")
        #expect(try exchange.replica.untakenChanges(exchange.reach) == people, "the event tells it")
    }
}
