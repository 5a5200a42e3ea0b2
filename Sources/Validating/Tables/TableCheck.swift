import Model

/// A query over tables that returns the rows with a fault, and the conversion of its rows to
/// findings.
struct TableCheck {
    /// The name for this check's timeout, and for a progress line.
    var name: String
    var code: String
    /// Nil: the catalogue's severity of the code.
    var severity: Severity?
    var entity: Entity
    /// The field shown in the findings.
    var field: String?
    /// The condition under which a returned row counts as a fault.
    var when: Expression?
    var question: TableQuery
    /// Columns of the result: `id`, then one for each argument.
    var arguments: [Argument]
    /// Arguments with the same value in each finding.
    var constants: [String: String] = [:]
    /// The data on which the result depends.
    var kind: CheckReach.Kind

    var reach: CheckReach {
        var name = name
        // An entity's key and one of its fields may be unique within different references.
        if case .alike(_, let within) = kind { name += " " + within.joined(separator: "+") }
        return CheckReach(name, entity: entity.name, kind: kind, asksForToday: when?.asksForToday == true)
    }

    struct Argument {
        /// The name in the message. Columns of the same name are joined to one value, such as the
        /// parts of a key.
        var name: String
        /// The column of the result.
        var column: String
        /// The field whose privacy class decides whether the value is quoted.
        var field: Field?
        /// The text for a missing value.
        var missing = ""

        init(_ name: String, column: String? = nil, field: Field? = nil, missing: String = "") {
            self.name = name
            self.column = column ?? name
            self.field = field
            self.missing = missing
        }
    }
}

/// The checks over tables derived from an entity's definition: uniqueness and references.
struct TableChecks {
    private let pack: Pack
    private let source: any ValidationSource

    init(pack: Pack, source: any ValidationSource) {
        self.pack = pack
        self.source = source
    }

    func checks(of entity: Entity) -> [TableCheck] {
        var checks: [TableCheck] = []
        var known: Set<[String]> = []
        for field in entity.fields {
            guard let uniqueness = field.uniqueness else { continue }
            let scope: String? = if case .within(let reference) = uniqueness { reference } else { nil }
            known.insert([field.name, scope ?? ""])
            if let check = unique(entity, [field.name], within: scope) { checks.append(check) }
            if field == entity.keyText, let check = sameName(entity, field, within: scope) { checks.append(check) }
        }
        if !entity.key.isEmpty, !known.contains(entity.key + [entity.keyScope ?? ""]) {
            if let check = unique(entity, entity.key, within: entity.keyScope) { checks.append(check) }
            if let name = entity.keyText, entity.key == [name.name],
                let check = sameName(entity, name, within: entity.keyScope)
            {
                checks.append(check)
            }
        }
        for field in entity.fields {
            if let check = reference(entity, field) { checks.append(check) }
        }
        return checks
    }

    private func isVisible(_ names: [String], _ entity: Entity) -> Bool {
        names.allSatisfy { entity.field($0) != nil && !source.isHidden($0, of: entity.name) }
    }

    /// Finds rows with equal values, within the same value of `scope` if there is one. Missing
    /// values are equal to nothing.
    private func unique(_ entity: Entity, _ fields: [String], within scope: String?) -> TableCheck? {
        guard isVisible(fields + (scope.map { [$0] } ?? []), entity), let last = fields.last else { return nil }
        let arguments = fields.enumerated().map { index, name in
            TableCheck.Argument("value", column: "value\(index)", field: entity.field(name))
        }
        return TableCheck(
            name: "FIELD-UNIQUE \(entity.name).\(fields.joined(separator: "+"))", code: "FIELD-UNIQUE", entity: entity,
            field: last,
            question: .alike(entity, fields: fields, within: scope), arguments: arguments + [.init("count")],
            kind: .alike(values: fields, within: scope.map { [$0] } ?? []))
    }

    /// Finds names that differ only in spelling. `unique` reports names with the same characters.
    private func sameName(_ entity: Entity, _ field: Field, within scope: String?) -> TableCheck? {
        guard isVisible([field.name] + (scope.map { [$0] } ?? []), entity) else { return nil }
        return TableCheck(
            name: "FIELD-UNIQUE \(entity.name).\(KeyText.column)", code: "FIELD-UNIQUE", entity: entity,
            field: field.name,
            question: .sameName(entity, field, within: scope),
            arguments: [.init("value", field: field), .init("count")], kind: .whole([entity.name]))
    }

    /// Finds dangling references. References to the core's tables (profiles, memberships) are not
    /// checked, since each actor sees different rows of these tables.
    private func reference(_ entity: Entity, _ field: Field) -> TableCheck? {
        guard let name = field.references, let target = pack.entity(name), !target.isCore,
            isVisible([field.name], entity)
        else { return nil }
        return TableCheck(
            name: "FIELD-REFERENCE \(entity.name).\(field.name)", code: "FIELD-REFERENCE", entity: entity,
            field: field.name,
            question: .dangling(entity, field, to: target), arguments: [.init("value", field: field)],
            constants: ["target": target.name],
            kind: .rows(paths: [FieldPath(parts: [field.name, "id"])]))
    }
}

/// The pack's rules over tables as checks.
struct RuleChecks {
    private let pack: Pack
    private let source: any ValidationSource

    init(pack: Pack, source: any ValidationSource) {
        self.pack = pack
        self.source = source
    }

    /// The check of a rule. Nil when it needs a field hidden from the actor, and for rules over one
    /// row or its photo.
    func check(of rule: Rule) throws(ValidatingError) -> TableCheck? {
        guard let entity = pack.entity(rule.entity) else { throw .unknownName(owner: rule.code, name: rule.entity) }
        if let when = rule.when, when.fieldPaths.contains(where: { source.isHidden($0, from: entity, in: pack) }) {
            return nil
        }
        var check = TableCheck(
            name: rule.code, code: rule.code, severity: rule.severity, entity: entity, field: rule.field,
            when: rule.when, question: .query(""), arguments: [],
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
            let paths =
                [minimum, maximum].compactMap { $0 }.flatMap(\.fieldPaths) + rule.arguments.map { FieldPath($0) }
            guard !paths.contains(where: { source.isHidden($0, from: entity, in: pack) }),
                !source.isHidden(by, from: parts, in: pack)
            else { return nil }
            try count(parts, by, minimum, maximum, rule, &check)
        }
        return check
    }

    private func count(
        _ parts: Entity, _ by: FieldPath, _ minimum: Expression?, _ maximum: Expression?, _ rule: Rule,
        _ check: inout TableCheck
    ) throws(ValidatingError) {
        let entity = check.entity
        guard pack.field(at: by, from: parts) != nil || pack.field(at: by, from: entity) != nil else {
            throw .unknownName(owner: rule.code, name: by.description)
        }
        let quoted = rule.arguments.map { FieldPath($0) }
        for path in quoted { try ensure(path, from: entity, rule) }
        check.question = .parts(
            .init(
                owner: entity, parts: parts, by: by, minimum: try bound(minimum, entity, rule),
                maximum: try bound(maximum, entity, rule), quoted: quoted))
        check.kind = .count(
            of: parts.name, by: by,
            paths: [minimum, maximum, rule.when].compactMap { $0 }.flatMap(\.fieldPaths) + quoted)
        check.arguments = [.init("count"), .init("minimum", missing: "0"), .init("maximum", missing: "∞")]
        check.arguments += rule.arguments.enumerated().map { index, name in
            .init(name, column: "a\(index)", field: pack.field(at: FieldPath(name), from: entity))
        }
    }

    private func bound(_ bound: Expression?, _ entity: Entity, _ rule: Rule) throws(ValidatingError)
        -> TableQuery.PartCount.Bound
    {
        switch bound {
        case nil, .null: return .none
        case .number(let digits): return .number(digits)
        case .field(let path):
            try ensure(path, from: entity, rule)
            return .field(path)
        default: throw .bound(rule: rule.code)
        }
    }

    /// Throws if the path leads neither to a field nor to an id.
    private func ensure(_ path: FieldPath, from entity: Entity, _ rule: Rule) throws(ValidatingError) {
        guard pack.leads(path, from: entity) else { throw .unknownName(owner: rule.code, name: path.description) }
    }
}
