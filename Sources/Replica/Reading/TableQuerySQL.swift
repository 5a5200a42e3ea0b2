package import Model

/// SQL for queries over whole tables, using the plain table names.
///
/// Each query groups or looks up by indexed columns, so that a million rows take about as long as
/// reading the index. Only faulty rows are returned.
package struct TableQuerySQL {
    private let pack: Pack
    /// A condition on the column with a row's id, if only some rows are to be checked.
    private let judged: (_ column: String) -> String?

    package init(pack: Pack, judged: @escaping (_ column: String) -> String?) {
        (self.pack, self.judged) = (pack, judged)
    }

    package func sql(_ question: TableQuery) -> String {
        switch question {
        case .alike(let entity, let fields, let scope): alike(entity, fields, within: scope)
        case .sameName(let entity, let field, let scope): sameName(entity, field, within: scope)
        case .dangling(let entity, let field, let target): dangling(entity, field, target)
        case .parts(let count): parts(count)
        case .query(let sql): sql
        }
    }

    /// The columns at the ends of paths, for rows with known ids: `id`, `c0`, `c1`…
    /// - Parameter ids: the ids as SQL, literals or parameters.
    package static func rows(of entity: Entity, ids: [String], paths: [FieldPath], in pack: Pack) -> (
        sql: String, columns: [String]
    ) {
        var joins = PathJoins(from: entity, pack: pack)
        let columns = ["id"] + paths.indices.map { "c\($0)" }
        let values = (["t0.id"] + paths.map { joins.column($0) }).enumerated().map { "\($1) AS \(columns[$0])" }.joined(
            separator: ", ")
        let wanted = ids.joined(separator: ", ")
        return (
            "SELECT \(values) FROM \(SQLText.name(entity.name)) AS t0\(joins.sql) WHERE t0.id IN (\(wanted))", columns
        )
    }

    private func alike(_ entity: Entity, _ fields: [String], within scope: String?) -> String {
        let table = SQLText.name(entity.name)
        let columns = fields.map(SQLText.name)
        let grouped = ((scope.map { [SQLText.name($0)] } ?? []) + columns).joined(separator: ", ")
        let present = columns.map { "\($0) IS NOT NULL AND \($0) <> ''" }.joined(separator: " AND ")
        let same =
            columns.map { "t.\($0) = d.\($0)" }
            + (scope.map { ["t.\(SQLText.name($0)) IS d.\(SQLText.name($0))"] } ?? [])
        let values = columns.enumerated().map { "t.\($1) AS value\($0)" }.joined(separator: ", ")
        return """
            SELECT t.id AS id, \(values), d.n AS count FROM (
              SELECT \(grouped), COUNT(*) AS n FROM \(table) WHERE \(present)\(judged("id").map { " AND " + $0 } ?? "")
              GROUP BY \(grouped) HAVING COUNT(*) > 1
            ) AS d CROSS JOIN \(table) AS t ON \(same.joined(separator: " AND ")) ORDER BY id
            """
    }

    /// Rows whose normalized name differs from the name are few and have a separate index. So all
    /// of them are checked whenever one may have changed.
    private func sameName(_ entity: Entity, _ field: Field, within scope: String?) -> String {
        let table = SQLText.name(entity.name), name = SQLText.name(field.name), form = KeyText.column
        let within = { (other: String) in
            scope.map { "t.\(SQLText.name($0)) IS \(other).\(SQLText.name($0)) AND " } ?? ""
        }
        let same = { (other: String) in "\(within(other))(t.\(name) = \(other).\(form) OR t.\(form) = \(other).\(form))"
        }
        let scopes = scope.map { SQLText.name($0) + ", " } ?? ""
        return """
            SELECT t.id AS id, t.\(name) AS value, o.n AS count FROM (
              SELECT *, (SELECT COUNT(*) FROM \(table) AS t WHERE \(same("d"))) AS n
              FROM (SELECT DISTINCT \(scopes)\(form) FROM \(table) WHERE \(form) <> '') AS d
            ) AS o CROSS JOIN \(table) AS t ON \(same("o"))
            WHERE o.n > 1 AND NOT EXISTS (SELECT 1 FROM \(table) AS x WHERE \(within("x"))x.\(name) = t.\(name) \
            AND x.id <> t.id) ORDER BY id
            """
    }

    private func dangling(_ entity: Entity, _ field: Field, _ target: Entity) -> String {
        let table = SQLText.name(entity.name)
        let column = SQLText.name(field.name)
        let there = "EXISTS (SELECT 1 FROM \(SQLText.name(target.name)) AS p WHERE p.id = "
        let judged = judged("t.id")
        if field.type == .list {
            return """
                SELECT t.id AS id, j.value AS value FROM \(table) AS t, \(ReadSession.items(of: "t." + column)) AS j
                WHERE NOT \(there)j.value)\(judged.map { " AND " + $0 } ?? "") ORDER BY id, j.key
                """
        }
        if let judged {
            return
                """
                SELECT t.id AS id, t.\(column) AS value FROM \(table) AS t WHERE \(judged) \
                AND NOT \(there)t.\(column)) AND t.\(column) IS NOT NULL ORDER BY id
                """
        }
        // Each value is looked up once, however many rows contain it.
        return """
            WITH held AS MATERIALIZED (SELECT DISTINCT \(column) AS value FROM \(table) WHERE \(column) IS NOT NULL)
            SELECT t.id AS id, h.value AS value FROM held AS h CROSS JOIN \(table) AS t ON t.\(column) = h.value
            WHERE NOT \(there)h.value) ORDER BY id
            """
    }

    /// Parts are counted in one scan of the index on the reference, not row by row.
    private func parts(_ count: TableQuery.PartCount) -> String {
        var joins = PathJoins(from: count.owner, pack: pack)
        let (least, most) = (bound(count.minimum, &joins), bound(count.maximum, &joins))
        let quoted = count.quoted.enumerated().map { ", \(joins.column($1)) AS a\($0)" }.joined()
        let owners = SQLText.name(count.owner.name), parts = SQLText.name(count.parts.name)
        let held: String
        if pack.field(at: count.by, from: count.parts) != nil {
            var ways = PathJoins(from: count.parts, pack: pack)
            let by = ways.column(count.by)
            held =
                """
                SELECT \(by) AS owner, COUNT(*) AS n FROM \(parts) AS t0\(ways.sql) \
                WHERE \(judged(by) ?? "\(by) IS NOT NULL") GROUP BY \(by)
                """
        } else {
            held = """
                SELECT o.id AS owner, COUNT(p.id) AS n FROM \(owners) AS o, \
                \(ReadSession.items(of: "o." + SQLText.name(count.by.description))) AS j
                LEFT JOIN \(parts) AS p ON p.id = j.value\(judged("o.id").map { " WHERE " + $0 } ?? "") GROUP BY o.id
                """
        }
        return """
            WITH held AS MATERIALIZED (\(held))
            SELECT t0.id AS id, COALESCE(h.n, 0) AS count, \(least) AS minimum, \(most) AS maximum\(quoted)
            FROM \(owners) AS t0\(joins.sql) LEFT JOIN held AS h ON h.owner = t0.id
            WHERE (COALESCE(h.n, 0) < \(least) OR COALESCE(h.n, 0) > \
            \(most))\(judged("t0.id").map { " AND " + $0 } ?? "") ORDER BY t0.id
            """
    }

    private func bound(_ bound: TableQuery.PartCount.Bound, _ joins: inout PathJoins) -> String {
        switch bound {
        case .none: "NULL"
        case .number(let digits): digits
        case .field(let path): joins.column(path)
        }
    }
}
