internal import JSONReading
internal import Model

extension PushItem {
    /// The fields that go up. Of a changed row only what is not as the remote gave it last: the
    /// remote may have a number with more digits than a replica holds, or something that it cannot
    /// hold at all, and these stay as they are. The id always goes along, so that a change that
    /// leads back to where it began is a change too.
    func sentFields(_ fields: [Field]) -> [Field] {
        guard operation == .update, let known = known.flatMap({ try? JSONValue.stored($0) }), let payload = payload.flatMap({ try? JSONValue.parse($0) }) else { return fields }
        return fields.filter { field in
            guard field.name != "id", let before = known[field.name] else { return true }
            return payload[field.name] != before
        }
    }
}
