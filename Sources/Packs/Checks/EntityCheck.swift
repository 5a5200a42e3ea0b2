internal import Model

/// Checks an entity beyond its shape: its fields, keys, paths and states.
struct EntityCheck {
    let context: CheckContext

    /// Columns that the replica adds to every table.
    private static let reserved: Set<String> = [
        "sync_state", "local_version", "remote_updated_at", "content_stamp", "own_mark", "import_source", "import_row",
        "key_text", "rowid",
    ]

    /// SQLite's functions accept 127 values, and one call digests all fields of a row.
    private static let mostFields = 118

    func check(_ root: YAMLNode) {
        guard let node = root["entity"], let name = node.text, let entity = context.pack.entity(name) else { return }
        if name.hasPrefix("sqlite_") { context.mistakes.add(.reservedName, at: node.place, ["name": name]) }
        let fields = root.items("fields")
        if fields.count > Self.mostFields {
            context.mistakes.add(.tooBig, at: node.place, ["limit": "\(Self.mostFields) fields"])
        }
        checkNames(fields)
        if let first = fields.first,
            first.text("name") != "id" || first.text("type") != "uuid" || first["required"]?.boolean != true
        {
            context.mistakes.add(.firstField, at: first.place, ["entity": name])
        }
        for field in fields { DescribedFieldCheck(context: context, entity: entity).check(field) }
        checkProject(root["project"], entity)
        if root["project"] == nil, mustBelongToAProject(name) {
            context.mistakes.add(.missingKey, at: node.place, ["key": "project"])
        }
        if let above = root["alike"]?["above"], let number = above.number, !(0..<1).contains(number) {
            context.mistakes.add(
                .badValue, at: above.place, ["key": "above", "value": above.text ?? "", "allowed": "0 … 0.99"])
        }
        checkEdits(root["edits"], entity)
        if let states = root["states"] { checkStates(states, entity) }
        checkActs(fields, entity)
    }

    /// Whether an entity must have a path to its project: true for projects and all tables of
    /// records. Without one, every active profile would see the table.
    private func mustBelongToAProject(_ name: String) -> Bool {
        name == context.pack.project.entity
            || context.pack.records.contains { $0.root == name || $0.parts.contains { $0.entity == name } }
    }

    /// Checks that names, aliases and former names of fields are unique together: files may use
    /// any.
    private func checkNames(_ fields: [YAMLNode]) {
        var names = NameRegister(kind: .field, mistakes: context.mistakes)
        for node in fields.compactMap({ $0["name"] }) {
            guard let name = node.text else { continue }
            names.add(name, at: node.place)
            if Self.reserved.contains(name) { context.mistakes.add(.reservedName, at: node.place, ["name": name]) }
        }
        for field in fields {
            var own: Set<String> = []
            for alias in field.items("aliases") {
                // A field `code` may have the alias `code`, for files with exactly this name.
                guard let text = alias.text, text != field.text("name"), own.insert(text).inserted else { continue }
                names.add(text, at: alias.place)
            }
            for former in field["renamedFrom"].map({ $0.text == nil ? $0.items : [$0] }) ?? [] {
                guard let text = former.text, own.insert(text).inserted else { continue }
                if Self.reserved.contains(text) {
                    context.mistakes.add(.reservedName, at: former.place, ["name": text])
                }
                names.add(text, at: former.place)
            }
        }
    }

    private func checkProject(_ node: YAMLNode?, _ entity: Entity) {
        guard let node, let field = context.path(node, from: entity) else { return }
        let project = context.pack.project.entity
        // The path must end at a reference to the project, or at the id of the project itself.
        let parts = FieldPath(node.text ?? "").parts
        let isOwn = field.name == "id" && ownerOfLast(parts, from: entity)?.name == project
        context.require(
            isOwn || (field.references == project && field.type != .list), node, in: entity, .reference, target: project
        )
    }

    private func ownerOfLast(_ parts: [String], from entity: Entity) -> Entity? {
        context.pack.ownerAndField(at: FieldPath(parts: parts), from: entity)?.0
    }

    /// Checks the roles and the fields that each may change.
    private func checkEdits(_ node: YAMLNode?, _ entity: Entity) {
        for pair in node?.pairs ?? [] {
            if context.pack.role(pair.key) == nil {
                context.mistakes.addUnknown(pair.key, .role, at: pair.keyPlace, known: context.pack.roles.map(\.name))
            }
            context.unique(pair.value.items, .field)
            for field in pair.value.items { _ = context.field(field, of: entity) }
        }
    }

    private func checkStates(_ node: YAMLNode, _ entity: Entity) {
        guard let field = context.field(node["field"], of: entity) else { return }
        guard let vocabulary = field.vocabulary.flatMap(context.pack.vocabulary) else {
            if field.vocabulary == nil { context.require(false, node["field"], in: entity, .stateField) }
            return
        }
        func checkState(_ state: YAMLNode?) {
            guard let state, let name = state.text, !vocabulary.values.contains(name) else { return }
            context.mistakes.addUnknown(name, .state, at: state.place, known: vocabulary.values)
        }
        checkState(node["initial"])
        checkState(node["exported"]?["from"])
        checkState(node["exported"]?["to"])
        (node.items("closed") + node.items("frozen") + node.items("approves")).forEach(checkState)
        checkFrozen(node)
        for transition in node.items("transitions") {
            checkState(transition["from"])
            checkState(transition["to"])
            let codes = transition["require"].map { $0.text == nil ? $0.items : [$0] } ?? []
            for node in codes { checkDemand(node, entity) }
        }
    }

    /// Checks that nothing leads out of a frozen state.
    private func checkFrozen(_ node: YAMLNode) {
        let frozen = Set(node.items("frozen").compactMap(\.text))
        for move in node.items("transitions") + [node["exported"]].compactMap(\.self) {
            guard let from = move["from"], let state = from.text, frozen.contains(state) else { continue }
            context.mistakes.add(.frozenExit, at: from.place, ["name": state])
        }
    }

    /// Checks that what a transition demands is a rule over one row of this table.
    private func checkDemand(_ node: YAMLNode, _ entity: Entity) {
        let known = context.pack.rules.filter { $0.entity == entity.name && !$0.isOverTables }.map(\.code)
        guard let code = node.text, !known.contains(code) else { return }
        context.mistakes.addUnknown(code, .rule, at: node.place, known: known)
    }

    /// Checks that an act leads to a state of the record.
    private func checkActs(_ fields: [YAMLNode], _ entity: Entity) {
        let reached = Set((entity.states?.transitions ?? []).map(\.to)).sorted()
        for node in fields.compactMap({ $0["setBy"] }) {
            guard let state = node.text, !reached.contains(state) else { continue }
            context.mistakes.addUnknown(state, .state, at: node.place, known: reached)
        }
    }
}
