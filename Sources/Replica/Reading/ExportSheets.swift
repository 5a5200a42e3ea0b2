import Databases
package import Model

extension ReadSession {
    /// The sheets of an export for the current selection, with their row counts; rows are read only
    /// when a writer opens a sheet.
    ///
    /// - Parameter labelled: whether values of vocabularies are shown as their labels.
    package func sheets(of definition: ExportDefinition, language: Language, labelled: Bool = false) throws -> [Sheet] {
        let shown = SheetValueSQL(pack: pack, labels: labelled ? language : nil)
        try prepareNumbers()
        if definition.isAnonymous || definition.sheets.contains(where: { $0.query != nil }) { try fillSelected() }
        if definition.isAnonymous { try prepareAnonymous() }
        return try definition.sheets.flatMap { sheet -> [Sheet] in
            if let rows = source(of: sheet, in: definition, shown) {
                return [try self.sheet(sheet, of: definition, rows, language, shown)]
            }
            guard let entity = pack.entity(sheet.entity) else { return [] }
            let columns = pack.columns(of: sheet, in: language, labelled: labelled)
            guard let path = sheet.forEach else {
                let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language)
                return [try self.sheet(sheet, entity, columns, title: title, shown)]
            }
            let found =
                pack.field(at: path, from: entity)?.references == nil
                ? try eachValue(sheet, entity, path, language) : try eachRow(sheet, entity, path)
            let each = try found.map { row in
                let all = ParameterColumn.parameters(of: row.schema ?? "", in: language)
                let parameters = Dictionary(grouping: all, by: \.scope)
                let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language, ["name": row.name])
                return try self.sheet(
                    sheet, entity, columns, title: title, shown, each: .value(row.id), parameters: parameters)
            }
            // Rows whose reference or value is empty belong to none of these sheets. They get a
            // separate sheet, so that no row is lost silently.
            let title = pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language, ["name": "—"])
            let rest = try self.sheet(sheet, entity, columns, title: title, shown, each: .nothing)
            return rest.rowCount == 0 ? each : each + [rest]
        }
    }

    private func sheet(
        _ sheet: ExportSheet, _ entity: Entity, _ fixed: [SheetColumn?], title: String, _ shown: SheetValueSQL,
        each: SheetQuery.Each? = nil, parameters: [String: [ParameterColumn]] = [:]
    ) throws -> Sheet {
        func query(at place: RecordKind.Place? = nil) -> SheetQuery {
            SheetQuery(
                sheet, entity: entity, session: self, each: each, parameters: parameters, shown: shown, place: place)
        }
        func rows(_ query: SheetQuery) throws -> StatementRows {
            StatementRows(try connection.prepare(query.sql), on: connection)
        }
        let columns = zip(sheet.columns, fixed).flatMap { column, fixed -> [SheetColumn] in
            if let fixed { return [fixed] }
            guard case .parameters(_, let scope) = column else { return [] }
            return parameters[scope]?.map(\.column) ?? []
        }
        let plain = query(), place = self.place(of: sheet)
        let count =
            try selection?.rowCounts[plain.rowSource] ?? Int(connection.integer("SELECT count(*)" + plain.rowSource))
        return Sheet(
            name: sheet.name, rowName: pack.rowName(of: sheet), title: title, entity: entity.name, columns: columns,
            calendar: sheet.calendar, rowCount: count, open: { try rows(plain) },
            openPlaced: place.map { place in { try rows(query(at: place)) } })
    }

    /// The place of a sheet's rows, if they are records.
    func place(of sheet: ExportSheet) -> RecordKind.Place? {
        sheet.entity == selection?.root.name ? selection?.kind.place : nil
    }

    /// The SQL of a sheet that is not just an entity's rows; nil for all other sheets.
    private func source(of sheet: ExportSheet, in definition: ExportDefinition, _ shown: SheetValueSQL) -> SheetSQL? {
        guard definition.isAnonymous || sheet.query != nil || sheet.suppression != nil else { return nil }
        var rows = SheetSQL(
            tables: definition.isAnonymous ? anonymousTables : [], rows: "",
            names: sheet.query?.columns.map(\.name) ?? sheet.columns.compactMap(\.name),
            suppression: sheet.suppression)
        if let query = sheet.query {
            // Selects the sheet's columns in the sheet's order, whatever the order in the query.
            rows.rows = "SELECT \(query.columns.map(shown.sql).joined(separator: ", ")) FROM (\(query.sql)\n)"
        } else if let entity = pack.entity(sheet.entity) {
            rows.rows =
                definition.isAnonymous
                ? anonymousRows(sheet, entity, shown)
                : SheetQuery(sheet, entity: entity, session: self, shown: shown).sql
        }
        return rows
    }

    private func sheet(
        _ sheet: ExportSheet, of definition: ExportDefinition, _ rows: SheetSQL, _ language: Language,
        _ shown: SheetValueSQL
    ) throws -> Sheet {
        let fault = ReportQueryFailure(query: definition.name + "/" + sheet.name, isForbidden: false)
        func statement(_ sql: String) throws -> PreparedStatement {
            let statement = try compile(sql, of: sheet, in: definition, fault)
            var values = sqlValues
            values["language"] = .text(language.rawValue)
            values["below"] = .integer(Int64(rows.suppression?.below ?? 0))
            if definition.isAnonymous { values["project"] = anonymousProject }
            try statement.reset(named: values)
            return statement
        }
        let counts = try statement(rows.count)
        guard try counts.step() else { throw fault }
        return Sheet(
            name: sheet.name, rowName: pack.rowName(of: sheet),
            title: pack.texts.text("sheet.\(definition.name).\(sheet.name)", in: language),
            // Pseudonyms connect tables, just as ids do.
            entity: sheet.query == nil ? sheet.entity : nil,
            columns: pack.columns(
                of: sheet, in: language, isAnonymous: definition.isAnonymous, labelled: shown.labels != nil
            ).compactMap(\.self), calendar: sheet.calendar,
            suppressed: sheet.suppression.map {
                SuppressedRows(rows: Int(counts.integer(1)), groups: Int(counts.integer(2)), below: $0.below)
            }, rowCount: Int(counts.integer(0)),
            open: { [connection] in
                StatementRows(try statement(rows.sql), on: connection, fault: sheet.query == nil ? nil : fault)
            })
    }

    /// Compiles a sheet's SQL. An anonymous export can read only its special tables; a pack's SQL
    /// can read what the actor may see.
    private func compile(
        _ sql: String, of sheet: ExportSheet, in definition: ExportDefinition, _ fault: ReportQueryFailure
    ) throws -> PreparedStatement {
        do {
            if definition.isAnonymous { return try connection.prepareQuery(sql, readingOnly: anonymousNames) }
            return sheet.query == nil
                ? try connection.prepare(sql) : try connection.prepareQuery(sql, refusesHidden: false)
        } catch let refusal as QueryRefusal {
            throw ReportQueryFailure(query: fault.query, isForbidden: refusal == .notAllowed)
        }
    }

    /// The values of a text field, ordered by its vocabulary and then alphabetically. A sheet's
    /// name is the vocabulary's label.
    private func eachValue(_ sheet: ExportSheet, _ entity: Entity, _ path: FieldPath, _ language: Language) throws -> [(
        id: String, name: String, schema: String?
    )] {
        let vocabulary = pack.field(at: path, from: entity)?.vocabulary
        let known = vocabulary.flatMap { pack.vocabulary($0) }?.values ?? []
        let rows = rows(leadingTo: path, of: sheet, entity)
        let statement = try connection.prepare(
            """
            SELECT DISTINCT value FROM (SELECT \(rows.columns[0]) AS value\(rows.source)) WHERE value <> '' \
            ORDER BY value
            """
        )
        var values: [String] = []
        while try statement.step() { values.append(statement.text(0) ?? "") }
        let ordered = known.filter(Set(values).contains) + values.filter { !known.contains($0) }
        return ordered.map { value in
            (
                value, vocabulary.flatMap { pack.texts.textIfAny("vocabulary.\($0).\(value)", in: language) } ?? value,
                nil
            )
        }
    }

    private func eachRow(_ sheet: ExportSheet, _ entity: Entity, _ path: FieldPath) throws -> [(
        id: String, name: String, schema: String?
    )] {
        guard let target = pack.field(at: path, from: entity)?.references, let owner = pack.entity(target) else {
            return []
        }
        let name = SQLText.name(sheet.eachName ?? owner.key.first ?? "id")
        let schema = schemaField(of: owner).map { "e." + SQLText.name($0) } ?? "NULL"
        let rows = rows(leadingTo: path, of: sheet, entity)
        let statement = try connection.prepare(
            """
            SELECT e.id, e.\(name), \(schema) FROM \(SQLText.name(target)) AS e \
            WHERE e.id IN (SELECT \(rows.columns[0])\(rows.source)) ORDER BY e.\(name), e.id
            """
        )
        var found: [(id: String, name: String, schema: String?)] = []
        while try statement.step() {
            found.append((statement.text(0) ?? "", statement.text(1) ?? "", statement.text(2)))
        }
        return found
    }

    /// The query for the rows of all the sheets; its only column is the value at the end of the
    /// path.
    private func rows(leadingTo path: FieldPath, of sheet: ExportSheet, _ entity: Entity) -> SheetQuery {
        var unfiltered = sheet
        unfiltered.forEach = nil
        unfiltered.order = []
        unfiltered.columns = [.field(path, name: "each", label: nil, isLink: false)]
        return SheetQuery(unfiltered, entity: entity, session: self)
    }

    /// The field of an entity that contains JSON schemas, as declared by the fields whose values
    /// are checked against these schemas.
    private func schemaField(of owner: Entity) -> String? {
        for entity in pack.entities {
            for path in entity.fields.compactMap(\.schemaPath) {
                if let (holder, field) = pack.ownerAndField(at: path, from: entity), holder.name == owner.name {
                    return field.name
                }
            }
        }
        return nil
    }

    /// The query for an export's largest sheet over the plain tables, for one project, as text.
    /// Other programs use it to compare results.
    package func plainQuery(of definition: ExportDefinition) throws -> String {
        let sheet = definition.sheets.filter { $0.query == nil }.max { $0.columns.count < $1.columns.count }
        guard let sheet, let entity = pack.entity(sheet.entity) else { return "" }
        try prepareNumbers()
        return SheetQuery(sheet, entity: entity, session: self, isPlain: true).sql
    }
}

/// The SQL of one sheet that is not just an entity's rows: the rows of a pack's query, of an
/// anonymous export, or after removal of small groups.
struct SheetSQL {
    /// Common table expressions that precede the rows.
    var tables: [String] = []
    /// SELECT of the sheet's columns, in order.
    var rows: String
    var names: [String]
    var suppression: Suppression?

    private static let all = SQLText.name("sheet rows")
    private static let groups = SQLText.name("sheet groups")
    private static let people = SQLText.name("sheet people")

    /// The query for the rows that the sheet shows.
    var sql: String {
        guard suppression != nil else { return with(tables) + rows }
        return with(grouped)
            + "SELECT \(list("r")) FROM \(joined) WHERE g.\(Self.people) >= :below ORDER BY r.\"sheet place\""
    }

    /// Query for the numbers of rows shown, and of rows and groups left out.
    var count: String {
        guard suppression != nil else { return with(tables) + "SELECT count(*), 0, 0 FROM (\(rows)\n)" }
        return with(grouped)
            + """
                SELECT coalesce(sum(\"sheet size\") FILTER (WHERE \(Self.people) >= :below), 0), coalesce(sum(\"sheet \
                size\") FILTER (WHERE \(Self.people) < :below), 0), count(*) FILTER (WHERE \(Self.people) < :below) \
                FROM \(Self.groups)
                """
    }

    private func with(_ tables: [String]) -> String {
        tables.isEmpty ? "" : "WITH " + tables.joined(separator: ", ") + " "
    }

    private func list(_ alias: String) -> String {
        names.map { alias + "." + SQLText.name($0) }.joined(separator: ", ")
    }

    /// Common table expressions: the rows with their position, and the groups with the number of
    /// their people. The column names are given in them, since an entity's columns have no names
    /// yet.
    private var grouped: [String] {
        guard let suppression else { return tables }
        let by = suppression.by.map(SQLText.name).joined(separator: ", ")
        let columns = (names.map(SQLText.name) + ["\"sheet place\""]).joined(separator: ", ")
        return tables + [
            "\(Self.all) (\(columns)) AS MATERIALIZED (SELECT *, row_number() OVER () FROM (\(rows)\n))",
            """
            \(Self.groups) AS MATERIALIZED (SELECT \(by), count(DISTINCT \(SQLText.name(suppression.of))) AS \
            \(Self.people), count(*) AS \"sheet size\" FROM \(Self.all) GROUP BY \(by))
            """,
        ]
    }

    private var joined: String {
        let conditions = (suppression?.by ?? []).map(SQLText.name).map { "r.\($0) IS g.\($0)" }
        return "\(Self.all) AS r JOIN \(Self.groups) AS g ON \(conditions.joined(separator: " AND "))"
    }
}

/// The tables that an anonymous export may read: the pack's tables under their names, as shown by
/// the views of `ActorViews.anonymous`. They precede a query as common table expressions, which
/// hide the actor's views. The query is compiled so that it can read nothing else, under any name.
extension ReadSession {
    /// Creates the views, once, and fills in the selection. Its records must be in `temp.selected`.
    func prepareAnonymous() throws {
        let (project, records) = (SQLText.name(views.chosenProject), SQLText.name(views.chosenRecords))
        if pseudonyms == nil {
            let made = Pseudonyms()
            connection.use(made)
            for table in [project, records] {
                try connection.execute("CREATE TEMP TABLE \(table) (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID")
            }
            for entity in pack.entities { try connection.execute(views.anonymousCreation(entity)) }
            pseudonyms = made
        }
        try connection.execute("DELETE FROM temp.\(project); DELETE FROM temp.\(records)")
        guard let selection else { return }
        try connection.run("INSERT INTO temp.\(project) (id) VALUES (?1)", [.text(selection.project.id)])
        try connection.execute("INSERT INTO temp.\(records) (id) SELECT pseudonym(id) FROM temp.selected")
    }

    /// The tables and the selected records, as common table expressions. Rows are in the order of
    /// their pseudonyms, so that their position reveals nothing.
    var anonymousTables: [String] {
        pack.entities.map {
            """
            \(SQLText.name($0.name)) AS MATERIALIZED (SELECT * FROM temp.\(SQLText.name(views.anonymous($0))) \
            ORDER BY 1)
            """
        }
            + ["selected AS MATERIALIZED (SELECT id FROM temp.\(SQLText.name(views.chosenRecords)))"]
    }

    /// The only names in the temporary schema that an anonymous export's query may read. They are
    /// generated for each connection.
    var anonymousNames: Set<String> {
        Set(pack.entities.map(views.anonymous)).union([views.chosenProject, views.chosenRecords])
    }

    /// The project's pseudonym in an anonymous export's query.
    var anonymousProject: MemoryRows.Value {
        guard let pseudonyms, let selection else { return .null }
        return .text(pseudonyms.word(for: selection.project.id))
    }

    /// The rows of an entity's sheet over the anonymous tables. Ids are replaced by pseudonyms, and
    /// equal ids have equal pseudonyms.
    func anonymousRows(_ sheet: ExportSheet, _ entity: Entity, _ shown: SheetValueSQL) -> String {
        var joins = PathJoins(from: entity, pack: pack)
        let columns = sheet.columns.flatMap { SheetQuery.values(of: $0, sheet, &joins, shown: shown) }
        var conditions: [String] = []
        if sheet.rows != .project, let selection {
            let part = selection.kind.parts.first { $0.entity == entity.name && !$0.isList }
            let path = entity.name == selection.root.name ? FieldPath("id") : part?.by
            conditions.append(
                path.map { ReferenceSQL($0, from: entity, in: pack).condition("t0", "IN (SELECT id FROM selected)") }
                    ?? "0")
        }
        return statement(columns, of: sheet, entity, &joins, where: conditions)
    }

    /// The rows of one entity, in the sheet's order.
    func statement(
        _ columns: [String], of sheet: ExportSheet, _ entity: Entity, _ joins: inout PathJoins,
        where conditions: [String]
    ) -> String {
        let order = SheetQuery.order(sheet, entity, &joins, pack).joined(separator: ", ")
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.name(entity.name)) AS \
            t0\(joins.sql)\(Self.filter(conditions)) ORDER BY \(order)
            """
    }
}
