internal import Model

/// The input of every check: the pack as far as it could be built, and the list of mistakes.
struct CheckContext {
    let pack: Pack
    let mistakes: MistakeList
    /// Whether the file under check belongs to the core.
    var isCore = false
    /// Broken parts that were left out: `reports/avance`. A job is checked without them.
    var leftOut: Set<String> = []

    /// The entity with this name; in the core, `projects` is the pack's project entity. Reports an
    /// unknown name.
    func entity(_ node: YAMLNode?) -> Entity? {
        guard let node, let name = node.text else { return nil }
        if let entity = pack.entity(name) { return entity }
        if isCore, name == Entity.coreProjects { return pack.entity(pack.project.entity) }
        mistakes.addUnknown(name, .entity, at: node.place, known: pack.entities.map(\.name))
        return nil
    }

    /// The field of an entity with this name. Reports an unknown name.
    func field(_ node: YAMLNode?, of entity: Entity) -> Field? {
        guard let node, let name = node.text else { return nil }
        if let field = entity.field(name) { return field }
        reportPath(name, name, entity, at: node.place)
        return nil
    }

    /// The field at the end of a path. Reports the part that is unknown or not a reference.
    func path(_ node: YAMLNode?, from entity: Entity) -> Field? {
        guard let node, let text = node.text else { return nil }
        let parts = FieldPath(text).parts
        var owner = entity
        for (index, part) in parts.enumerated() {
            guard let field = owner.field(part) else {
                reportPath(text, part, owner, at: node.place)
                return nil
            }
            if index == parts.count - 1 { return field }
            guard field.type != .list, let target = field.references else {
                mistakes.add(.notReference, at: node.place, ["path": text, "name": part, "entity": owner.name])
                return nil
            }
            // The field's own check reports a reference to an unknown entity.
            guard let next = pack.entity(target) else { return nil }
            owner = next
        }
        return nil
    }

    /// Checks that a path of references leads from one entity to another.
    func leads(_ node: YAMLNode?, from entity: Entity, to target: Entity) {
        guard let field = path(node, from: entity),
            let owner = pack.owners(along: FieldPath(node?.text ?? ""), from: entity).last
        else { return }
        require(
            field.references == target.name && field.type != .list, node, in: owner, .reference, target: target.name)
    }

    private func reportPath(_ path: String, _ name: String, _ entity: Entity, at place: PackPlace) {
        let known = entity.fields.map(\.name)
        var arguments = ["path": path, "name": name, "entity": entity.name, "known": known.joined(separator: ", ")]
        arguments["nearest"] = entity.field(called: name)?.name ?? Spelling.nearest(to: name, among: known)
        mistakes.add(.badPath, at: place, arguments)
    }

    /// Reports a field whose kind does not fit its use.
    func require(_ isRight: Bool, _ node: YAMLNode?, in entity: Entity, _ expected: PackWord, target: String = "") {
        guard !isRight, let node, let text = node.text else { return }
        mistakes.add(
            .wrongField, at: node.place,
            ["path": text, "entity": entity.name, "expected": expected.rawValue, "target": target])
    }

    /// Checks the names in a column of an SQL query: a field that it resembles, a vocabulary.
    func queryColumn(_ node: YAMLNode) {
        if let like = node["like"], let text = like.text, QueryColumn.field(like: text, in: pack) == nil {
            mistakes.addUnknown(text, .field, at: like.place, known: pack.entities.map { $0.name + ".…" })
        }
        if let vocabulary = node["vocabulary"], let name = vocabulary.text, pack.vocabulary(name) == nil {
            mistakes.addUnknown(name, .vocabulary, at: vocabulary.place, known: pack.vocabularies.map(\.name))
        }
    }

    /// Parses a condition over the rows of an entity, and checks its types.
    ///
    /// - Parameter knowsDay: whether the condition may use the date of the run.
    func condition(_ node: YAMLNode?, over entity: Entity?, knowsDay: Bool = false) {
        check(node, over: entity) { ExpressionCheck.mistakes(inCondition: $0, over: $1, of: pack, knowsDay: knowsDay) }
    }

    /// Parses an expression of any type, and checks its types.
    func expression(_ node: YAMLNode?, over entity: Entity?) {
        check(node, over: entity) { ExpressionCheck.type(of: $0, over: $1, in: pack).mistakes }
    }

    private func check(
        _ node: YAMLNode?, over entity: Entity?, _ mistakes: (Expression, Entity) -> [ExpressionCheck.Mistake]
    ) {
        guard let node, let source = node.text else { return }
        let expression: Expression
        do {
            expression = try ExpressionParser.parse(source)
        } catch {
            return add(ExpressionFailure(error, in: source), at: place(in: node, source, offset: error.offset))
        }
        guard let entity else { return }
        for mistake in mistakes(expression, entity) {
            var failure = ExpressionFailure(mistake, in: source)
            if case .unknownField(let name, _, let known) = mistake.reason {
                failure.arguments["nearest"] = Spelling.nearest(to: name, among: known)
            }
            let start = source.firstRange(of: mistake.part)?.lowerBound ?? source.startIndex
            add(failure, at: place(in: node, source, offset: source.distance(from: source.startIndex, to: start)))
        }
    }

    private func add(_ failure: ExpressionFailure, at place: PackPlace) {
        guard let code = PackMistake.Code(rawValue: failure.code) else { return }
        mistakes.add(code, at: place, failure.arguments)
    }

    /// The place of a character in a scalar that is on one line; else the place of the scalar.
    private func place(in node: YAMLNode, _ source: String, offset: Int) -> PackPlace {
        guard case .scalar(_, let isPlain) = node.content, !source.contains(where: \.isNewline) else {
            return node.place
        }
        var place = node.place
        place.column += offset + (isPlain ? 0 : 1)
        return place
    }

    /// Reports names that are not unique. `kind` is the kind of the named parts.
    func unique(_ nodes: [YAMLNode], _ kind: PackWord) {
        var names = NameRegister(kind: kind, mistakes: mistakes)
        for node in nodes {
            if let name = node.text { names.add(name, at: node.place) }
        }
    }
}

/// The names of one kind of part, each with its first place.
struct NameRegister {
    let kind: PackWord
    let mistakes: MistakeList
    private var places: [String: PackPlace] = [:]

    init(kind: PackWord, mistakes: MistakeList) {
        self.kind = kind
        self.mistakes = mistakes
    }

    mutating func add(_ name: String, at place: PackPlace) {
        if let other = places[name] {
            let spot = other.file == place.file ? "\(other.line):\(other.column)" : "\(other.file):\(other.line)"
            mistakes.add(.duplicateName, at: place, ["name": name, "kind": kind.rawValue, "other": spot])
        } else {
            places[name] = place
        }
    }
}
