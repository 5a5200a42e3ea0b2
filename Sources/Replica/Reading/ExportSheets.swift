package import Model

extension ReadSession {
    /// The sheets of an export for the current selection, counted; rows are read only when a writer opens them.
    package func sheets(of definition: ExportDefinition, language: Language) throws -> [Sheet] {
        try prepareNumbers()
        return try definition.sheets.flatMap { sheet -> [Sheet] in
            guard let entity = pack.entity(sheet.entity) else { return [] }
            guard let path = sheet.forEach else {
                let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language)
                return [try self.sheet(sheet, entity, title: title, query: SheetQuery(sheet, entity: entity, session: self), language, parameters: [:])]
            }
            return try eachRow(sheet, entity, path).map { row in
                let all = ParameterColumn.parameters(of: row.schema ?? "", in: language)
                let parameters = Dictionary(grouping: all, by: \.scope)
                let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language, ["name": row.name])
                let query = SheetQuery(sheet, entity: entity, session: self, each: row.id, parameters: parameters)
                return try self.sheet(sheet, entity, title: title, query: query, language, parameters: parameters)
            }
        }
    }

    private func sheet(
        _ sheet: ExportSheet, _ entity: Entity, title: String, query: SheetQuery, _ language: Language, parameters: [String: [ParameterColumn]]
    ) throws -> Sheet {
        let columns = zip(sheet.columns, pack.columns(of: sheet, in: language)).flatMap { column, fixed -> [SheetColumn] in
            if let fixed { return [fixed] }
            guard case .parameters(_, let scope) = column else { return [] }
            return parameters[scope]?.map(\.column) ?? []
        }
        let count = try Int(connection.integer("SELECT count(*)" + query.rowSource))
        return Sheet(
            name: sheet.name, rowName: Self.rowName(entity), title: title, columns: columns, rowCount: count,
            open: { [connection] in StatementRows(try connection.prepare(query.sql), on: connection) })
    }

    /// The singular: the entity's first alias in lower case where it is a plain name, else the table's.
    private static func rowName(_ entity: Entity) -> String {
        guard let alias = entity.aliases.first(where: { $0.allSatisfy { $0.isLowercase || $0 == "_" } }) else { return entity.name + "_row" }
        return alias
    }

    private func eachRow(_ sheet: ExportSheet, _ entity: Entity, _ path: FieldPath) throws -> [(id: String, name: String, schema: String?)] {
        guard let target = pack.field(at: path, from: entity)?.references, let owner = pack.entity(target) else { return [] }
        let name = SQLText.name(sheet.eachName ?? owner.key.first ?? "id")
        let schema = owner.fields.first { $0.name == "parameter_schema" || $0.name == "schema" }.map { "e." + SQLText.name($0.name) } ?? "NULL"
        var unfiltered = sheet
        unfiltered.forEach = nil
        unfiltered.order = []
        unfiltered.columns = [.field(path, name: "each", label: nil, isLink: false)]
        let rows = SheetQuery(unfiltered, entity: entity, session: self)
        let statement = try connection.prepare(
            "SELECT e.id, e.\(name), \(schema) FROM \(SQLText.name(target)) AS e WHERE e.id IN (SELECT \(rows.columns[0])\(rows.source)) ORDER BY e.\(name), e.id")
        var found: [(id: String, name: String, schema: String?)] = []
        while try statement.step() {
            found.append((statement.text(0) ?? "", statement.text(1) ?? "", statement.text(2)))
        }
        return found
    }

    /// The query behind an export's largest sheet over the plain tables, of one project, as text: what other programs need to do the same work.
    package func plainQuery(of definition: ExportDefinition) throws -> String {
        let sheet = definition.sheets.max { $0.columns.count < $1.columns.count }
        guard let sheet, let entity = pack.entity(sheet.entity) else { return "" }
        try prepareNumbers()
        return SheetQuery(sheet, entity: entity, session: self).sql
    }

    // MARK: Stored numbers

    /// Numbers as they are stored, and those that this run would give, in `temp.numbers`.
    private func prepareNumbers() throws {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS numbers (numbering TEXT NOT NULL, row_id TEXT NOT NULL, number INTEGER NOT NULL, is_new INTEGER NOT NULL,
              PRIMARY KEY (numbering, row_id)) WITHOUT ROWID
            """)
        let stored = try connection.integer("SELECT count(*) FROM temp.numbers")
        if stored == 0 {
            try connection.execute("INSERT INTO temp.numbers SELECT numbering, row_id, number, 0 FROM main.export_numbers")
        }
    }

    /// Gives the next numbers to selected rows without one, in the numbering's order, if the project's state allows it.
    /// They are seen in the sheets at once and become lasting when the caller stores them with the registration.
    package func giveNumbers(_ numbering: Numbering) throws -> [(rowID: String, number: Int64)] {
        guard let selection, let entity = pack.entity(numbering.entity) else { return [] }
        try prepareNumbers()
        if let when = numbering.when, try !isTrue(when, of: selection.project) { return [] }
        let sheet = ExportSheet(
            name: "numbers", entity: entity.name, columns: [.field(FieldPath("id"), name: "id", label: nil, isLink: false)], order: numbering.order)
        let query = SheetQuery(sheet, entity: entity, session: self)
        let name = SQLText.literal(numbering.name)
        let ofProject = "SELECT coalesce(max(number), 0) FROM main.export_numbers WHERE numbering = \(name) AND project_id = \(SQLText.literal(selection.project.id))"
        var next = try connection.integer(ofProject)
        let statement = try connection.prepare(query.sql)
        var given: [(rowID: String, number: Int64)] = []
        let known = try connection.prepare("SELECT 1 FROM temp.numbers WHERE numbering = \(name) AND row_id = ?1")
        while try statement.step() {
            guard let id = statement.text(0) else { continue }
            try known.reset([.text(id)])
            if try known.step() { continue }
            next += 1
            given.append((id, next))
        }
        for row in given {
            try connection.run("INSERT INTO temp.numbers VALUES (\(name), ?1, ?2, 1)", [.text(row.rowID), .integer(row.number)])
        }
        return given
    }

    /// Whether a condition over the project's row is true.
    package func isTrue(_ condition: Expression, of project: Project) throws -> Bool {
        guard let entity = pack.entity(pack.project.entity) else { return false }
        var joins = PathJoins(from: entity, pack: pack)
        let compiled = ExpressionSQL.compile(condition, joins: &joins, firstParameter: 2)
        return try connection.integer(
            "SELECT coalesce(\(compiled.sql), 0) FROM main.\(SQLText.name(entity.name)) AS t0\(joins.sql) WHERE t0.id = ?1",
            [.text(project.id)] + compiled.bindings) != 0
    }

    // MARK: Fingerprint

    /// What the export would read, in which state: for every sheet the number of rows, and sum and maximum of their content stamps.
    /// Any change of content, any row more or less, changes it; Fichero's own mark does not.
    package func facts(of definition: ExportDefinition) throws -> [String] {
        guard let selection else { return [] }
        var facts = ["project \(selection.project.id)"]
        for (index, sheet) in definition.sheets.enumerated() {
            guard let entity = pack.entity(sheet.entity) else { continue }
            var plain = sheet
            plain.forEach = nil
            let query = SheetQuery(plain, entity: entity, session: self)
            facts.append("sheet \(index): \(try stamps("t0.content_stamp", query.rowSource))")
        }
        // Rows that only lend values over references: whole tables, as far as the actor sees them.
        let lent = Set(definition.sheets.flatMap { sheet in lenders(sheet) })
        for name in lent.sorted() {
            facts.append("table \(name): \(try stamps("content_stamp", " FROM \(SQLText.name(name))"))")
        }
        let statement = try connection.prepare("SELECT reason, count(*) FROM temp.left_out GROUP BY reason ORDER BY reason")
        while try statement.step() { facts.append("left out \(statement.text(0) ?? ""): \(statement.integer(1))") }
        return facts
    }

    private func stamps(_ column: String, _ source: String) throws -> String {
        let statement = try connection.prepare("SELECT count(*), coalesce(sum(\(column)), 0), coalesce(max(\(column)), 0)\(source)")
        guard try statement.step() else { return "" }
        return "\(statement.integer(0)) \(statement.integer(1)) \(statement.integer(2))"
    }

    /// Entities that a sheet's columns reach over references.
    private func lenders(_ sheet: ExportSheet) -> [String] {
        guard let entity = pack.entity(sheet.entity) else { return [] }
        let paths = sheet.columns.compactMap { column -> FieldPath? in
            switch column {
            case .field(let path, _, _, _): path
            case .parameters(let path, _): path
            case .number, .count: nil
            }
        } + [sheet.forEach.map { FieldPath(parts: $0.parts + ["id"]) }].compactMap { $0 }
        return paths.flatMap { path -> [String] in
            var names: [String] = []
            var current = entity
            for part in path.parts.dropLast() {
                guard let next = current.field(part)?.references.flatMap({ pack.entity($0) }) else { break }
                names.append(next.name)
                current = next
            }
            return names
        }
    }
}
