import Foundation
package import JSONReading
package import Model

/// Computes the state of every record from a log of events.
///
/// Events apply in the order of their ids (UUIDv7: milliseconds first), within a millisecond in the
/// order of dependence. Each id applies once. So the state does not depend on the order in which
/// events arrived, or on how often.
package struct EventReplay: Sendable {
    /// One event, as written in its row.
    package struct Event: Sendable, Hashable {
        package var id: String
        /// The event's name in the domain model (`InstanceCreated`), whichever spelling the row
        /// has.
        package var type: String
        package var entityID: String
        package var projectID: String?
        package var operatorID: String?
        /// An instant, used if the id contains no time.
        package var timestamp: String?
        package var payload: JSONValue = .object([])
        package var line: Int?
    }

    package struct Key: Sendable, Hashable, Comparable {
        package var entity: String
        package var id: String

        package static func < (left: Key, right: Key) -> Bool { (left.entity, left.id) < (right.entity, right.id) }
    }

    /// State of one record according to the events.
    package struct Record: Sendable, Hashable {
        /// Values under the field names that the events use.
        package var fields: [String: JSONValue] = [:]
        /// Values outside the payload of the event that created the record; a snapshot need not
        /// contain them.
        package var made = Made()
        package var isCreated = false
        package var isDeleted = false
        /// The first event that deleted it.
        package var deletedBy: String?
        /// Whether the replica lacks any of the events about the record.
        package var isNew = false
        package var line: Int?
    }

    /// Values outside the payload of the event that created the record.
    package struct Made: Sendable, Hashable {
        package var project: String?
        package var `operator`: String?
        /// Creation time of the record, from its id or otherwise from the event.
        package var time: String?
    }

    /// An event about a record that no event of the log created.
    package struct Need: Sendable, Hashable {
        package var event: Event
        /// Nil if the event adds a record to a list but does not identify the list's owner.
        package var key: Key?
    }

    package private(set) var records: [Key: Record] = [:]
    package private(set) var needs: [Need] = []
    /// Events of an unknown type.
    package private(set) var unknown: [Event] = []
    /// Number of events whose id had already been applied.
    package private(set) var repeated = 0

    private let rules: EventRules

    package init(_ events: [Event], rules: EventRules) {
        var held = EventBuffer()
        for event in events {
            held.append(event, milliseconds: Self.milliseconds(of: event), rank: rules.rank(of: event.type))
        }
        self.init(&held, rules: rules) { _ in false }
    }

    /// - Parameter isKnown: whether the replica has an event; its contents were applied when it was
    ///   imported.
    init(_ events: inout EventBuffer, rules: EventRules, isKnown: (String) throws -> Bool) rethrows {
        self.rules = rules
        // Events with the same id are in the same millisecond, if the id contains one.
        var (instant, seen, others): (UInt64?, Set<String>, Set<String>) = (nil, [], [])
        try events.takeInOrder { event in
            let own = Self.milliseconds(of: event.id)
            if let own, own != instant { (instant, seen) = (own, []) }
            guard own == nil ? others.insert(event.id).inserted : seen.insert(event.id).inserted else {
                repeated += 1
                return
            }
            try apply(event, isKnown)
        }
    }

    /// Unix milliseconds of a UUIDv7; nil for any other id.
    package static func milliseconds(of id: String) -> UInt64? {
        let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, digits[12] == UInt8(ascii: "7") else { return nil }
        return UInt64(String(decoding: digits[..<12], as: UTF8.self), radix: 16)
    }

    static func milliseconds(of event: Event) -> UInt64 {
        milliseconds(of: event.id) ?? EventTime.milliseconds(event.timestamp) ?? 0
    }

    private mutating func apply(_ event: Event, _ isKnown: (String) throws -> Bool) rethrows {
        guard let kind = rules.kind(of: event.type) else {
            unknown.append(event.withoutPayload)
            return
        }
        if case .link(let link) = kind.action { return try put(event, on: link, of: kind.entity, isKnown) }
        let key = Key(entity: kind.entity, id: event.entityID)
        if kind.action != .create { require(key, event) }
        try records[key, default: Record()].note(event, isKnown)
        switch kind.action {
        case .create: records[key]?.create(event)
        case .update: records[key]?.set(event.payload)
        case .delete:
            records[key]?.isDeleted = true
            if records[key]?.deletedBy == nil { records[key]?.deletedBy = event.id }
        case .set(let field, let members):
            if let value = members.lazy.compactMap({ event.payload[$0] }).first { records[key]?.fields[field] = value }
        case .link: break
        }
    }

    /// Records an event whose record must have existed before the log began.
    private mutating func require(_ key: Key, _ event: Event) {
        if records[key]?.isCreated != true { needs.append(Need(event: event.withoutPayload, key: key)) }
    }

    /// Adds a record to a list of another record.
    private mutating func put(
        _ event: Event, on link: EventLogDefinition.Link, of entity: String, _ isKnown: (String) throws -> Bool
    ) rethrows {
        func id(_ names: [String]) -> String? { names.lazy.compactMap { event.payload[$0]?.text?.lowercased() }.first }
        let item = id(link.item) ?? event.entityID
        guard let owner = id(link.owner) else {
            let other = link.others.sorted { $0.key < $1.key }.lazy.compactMap { entity, names in
                id(names).map { Key(entity: entity, id: $0) }
            }.first
            needs.append(Need(event: event.withoutPayload, key: other))
            return
        }
        let key = Key(entity: entity, id: owner)
        if let target = rules.target(of: link.list, in: entity) { require(Key(entity: target, id: item), event) }
        require(key, event)
        try records[key, default: Record()].note(event, isKnown)
        records[key]?.put(item, on: rules.spellings(of: link.list, in: entity))
    }
}

extension EventReplay.Event {
    /// The event without its payload, which findings do not need.
    fileprivate var withoutPayload: Self {
        var event = self
        event.payload = .object([])
        return event
    }
}

extension EventReplay.Record {
    /// Records that an event concerns this record.
    mutating func note(_ event: EventReplay.Event, _ isKnown: (String) throws -> Bool) rethrows {
        if try !isNew && !isKnown(event.id) { isNew = true }
        line = event.line ?? line
    }

    mutating func create(_ event: EventReplay.Event) {
        isCreated = true
        // If several events create the record, the last one with a value counts.
        made.project = event.projectID ?? made.project
        made.operator = event.operatorID ?? made.operator
        made.time = EventReplay.milliseconds(of: event.entityID).map(EventTime.text) ?? event.timestamp ?? made.time
        set(event.payload)
    }

    /// Copies the payload's values. An event contains the complete value of each field that it
    /// changes, including parameters.
    mutating func set(_ payload: JSONValue) {
        for member in payload.members ?? [] { fields[member.key] = member.value }
    }

    /// - Parameter names: names that events may use for the list; the name already in use remains.
    mutating func put(_ item: String, on names: [String]) {
        let name = names.first { fields[$0] != nil } ?? names[0]
        var items = fields[name]?.items ?? []
        guard !items.contains(where: { $0.text?.lowercased() == item }) else { return }
        items.append(.string(item))
        fields[name] = .array(items)
    }
}

/// Converts instants of events to milliseconds and to the replica's texts.
enum EventTime {
    static func milliseconds(_ text: String?) -> UInt64? {
        guard let text, let date = Timestamp.parse(text), date.timeIntervalSince1970 > 0 else { return nil }
        return UInt64((date.timeIntervalSince1970 * 1000).rounded())
    }

    static func text(_ milliseconds: UInt64) -> String {
        Timestamp.format(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}

/// A pack's definition of its event log, prepared for replays.
package struct EventRules: Sendable {
    let log: EventLogDefinition
    let entity: Entity
    private let pack: Pack
    private let ranks: [String: Int]

    /// Nil if the pack defines no events.
    package init?(_ pack: Pack) {
        guard let log = pack.events, let entity = pack.entity(log.entity) else { return nil }
        (self.log, self.entity, self.pack) = (log, entity, pack)
        ranks = Dictionary(log.kinds.enumerated().map { ($0.element.type, $0.offset) }) { first, _ in first }
    }

    /// Order of event types within a millisecond; unknown types are last.
    func rank(of type: String) -> Int { ranks[type] ?? .max }

    func kind(of type: String) -> EventLogDefinition.Kind? { ranks[type].map { log.kinds[$0] } }

    /// The tables whose records events change.
    var tables: [String] { log.tables.map(\.entity) }

    /// Names that events may use for a field: its other names in files, then its name.
    func spellings(of field: String, in entity: String) -> [String] {
        (pack.entity(entity)?.field(field)?.otherNames ?? []) + [field]
    }

    /// The table whose records a list contains.
    func target(of list: String, in entity: String) -> String? { pack.entity(entity)?.field(list)?.references }
}
