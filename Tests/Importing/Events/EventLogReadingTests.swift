import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model

/// A log of events and the tables beside it are read only once, and within bounds.
@Suite struct EventLogReadingTests {
    private static let pack = Pack(
        name: "assets", version: "1.0.0", fingerprint: "", directory: URL(fileURLWithPath: "/"), languages: [.spanish], environments: ["DEV"],
        timeZone: "Europe/Rome", privacyClasses: ["public"], roles: [], project: ProjectNaming(entity: "projects", code: "id", name: "id"),
        entities: [
            Entity(name: "projects", fields: [Field(name: "id", type: .uuid)]),
            Entity(name: "rooms", fields: [Field(name: "id", type: .uuid), Field(name: "lifecycle_state", type: .text)]),
            Entity(name: "instances", fields: [Field(name: "id", type: .uuid), Field(name: "name", type: .text)]),
            Entity(
                name: "events",
                fields: [
                    Field(name: "id", type: .uuid), Field(name: "type", type: .text), Field(name: "entity_id", type: .uuid),
                    Field(name: "project_id", type: .uuid), Field(name: "operator_id", type: .text), Field(name: "timestamp", type: .datetime),
                    Field(name: "payload", type: .json),
                ]),
        ],
        vocabularies: [], records: [], numberings: [], rules: [], exports: [], jobs: [],
        events: try? ShippedPack.named("anagrafica").events, texts: Texts())

    /// A folder that counts how often each of its files was read to its end.
    private final class WatchedFolder: PackageContainer {
        private let folder: FolderContainer
        fileprivate(set) var read: [String: Int] = [:]
        var path: String { folder.path }

        init(_ path: String) { folder = FolderContainer(path: path, limits: PackageLimits()) }

        func names() throws -> [String] { try folder.names() }
        func contains(_ name: String) -> Bool { folder.contains(name) }
        func check(_ name: String) throws { try folder.check(name) }
        func open(_ name: String) throws -> any ByteSource { WatchedFile(try folder.open(name)) { self.read[name, default: 0] += 1 } }
    }

    private final class WatchedFile: ByteSource {
        private let file: any ByteSource
        private var atEnd: (() -> Void)?

        init(_ file: any ByteSource, atEnd: @escaping () -> Void) { (self.file, self.atEnd) = (file, atEnd) }

        func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
            let count = try file.read(into: &buffer, from: offset)
            if count == 0 {
                atEnd?()
                atEnd = nil
            }
            return count
        }
    }

    private func id(_ number: Int) -> String { "019e0000-0000-7000-8000-" + String(format: "%012x", number) }

    private func event(_ number: Int, _ type: String, _ entity: Int, _ payload: String = "{}") -> String {
        "{\"id\":\"\(id(number))\",\"type\":\"\(type)\",\"entity_id\":\"\(id(entity))\",\"payload\":\(payload)}"
    }

    /// This makes the files so long that a reader of their beginning does not reach their end.
    private static let rest = String(repeating: "\n", count: 3 << 19)

    private func package(_ log: [String], instances: [String]? = nil) throws -> Folder {
        let folder = try Folder()
        var tables = ["{\"entity\": \"events\", \"file\": \"events.ndjson\"}"]
        if let instances {
            tables.insert("{\"entity\": \"instances\", \"file\": \"instances.ndjson\"}", at: 0)
            try folder.write("instances.ndjson", instances.joined(separator: "\n") + Self.rest)
        }
        try folder.write("events.ndjson", log.joined(separator: "\n") + Self.rest)
        try folder.write(
            "manifest.json",
            "{\"format\": \"fichero-package\", \"formatVersion\": 1, \"pack\": \"assets\", \"entities\": [\(tables.joined(separator: ", "))], \"photos\": []}")
        return folder
    }

    private func run(_ folder: Folder, _ options: SourceOptions = SourceOptions()) throws -> (WatchedFolder, RememberingTarget, FindingList) {
        let (watched, target, findings) = (WatchedFolder(folder.path), RememberingTarget(pack: Self.pack), FindingList())
        let source = try PackageSource(watched, pack: Self.pack, options: options, limits: TableLimits())
        _ = try Importer(pack: Self.pack).run(source, into: target, findings: findings, progress: { _ in })
        return (watched, target, findings)
    }

    @Test("The log and the records that it is compared with are read only once")
    func once() throws {
        let log = [
            event(1, "InstanceCreated", 100, "{\"name\":\"a\"}"), event(2, "InstanceUpdated", 100, "{\"name\":\"b\"}"),
            event(3, "InstanceCreated", 101, "{}"), event(4, "InstanceUpdated", 102, "{}"), event(4, "InstanceUpdated", 102, "{ }"),
            event(5, "InstanceUpdated", 103, "{}"),
        ]
        let folder = try package(
            log, instances: ["{\"id\":\"\(id(100))\",\"name\":\"a\"}", "{\"id\":\"\(id(102))\",\"name\":\"c\"}"])
        let (watched, target, findings) = try run(folder)
        #expect(watched.read["events.ndjson"] == 1 && watched.read["instances.ndjson"] == 1, "\(watched.read)")
        #expect(target.stored.count == 7 && target.filtered == 1)
        #expect(findings.findings.map(\.code) == ["EVENT-STATE-DIFFERS", "EVENT-STATE-DIFFERS", "EVENT-GAP"])
        #expect(findings.findings.map { $0.arguments["record"] } == [id(100), id(101), id(103)], "what 102 needs is in the package")
    }

    @Test("A part of an exchange need not have the rows of its events")
    func part() throws {
        let folder = try package([event(1, "InstanceCreated", 100, "{}")], instances: [])
        #expect(try run(folder).2.findings.map(\.code) == ["EVENT-STATE-DIFFERS"])
        var options = SourceOptions()
        options.isPart = true
        #expect(try run(folder, options).2.findings.isEmpty)
    }

    @Test("Records that are only in the log are given after the log was read")
    func made() throws {
        let folder = try package([
            event(2, "InstanceUpdated", 100, "{\"name\":\"b\"}"), event(1, "InstanceCreated", 100, "{\"name\":\"a\"}"),
            event(3, "InstanceCreated", 101, "{\"name\":\"c\"}"), event(4, "InstanceDeleted", 101),
        ])
        let (watched, target, findings) = try run(folder)
        #expect(watched.read["events.ndjson"] == 1)
        #expect(target.stored.count == 5, "four events, one record that its events leave there")
        #expect(target.stored.last?.values["name"] == .text("b"))
        #expect(target.deleted.isEmpty && findings.findings.isEmpty)
    }

    @Test("Records that the log ends are given as deleted, and events that the replica has are not applied again")
    func known() throws {
        let folder = try package([event(1, "InstanceCreated", 100, "{}"), event(2, "InstanceDeleted", 101), event(3, "InstanceCreated", 102, "{}")])
        var options = SourceOptions()
        options.isKnown = { [id] entity, one in one == (entity == "events" ? id(1) : id(101)) }
        let (_, target, _) = try run(folder, options)
        #expect(target.deleted.map(\.id) == [id(101)])
        #expect(target.stored.filter { $0.place.table == "instances" }.map(\.place.id) == [id(102)])
    }

    @Test("A log that exceeds a bound is refused, and the bound is named", arguments: ["events", "eventBytes"])
    func bounds(name: String) throws {
        let folder = try package((1...40).map { event($0, "InstanceCreated", 100 + $0, "{\"name\":\"\(String(repeating: "x", count: 100))\"}") })
        var limits = TableLimits()
        try limits.set(name, to: name == "events" ? "39" : "4K")
        let failure = #expect(throws: PackageFailure.self) { try run(folder, SourceOptions(limits: limits.packages)) }
        #expect(failure?.arguments["limit"] == name)
    }

    @Test("Stored events come back in their order and unchanged, even if they are large")
    func held() throws {
        var held = EventBuffer()
        let long = "{\"a\":\"\(String(repeating: "ñ", count: 700_000))\"}"
        for number in [3, 1, 2] {
            let event = EventReplay.Event(id: id(number), type: "T\(number)", entityID: id(9), operatorID: number == 2 ? "" : nil, line: number)
            held.append(event, payload: number == 1 ? nil : long, milliseconds: 7, rank: number == 3 ? 0 : 1)
        }
        #expect(held.count == 3 && held.byteCount > 2_800_000)
        var events: [EventReplay.Event] = []
        held.takeInOrder { events.append($0) }
        #expect(events.map(\.type) == ["T3", "T1", "T2"])
        #expect(events.map(\.operatorID) == [nil, nil, ""] && events.map(\.line) == [3, 1, 2])
        #expect(events[0].payload["a"]?.text?.count == 700_000 && events[1].payload.members?.isEmpty == true)
        #expect(held.count == 0)
    }
}
