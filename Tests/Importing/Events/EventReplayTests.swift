import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model

@Suite struct EventReplayTests {
    private typealias Event = EventReplay.Event

    /// The events of the pack that has a log.
    private static let rules = (try? ShippedPack.named("anagrafica")).flatMap(EventRules.init)

    private func replayed(_ events: [Event]) throws -> EventReplay { EventReplay(events, rules: try #require(Self.rules)) }

    /// An id for a millisecond. A number makes it unique.
    private func id(_ milliseconds: Int, _ number: Int) -> String {
        let head = String(1_700_000_000_000 + milliseconds, radix: 16)
        let padded = String(repeating: "0", count: 12 - head.count) + head
        let tail = String(number, radix: 16)
        return "\(padded.prefix(8))-\(padded.suffix(4))-7000-8000-" + String(repeating: "0", count: 12 - tail.count) + tail
    }

    private func event(_ at: Int, _ number: Int, _ type: String, _ entity: String, _ payload: String = "{}") throws -> Event {
        Event(id: id(at, number), type: type, entityID: entity, payload: try JSONValue.parse(payload))
    }

    private func record(_ replay: EventReplay, _ entity: String, _ id: String) -> EventReplay.Record? {
        replay.records[EventReplay.Key(entity: entity, id: id)]
    }

    @Test func eventsApplyInTheOrderOfTheirIdsAndOnce() throws {
        let asset = id(0, 1)
        let log = [
            try event(30, 3, "InstanceUpdated", asset, #"{"parameters":{"condition":"worn"}}"#),
            try event(10, 2, "InstanceCreated", asset, #"{"roomId":"r","parameters":{"condition":"new","defect":"none"}}"#),
        ]
        let replay = try replayed(log + log)
        #expect(replay.repeated == 2)
        #expect(record(replay, "instances", asset)?.fields["parameters"]?.description == #"{"condition":"worn"}"#)
        #expect(record(replay, "instances", asset)?.isCreated == true)
        #expect(replay.needs.isEmpty)
    }

    @Test func withinAMillisecondWhatOthersDependOnGoesFirst() throws {
        let (asset, photo) = (id(0, 1), id(0, 2))
        let replay = try replayed([
            try event(5, 1, "InstanceDeleted", asset), try event(5, 2, "PhotoLinked", photo, "{\"instanceId\":\"\(asset)\",\"photoId\":\"\(photo)\"}"),
            try event(5, 3, "PhotoCaptured", photo, #"{"filename":"a.jpg"}"#), try event(5, 4, "InstanceCreated", asset),
        ])
        #expect(replay.needs.isEmpty, "nothing comes before what it needs")
        #expect(record(replay, "instances", asset)?.isDeleted == true)
        #expect(record(replay, "instances", asset)?.fields["photoIds"]?.items?.count == 1)
    }

    @Test func gapsAndUnknownTypesAreReported() throws {
        let replay = try replayed([
            try event(1, 1, "InstanceUpdated", id(0, 9)), try event(2, 2, "PhotoLinked", id(0, 8)), try event(3, 3, "RoofRaised", id(0, 7)),
        ])
        #expect(replay.needs.map(\.key) == [EventReplay.Key(entity: "instances", id: id(0, 9)), nil], "an update without its record; a photo linked to nobody")
        #expect(replay.unknown.map(\.type) == ["RoofRaised"])
    }

    @Test func timesComeFromTheIdOfWhatWasMade() throws {
        let replay = try replayed([try event(10, 2, "InstanceCreated", "019cd184-d6eb-75a7-94a6-6ea531b3cac9")])
        let made = record(replay, "instances", "019cd184-d6eb-75a7-94a6-6ea531b3cac9")?.made.time
        #expect(made == "2026-03-09T07:34:29.867Z")
    }

    /// The events of a log may come in any order and several times. The resulting state is always
    /// the same.
    @Test(arguments: 0..<40) func shuffledAndDoubledLogsGiveTheSameState(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed))
        let assets = (0..<8).map { id(0, 100 + $0) }, photos = (0..<5).map { id(0, 200 + $0) }
        var log: [Event] = []
        for number in 0..<120 {
            let asset = assets[Int.random(in: 0..<8, using: &random)], photo = photos[Int.random(in: 0..<5, using: &random)]
            let value = Int.random(in: 0..<1000, using: &random)
            // There are only few milliseconds, so that many events share one.
            let at = Int.random(in: 0..<15, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: log.append(try event(at, number, "InstanceCreated", asset, "{\"parameters\":{\"a\":\(value)}}"))
            case 1: log.append(try event(at, number, "InstanceUpdated", asset, "{\"parameters\":{\"b\":\(value)},\"planPoint\":[\(value),1]}"))
            case 2: log.append(try event(at, number, "InstanceDeleted", asset))
            case 3: log.append(try event(at, number, "PhotoCaptured", photo, "{\"size\":\(value)}"))
            case 4: log.append(try event(at, number, "PhotoLinked", photo, "{\"instanceId\":\"\(asset)\",\"photoId\":\"\(photo)\"}"))
            default: log.append(try event(at, number, "RoomStateChanged", "room", "{\"to\":\"\(value)\"}"))
            }
        }
        let expected = try replayed(log)
        #expect(!expected.records.isEmpty)
        for _ in 0..<3 {
            let replay = try replayed((log + log.prefix(Int.random(in: 0...120, using: &random))).shuffled(using: &random))
            #expect(replay.records == expected.records)
            #expect(replay.needs.map(\.event.id) == expected.needs.map(\.event.id))
        }
    }

    @Test func equalStatesAreEqualTexts() {
        let field = Field(name: "parameters", type: .json)
        let wrapped = #"{"b":{"type":"number","numberValue":30.0},"a":{"type":"text","stringValue":"x"}}"#
        #expect(StateText.text(.text(wrapped), field) == StateText.text(.text(#"{"a":"x","b":30}"#), field))
        #expect(StateText.text(.text(#"{"a":"x"}"#), field) != StateText.text(.text(#"{"a":"y"}"#), field))
    }
}
