package import JSONReading
import Model

/// What follows from a log of events: the state of every record that it speaks of.
///
/// Events apply in the order of their ids (UUIDv7: milliseconds first), within a millisecond by what depends on what; each id once.
/// The state is the same whatever order the events came in, and however often.
package struct EventReplay: Sendable {
    /// One event, as its row says.
    package struct Event: Sendable, Hashable {
        package var id: String
        /// The name of the domain model (`InstanceCreated`), whichever spelling the row has.
        package var type: String
        package var entityID: String
        package var projectID: String?
        package var operatorID: String?
        /// Instant, used where the id tells none.
        package var timestamp: String?
        package var payload: JSONValue
        package var line: Int?

        package init(
            id: String, type: String, entityID: String, projectID: String? = nil, operatorID: String? = nil, timestamp: String? = nil,
            payload: JSONValue = .object([]), line: Int? = nil
        ) {
            self.id = id
            self.type = type
            self.entityID = entityID
            self.projectID = projectID
            self.operatorID = operatorID
            self.timestamp = timestamp
            self.payload = payload
            self.line = line
        }
    }

    package struct Key: Sendable, Hashable, Comparable {
        package var entity: String
        package var id: String

        package static func < (left: Key, right: Key) -> Bool { (left.entity, left.id) < (right.entity, right.id) }
    }

    /// What the events say of one record.
    package struct Record: Sendable, Hashable {
        /// Names as the events have them.
        package var fields: [String: JSONValue] = [:]
        /// What is taken from around the payload of the event that made it: not part of what a snapshot must say.
        package var made = Made()
        package var isCreated = false
        package var isDeleted = false
        /// The event that ended it first.
        package var deletedBy: String?
        /// Whether any of the events that speak of it is one that the replica does not have.
        package var isNew = false
        package var line: Int?
    }

    /// What the event that made a record says around its payload.
    package struct Made: Sendable, Hashable {
        package var project: String?
        package var `operator`: String?
        /// When the record was made: its own id tells, or else the event.
        package var time: String?
    }

    /// An event that speaks of a record which nothing in the log made.
    package struct Need: Sendable, Hashable {
        package var event: Event
        /// Nil: the event puts a record on nobody's list.
        package var key: Key?
    }

    package private(set) var records: [Key: Record] = [:]
    package private(set) var needs: [Need] = []
    /// Events of a type that nobody knows.
    package private(set) var unknown: [Event] = []
    /// Events that came more than once.
    package private(set) var repeated = 0

    private let rules: EventRules

    package init(_ events: [Event], rules: EventRules) {
        var held = HeldEvents()
        for event in events { held.append(event, milliseconds: Self.milliseconds(of: event), rank: rules.rank(of: event.type)) }
        self.init(&held, rules: rules) { _ in false }
    }

    /// - Parameter isKnown: whether the replica has an event: what it says was applied when it came in.
    init(_ events: inout HeldEvents, rules: EventRules, isKnown: (String) throws -> Bool) rethrows {
        self.rules = rules
        // The same id is the same millisecond, if it tells one at all.
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

    /// Unix milliseconds of a UUIDv7; nil of any other id.
    package static func milliseconds(of id: String) -> UInt64? {
        let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, digits[12] == UInt8(ascii: "7") else { return nil }
        return UInt64(String(decoding: digits[..<12], as: UTF8.self), radix: 16)
    }

    static func milliseconds(of event: Event) -> UInt64 { milliseconds(of: event.id) ?? EventTime.milliseconds(event.timestamp) ?? 0 }

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

    /// Remembers that a record must have been there before the log began.
    private mutating func require(_ key: Key, _ event: Event) {
        if records[key]?.isCreated != true { needs.append(Need(event: event.withoutPayload, key: key)) }
    }

    private mutating func put(
        _ event: Event, on link: EventLogDefinition.Link, of entity: String, _ isKnown: (String) throws -> Bool
    ) rethrows {
        func id(_ names: [String]) -> String? { names.lazy.compactMap { event.payload[$0]?.text?.lowercased() }.first }
        let item = id(link.item) ?? event.entityID
        guard let owner = id(link.owner) else {
            let other = link.others.sorted { $0.key < $1.key }.lazy.compactMap { entity, names in id(names).map { Key(entity: entity, id: $0) } }.first
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
    /// What is left to tell of an event once it was applied.
    fileprivate var withoutPayload: Self {
        var event = self
        event.payload = .object([])
        return event
    }
}

extension EventReplay.Record {
    mutating func note(_ event: EventReplay.Event, _ isKnown: (String) throws -> Bool) rethrows {
        if try !isNew && !isKnown(event.id) { isNew = true }
        line = event.line ?? line
    }

    mutating func create(_ event: EventReplay.Event) {
        isCreated = true
        // Of several, the last that says it.
        made.project = event.projectID ?? made.project
        made.operator = event.operatorID ?? made.operator
        made.time = EventReplay.milliseconds(of: event.entityID).map(EventTime.text) ?? event.timestamp ?? made.time
        set(event.payload)
    }

    /// Takes the payload's values over: an event says the whole of each value that it names, of parameters too.
    mutating func set(_ payload: JSONValue) {
        for member in payload.members ?? [] { fields[member.key] = member.value }
    }

    /// - Parameter names: what events may call the list; the one that an event used stays.
    mutating func put(_ item: String, on names: [String]) {
        let name = names.first { fields[$0] != nil } ?? names[0]
        var items = fields[name]?.items ?? []
        guard !items.contains(where: { $0.text?.lowercased() == item }) else { return }
        items.append(.string(item))
        fields[name] = .array(items)
    }
}
