internal import JSONReading
internal import Patterns

/// The vocabularies of applicators and of unevaluated locations: schemas that apply to the value or
/// its parts.
extension SchemaCompiler {
    mutating func applicators(requires: Bool) {
        for (keyword, step) in [("allOf", SchemaStep.all), ("anyOf", SchemaStep.any), ("oneOf", SchemaStep.one)] {
            guard let nodes = children(keyword) else { continue }
            program.lists.append(nodes)
            emit(step(program.lists.count - 1), keyword)
        }
        if let node = child("not") { emit(.not(node), "not") }
        if let test = child("if") {
            var plan = ConditionPlan(test: test)
            if let then = child("then") { plan.then = then }
            if let otherwise = child("else") { plan.otherwise = otherwise }
            program.conditions.append(plan)
            emit(.condition(program.conditions.count - 1), "if")
        }
        members(requires: requires)
        if let node = child("propertyNames") { emit(.propertyNames(node), "propertyNames") }
        dependentSchemas()
        items()
        contains()
    }

    /// Compiles the keywords `unevaluated…`; returns whether there is any.
    mutating func unevaluated() -> Bool {
        let items = child("unevaluatedItems"), properties = child("unevaluatedProperties")
        if let items { emit(.unevaluatedItems(items), "unevaluatedItems") }
        if let properties { emit(.unevaluatedProperties(properties), "unevaluatedProperties") }
        return items != nil || properties != nil
    }

    private mutating func children(_ keyword: String) -> [Int]? {
        guard let given = value[keyword] else { return nil }
        guard let items = given.items, !items.isEmpty else {
            fail(keyword, "`\(keyword)` is no list of schemas")
            return nil
        }
        return items.indices.compactMap { child(keyword, String($0)) }
    }

    // MARK: objects

    private mutating func members(requires: Bool) {
        var plan = MembersPlan.Parts()
        plan.isLenient = options.readsExtras && value["x-lenient"] == .bool(true)
        var slots: [String: Int] = [:]
        var names: [(name: String, slot: Int)] = []
        for (key, entry) in entries("properties") {
            guard let node = child("properties", key) else { continue }
            slots[key] = plan.nodes.count
            let others = options.readsExtras ? (entry["x-names"]?.items ?? []).compactMap(\.text) : []
            for name in [key] + others { names.append((name, plan.nodes.count)) }
            plan.nodes.append(node)
            plan.labels.append(key)
            plan.bits.append(0)
        }
        if requires, let given = value["required"], let required = self.names(given, "required") {
            for name in required {
                let slot = slots[name] ?? plan.nodes.count
                if slot == plan.nodes.count {
                    slots[name] = slot
                    names.append((name, slot))
                    plan.nodes.append(-1)
                    plan.labels.append(name)
                    plan.bits.append(0)
                }
                // Beyond 64 required names, the object is searched for each name.
                plan.bits[slot] = plan.required.count < 64 ? 1 << UInt64(plan.required.count) : 0
                plan.required.append(slot)
            }
            plan.requiredLocation = location("required")
        }
        for (source, _) in entries("patternProperties") {
            let keyword = "patternProperties/" + SchemaLibrary.escaped(source)
            guard let node = child("patternProperties", source), let pattern = pattern(source, .anywhere, keyword)
            else { continue }
            plan.patterns.append((pattern, node, location("patternProperties")))
        }
        if let node = child("additionalProperties") {
            plan.additional = node
            plan.additionalLocation = location("additionalProperties")
        }
        guard !names.isEmpty || !plan.patterns.isEmpty || plan.additional >= 0 else { return }
        plan.names = KeyTable(names)
        program.members.append(MembersPlan(plan))
        emit(.members(program.members.count - 1), "properties")
    }

    /// The members of a keyword whose value contains schemas by name.
    private mutating func entries(_ keyword: String) -> [(String, JSONValue)] {
        guard let given = value[keyword] else { return [] }
        guard let members = given.members else {
            fail(keyword, "`\(keyword)` is no object")
            return []
        }
        return members.map { ($0.key, $0.value) }
    }

    private mutating func dependentSchemas() {
        let entries = entries("dependentSchemas")
        guard !entries.isEmpty else { return }
        var plan = DependencyPlan()
        var names: [(name: String, slot: Int)] = []
        for (name, _) in entries {
            guard let node = child("dependentSchemas", name) else { continue }
            names.append((name, plan.nodes.count))
            plan.nodes.append(node)
        }
        plan.names = KeyTable(names)
        program.dependencies.append(plan)
        emit(.dependentSchemas(program.dependencies.count - 1), "dependentSchemas")
    }

    // MARK: arrays

    private mutating func items() {
        var plan = ItemsPlan()
        plan.prefix = children("prefixItems") ?? []
        if let node = child("items") {
            plan.rest = node
            plan.restLocation = location("items")
        }
        guard !plan.prefix.isEmpty || plan.rest >= 0 else { return }
        program.items.append(plan)
        emit(.items(program.items.count - 1), "items")
    }

    private mutating func contains() {
        guard let node = child("contains") else { return }
        var plan = ContainsPlan(node: node)
        if let count = count("minContains") {
            plan.minimum = count
            plan.minimumLocation = location("minContains")
        }
        if let count = count("maxContains") {
            plan.maximum = count
            plan.maximumLocation = location("maxContains")
        }
        program.contains.append(plan)
        emit(.contains(program.contains.count - 1), "contains")
    }

    // MARK: extras

    /// Reads the keywords `x-…`; returns the index of their content, -1 if there is none.
    mutating func extras() -> Int {
        var extras = SchemaExtras()
        extras.label = text("title")
        if let label = value["x-label"] {
            if label.members != nil { extras.label = nil } else { extras.label = text("x-label") }
        }
        extras.unit = text("x-unit")
        extras.scope = text("x-scope")
        if let scope = extras.scope, scope != "type", scope != "instance" {
            fail("x-scope", "`x-scope` is neither type nor instance")
        }
        if let adds = text("x-adds"), SchemaExtras.Adding(rawValue: adds) == nil {
            fail("x-adds", "`x-adds` is neither sum, mean, count nor none")
        }
        extras.type = text("x-type")
        extras.requiredWhen = text("x-required-when")
        if let given = value["x-names"], let names = names(given, "x-names") { extras.otherNames = names }
        guard extras != SchemaExtras() else { return -1 }
        program.extras.append(extras)
        return program.extras.count - 1
    }

    private mutating func text(_ keyword: String) -> String? {
        guard let given = value[keyword], given != .null else { return nil }
        if given.text == nil { fail(keyword, "`\(keyword)` is no text") }
        return given.text
    }
}

/// Names with a number each, found by their bytes. They are sorted by hash and then by the bytes,
/// so that no choice of names makes a search slow.
package final class KeyTable: Sendable {
    /// By entry: the hash of a name, the range of its bytes in `text`, and its number.
    private let hashes: [UInt32]
    private let ranges: [Range<Int>]
    private let slots: [Int]
    private let text: [UInt8]

    package init(_ names: [(name: String, slot: Int)]) {
        let entries = names.map { name, slot -> (hash: UInt32, bytes: [UInt8], slot: Int) in
            let bytes = Array(name.utf8)
            return (JSONDocument.hash(bytes.span, 0..<bytes.count), bytes, slot)
        }
        var (hashes, ranges, slots, text) = ([UInt32](), [Range<Int>](), [Int](), [UInt8]())
        for entry in entries.sorted(by: {
            $0.hash != $1.hash ? $0.hash < $1.hash : $0.bytes.lexicographicallyPrecedes($1.bytes)
        }) {
            hashes.append(entry.hash)
            ranges.append(text.count..<text.count + entry.bytes.count)
            text += entry.bytes
            slots.append(entry.slot)
        }
        (self.hashes, self.ranges, self.slots, self.text) = (hashes, ranges, slots, text)
    }

    package var isEmpty: Bool { slots.isEmpty }

    /// The number of a name; -1 if it is not in the table.
    package func slot(_ hash: UInt32, _ bytes: [UInt8], _ range: Range<Int>) -> Int {
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            let isBelow = hashes[middle] != hash ? hashes[middle] < hash : order(middle, bytes, range) < 0
            if isBelow { low = middle + 1 } else { high = middle }
        }
        guard low < hashes.count, hashes[low] == hash, order(low, bytes, range) == 0 else { return -1 }
        return slots[low]
    }

    package func slot(_ name: String) -> Int {
        let bytes = Array(name.utf8)
        return slot(JSONDocument.hash(bytes.span, 0..<bytes.count), bytes, 0..<bytes.count)
    }

    private func order(_ entry: Int, _ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let own = ranges[entry]
        for offset in 0..<min(own.count, range.count) {
            let (left, right) = (text[own.lowerBound + offset], bytes[range.lowerBound + offset])
            if left != right { return left < right ? -1 : 1 }
        }
        return own.count - range.count
    }
}
