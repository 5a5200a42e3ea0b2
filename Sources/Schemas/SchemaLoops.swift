/// Finds schemas that refer to themselves without descending into the value; following these
/// references would never end.
struct SchemaLoops {
    private let program: SchemaProgram

    init(_ program: SchemaProgram) {
        self.program = program
    }

    func mistakes() -> [SchemaMistake] {
        // 0: not seen, 1: on the current path, 2: done.
        var states = [UInt8](repeating: 0, count: program.nodes.count)
        var mistakes: [SchemaMistake] = []
        for start in program.nodes.indices where states[start] == 0 {
            var way = [(node: start, next: certain(start)[...])]
            states[start] = 1
            while let last = way.indices.last {
                guard let (node, step) = way[last].next.popFirst() else {
                    states[way[last].node] = 2
                    way.removeLast()
                    continue
                }
                if states[node] == 1 {
                    let location = program.locations[program.places[step]]
                    mistakes.append(
                        SchemaMistake(
                            pointer: location, reason: "the schema refers to itself in a circle that never ends"))
                } else if states[node] == 0 {
                    states[node] = 1
                    way.append((node, certain(node)[...]))
                }
            }
        }
        return mistakes
    }

    /// The nodes that a node always applies to the same value, with the responsible step.
    private func certain(_ node: Int) -> [(node: Int, step: Int)] {
        program.nodes[node].steps.flatMap { index -> [(node: Int, step: Int)] in
            switch program.steps[index] {
            case .reference(let node), .not(let node): [(node, index)]
            case .all(let list), .one(let list): program.lists[list].map { ($0, index) }
            case .any(let list): program.lists[list].prefix(1).map { ($0, index) }
            case .condition(let condition): [(program.conditions[condition].test, index)]
            default: []
            }
        }
    }
}

/// A mistake in a schema, and its place.
package struct SchemaMistake: Error, Sendable, Hashable {
    /// JSON pointer (RFC 6901) into the schema's document: `/properties/power/minimum`.
    package var pointer: String
    /// In English: `minimum is no number`.
    package var reason: String

    package init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }
}

/// The place and the kind of a value's violation of its schema.
package struct SchemaFault: Sendable, Hashable {
    /// The reason why a value could not be checked completely.
    package enum Limit: String, Sendable {
        case depth, steps, faults
        /// A number beyond 10 to the power of ±1000.
        case number
        /// A pattern that took too many steps.
        case pattern
    }

    /// JSON pointer to the value.
    package var pointer: String
    /// The value as written, texts without quotes, cut after 400 bytes. Nil if a member is missing.
    package var value: String?
    /// JSON pointer to the keyword in the schema, preceded by the address of the document if it is
    /// another one.
    package var location: String
    /// The keyword that the value violates.
    package var keyword: String
    /// The keyword's value for messages: the bound, the type, the missing name, the options.
    package var expected: String
    /// The schema object that contains the keyword.
    package var node: Int
    package var limit: Limit?
    /// The actual length or number, for keywords about lengths and numbers.
    package var count: Int?
}
