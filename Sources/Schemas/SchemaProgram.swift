package import JSONReading

/// A JSON Schema (draft 2020-12), compiled once to a flat list of nodes for `SchemaMachine`.
///
/// References are resolved to nodes, patterns compiled, bounds read and constants parsed during
/// compilation; afterwards the schema's text is not needed. A program never changes, so any number
/// of threads may use it at the same time.
package struct SchemaProgram: Sendable {
    /// Options for compiling a schema.
    package struct Options: Sendable {
        /// Other documents that may be referenced, by address. Nothing is ever fetched.
        package var documents: [String: JSONValue] = [:]
        /// Whether `format` is checked; by default it is only an annotation.
        package var assertsFormats = false
        /// Whether the keywords `x-…` of `SchemaExtras` are read.
        package var readsExtras = false

        package init(documents: [String: JSONValue] = [:], assertsFormats: Bool = false, readsExtras: Bool = false) {
            self.documents = documents
            self.assertsFormats = assertsFormats
            self.readsExtras = readsExtras
        }
    }

    /// The program, if the schema has no mistakes, and all its mistakes.
    package struct Outcome: Sendable {
        package var program: SchemaProgram?
        package var mistakes: [SchemaMistake]
    }

    var nodes: [SchemaNode] = []
    var steps: [SchemaStep] = []
    /// By step: index of its keyword's location.
    var places: [Int] = []
    var locations: [String] = []
    var extras: [SchemaExtras] = []

    /// The details of steps; a step contains an index of one of these lists.
    var numbers: [NumberPlan] = []
    var patterns: [PatternPlan] = []
    var options: [OptionsPlan] = []
    var members: [MembersPlan] = []
    var items: [ItemsPlan] = []
    var contains: [ContainsPlan] = []
    var conditions: [ConditionPlan] = []
    var dependencies: [DependencyPlan] = []
    var dynamics: [DynamicPlan] = []
    /// Nodes of `allOf` and similar keywords.
    var lists: [[Int]] = []
    /// The values of `const` and `enum`, in one array.
    var constants = JSONDocument()
    /// Names that belong to the counterpart (type or instance).
    var pardoned = KeyTable([])

    /// Compiles a schema. Its first node, 0, is the whole schema.
    package static func compile(_ schema: JSONValue, options: Options = Options()) -> Outcome {
        var compiler = SchemaCompiler(schema, options)
        return compiler.compile()
    }

    /// The same program for values with some members stored in the counterpart: at the top level
    /// these members are neither required nor checked.
    package func pardoning(_ names: Set<String>) -> SchemaProgram {
        guard !names.isEmpty else { return self }
        var program = self
        for index in program.members.indices {
            var parts = members[index].parts
            parts.pardoned = parts.labels.map { names.contains($0) }
            program.members[index] = MembersPlan(parts)
        }
        program.pardoned = KeyTable(names.map { ($0, 0) })
        return program
    }

    /// The bounds that a schema object sets for a number, as written.
    package func bounds(of node: Int) -> (minimum: String?, maximum: String?) {
        var bounds: (minimum: String?, maximum: String?) = (nil, nil)
        for step in steps[nodes[node].steps] {
            switch step {
            case .minimum(let index), .exclusiveMinimum(let index): bounds.minimum = numbers[index].text
            case .maximum(let index), .exclusiveMaximum(let index): bounds.maximum = numbers[index].text
            default: break
            }
        }
        return bounds
    }

    /// The bounds that a schema object sets for the length of a text.
    package func lengths(of node: Int) -> (minimum: Int?, maximum: Int?) {
        var lengths: (minimum: Int?, maximum: Int?) = (nil, nil)
        for step in steps[nodes[node].steps] {
            switch step {
            case .minLength(let count): lengths.minimum = count
            case .maxLength(let count): lengths.maximum = count
            default: break
            }
        }
        return lengths
    }

    /// The schema object's extras; extras of a reference's target fill the gaps.
    package func extras(of node: Int) -> SchemaExtras {
        var (node, found) = (node, SchemaExtras())
        for _ in 0..<10 {
            if nodes[node].extras >= 0 { found.fill(from: extras[nodes[node].extras]) }
            var next: Int?
            for step in steps[nodes[node].steps] { if case .reference(let target) = step { next = target } }
            guard let next else { break }
            node = next
        }
        return found
    }

    /// The properties that a value may have at the top, in the schema's order, each with its node.
    package func properties() -> [(name: String, node: Int)] {
        var found: [(name: String, node: Int)] = []
        var names: Set<String> = []
        var seen: Set<Int> = [0]
        var waiting = [0]
        var next = 0
        while next < waiting.count {
            let node = nodes[waiting[next]]
            next += 1
            for step in steps[node.steps] {
                if case .members(let index) = step {
                    let plan = members[index].parts
                    for (slot, name) in plan.labels.enumerated()
                    where plan.nodes[slot] >= 0 && names.insert(name).inserted {
                        found.append((name, plan.nodes[slot]))
                    }
                }
                for inner in inPlace(step) where seen.insert(inner).inserted { waiting.append(inner) }
            }
        }
        return found
    }

    /// The nodes that a step applies to the same value.
    func inPlace(_ step: SchemaStep) -> [Int] {
        switch step {
        case .reference(let node): [node]
        case .all(let list), .any(let list), .one(let list): lists[list]
        case .condition(let index):
            [conditions[index].test, conditions[index].then, conditions[index].otherwise].filter { $0 >= 0 }
        case .dependentSchemas(let index): dependencies[index].nodes
        default: []
        }
    }
}

/// A schema object's keywords about a parameter beyond the standard: `x-label` (or `title`),
/// `x-unit`, `x-scope`, `x-names`, `x-type`, `x-adds`, `x-required-when`. None of them makes a
/// value valid or invalid by itself.
package struct SchemaExtras: Sendable, Hashable {
    /// The aggregation of a parameter's values over many assets.
    package enum Adding: String, Sendable, CaseIterable {
        case sum, mean, count, none

        package var needsNumbers: Bool { self == .sum || self == .mean }
    }

    /// One text for all languages; nil if there is one for each.
    package var label: String?
    package var unit: String?
    /// `type` or `instance`.
    package var scope: String?
    /// Further names under which values may be stored.
    package var otherNames: [String] = []
    /// The word for the type in messages, instead of the standard's.
    package var type: String?
    /// An expression over the other parameters.
    package var requiredWhen: String?

    package init() {}

    mutating func fill(from other: SchemaExtras) {
        label = label ?? other.label
        unit = unit ?? other.unit
        scope = scope ?? other.scope
        type = type ?? other.type
        requiredWhen = requiredWhen ?? other.requiredWhen
        if otherNames.isEmpty { otherNames = other.otherNames }
    }
}
