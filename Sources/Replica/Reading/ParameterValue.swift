import JSONReading
import Model

/// A parameter's value in an instance's or type's JSON: plain, or as the app writes it (`{"type":
/// "number", "numberValue": 30}`).
enum ParameterValue {
    static func find(in object: JSONValue, key: String?, id: String?) -> MemoryRows.Value? {
        guard let value = key.flatMap({ object[$0] }) ?? id.flatMap({ object[$0] }) else { return nil }
        return plain(value)
    }

    private static func plain(_ value: JSONValue) -> MemoryRows.Value {
        switch value {
        case .null: return .null
        case .bool(let bool): return .integer(bool ? 1 : 0)
        case .number(let digits):
            if let integer = Int64(digits) { return .integer(integer) }
            return Double(digits).map(MemoryRows.Value.real) ?? .text(digits)
        case .string(let text): return .text(text)
        case .array(let items): return .text(items.map { $0.text ?? $0.description }.joined(separator: "; "))
        case .object(let members):
            // The app's own form names its type and has the value under a name of that type. Empty
            // members of other types may be beside it; validation ignores them too.
            let wrapped = members.filter { $0.key.hasSuffix("Value") }
            guard value["type"]?.text != nil, !wrapped.isEmpty else { return .text(value.description) }
            return wrapped.first { $0.value != .null }.map { plain($0.value) } ?? .null
        }
    }
}
