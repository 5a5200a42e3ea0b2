import Model

/// What an anonymous export may read: the pack's tables under their own names, as the views of
/// `ActorViews.anonymous` show them. They stand before a query as common table expressions, which
/// hide the actor's own views; and the query is compiled so that nothing else can be read, by
/// whatever name.
extension ReadSession {
    /// Makes the views, once, and fills in the selection. Its records must be in `temp.selected`.
    func prepareAnonymous() throws {
        let (project, records) = (SQLText.name(views.chosenProject), SQLText.name(views.chosenRecords))
        if pseudonyms == nil {
            let made = Pseudonyms()
            connection.use(made)
            for table in [project, records] { try connection.execute("CREATE TEMP TABLE \(table) (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID") }
            for entity in pack.entities { try connection.execute(views.anonymousCreation(entity)) }
            pseudonyms = made
        }
        try connection.execute("DELETE FROM temp.\(project); DELETE FROM temp.\(records)")
        guard let selection else { return }
        try connection.run("INSERT INTO temp.\(project) (id) VALUES (?1)", [.text(selection.project.id)])
        try connection.execute("INSERT INTO temp.\(records) (id) SELECT pseudonym(id) FROM temp.selected")
    }

    /// The tables, and the selected records, as common table expressions. Rows come in the order of
    /// their pseudonyms, so that their places tell nothing.
    var anonymousTables: [String] {
        pack.entities.map { "\(SQLText.name($0.name)) AS MATERIALIZED (SELECT * FROM temp.\(SQLText.name(views.anonymous($0))) ORDER BY 1)" }
            + ["selected AS MATERIALIZED (SELECT id FROM temp.\(SQLText.name(views.chosenRecords)))"]
    }

    /// The only names in the temporary schema that such a query may read. All are made anew for each
    /// connection.
    var anonymousNames: Set<String> { Set(pack.entities.map(views.anonymous)).union([views.chosenProject, views.chosenRecords]) }

    /// The project's id as such a query knows it.
    var anonymousProject: MemoryRows.Value {
        guard let pseudonyms, let selection else { return .null }
        return .text(pseudonyms.word(for: selection.project.id))
    }

    /// The rows of an entity's sheet over those tables. Ids are pseudonyms there, and two are equal
    /// where the ids are.
    func anonymousRows(_ sheet: ExportSheet, _ entity: Entity, _ shown: SheetValueSQL) -> String {
        var joins = PathJoins(from: entity, pack: pack)
        let columns = sheet.columns.flatMap { SheetQuery.values(of: $0, sheet, &joins, shown: shown) }
        var conditions: [String] = []
        if sheet.rows != .project, let selection {
            let part = selection.kind.parts.first { $0.entity == entity.name && !$0.isList }
            let path = entity.name == selection.root.name ? FieldPath("id") : part?.by
            conditions.append(path.map { ReferenceSQL($0, from: entity, in: pack).condition("t0", "IN (SELECT id FROM selected)") } ?? "0")
        }
        let order = SheetQuery.order(sheet, entity, &joins, pack).joined(separator: ", ")
        return "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.name(entity.name)) AS t0\(joins.sql)\(Self.filter(conditions)) ORDER BY \(order)"
    }
}
