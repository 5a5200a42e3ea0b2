/// What a JSON text consists of, in order.
enum JSONEvent {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case startObject, endObject, startArray, endArray
    case key(String)
}

/// Takes the events of a parser, which knows the place; a reason ends the parsing.
protocol JSONEventSink: AnyObject {
    func take(_ event: JSONEvent, from parser: JSONParser) throws(JSONMistake.Reason)
}

/// Reasons travel alone until the parser adds the place.
extension JSONMistake.Reason: Error {}

/// Puts events together to values.
final class JSONTreeBuilder: JSONEventSink {
    /// An array or object that is not closed yet.
    private struct Open {
        var items: [JSONValue] = []
        var members: [JSONValue.Member] = []
        /// Filled only once there are many members: few are compared faster one by one.
        var keys: Set<String> = []
        var key: String?
        let isObject: Bool
    }

    private static let fewMembers = 16

    /// The value once it is complete.
    private(set) var finished: JSONValue?
    private var open: [Open] = []
    private let limits: JSONLimits

    init(limits: JSONLimits) {
        self.limits = limits
    }

    /// Gives the finished value away and is ready for the next.
    func removeFinished() -> JSONValue? {
        defer { finished = nil }
        return finished
    }

    func take(_ event: JSONEvent, from parser: JSONParser) throws(JSONMistake.Reason) {
        switch event {
        case .null: add(.null)
        case .bool(let value): add(.bool(value))
        case .number(let digits): add(.number(digits))
        case .string(let text): add(.string(text))
        case .startObject: open.append(Open(isObject: true))
        case .startArray: open.append(Open(isObject: false))
        case .key(let key): try begin(key)
        case .endArray, .endObject:
            guard let closed = open.popLast() else { return }
            add(closed.isObject ? .object(closed.members) : .array(closed.items))
        }
    }

    private func begin(_ key: String) throws(JSONMistake.Reason) {
        guard let last = open.indices.last else { return }
        if !limits.allowsDuplicateKeys {
            let count = open[last].members.count
            if count == Self.fewMembers {
                open[last].keys = Set(open[last].members.map(\.key))
            }
            let isKnown = count < Self.fewMembers ? open[last].members.contains { $0.key == key } : !open[last].keys.insert(key).inserted
            if isKnown { throw .duplicateKey(key) }
        }
        open[last].key = key
    }

    private func add(_ value: JSONValue) {
        guard let last = open.indices.last else {
            finished = value
            return
        }
        if open[last].isObject {
            open[last].members.append(.init(key: open[last].key ?? "", value: value))
            open[last].key = nil
        } else {
            open[last].items.append(value)
        }
    }
}
