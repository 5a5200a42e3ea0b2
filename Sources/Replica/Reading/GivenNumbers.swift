import Databases
package import Model

/// Sequential numbers of records, stored or assigned in this session, in `temp.numbers`.
extension ReadSession {
    func prepareNumbers() throws {
        guard !hasNumbers else { return }
        for numbering in pack.numberings {
            guard let field = numbering.field, let entity = pack.entity(numbering.entity) else { continue }
            var joins = PathJoins(from: entity, pack: pack)
            let project = entity.projectPath.map { joins.column($0) } ?? "''"
            try connection.execute(
                """
                INSERT INTO temp.numbers (numbering, row_id, project_id, number)
                SELECT \(SQLText.literal(numbering.name)), t0.id, coalesce(\(project), ''), \
                t0.\(SQLText.name(field)) FROM \(SQLText.name(entity.name)) AS t0\(joins.sql)
                WHERE t0.\(SQLText.name(field)) IS NOT NULL
                """)
        }
        // A number in the row itself takes precedence; the replica's list also contains the numbers
        // of deleted rows.
        try connection.execute(
            """
            INSERT OR IGNORE INTO temp.numbers (numbering, row_id, project_id, number) \
            SELECT numbering, row_id, project_id, number FROM \(connection.base).export_numbers
            """
        )
        hasNumbers = true
    }

    /// Assigns the next numbers to all rows of the project without one, selected or not, in the
    /// numbering's order, if the project's state allows it. The numbers appear in this session's
    /// sheets at once. They become permanent when the caller stores them with a registration.
    ///
    /// - Returns: the numbers assigned by this call; a second call returns none for the same rows.
    package func giveNumbers(_ numbering: Numbering) throws -> [(rowID: String, number: Int64)] {
        guard let selection, let entity = pack.entity(numbering.entity) else { return [] }
        try prepareNumbers()
        if let when = numbering.when, try !isTrue(when, of: selection.project) { return [] }
        var next = try connection.integer(
            "SELECT coalesce(max(number), 0) FROM temp.numbers WHERE numbering = ?1 AND project_id = ?2",
            [.text(numbering.name), .text(selection.project.id)])
        let given = try rowsWithoutNumber(numbering, entity).map { id in
            next += 1
            return (rowID: id, number: next)
        }
        let insertion = try connection.prepare(
            "INSERT INTO temp.numbers (numbering, row_id, project_id, number) VALUES (?1, ?2, ?3, ?4)")
        for row in given {
            try insertion.reset([
                .text(numbering.name), .text(row.rowID), .text(selection.project.id), .integer(row.number),
            ])
            _ = try insertion.step()
        }
        return given
    }

    private func rowsWithoutNumber(_ numbering: Numbering, _ entity: Entity) throws -> [String] {
        let sheet = ExportSheet(
            name: numbering.name, entity: entity.name, rows: .project,
            columns: [
                .field(FieldPath("id"), name: "id", label: nil, isLink: false),
                .number(numbering: numbering.name, name: "number", label: nil),
            ], order: numbering.order)
        let statement = try connection.prepare(SheetQuery(sheet, entity: entity, session: self).sql)
        var ids: [String] = []
        while try statement.step() {
            if statement.isNull(1), let id = statement.text(0) { ids.append(id) }
        }
        return ids
    }

    /// Whether a condition on the project's row is true. The query bypasses the actor's views, so
    /// that the result is the same for everybody.
    package func isTrue(_ condition: Expression, of project: Project) throws -> Bool {
        guard let entity = pack.entity(pack.project.entity) else { return false }
        var joins = PathJoins(from: entity, pack: pack)
        let compiled = ExpressionSQL.compile(condition, joins: &joins, on: today, firstParameter: 2)
        return try connection.integer(
            """
            SELECT coalesce(\(compiled.sql), 0) FROM \(connection.base).\(SQLText.name(entity.name)) AS \
            t0\(joins.sql) WHERE t0.id = ?1
            """,
            [.text(project.id)] + compiled.bindings) != 0
    }
}
