/// Finds schemas that refer to themselves without descending into the value; following them would
/// never end.
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
                    mistakes.append(SchemaMistake(pointer: location, reason: "the schema refers to itself in a circle that never ends"))
                } else if states[node] == 0 {
                    states[node] = 1
                    way.append((node, certain(node)[...]))
                }
            }
        }
        return mistakes
    }

    /// The nodes that a node always applies to the same value, with the step that does so.
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
