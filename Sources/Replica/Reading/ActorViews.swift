import Model

/// What an actor may see, as temporary views that have the tables' own names and so hide them: rows
/// of the actor's projects, columns that the role may see. Rules, exports and selections are
/// written against the plain names and cannot read past the views.
struct ActorViews {
    let pack: Pack
    let role: Role
    /// The schema of the replica's own tables; its name is generated for each connection.
    let schema: String
    /// Tables that are shown as an open transaction leaves them (`UncommittedRows`).
    var changed: Set<String> = []

    private var base: String { SQLText.name(schema) }

    /// Where an entity's rows are read, past all that hides them.
    func source(_ entity: Entity) -> String {
        changed.contains(entity.name) ? SQLText.name(changedView(entity)) : "\(base).\(SQLText.name(entity.name))"
    }

    /// Like `everyProject`, these names contain the schema's generated name.
    private func changedView(_ entity: Entity) -> String { schema + " as changed " + entity.name }
    func changedRows(_ entity: Entity) -> String { schema + " changed " + entity.name }
    func changedIDs(_ entity: Entity) -> String { schema + " changed ids " + entity.name }
    /// What the views of changed tables read.
    var changedNames: [String] {
        pack.entities.filter { changed.contains($0.name) }.flatMap {
            [changedView($0), changedRows($0), changedIDs($0)]
        }
    }

    /// One hidden field.
    struct Hidden: Hashable {
        var entity: String
        var field: String
    }

    /// Fields of privacy classes that the role may not see; nobody may see the last class.
    var hidden: [Hidden] {
        pack.entities.flatMap { entity in
            entity.fields.filter { !pack.isVisible($0, to: role) }.map { Hidden(entity: entity.name, field: $0.name) }
        }
    }

    /// The statements that make the views. `temp.visible_projects (id)` holds the projects. If
    /// those are all that there are, rows are not filtered, and rows without a project are visible
    /// too, so that somebody can find and correct them.
    func creation(allProjects: Bool) -> [String] {
        pack.entities.flatMap { entity in
            [creation(entity, allProjects: allProjects), "CREATE TEMP VIEW \(everyProject(entity))\(selection(entity))"]
        }
    }

    /// The view of one entity; with a condition, of some of its rows only.
    func creation(_ entity: Entity, allProjects: Bool, only condition: String? = nil) -> String {
        let conditions = [allProjects ? nil : self.condition(entity), condition].compactMap(\.self)
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.map { "(\($0))" }.joined(separator: " AND ")
        return "CREATE TEMP VIEW \(SQLText.name(entity.name))\(selection(entity))\(filter)"
    }

    private func selection(_ entity: Entity) -> String {
        let columns = entity.fields.map { field in
            pack.isVisible(field, to: role) ? shown(field, of: entity) : "NULL AS " + SQLText.name(field.name)
        } + SystemColumn.allCases.map { column in
            // The comparison form of a name is as private as the name.
                column == .keyText && entity.keyText.map({ pack.isVisible($0, to: role) }) == false
                    ? "NULL AS " + column.rawValue : column.rawValue
        }
        return " AS SELECT \(columns.joined(separator: ", ")) FROM \(source(entity))"
    }

    /// The column of a field that the role may see.
    func shown(_ field: Field, of entity: Entity) -> String {
        let name = SQLText.name(field.name)
        return Self.copies[entity.name]?.contains(field.name) == true ? openDetails(name) + " AS " + name : name
    }

    /// Columns of the books that hold rows of other tables, whole or in part.
    private static let copies = [
        "activity_logs": ["details"], "sync_queue": ["payload_json"], "conflicts": ["local_payload", "remote_payload"],
    ]

    /// What a book says of a row, without the fields that the role may not see: a value has the
    /// class of its column wherever it is copied.
    private func openDetails(_ details: String) -> String {
        let cases = pack.entities.compactMap { entity -> String? in
            let closed = entity.fields.filter { !pack.isVisible($0, to: role) }
            guard !closed.isEmpty else { return nil }
            let paths = closed.flatMap { field in
                ["", "before.", "after."].map { SQLText.literal("$.\($0)\"\(field.name)\"") }
            }
            return "WHEN \(SQLText.literal(entity.name)) THEN json_remove(\(details), \(paths.joined(separator: ", ")))"
        }
        guard !cases.isEmpty else { return details }
        // A rejected row is text as it came: nobody knows which of it is a field's value.
        return """
            CASE WHEN NOT json_valid(\(details)) THEN NULL
            WHEN json_type(\(details), '$.before') = 'text' THEN json_remove(\(details), '$.before')
            ELSE CASE entity_type \(cases.joined(separator: " ")) ELSE \(details) END END
            """
    }

    /// An entity's view that only hides columns, for our own queries that restrict themselves to
    /// one visible project: a second filter would reverse SQLite's order of tables and make it sort
    /// a million rows. Its name contains the schema's generated name, so no pack's SQL can name it.
    /// The authorizer would not refuse it: it is not called for a view of which only the rows are
    /// counted.
    func everyProject(_ entity: Entity) -> String { SQLText.name(schema + " " + entity.name) }

    /// The view of an entity's rows in the chosen project as an anonymous export shows them: each
    /// field in the way that `Pack.anonymity` says, and nothing else. The program's own tables are
    /// about who did what, and stay empty. Like `everyProject`, its name cannot be known to SQL of
    /// a pack.
    func anonymous(_ entity: Entity) -> String { schema + " anonymous " + entity.name }

    /// The tables with the project and the records of the selection, for anonymous exports: under
    /// such names, since SQL of a pack could read the ids in `temp.selected`.
    var chosenProject: String { schema + " chosen project" }
    var chosenRecords: String { schema + " chosen records" }

    func anonymousCreation(_ entity: Entity) -> String {
        let columns = entity.fields.map { field in
            (pack.isVisible(field, to: role) ? Self.shown(field, pack.anonymity(of: field)) : "NULL") + " AS "
                + SQLText.name(field.name)
        }
        let condition =
            entity.isCore
            ? "0" : self.condition(entity, in: "SELECT id FROM temp.\(SQLText.name(chosenProject))") ?? "1"
        return
            """
            CREATE TEMP VIEW \(SQLText.name(anonymous(entity))) AS SELECT \(columns.joined(separator: ", ")) \
            FROM \(base).\(SQLText.name(entity.name)) WHERE \(condition)
            """
    }

    private static func shown(_ field: Field, _ anonymity: Anonymity) -> String {
        let name = SQLText.name(field.name)
        switch anonymity {
        case .keep: return name
        case .omit: return "NULL"
        case .pseudonym: return "pseudonym(\(name))"
        case .period(let period): return "period_of(\(name), \(SQLText.literal(period.rawValue)))"
        case .grid(let metres, nil): return "grid_latitude(\(name), \(metres))"
        case .grid(let metres, let latitude?): return "grid_longitude(\(name), \(SQLText.name(latitude)), \(metres))"
        case .band(let width): return "band(\(name), \(width))"
        }
    }

    /// SQL condition: a row belongs to a visible project, through its own reference or through its
    /// parents'. Rows of tables that belong to no project (profiles, catalogues) are visible to
    /// everybody; a row without a project in a table of projects' rows is not.
    ///
    /// - Parameter projects: SQL that gives the ids of visible projects.
    func condition(_ entity: Entity, in projects: String = "SELECT id FROM temp.visible_projects") -> String? {
        guard let path = entity.projectPath else { return nil }
        var condition = "IN (\(projects))"
        var owners: [Entity] = [entity]
        for part in path.parts.dropLast() {
            guard let target = owners.last?.field(part)?.references, let next = pack.entity(target) else { return "0" }
            owners.append(next)
        }
        for (owner, part) in zip(owners, path.parts).reversed() {
            if owner == entity { return SQLText.name(part) + " " + condition }
            condition = "IN (SELECT id FROM \(source(owner)) WHERE \(SQLText.name(part)) \(condition))"
        }
        return nil
    }
}
