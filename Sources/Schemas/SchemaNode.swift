internal import Patterns

/// One schema of a program: what it asks, as steps in a row.
struct SchemaNode: Sendable {
    enum Kind: UInt8, Sendable {
        case always, never, steps
    }

    var kind = Kind.always
    /// Whether one of its steps wants to know what the others looked at.
    var tracks = false
    var resource = 0
    /// Its steps in the program.
    var steps = 0..<0
    /// Index of where it stands, in the program's locations.
    var location = 0
    /// Index of its extras; -1: none.
    var extras = -1
}

/// One question to a value. Numbers are indexes into the program's lists, or of nodes.
enum SchemaStep: Sendable {
    case type(TypeSet)
    case constant(Int)
    case options(Int)
    case minimum(Int), maximum(Int), exclusiveMinimum(Int), exclusiveMaximum(Int)
    case multipleOf(Int, from: Int)
    case minLength(Int), maxLength(Int)
    case pattern(Int)
    case format(SchemaFormat)
    case members(Int)
    case minProperties(Int), maxProperties(Int)
    case propertyNames(Int)
    case dependentRequired(Int)
    case dependentSchemas(Int)
    case items(Int)
    case contains(Int)
    case minItems(Int), maxItems(Int)
    case uniqueItems
    case reference(Int)
    case dynamicReference(Int)
    case all(Int), any(Int), one(Int)
    case not(Int)
    case condition(Int)
    case unevaluatedProperties(Int)
    case unevaluatedItems(Int)
}

/// Types of JSON values.
struct TypeSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1)
    static let boolean = TypeSet(rawValue: 2)
    static let integer = TypeSet(rawValue: 4)
    static let number = TypeSet(rawValue: 8)
    static let string = TypeSet(rawValue: 16)
    static let array = TypeSet(rawValue: 32)
    static let object = TypeSet(rawValue: 64)

    static let names: [(name: String, type: TypeSet)] = [
        ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string), ("array", .array),
        ("object", .object),
    ]
}

/// What is asked of the members of an object, in one pass over them: properties, patternProperties, additionalProperties, required.
/// One object, so that a value that is judged by it costs one reference and not one for each list.
final class MembersPlan: Sendable {
    let parts: Parts

    init(_ parts: Parts) {
        self.parts = parts
    }

    struct Parts: Sendable {
        var names = KeyTable([])
        /// By slot: the property's node; -1 for a name that is only required.
        var nodes: [Int] = []
        /// By slot: the names as the schema says them.
        var labels: [String] = []
        /// By slot: the bit that says that it was seen; 0 for what is not required.
        var bits: [UInt64] = []
        /// Slots of what is required.
        var required: [Int] = []
        var patterns: [(pattern: Int, node: Int, location: Int)] = []
        /// -1: nothing is asked of other members.
        var additional = -1
        /// Steps' locations, to be named in faults: required, additionalProperties.
        var requiredLocation = 0
        var additionalLocation = 0
        /// Whether values may be wrapped and missing ones written as null or blanks, as the field app does.
        var isLenient = false
        /// By slot: whether the other one of type and instance answers for it; empty when nothing is.
        var pardoned: [Bool] = []
    }
}

struct ItemsPlan: Sendable {
    var prefix: [Int] = []
    /// -1: nothing is asked of the rest.
    var rest = -1
    var restLocation = 0
}

struct ContainsPlan: Sendable {
    var node: Int
    var minimum = 1
    var maximum = Int.max
    var minimumLocation = 0
    var maximumLocation = 0
}

struct ConditionPlan: Sendable {
    var test: Int
    var then = -1
    var otherwise = -1
}

/// Nodes or names by the name of the member on whose presence they depend.
struct DependencyPlan: Sendable {
    var names = KeyTable([])
    var nodes: [Int] = []
    var required: [[String]] = []
}

struct DynamicPlan: Sendable {
    /// The node that the reference leads to when no other is in force.
    var node: Int
    /// By resource: the node that bears the name there.
    var nodes: [Int: Int] = [:]
}

struct OptionsPlan: Sendable {
    /// Texts among the options.
    var texts = KeyTable([])
    /// Tokens of the other constants.
    var others: [Int] = []
    /// All of them, as messages quote them.
    var description = ""
}

struct PatternPlan: Sendable {
    var pattern: Pattern
}

struct NumberPlan: Sendable {
    var number: DecimalNumber
    var text: String
}
