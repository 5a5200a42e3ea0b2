import Databases
package import Model

extension ReadSession: ReportSource {
    /// Prepares the selection for a report. `temp.selected` contains the roots of the selected
    /// records, `temp.given_numbers` the numbers that earlier exports assigned to the project's
    /// rows. `temp.rejected_rows` contains the open rejected rows that the actor may see, of all
    /// projects, since a rejected row has no project. Statements of an earlier selection are
    /// discarded.
    package func prepareReport(_ report: ReportDefinition) throws {
        reportStatements = [:]
        try prepareNumbers()
        if reads("rejected_rows", report) { try fillRejects() }
        try fillSelected()
        guard let selection else { return }
        try connection.run(
            """
            INSERT INTO temp.given_numbers (numbering, id, number) SELECT numbering, row_id, number FROM temp.numbers \
            WHERE project_id = ?1
            """,
            [.text(selection.project.id)])
    }

    /// Fills `temp.selected` for SQL of packs, and empties `temp.given_numbers`.
    func fillSelected() throws {
        try connection.execute("DELETE FROM temp.selected; DELETE FROM temp.given_numbers")
        guard let selection else { return }
        try connection.run(
            """
            INSERT INTO temp.selected (id) SELECT r.id FROM \(rootTable(selection)) AS \
            r\(Self.filter(selectedConditions(alias: "r")))
            """
        )
    }

    /// Values that SQL of reports and exports may bind, except the language.
    var sqlValues: [String: MemoryRows.Value] {
        func text(_ value: String?) -> MemoryRows.Value { value.map { .text($0) } ?? .null }
        return [
            "project": .text(selection?.project.id ?? ""), "today": .text(today), "from": text(days.from),
            "to": text(days.to),
        ]
    }

    /// Whether a query of the report reads one of the tables that a selection fills.
    func reads(_ table: String, _ report: ReportDefinition) -> Bool {
        report.queries.contains { query in
            if case .sql(let sql) = query.source { sql.contains(table) } else { false }
        }
    }

    private func fillRejects() throws {
        try connection.execute("DELETE FROM temp.rejected_rows")
        try connection.run(
            """
            INSERT INTO temp.rejected_rows (id, entity, file, sheet, line, code, created_at)
            SELECT r.id, r.entity, coalesce(json_extract(r.place, '$.file'), ''), json_extract(r.place, '$.sheet'), \
            json_extract(r.place, '$.line'),
              json_extract(r.findings, '$[0].code'), r.created_at
            FROM \(connection.base).rejects AS r JOIN \(connection.base).imports AS i ON i.id = r.import_id
            LEFT JOIN \(connection.base).pipeline_runs AS p ON p.id = i.run_id
            WHERE \(Replica.isUndecided("r", schema: connection.base)) AND (?1 IS NULL OR p.actor_id = ?1)
            """, [rejectsOwner.map { .text($0) } ?? .null])
    }

    package func rows(of query: ReportQuery, parameters: [String: MemoryRows.Value]) throws -> any RowSource {
        let statement = try reportStatements[query.name] ?? compile(query)
        reportStatements[query.name] = statement
        try statement.reset(named: parameters.merging(sqlValues) { stated, _ in stated })
        guard case .sql = query.source else { return StatementRows(statement, on: connection) }
        return StatementRows(
            statement, on: connection, fault: ReportQueryFailure(query: query.name, isForbidden: false))
    }

    private func compile(_ query: ReportQuery) throws -> PreparedStatement {
        switch query.source {
        case .sql(let sql):
            // Selects the named columns in the requested order, whatever the order in the query.
            let names = query.columns.map { SQLText.name($0.name) }.joined(separator: ", ")
            do {
                return try connection.prepareQuery("SELECT \(names) FROM (\(sql)\n)", refusesHidden: false)
            } catch let refusal as QueryRefusal {
                throw ReportQueryFailure(query: query.name, isForbidden: refusal == .notAllowed)
            }
        case .rows(let sheet, let condition, let bindings):
            guard let entity = pack.entity(sheet.entity) else { throw connection.failure("no table \(sheet.entity)") }
            return try connection.prepare(sql(sheet, entity, condition, bindings))
        }
    }

    /// SQL for rows of an entity that belong to selected records or to the project, or that
    /// selected records refer to.
    private func sql(
        _ sheet: ExportSheet, _ entity: Entity, _ condition: Expression?, _ bindings: [ReportQuery.Binding]
    ) -> String {
        var joins = PathJoins(from: entity, pack: pack)
        let columns = sheet.columns.flatMap {
            SheetQuery.values(of: $0, sheet, &joins, shown: nil)
        }
        var conditions = ownership(sheet, entity)
        // Uses IS instead of =, so that a section for rows without a value gets exactly those rows.
        conditions += bindings.map { "\(joins.column($0.field)) IS :\($0.column)" }
        if let condition { conditions.append(ExpressionSQL.literal(condition, joins: &joins, on: today)) }
        return statement(columns, of: sheet, entity, &joins, where: conditions)
    }

    private func ownership(_ sheet: ExportSheet, _ entity: Entity) -> [String] {
        guard let selection else { return ["0"] }
        if sheet.rows == .project {
            return entity.projectPath.map {
                [Self.projectCondition($0, alias: "t0", entity, pack, project: selection.project.id)]
            } ?? []
        }
        if sheet.rows == .record, entity.name == selection.root.name {
            return ["t0.id IN (SELECT id FROM temp.selected)"]
        }
        if sheet.rows == .record, let part = selection.kind.parts.first(where: { $0.entity == entity.name }),
            !part.isList
        {
            return [ReferenceSQL(part.by, from: entity, in: pack).condition("t0", "IN (SELECT id FROM temp.selected)")]
        }
        return ["t0.id IN (\(idsReached(entity.name)))"]
    }
}

/// A query of a report or an export that cannot run because of a mistake in the pack.
package struct ReportQueryFailure: Failure, Equatable {
    package var query: String
    /// Whether it reads what a pack's SQL may not read; false: SQLite cannot compile it.
    package var isForbidden: Bool

    package var code: String { isForbidden ? "REPORT-QUERY-FORBIDDEN" : "REPORT-QUERY" }
    package var exitCode: ExitCode { .badConfiguration }
    package var arguments: [String: String] { ["query": query] }
}
