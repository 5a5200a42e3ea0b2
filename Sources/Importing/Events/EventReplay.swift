package import JSONReading

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
        /// What is taken from the event around the payload: not part of what a snapshot must say.
        package var derived: [String: JSONValue] = [:]
        package var isCreated = false
        package var isDeleted = false
        /// The event that ended it first.
        package var deletedBy: String?
        /// Whether any of the events that speak of it is one that the replica does not have.
        package var isNew = false
        package var line: Int?
    }

    /// An event that speaks of a record which nothing in the log made.
    package struct Need: Sendable, Hashable {
        package var event: Event
        /// Nil: the event links a photo to nobody.
        package var key: Key?
    }

    package private(set) var records: [Key: Record] = [:]
    package private(set) var needs: [Need] = []
    /// Events of a type that nobody knows.
    package private(set) var unknown: [Event] = []
    /// Events that came more than once.
    package private(set) var repeated = 0

    /// Which event makes, changes or ends records of which table; the lower rank goes first within a millisecond.
    private enum Kind { case create, update, delete, link, state }
    private static let kinds: [String: (kind: Kind, entity: String, rank: Int)] = [
        "TypeCreated": (.create, "types", 0), "TypeUpdated": (.update, "types", 1), "PhotoCaptured": (.create, "photos", 2),
        "InstanceCreated": (.create, "instances", 3), "RoomNoteCreated": (.create, "room_notes", 4), "PhotoLinked": (.link, "instances", 5),
        "InstanceUpdated": (.update, "instances", 6), "RoomNoteUpdated": (.update, "room_notes", 7), "RoomStateChanged": (.state, "rooms", 8),
        "InstanceDeleted": (.delete, "instances", 9), "RoomNoteDeleted": (.delete, "room_notes", 10),
    ]

    package init(_ events: [Event]) {
        var held = HeldEvents()
        for event in events { held.append(event, milliseconds: Self.milliseconds(of: event), rank: Self.rank(of: event)) }
        self.init(&held) { _ in false }
    }

    /// - Parameter isKnown: whether the replica has an event: what it says was applied when it came in.
    init(_ events: inout HeldEvents, isKnown: (String) throws -> Bool) rethrows {
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

    /// What comes first within a millisecond.
    static func rank(of event: Event) -> Int { kinds[event.type]?.rank ?? .max }

    private mutating func apply(_ event: Event, _ isKnown: (String) throws -> Bool) rethrows {
        guard let (kind, entity, _) = Self.kinds[event.type] else {
            unknown.append(event.withoutPayload)
            return
        }
        if kind == .link { return try link(event, isKnown) }
        let key = Key(entity: entity, id: event.entityID)
        if kind != .create { require(key, event) }
        try records[key, default: Record()].note(event, isKnown)
        switch kind {
        case .create: records[key]?.create(event)
        case .update: records[key]?.set(event.payload)
        case .delete:
            records[key]?.isDeleted = true
            if records[key]?.deletedBy == nil { records[key]?.deletedBy = event.id }
        case .state:
            let state = ["to", "lifecycleState", "state", "status"].lazy.compactMap { event.payload[$0] }.first
            if let state { records[key]?.fields["lifecycle_state"] = state }
        case .link: break
        }
    }

    /// Remembers that a record must have been there before the log began.
    private mutating func require(_ key: Key, _ event: Event) {
        if records[key]?.isCreated != true { needs.append(Need(event: event.withoutPayload, key: key)) }
    }

    private mutating func link(_ event: Event, _ isKnown: (String) throws -> Bool) rethrows {
        func id(_ names: String...) -> String? { names.lazy.compactMap { event.payload[$0]?.text?.lowercased() }.first }
        let photo = id("photoId", "photo_id") ?? event.entityID
        let note = id("roomNoteId", "noteId", "room_note_id")
        guard let owner = id("instanceId", "instance_id", "assetId") else {
            needs.append(Need(event: event.withoutPayload, key: note.map { Key(entity: "room_notes", id: $0) }))
            return
        }
        let key = Key(entity: "instances", id: owner)
        require(Key(entity: "photos", id: photo), event)
        require(key, event)
        try records[key, default: Record()].note(event, isKnown)
        records[key]?.link(photo)
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
        if let id = event.projectID { derived["project_id"] = .string(id) }
        if let operatorID = event.operatorID { derived["operator"] = .string(operatorID) }
        let made = EventReplay.milliseconds(of: event.entityID).map(EventTime.text) ?? event.timestamp
        if let made { derived["made_at"] = .string(made) }
        set(event.payload)
    }

    /// Takes the payload's values over: an event says the whole of each value that it names, of parameters too.
    mutating func set(_ payload: JSONValue) {
        for member in payload.members ?? [] { fields[member.key] = member.value }
    }

    mutating func link(_ photo: String) {
        let names = ["photoIds", "photo_ids"]
        let name = names.first { fields[$0] != nil } ?? names[0]
        var photos = fields[name]?.items ?? []
        guard !photos.contains(where: { $0.text?.lowercased() == photo }) else { return }
        photos.append(.string(photo))
        fields[name] = .array(photos)
    }
}
