import JSONReading
import Model

/// A document of keys and values whose tables are found by a walk through it, with what the mapping
/// says about it.
struct TableDocument {
    let path: String
    /// The content of a property list; nil: the file is JSON.
    var list: PropertyListValues?
    /// Objects whose members are rows, by path, and the heading of what the members are called.
    var keyed: [String: String] = [:]
    let limits: TableLimits

    var kind: String { list == nil ? JSONTables.kind : PropertyListFormat.kind }

    /// The document from its start. The walk must outlive what it is given.
    func events(for walk: JSONTableWalk) throws -> any TableEvents {
        if let list { return PropertyListEvents(list, path: path, limits: limits.json, walk: walk) }
        return try JSONTableEvents(path: path, limits: limits.json, walk: walk)
    }
}

/// A document that is passed on event by event.
protocol TableEvents {
    /// Passes on events until the walk is full or the document ends.
    ///
    /// Throws `TableFailure` and `ImportFailure.brokenFile`, with the place.
    func next() throws
}

/// A file of JSON.
private struct JSONTableEvents: TableEvents {
    private let path: String
    private let events: JSONEvents

    init(path: String, limits: JSONLimits, walk: JSONTableWalk) throws {
        self.path = path
        let bytes = try FileStream(path: path)
        events = try JSONEvents(limits: limits, taker: walk) { try bytes.read(into: &$0, from: 0) }
    }

    func next() throws {
        do throws(JSONMistake) {
            try events.next()
        } catch {
            let place = error.place(in: path)
            throw JSONRowCells.beyond(error.reason, at: place) ?? ImportFailure.brokenFile(place, reason: "\(error.reason)")
        }
    }
}
