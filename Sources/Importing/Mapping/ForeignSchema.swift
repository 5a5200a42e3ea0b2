import JSONReading

/// The JSON Schema of an object that rows of a foreign table form, with a property for each name
/// that occurs: its type, where all values have the same one, and its unit. Nothing is required or
/// limited, because the file does not state it.
struct ForeignSchema {
    private struct Property {
        var name: String
        var kind: String?
        var unit: String?
    }

    private let scope: String
    private var properties: [Property] = []
    private var places: [String: Int] = [:]

    init(scope: String) {
        self.scope = scope
    }

    /// Adds a property, with the value as it is in the object.
    mutating func add(_ name: String, _ value: JSONValue, unit: String?) {
        let kind: String? =
            switch value {
            case .number: "number"
            case .bool: "boolean"
            default: "string"
            }
        guard let place = places[name] else {
            places[name] = properties.count
            properties.append(Property(name: name, kind: kind, unit: unit))
            return
        }
        if properties[place].kind != kind { properties[place].kind = nil }
        if properties[place].unit == nil { properties[place].unit = unit }
    }

    var json: String {
        let members = properties.map { property in
            var keywords: [JSONValue.Member] = []
            if let kind = property.kind { keywords.append(.init(key: "type", value: .string(kind))) }
            if let unit = property.unit { keywords.append(.init(key: "x-unit", value: .string(unit))) }
            keywords.append(.init(key: "x-scope", value: .string(scope)))
            return JSONValue.Member(key: property.name, value: .object(keywords))
        }
        return JSONValue.object([.init(key: "type", value: .string("object")), .init(key: "properties", value: .object(members))]).description
    }
}
