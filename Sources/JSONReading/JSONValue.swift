package import Model

/// One JSON value as it was written: numbers retain every digit, and objects the order of their
/// members.
package indirect enum JSONValue: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// The characters of the number: `1.10` stays `1.10`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// Reads one value that takes up all of the given bytes; a UTF-8 byte order mark before it is
    /// skipped.
    package static func parse(_ bytes: some Collection<UInt8>, limits: JSONLimits = .standard) throws(JSONMistake)
        -> JSONValue
    {
        try parse(Array(bytes).span, limits: limits)
    }

    package static func parse(_ bytes: Span<UInt8>, limits: JSONLimits = .standard) throws(JSONMistake) -> JSONValue {
        guard bytes.count <= limits.valueBytes else {
            throw JSONMistake(reason: .valueTooLarge(limit: limits.valueBytes), offset: 0, line: 1, column: 1)
        }
        let builder = JSONTreeBuilder(limits: limits)
        let parser = try JSONParser(events: builder, limits: limits)
        try parser.feed(bytes)
        try parser.finish()
        guard let value = builder.finished else { throw parser.mistake(.unexpectedEnd) }
        return value
    }

    package static func parse(_ text: String, limits: JSONLimits = .standard) throws(JSONMistake) -> JSONValue {
        try parse(Array(text.utf8), limits: limits)
    }

    /// Reads a value that is already stored in the replica, with the higher limits of `.stored`.
    package static func stored(_ text: String) throws(JSONMistake) -> JSONValue { try parse(text, limits: .stored) }

    /// The value of an object's member; nil if there is no such member, or if this value is not an
    /// object.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package subscript(_ index: Int) -> JSONValue? {
        guard case .array(let items) = self, items.indices.contains(index) else { return nil }
        return items[index]
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The value with sorted members in each object, because their order in JSON has no meaning.
    package var ordered: JSONValue {
        switch self {
        case .array(let items): .array(items.map(\.ordered))
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.value.ordered) }.sorted { $0.key < $1.key })
        default: self
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON without spaces; parsing this text gives an equal value.
    package var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): JSONString.append(string, to: &text)
        case .array(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSONString.append(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }
}

extension JSONValue {
    /// The value as text, in the form in which the replica stores it (`1` for true); nil for null.
    package var stated: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        case .number(let digits): digits
        case .bool(let truth): truth ? "1" : "0"
        case .array, .object: description
        }
    }
}

extension Entity {
    /// The values of a row given as a JSON object, converted to the fields' types; nil for a field
    /// without a member.
    package func values(ofPayload text: String) -> [MemoryRows.Value?] {
        let row = try? JSONValue.stored(text)
        return fields.map { field in
            guard let value = row?[field.name] else { return nil }
            guard let text = value.stated else { return .null }
            return switch field.type {
            case .integer, .boolean: Int64(text).map { .integer($0) } ?? .null
            case .decimal: Double(text).map { .real($0) } ?? .null
            default: .text(text)
            }
        }
    }
}
