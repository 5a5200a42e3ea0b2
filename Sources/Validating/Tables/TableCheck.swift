import Model

/// A query over tables that returns offenders, and how a row of its result becomes a finding.
struct TableCheck {
    /// How the timeout of this check is reported, and what a progress line says.
    var name: String
    var code: String
    /// Nil: the catalogue's severity of the code.
    var severity: Severity?
    var entity: Entity
    /// The field that the findings point to.
    var field: String?
    /// Only offenders for which this is true count.
    var when: Expression?
    /// Made when it is judged: which rows are asked for is known only then.
    var sql: () -> String
    /// Columns of the query: `id`, then one for each argument.
    var arguments: [Argument]
    /// Arguments that are the same in each finding.
    var constants: [String: String] = [:]
    /// Of checks that an entity's description asks for, and of counts; a query's is what its rule says.
    var kind: CheckReach.Kind

    var reach: CheckReach {
        var name = name
        // An entity's key and a field of it may be unique within different references.
        if case .alike(_, let within) = kind { name += " " + within.joined(separator: "+") }
        return CheckReach(name, entity: entity.name, kind: kind, asksForToday: when?.asksForToday == true)
    }

    struct Argument {
        /// Name in the message; columns of the same name make one value, as the parts of a key do.
        var name: String
        /// The query's column.
        var column: String
        /// The field whose privacy decides whether the value is quoted.
        var field: Field?
        /// What stands for a missing value.
        var missing = ""

        init(_ name: String, column: String? = nil, field: Field? = nil, missing: String = "") {
            self.name = name
            self.column = column ?? name
            self.field = field
            self.missing = missing
        }
    }
}

/// The checks over tables that an entity's description asks for: uniqueness and references.
///
/// Each groups or looks up by indexed columns, so that a million rows take about as long as reading the index; only offenders come back.
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
            if let name = entity.keyText, entity.key == [name.name], let check = sameName(entity, name, within: entity.keyScope) { checks.append(check) }
        }
        for field in entity.fields {
            if let check = reference(entity, field) { checks.append(check) }
        }
        return checks
    }

    private func isVisible(_ names: [String], _ entity: Entity) -> Bool {
        names.allSatisfy { entity.field($0) != nil && !source.isHidden($0, of: entity.name) }
    }

    /// Rows that share a value, within the same value of `scope` where there is one. Missing values are equal to nothing.
    private func unique(_ entity: Entity, _ fields: [String], within scope: String?) -> TableCheck? {
        guard isVisible(fields + (scope.map { [$0] } ?? []), entity), let last = fields.last else { return nil }
        let table = SQLText.name(entity.name)
        let columns = fields.map(SQLText.name)
        let grouped = (scope.map { [SQLText.name($0)] } ?? []) + columns
        let present = columns.map { "\($0) IS NOT NULL AND \($0) <> ''" }.joined(separator: " AND ")
        let same = columns.map { "t.\($0) = d.\($0)" } + (scope.map { ["t.\(SQLText.name($0)) IS d.\(SQLText.name($0))"] } ?? [])
        let values = columns.enumerated().map { "t.\($1) AS value\($0)" }.joined(separator: ", ")
        let sql = { [source] in
            let judged = source.judgedRows("\"id\"").map { " AND " + $0 } ?? ""
            return """
                SELECT t."id" AS id, \(values), d.n AS count FROM (
                  SELECT \(grouped.joined(separator: ", ")), COUNT(*) AS n FROM \(table) WHERE \(present)\(judged)
                  GROUP BY \(grouped.joined(separator: ", ")) HAVING COUNT(*) > 1
                ) AS d CROSS JOIN \(table) AS t ON \(same.joined(separator: " AND ")) ORDER BY id
                """
        }
        let arguments = fields.enumerated().map { index, name in
            TableCheck.Argument("value", column: "value\(index)", field: entity.field(name))
        }
        return TableCheck(
            name: "FIELD-UNIQUE \(entity.name).\(fields.joined(separator: "+"))", code: "FIELD-UNIQUE", entity: entity, field: last, sql: sql,
            arguments: arguments + [.init("count")], kind: .alike(values: fields, within: scope.map { [$0] } ?? []))
    }

    /// Names that are the same though they are written otherwise (`KeyText`): few, and found by an index of their own, so that all are judged whenever
    /// one may have changed. Whoever shares his very letters with another is told by `unique`.
    private func sameName(_ entity: Entity, _ field: Field, within scope: String?) -> TableCheck? {
        guard isVisible([field.name] + (scope.map { [$0] } ?? []), entity) else { return nil }
        let table = SQLText.name(entity.name), name = SQLText.name(field.name), form = KeyText.column
        let within = { (other: String) in scope.map { "t.\(SQLText.name($0)) IS \(other).\(SQLText.name($0)) AND " } ?? "" }
        let same = { (other: String) in "\(within(other))(t.\(name) = \(other).\(form) OR t.\(form) = \(other).\(form))" }
        let scopes = scope.map { SQLText.name($0) + ", " } ?? ""
        let sql = """
            SELECT t."id" AS id, t.\(name) AS value, o.n AS count FROM (
              SELECT *, (SELECT COUNT(*) FROM \(table) AS t WHERE \(same("d"))) AS n
              FROM (SELECT DISTINCT \(scopes)\(form) FROM \(table) WHERE \(form) <> '') AS d
            ) AS o CROSS JOIN \(table) AS t ON \(same("o"))
            WHERE o.n > 1 AND NOT EXISTS (SELECT 1 FROM \(table) AS x WHERE \(within("x"))x.\(name) = t.\(name) AND x."id" <> t."id") ORDER BY id
            """
        return TableCheck(
            name: "FIELD-UNIQUE \(entity.name).\(form)", code: "FIELD-UNIQUE", entity: entity, field: field.name, sql: { sql },
            arguments: [.init("value", field: field), .init("count")], kind: .whole([entity.name]))
    }

    /// Rows that refer to a row that is not there. What the actor sees of the core's tables (profiles, memberships) depends on the actor,
    /// so that references to these are not judged.
    private func reference(_ entity: Entity, _ field: Field) -> TableCheck? {
        guard let name = field.references, let target = pack.entity(name), !target.isCore, isVisible([field.name], entity) else { return nil }
        let table = SQLText.name(entity.name)
        let column = SQLText.name(field.name)
        let there = "EXISTS (SELECT 1 FROM \(SQLText.name(target.name)) AS p WHERE p.\"id\" = "
        let sql = { [source] in
            let judged = source.judgedRows("t.\"id\"")
            if field.type == .list {
                return """
                    SELECT t."id" AS id, j.value AS value FROM \(table) AS t, \(SQLText.items(of: "t." + column))
                    WHERE NOT \(there)j.value)\(judged.map { " AND " + $0 } ?? "") ORDER BY id, j.key
                    """
            }
            if let judged {
                return "SELECT t.\"id\" AS id, t.\(column) AS value FROM \(table) AS t WHERE \(judged) AND NOT \(there)t.\(column)) AND t.\(column) IS NOT NULL ORDER BY id"
            }
            // Each value is looked up once, however many rows hold it.
            return """
                WITH held AS MATERIALIZED (SELECT DISTINCT \(column) AS value FROM \(table) WHERE \(column) IS NOT NULL)
                SELECT t."id" AS id, h.value AS value FROM held AS h CROSS JOIN \(table) AS t ON t.\(column) = h.value
                WHERE NOT \(there)h.value) ORDER BY id
                """
        }
        return TableCheck(
            name: "FIELD-REFERENCE \(entity.name).\(field.name)", code: "FIELD-REFERENCE", entity: entity, field: field.name, sql: sql,
            arguments: [.init("value", field: field)], constants: ["target": target.name],
            kind: .rows(paths: [FieldPath(parts: [field.name, "id"])]))
    }
}
