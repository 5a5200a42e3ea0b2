import JSONReading
import Workbench

/// Random JSON values and schemas from a fixed seed. Most of the schemas make sense.
struct RandomJSON: RandomNumberGenerator {
    private var numbers: SeededNumbers

    init(seed: some BinaryInteger) { numbers = SeededNumbers(seed) }

    mutating func next() -> UInt64 { numbers.next() }

    private static let names = ["a", "b", "type", "x-1", "é", "", "a/b", "~"]
    private static let numbers = ["0", "-0.0", "1", "1.0", "1e2", "0.1", "-5", "1e400", "1e5000", "123456789012345678901234567890", "2.5e-3"]
    private static let texts = ["", " ", "a", "2026-02-31", "2024-02-29", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "😀", "\u{0}", "a@b.it"]
    private static let patterns = ["^a", "(a+)+$", "\\p{L}", "(", "[", "\\d{1,3}", ".*", "\\s"]
    private static let references = ["#", "#/$defs/a", "#/properties/a", "#x", "#none", "https://json-schema.org/draft/2020-12/schema", "other", "#/allOf/0"]

    mutating func pick<Element>(_ list: [Element], or fallback: Element) -> Element {
        list.randomElement(using: &self) ?? fallback
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 8 : 5) {
        case 0: .null
        case 1: .bool(below(2) == 0)
        case 2, 3: .number(pick(Self.numbers, or: "0"))
        case 4: .string(pick(Self.texts, or: ""))
        case 5: .array((0..<below(4)).map { _ in value(depth: depth - 1) })
        default: object { $0.value(depth: depth - 1) }
        }
    }

    private mutating func object(_ make: (inout Self) -> JSONValue) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for _ in 0..<below(4) { members[pick(Self.names, or: "a")] = make(&self) }
        return .object(members.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
    }

    mutating func schema(depth: Int) -> JSONValue {
        if depth == 0 || below(10) == 0 { return .bool(below(3) > 0) }
        var members: [String: JSONValue] = [:]
        for _ in 0..<(1 + below(4)) {
            let (keyword, value) = keyword(depth - 1)
            members[keyword] = value
        }
        return .object(members.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
    }

    private mutating func keyword(_ depth: Int) -> (String, JSONValue) {
        switch below(24) {
        case 0: ("type", .string(pick(["integer", "number", "string", "object", "array", "null", "boolean", "float"], or: "null")))
        case 1: ("enum", .array((0..<below(4)).map { _ in value(depth: 2) }))
        case 2: ("const", value(depth: 2))
        case 3: (pick(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], or: ""), .number(pick(Self.numbers, or: "0")))
        case 4: (pick(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], or: ""), .number("\(below(4))"))
        case 5: ("pattern", .string(pick(Self.patterns, or: "")))
        case 6: ("format", .string(pick(["date", "date-time", "email", "uuid", "ipv6", "uri", "x-date", "other"], or: "")))
        case 7, 8: ("properties", object { $0.schema(depth: depth) })
        case 9: ("patternProperties", .object([.init(key: pick(Self.patterns, or: ""), value: schema(depth: depth))]))
        case 10: ("required", .array([.string(pick(Self.names, or: "a"))]))
        case 11: (pick(["allOf", "anyOf", "oneOf", "prefixItems"], or: ""), .array((0..<(1 + below(3))).map { _ in schema(depth: depth) }))
        case 12: (pick(["not", "if", "then", "else", "items", "contains", "propertyNames"], or: ""), schema(depth: depth))
        case 13: (pick(["additionalProperties", "unevaluatedProperties", "unevaluatedItems"], or: ""), schema(depth: depth))
        case 14: ("$ref", .string(pick(Self.references, or: "#")))
        case 15: ("$dynamicRef", .string(pick(Self.references, or: "#")))
        case 16: (pick(["$anchor", "$dynamicAnchor"], or: ""), .string("x"))
        case 17: ("$defs", .object([.init(key: "a", value: schema(depth: depth))]))
        case 18: ("dependentSchemas", object { $0.schema(depth: depth) })
        case 19: ("dependentRequired", object { _ in .array([.string("a")]) })
        case 20: (pick(["uniqueItems", "x-lenient", "x-whole-pattern"], or: ""), .bool(true))
        case 21: (pick(["minContains", "maxContains"], or: ""), .number("\(below(3))"))
        case 22: (pick(["$id", "$schema", "title", "x-scope", "x-unit"], or: ""), .string(pick(["instance", "type", "x"], or: "")))
        // This keyword gets a value that does not belong there.
        default: (pick(["type", "properties", "allOf", "items", "minimum", "required", "$ref", "enum"], or: ""), value(depth: 1))
        }
    }
}
