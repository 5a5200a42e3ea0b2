package import JSONReading

/// Checks values against a program, one after the other, and reports the places of violations.
///
/// Work and depth are bounded for each value, whatever the value and the schema are. A value that
/// could not be checked completely gets a separate fault.
package struct SchemaMachine: Sendable {
    /// Bounds for one value.
    package struct Limits: Sendable {
        package var depth = 500
        package var steps = 200_000
        package var faults = 1000

        package init() {}
    }

    package let program: SchemaProgram
    private let limits: Limits

    // The current value.
    var tokens: [JSONDocument.Token] = []
    var bytes: [UInt8] = []
    package private(set) var faults: [SchemaFault] = []
    private(set) var isExhausted = false
    /// Above 0 while faults are not reported, because a schema is only tried.
    var quiet = 0
    /// The path from the top to the current value: tokens of keys, and positions in arrays as -1,
    /// -2, …
    var path: [Int] = []
    /// Evaluated members (tokens of their keys) and items. Those of a schema follow those of the
    /// enclosing schemas.
    var evaluated: [Int] = []
    /// Resources that were entered and not yet left.
    var resources: [Int] = []
    private var depth = 0
    /// The steps that the value's limit still allows.
    private var stepsLeft = 0
    private var numberToken = -1
    private var number: DecimalNumber?

    package init(_ program: SchemaProgram, limits: Limits = Limits()) {
        self.program = program
        self.limits = limits
    }

    /// All faults of a value, in the order of the schema's keywords.
    package mutating func faults(of value: JSONValue) -> [SchemaFault] {
        guard let document = try? JSONDocument(value) else {
            start()
            add(
                .init(
                    pointer: "", value: nil, location: program.locations[0], keyword: "", expected: "", node: 0,
                    limit: .depth))
            return faults
        }
        return faults(of: document)
    }

    package mutating func faults(of document: JSONDocument) -> [SchemaFault] {
        start()
        guard !document.tokens.isEmpty else { return [] }
        tokens = document.tokens
        bytes = document.bytes
        _ = judge(0, 0, false)
        tokens = []
        bytes = []
        return faults
    }

    private mutating func start() {
        faults.removeAll()
        isExhausted = false
        (quiet, depth, stepsLeft, numberToken) = (0, 0, limits.steps, -1)
        path.removeAll(keepingCapacity: true)
        evaluated.removeAll(keepingCapacity: true)
        resources.removeAll(keepingCapacity: true)
    }

    /// Whether a value is valid against a node. If it is, and if evaluated parts are tracked, these
    /// remain in `evaluated`.
    mutating func judge(_ index: Int, _ token: Int, _ tracking: Bool) -> Bool {
        let node = program.nodes[index]
        switch node.kind {
        case .always: return true
        case .never: return fail(at: token, index, node.location, "", keyword: "false")
        case .steps: break
        }
        guard depth < limits.depth else { return exhaust(.depth, token, index) }
        depth += 1
        defer { depth -= 1 }
        let isEntering = resources.last != node.resource
        if isEntering { resources.append(node.resource) }
        defer { if isEntering { resources.removeLast() } }
        let base = evaluated.count
        let tracks = tracking || node.tracks
        var isRight = true
        for step in node.steps {
            guard spend(1, token, index) else { return false }
            if judge(step, index, token, tracks, base, isRight) { continue }
            isRight = false
            // For a value of the wrong type the remaining checks make no sense.
            if quiet > 0 { break }
            if case .type = program.steps[step] { break }
        }
        if !isRight || !tracking { evaluated.removeSubrange(base...) }
        return isRight
    }

    private mutating func judge(_ step: Int, _ node: Int, _ token: Int, _ tracks: Bool, _ base: Int, _ isRight: Bool)
        -> Bool
    {
        switch program.steps[step] {
        case .type(let types): isType(types, step, node, token)
        case .members(let plan): members(plan, step, node, token, tracks)
        case .items(let plan): items(plan, node, token, tracks)
        case .reference(let target): judge(target, token, tracks)
        case .dynamicReference(let plan): judge(dynamicTarget(plan), token, tracks)
        case .all(let list): all(list, token, tracks)
        case .any(let list): any(list, step, node, token, tracks)
        case .one(let list): one(list, step, node, token, tracks)
        case .not(let inner): quietly { $0.judge(inner, token, false) } ? fail(step, node, token, "") : true
        case .condition(let plan): condition(plan, token, tracks)
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf: isInBounds(step, node, token)
        case .minLength, .maxLength, .pattern, .format: isText(step, node, token)
        case .constant(let constant): isEqual(token, constant) ? true : fail(step, node, token, constantText(constant))
        case .options(let plan):
            isOption(plan, token) ? true : fail(step, node, token, program.options[plan].description)
        case .minProperties, .maxProperties, .minItems, .maxItems: isCounted(step, node, token)
        case .propertyNames(let inner): propertyNames(inner, token)
        case .dependentRequired(let plan): dependentRequired(plan, step, node, token)
        case .dependentSchemas(let plan): dependentSchemas(plan, token, tracks)
        case .contains(let plan): contains(plan, step, node, token, tracks)
        case .uniqueItems: isUnique(token, node) ? true : fail(step, node, token, "")
        case .unevaluatedProperties(let inner):
            isRight ? unevaluatedProperties(inner, step, node, token, tracks, base) : true
        case .unevaluatedItems(let inner): isRight ? unevaluatedItems(inner, step, node, token, tracks, base) : true
        }
    }

    // MARK: combined schemas

    /// Runs a check without reporting its faults.
    mutating func quietly(_ body: (inout SchemaMachine) -> Bool) -> Bool {
        quiet += 1
        defer { quiet -= 1 }
        return body(&self)
    }

    private func dynamicTarget(_ index: Int) -> Int {
        let plan = program.dynamics[index]
        for resource in resources { if let node = plan.nodes[resource] { return node } }
        return plan.node
    }

    private mutating func all(_ list: Int, _ token: Int, _ tracks: Bool) -> Bool {
        var isRight = true
        for node in program.lists[list] where !judge(node, token, tracks) {
            isRight = false
            if quiet > 0 { break }
        }
        return isRight
    }

    private mutating func any(_ list: Int, _ step: Int, _ node: Int, _ token: Int, _ tracks: Bool) -> Bool {
        let isRight = quietly { machine in
            var isRight = false
            for node in machine.program.lists[list] where machine.judge(node, token, tracks) {
                isRight = true
                if !tracks { break }
            }
            return isRight
        }
        return isRight ? true : fail(step, node, token, "")
    }

    private mutating func one(_ list: Int, _ step: Int, _ node: Int, _ token: Int, _ tracks: Bool) -> Bool {
        var count = 0
        quiet += 1
        for node in program.lists[list] where count < 2 && judge(node, token, tracks) { count += 1 }
        quiet -= 1
        return count == 1 ? true : fail(step, node, token, "")
    }

    private mutating func condition(_ index: Int, _ token: Int, _ tracks: Bool) -> Bool {
        let plan = program.conditions[index]
        let next = quietly { $0.judge(plan.test, token, tracks) } ? plan.then : plan.otherwise
        return next < 0 ? true : judge(next, token, tracks)
    }

    // MARK: bounds and faults

    /// Subtracts steps from the value's limit; false if none are left.
    mutating func spend(_ count: Int, _ token: Int, _ node: Int) -> Bool {
        guard !isExhausted else { return false }
        stepsLeft -= count
        return stepsLeft >= 0 ? true : exhaust(.steps, token, node)
    }

    private mutating func exhaust(_ limit: SchemaFault.Limit, _ token: Int, _ node: Int) -> Bool {
        guard !isExhausted else { return false }
        isExhausted = true
        // This is reported even while faults are suppressed.
        add(fault(token, node, program.nodes[node].location, "", "", limit))
        return false
    }

    /// Reports the fault of a step; always returns false.
    mutating func fail(_ step: Int, _ node: Int, _ token: Int, _ expected: String, limit: SchemaFault.Limit? = nil)
        -> Bool
    {
        guard quiet == 0, !isExhausted else { return false }
        let place = program.places[step]
        return fail(at: token, node, place, expected, limit)
    }

    /// Reports the fault of a keyword that is part of another keyword's step; always returns false.
    mutating func fail(
        at token: Int, _ node: Int, _ location: Int, _ expected: String, keyword: String? = nil,
        _ limit: SchemaFault.Limit? = nil,
        isMissing: Bool = false
    ) -> Bool {
        guard quiet == 0, !isExhausted else { return false }
        guard faults.count < limits.faults else { return exhaust(.faults, token, node) }
        let name = keyword ?? String(program.locations[location].split(separator: "/").last ?? "")
        var fault = fault(token, node, location, name, expected, limit)
        if isMissing { fault.value = nil }
        add(fault)
        return false
    }

    /// Reports a wrong length or number; always returns false.
    mutating func fail(_ step: Int, _ node: Int, _ token: Int, _ expected: Int, count: Int) -> Bool {
        let reported = faults.count
        _ = fail(step, node, token, String(expected))
        if faults.count > reported, !isExhausted { faults[reported].count = count }
        return false
    }

    private mutating func add(_ fault: SchemaFault) {
        faults.append(fault)
    }

    private func fault(
        _ token: Int, _ node: Int, _ location: Int, _ keyword: String, _ expected: String, _ limit: SchemaFault.Limit?
    ) -> SchemaFault {
        let value = String(decoding: bytes[tokens[token].range.prefix(400)], as: UTF8.self)
        return SchemaFault(
            pointer: pointer(), value: value, location: program.locations[location], keyword: keyword,
            expected: expected, node: node,
            limit: limit)
    }

    private func pointer() -> String {
        var pointer = ""
        for part in path {
            pointer += "/"
            if part < 0 {
                pointer += String(-1 - part)
            } else {
                let name = String(decoding: bytes[tokens[part].range.prefix(400)], as: UTF8.self)
                pointer += SchemaLibrary.escaped(tokens[part].range.count > 400 ? name + "…" : name)
            }
        }
        return pointer
    }

    /// The number at a token; nil if it is too large to be represented.
    mutating func number(at token: Int) -> DecimalNumber? {
        if numberToken != token {
            numberToken = token
            number = DecimalNumber(bytes.span, tokens[token].range)
        }
        return number
    }
}
