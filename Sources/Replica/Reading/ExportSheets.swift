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
            let each = try eachRow(sheet, entity, path).map { row in
                let all = ParameterColumn.parameters(of: row.schema ?? "", in: language)
                let parameters = Dictionary(grouping: all, by: \.scope)
                let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language, ["name": row.name])
                let query = SheetQuery(sheet, entity: entity, session: self, each: .row(row.id), parameters: parameters)
                return try self.sheet(sheet, entity, title: title, query: query, language, parameters: parameters)
            }
            // Rows that lead to none belong to no such sheet, but nothing is dropped in silence.
            let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language, ["name": "—"])
            let query = SheetQuery(sheet, entity: entity, session: self, each: .nothing)
            let rest = try self.sheet(sheet, entity, title: title, query: query, language, parameters: [:])
            return rest.rowCount == 0 ? each : each + [rest]
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
        let count = try selection?.rowCounts[query.rowSource] ?? Int(connection.integer("SELECT count(*)" + query.rowSource))
        return Sheet(
            name: sheet.name, rowName: pack.rowName(of: sheet), title: title, entity: entity.name, columns: columns, rowCount: count,
            open: { [connection] in StatementRows(try connection.prepare(query.sql), on: connection) })
    }

    private func eachRow(_ sheet: ExportSheet, _ entity: Entity, _ path: FieldPath) throws -> [(id: String, name: String, schema: String?)] {
        guard let target = pack.field(at: path, from: entity)?.references, let owner = pack.entity(target) else { return [] }
        let name = SQLText.name(sheet.eachName ?? owner.key.first ?? "id")
        let schema = schemaField(of: owner).map { "e." + SQLText.name($0) } ?? "NULL"
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

    /// The field of an entity that holds schemas, as fields elsewhere say that are judged by it.
    private func schemaField(of owner: Entity) -> String? {
        for entity in pack.entities {
            for path in entity.fields.compactMap(\.schemaPath) {
                if let (holder, field) = pack.ownerAndField(at: path, from: entity), holder.name == owner.name { return field.name }
            }
        }
        return nil
    }

    /// The query behind an export's largest sheet over the plain tables, of one project, as text: what other programs need to do the same work.
    package func plainQuery(of definition: ExportDefinition) throws -> String {
        let sheet = definition.sheets.max { $0.columns.count < $1.columns.count }
        guard let sheet, let entity = pack.entity(sheet.entity) else { return "" }
        try prepareNumbers()
        return SheetQuery(sheet, entity: entity, session: self, isPlain: true).sql
    }
}
