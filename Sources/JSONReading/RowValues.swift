package import Model

extension JSONValue {
    /// A value of a row as the replica would store it, as a text; nil for null.
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
    /// The values of a row that is a JSON object, by the types of the fields; nil for a field that
    /// it does not name.
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
