import JSONReading

/// Makes a JSON Schema and values from bytes. Each byte is a choice, so nearly every input
/// compiles. So changed bytes test the machine that runs schemas, and not only the parser of JSON.
struct BuiltSchema {
    private var bytes: ArraySlice<UInt8>
    /// How many nodes may still be made. Without this bound, deep nesting would test only the
    /// bounds.
    private var budget = 60

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    private mutating func choose(_ count: Int) -> Int { Int(bytes.popFirst() ?? 0) % count }

    /// Schemas and values use the same few names, so that they often agree.
    private static let names = ["a", "b", "aa", "x-1", "", "ñ"]
    private static let texts = ["a", "aaaa", "2025-02-29", "2025-01-31", "a@b.pe", "http://a/b#c", "192.168.0.1", "::1", "ñ\u{301}", "P1D", "00:00:60Z", "/a~1b"]
    private static let numbers = ["0", "1", "-1", "0.01", "1e2", "1.0", "3", "9007199254740993", "1e-400", "1e400", "0.30000000000000004"]
    private static let patterns = ["^a+$", "(a|b)*c", "\\d{2,3}", "[^\\x00]", "(?!a)b", "\\p{L}+", "(a+)+$", "^\\S", "["]
    private static let formats = ["date", "date-time", "time", "duration", "email", "uri", "uri-reference", "ipv4", "ipv6", "regex", "json-pointer", "uuid", "hostname", "x"]
    private static let types = ["object", "array", "string", "number", "integer", "boolean", "null"]
    private static let pointers = ["#", "#/$defs/a", "#/$defs/b", "#n", "#/properties/a", "#/items", "http://a/s", "b.json#n", "#/none", "#/$defs/a/allOf/0"]
    private static let keywords = [
        "type", "enum", "const", "multipleOf", "maximum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems",
        "maxContains", "minContains", "maxProperties", "minProperties", "required", "dependentRequired", "format", "properties", "patternProperties",
        "additionalProperties", "propertyNames", "dependentSchemas", "items", "prefixItems", "contains", "unevaluatedItems", "unevaluatedProperties",
        "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "$dynamicRef", "$defs", "$anchor", "$dynamicAnchor", "$id", "x-scope", "x-required-when",
        "contentMediaType", "default", "unknown",
    ]

    private mutating func pick(_ list: [String]) -> String { list[choose(list.count)] }

    mutating func schema() -> JSONValue {
        budget -= 1
        guard budget > 0 else { return .bool(true) }
        let kind = choose(16)
        if kind == 0 { return .bool(choose(2) == 0) }
        return .object((0..<(kind % 6 + 1)).map { _ in
            let keyword = pick(Self.keywords)
            return .init(key: keyword, value: value(of: keyword))
        })
    }

    private mutating func schemas() -> JSONValue { .array((0...choose(3)).map { _ in schema() }) }
    private mutating func named(_ names: [String]) -> JSONValue { .object((0...choose(3)).map { _ in .init(key: pick(names), value: schema()) }) }

    private mutating func value(of keyword: String) -> JSONValue {
        // One time in sixteen, the keyword gets a value of a kind that it does not take.
        guard choose(16) != 15 else { return plain() }
        switch keyword {
        case "type": return choose(3) == 0 ? .array((0...choose(3)).map { _ in .string(pick(Self.types)) }) : .string(pick(Self.types))
        case "enum": return .array((0...choose(4)).map { _ in plain() })
        case "const", "default": return plain()
        case "multipleOf", "maximum", "exclusiveMinimum": return .number(pick(Self.numbers))
        case "uniqueItems": return .bool(choose(4) != 0)
        case "pattern": return .string(pick(Self.patterns))
        case "format": return .string(pick(Self.formats))
        case "required": return .array((0...choose(3)).map { _ in .string(pick(Self.names)) })
        case "dependentRequired": return .object((0...choose(2)).map { _ in .init(key: pick(Self.names), value: .array([.string(pick(Self.names))])) })
        case "properties", "dependentSchemas": return named(Self.names)
        case "patternProperties": return named(Self.patterns)
        case "$defs": return named(["a", "b"])
        case "allOf", "anyOf", "oneOf", "prefixItems": return schemas()
        case "$ref", "$dynamicRef": return .string(pick(Self.pointers))
        case "$anchor", "$dynamicAnchor": return .string(pick(["n", "m"]))
        case "$id": return .string(pick(["http://a/s", "b.json", "urn:x", ""]))
        case "x-scope": return .string(pick(["type", "instance"]))
        case _ where keyword.hasPrefix("max") || keyword.hasPrefix("min"): return .number(String(choose(5)))
        default: return schema()
        }
    }

    /// A plain value. The schema checks such values.
    mutating func plain() -> JSONValue {
        budget -= 1
        switch choose(budget > 0 ? 8 : 5) {
        case 0: return .null
        case 1: return .bool(choose(2) == 0)
        case 2: return .number(pick(Self.numbers))
        case 3, 4: return .string(pick(Self.texts))
        case 5: return .array((0..<choose(5)).map { _ in plain() })
        default: return .object((0..<choose(5)).map { _ in .init(key: pick(Self.names), value: plain()) })
        }
    }

    /// The values have a budget of their own.
    mutating func values() -> [JSONValue] {
        (0...choose(4)).map { _ in
            budget = 20
            return plain()
        }
    }
}
