internal import Patterns

/// One schema of a program: its checks, as a sequence of steps.
struct SchemaNode: Sendable {
    enum Kind: UInt8, Sendable {
        case always, never, steps
    }

    var kind = Kind.always
    /// Whether one of its steps needs to know which parts the others evaluated.
    var tracks = false
    var resource = 0
    /// The range of its steps in the program.
    var steps = 0..<0
    /// Index of its location in the program's locations.
    var location = 0
    /// Index of its extras; -1: none.
    var extras = -1
}

/// One check of a value. Numbers are indexes into the program's lists, or of nodes.
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
        ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string),
        ("array", .array),
        ("object", .object),
    ]
}

/// The checks of an object's members, in one pass over them: properties, patternProperties,
/// additionalProperties, required. It is one class instance, so that checking a value retains one
/// reference instead of one for each list.
final class MembersPlan: Sendable {
    let parts: Parts

    init(_ parts: Parts) {
        self.parts = parts
    }

    struct Parts: Sendable {
        var names = KeyTable([])
        /// By slot: the property's node; -1 for a name that is only required.
        var nodes: [Int] = []
        /// By slot: the names as spelled in the schema.
        var labels: [String] = []
        /// By slot: the bit that marks a name as found; 0 for names that are not required.
        var bits: [UInt64] = []
        /// Slots of the required names.
        var required: [Int] = []
        var patterns: [(pattern: Int, node: Int, location: Int)] = []
        /// -1: other members are not checked.
        var additional = -1
        /// Locations for faults: required, additionalProperties.
        var requiredLocation = 0
        var additionalLocation = 0
        /// Whether values may be wrapped, and missing values may be null or white space, as in the
        /// field app.
        var isLenient = false
        /// By slot: whether the name belongs to the counterpart (type or instance), and is not
        /// checked; empty if none does.
        var pardoned: [Bool] = []
    }
}

struct ItemsPlan: Sendable {
    /// The nodes of the first items; `rest` is the node of all others.
    var prefix: [Int] = []
    /// -1: the remaining items are not checked.
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

/// The nodes of `if`, `then` and `else`; -1: none.
struct ConditionPlan: Sendable {
    var test: Int
    var then = -1
    var otherwise = -1
}

/// Nodes or names, by the name of the member whose presence requires them.
struct DependencyPlan: Sendable {
    var names = KeyTable([])
    var nodes: [Int] = []
    var required: [[String]] = []
}

struct DynamicPlan: Sendable {
    /// The node of the reference if no other node applies dynamically.
    var node: Int
    /// By resource: the resource's node with the dynamic name.
    var nodes: [Int: Int] = [:]
}

struct OptionsPlan: Sendable {
    /// The options that are texts.
    var texts = KeyTable([])
    /// Tokens of the other options.
    var others: [Int] = []
    /// All options, formatted for messages.
    var description = ""
}

struct PatternPlan: Sendable {
    var pattern: Pattern
}

struct NumberPlan: Sendable {
    var number: DecimalNumber
    var text: String
}
