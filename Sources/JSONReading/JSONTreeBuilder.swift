/// Builds values from events.
final class JSONTreeBuilder: JSONEventSink {
    /// An array or object that is not closed yet.
    private struct Open {
        var items: [JSONValue] = []
        var members: [JSONValue.Member] = []
        /// Only filled once there are many members: a few are compared faster one by one.
        var keys: Set<String> = []
        var key: String?
        let isObject: Bool
    }

    private static let fewMembers = 16

    /// The value, once it is complete.
    private(set) var finished: JSONValue?
    private var open: [Open] = []
    private let limits: JSONLimits

    init(limits: JSONLimits) {
        self.limits = limits
    }

    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason) {
        switch event {
        case .null: add(.null)
        case .yes: add(.bool(true))
        case .no: add(.bool(false))
        case .number: add(.number(String(utf8: bytes)))
        case .string: add(.string(String(utf8: bytes)))
        case .startObject: open.append(Open(isObject: true))
        case .startArray: open.append(Open(isObject: false))
        case .key: try begin(String(utf8: bytes))
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
