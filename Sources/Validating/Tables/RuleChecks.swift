import Model

/// The pack's rules over tables as checks: counts become SQL here, queries are there as SQL already.
struct RuleChecks {
    private let pack: Pack
    private let source: any ValidationSource

    init(pack: Pack, source: any ValidationSource) {
        self.pack = pack
        self.source = source
    }

    /// The check of a rule; nil when it needs a field that the actor may not see, and for rules over one row or its photo.
    func check(of rule: Rule) throws(ValidatingError) -> TableCheck? {
        guard let entity = pack.entity(rule.entity) else { throw .unknownName(owner: rule.code, name: rule.entity) }
        if let when = rule.when, when.fieldPaths.contains(where: { isHidden($0, entity) }) { return nil }
        var check = TableCheck(
            name: rule.code, code: rule.code, severity: rule.severity, entity: entity, field: rule.field, when: rule.when, sql: { "" }, arguments: [],
            kind: .whole([]))
        switch rule.check {
        case .row, .photo:
            return nil
        case .query(let sql):
            check.sql = { sql }
            check.kind = .query(sql, scope: rule.scope, paths: rule.when?.fieldPaths ?? [])
            check.arguments = rule.arguments.map { .init($0, field: entity.field($0)) }
        case .count(let other, let by, let minimum, let maximum):
            guard let parts = pack.entity(other) else { throw .unknownName(owner: rule.code, name: other) }
            let paths = [minimum, maximum].compactMap { $0 }.flatMap(\.fieldPaths) + rule.arguments.map { FieldPath($0) }
            guard !paths.contains(where: { isHidden($0, entity) }) else { return nil }
            try count(parts, by, minimum, maximum, rule, &check)
        }
        return check
    }

    private func isHidden(_ path: FieldPath, _ entity: Entity) -> Bool {
        var current = entity
        for part in path.parts {
            if source.isHidden(part, of: current.name) { return true }
            guard let next = current.field(part)?.references.flatMap({ pack.entity($0) }) else { return false }
            current = next
        }
        return false
    }

    /// Counts are grouped in one go over the index on the reference, not row by row.
    private func count(
        _ parts: Entity, _ by: String, _ minimum: Expression?, _ maximum: Expression?, _ rule: Rule, _ check: inout TableCheck
    ) throws(ValidatingError) {
        let entity = check.entity
        var joins = PathJoins(pack: pack, entity: entity)
        let least = try bound(minimum, rule, &joins)
        let most = try bound(maximum, rule, &joins)
        var quoted: [String] = []
        for (index, name) in rule.arguments.enumerated() {
            guard let column = joins.column(FieldPath(name)) else { throw .unknownName(owner: rule.code, name: name) }
            quoted.append(", \(column) AS a\(index)")
        }
        let held: () -> String
        if parts.field(by) != nil {
            let column = SQLText.name(by)
            held = { [source] in
                let condition = source.judgedRows(column) ?? "\(column) IS NOT NULL"
                return "SELECT \(column) AS owner, COUNT(*) AS n FROM \(SQLText.name(parts.name)) WHERE \(condition) GROUP BY \(column)"
            }
        } else if entity.field(by) != nil {
            held = { [source] in
                """
                SELECT o."id" AS owner, COUNT(p."id") AS n FROM \(SQLText.name(entity.name)) AS o, \(SQLText.items(of: "o." + SQLText.name(by)))
                LEFT JOIN \(SQLText.name(parts.name)) AS p ON p."id" = j.value\(source.judgedRows("o.\"id\"").map { " WHERE " + $0 } ?? "") GROUP BY o."id"
                """
            }
        } else {
            throw .unknownName(owner: rule.code, name: by)
        }
        let (from, columns) = (joins.sql, quoted.joined())
        check.sql = { [source] in
            """
            WITH held AS MATERIALIZED (\(held()))
            SELECT t."id" AS id, COALESCE(h.n, 0) AS count, \(least) AS minimum, \(most) AS maximum\(columns)
            FROM \(from) LEFT JOIN held AS h ON h.owner = t."id"
            WHERE (COALESCE(h.n, 0) < \(least) OR COALESCE(h.n, 0) > \(most))\(source.judgedRows("t.\"id\"").map { " AND " + $0 } ?? "") ORDER BY t."id"
            """
        }
        let paths = [minimum, maximum, rule.when].compactMap { $0 }.flatMap(\.fieldPaths) + rule.arguments.map { FieldPath($0) }
        check.kind = .count(of: parts.name, by: by, paths: paths)
        check.arguments = [.init("count"), .init("minimum", missing: "0"), .init("maximum", missing: "∞")]
        check.arguments += rule.arguments.enumerated().map { index, name in
            .init(name, column: "a\(index)", field: pack.field(at: FieldPath(name), from: entity))
        }
    }

    private func bound(_ bound: Expression?, _ rule: Rule, _ joins: inout PathJoins) throws(ValidatingError) -> String {
        switch bound {
        case nil, .null: return "NULL"
        case .number(let digits): return digits
        case .field(let path):
            guard let column = joins.column(path) else { throw .unknownName(owner: rule.code, name: path.description) }
            return column
        default: throw .bound(rule: rule.code)
        }
    }
}
