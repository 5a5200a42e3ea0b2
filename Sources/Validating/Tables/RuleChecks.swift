import Model

/// The pack's rules over tables as checks.
struct RuleChecks {
    private let pack: Pack
    private let source: any ValidationSource

    init(pack: Pack, source: any ValidationSource) {
        self.pack = pack
        self.source = source
    }

    /// The check of a rule; nil when it needs a field that is hidden from the actor, and for rules
    /// over one row or its photo.
    func check(of rule: Rule) throws(ValidatingError) -> TableCheck? {
        guard let entity = pack.entity(rule.entity) else { throw .unknownName(owner: rule.code, name: rule.entity) }
        if let when = rule.when, when.fieldPaths.contains(where: { source.isHidden($0, from: entity, in: pack) }) { return nil }
        var check = TableCheck(
            name: rule.code, code: rule.code, severity: rule.severity, entity: entity, field: rule.field, when: rule.when, question: .query(""), arguments: [],
            kind: .whole([]))
        switch rule.check {
        case .row, .photo:
            return nil
        case .query(let sql):
            check.question = .query(sql)
            check.kind = .query(sql, scope: rule.scope, paths: rule.when?.fieldPaths ?? [])
            check.arguments = rule.arguments.map { .init($0, field: entity.field($0)) }
        case .count(let other, let by, let minimum, let maximum):
            guard let parts = pack.entity(other) else { throw .unknownName(owner: rule.code, name: other) }
            let paths = [minimum, maximum].compactMap { $0 }.flatMap(\.fieldPaths) + rule.arguments.map { FieldPath($0) }
            guard !paths.contains(where: { source.isHidden($0, from: entity, in: pack) }), !source.isHidden(by, from: parts, in: pack) else { return nil }
            try count(parts, by, minimum, maximum, rule, &check)
        }
        return check
    }

    private func count(
        _ parts: Entity, _ by: FieldPath, _ minimum: Expression?, _ maximum: Expression?, _ rule: Rule, _ check: inout TableCheck
    ) throws(ValidatingError) {
        let entity = check.entity
        guard pack.field(at: by, from: parts) != nil || pack.field(at: by, from: entity) != nil else { throw .unknownName(owner: rule.code, name: by.description) }
        let quoted = rule.arguments.map { FieldPath($0) }
        for path in quoted { try ensure(path, from: entity, rule) }
        check.question = .parts(.init(
            owner: entity, parts: parts, by: by, minimum: try bound(minimum, entity, rule), maximum: try bound(maximum, entity, rule), quoted: quoted))
        check.kind = .count(of: parts.name, by: by, paths: [minimum, maximum, rule.when].compactMap { $0 }.flatMap(\.fieldPaths) + quoted)
        check.arguments = [.init("count"), .init("minimum", missing: "0"), .init("maximum", missing: "∞")]
        check.arguments += rule.arguments.enumerated().map { index, name in
            .init(name, column: "a\(index)", field: pack.field(at: FieldPath(name), from: entity))
        }
    }

    private func bound(_ bound: Expression?, _ entity: Entity, _ rule: Rule) throws(ValidatingError) -> TableQuestion.PartCount.Bound {
        switch bound {
        case nil, .null: return .none
        case .number(let digits): return .number(digits)
        case .field(let path):
            try ensure(path, from: entity, rule)
            return .field(path)
        default: throw .bound(rule: rule.code)
        }
    }

    private func ensure(_ path: FieldPath, from entity: Entity, _ rule: Rule) throws(ValidatingError) {
        guard pack.leads(path, from: entity) else { throw .unknownName(owner: rule.code, name: path.description) }
    }
}
