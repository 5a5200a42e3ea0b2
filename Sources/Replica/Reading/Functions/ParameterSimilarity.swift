import JSONReading
import Model

/// How similar two objects of parameters are: `parameter_similarity(a, b)`, from 0 to 1. It is the
/// share of all keys of both for which both have the same value.
///
/// Values are compared as `parameter()` gives them, so that `30`, `30.0` and the app's `{"type":
/// "number", "numberValue": 30}` are equal; a key without a value counts as absent. Two objects
/// without parameters have similarity 1.
enum ParameterSimilarity {
    /// Parameters by key; nil for what is no JSON object.
    static func values(_ json: String) -> [String: MemoryRows.Value]? {
        guard let object = try? JSONValue.parse(json), let members = object.members else { return nil }
        var values: [String: MemoryRows.Value] = [:]
        for member in members {
            guard let value = ParameterValue.find(in: object, key: member.key, id: nil).map(comparable), value != .null else { continue }
            values[member.key] = value
        }
        return values
    }

    static func of(_ first: [String: MemoryRows.Value], _ second: [String: MemoryRows.Value]) -> Double {
        let keys = Set(first.keys).union(second.keys)
        guard !keys.isEmpty else { return 1 }
        return Double(keys.count { first[$0] == second[$0] }) / Double(keys.count)
    }

    private static func comparable(_ value: MemoryRows.Value) -> MemoryRows.Value {
        switch value {
        case .integer(let integer): .real(Double(integer))
        default: value
        }
    }
}
