import Model

/// An actor's access rights, as temporary views that have the tables' names and so hide the tables.
/// The views show only rows of the actor's projects, and only columns that the role may see. Rules,
/// exports and selections use the plain names and cannot bypass the views.
struct ActorViews {
    let pack: Pack
    let role: Role
    /// The schema of the replica's tables; its name is generated for each connection.
    let schema: String
    /// Tables that are shown with an open transaction's changes (`UncommittedRows`).
    var changed: Set<String> = []

    private var base: String { SQLText.name(schema) }

    /// The table, or the view with uncommitted changes, that contains all of an entity's rows,
    /// regardless of access rights.
    func source(_ entity: Entity) -> String {
        changed.contains(entity.name) ? SQLText.name(changedView(entity)) : "\(base).\(SQLText.name(entity.name))"
    }

    /// Like `everyProject`, these names contain the schema's generated name.
    private func changedView(_ entity: Entity) -> String { schema + " as changed " + entity.name }
    func changedRows(_ entity: Entity) -> String { schema + " changed " + entity.name }
    func changedIDs(_ entity: Entity) -> String { schema + " changed ids " + entity.name }
    /// Names that the views of changed tables read.
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

    /// Fields of privacy classes that the role may not see; the last class is visible to nobody.
    var hidden: [Hidden] {
        pack.entities.flatMap { entity in
            entity.fields.filter { !pack.isVisible($0, to: role) }.map { Hidden(entity: entity.name, field: $0.name) }
        }
    }

    /// The statements that create the views. `temp.visible_projects (id)` contains the projects. If
    /// it contains all projects, rows are not filtered. Then rows without a project are visible
    /// too, so that somebody can find and correct them.
    func creation(allProjects: Bool) -> [String] {
        pack.entities.flatMap { entity in
            [creation(entity, allProjects: allProjects), "CREATE TEMP VIEW \(everyProject(entity))\(selection(entity))"]
        }
    }

    /// The view of one entity; with a condition, only of rows that satisfy it.
    func creation(_ entity: Entity, allProjects: Bool, only condition: String? = nil) -> String {
        let conditions = [allProjects ? nil : self.condition(entity), condition].compactMap(\.self)
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.map { "(\($0))" }.joined(separator: " AND ")
        return "CREATE TEMP VIEW \(SQLText.name(entity.name))\(selection(entity))\(filter)"
    }

    private func selection(_ entity: Entity) -> String {
        let columns = entity.fields.map { field in
            pack.isVisible(field, to: role) ? shown(field, of: entity) : "NULL AS " + SQLText.name(field.name)
        } + SystemColumn.allCases.map { column in
            // The normalized form of a name is as private as the name.
                column == .keyText && entity.keyText.map({ pack.isVisible($0, to: role) }) == false
                    ? "NULL AS " + column.rawValue : column.rawValue
        }
        return " AS SELECT \(columns.joined(separator: ", ")) FROM \(source(entity))"
    }

    /// SQL for the column of a field that the role may see, without copied fields that it may not
    /// see.
    func shown(_ field: Field, of entity: Entity) -> String {
        let name = SQLText.name(field.name)
        return Self.copies[entity.name]?.contains(field.name) == true ? openDetails(name) + " AS " + name : name
    }

    /// Columns of internal tables that contain rows of other tables, completely or in part.
    private static let copies = [
        "activity_logs": ["details"], "sync_queue": ["payload_json"], "conflicts": ["local_payload", "remote_payload"],
    ]

    /// SQL for a column with copied rows, without the fields that the role may not see: a value
    /// keeps its privacy class wherever it is copied.
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
        // A rejected row is raw text: it is unknown which parts are values of fields.
        return """
            CASE WHEN NOT json_valid(\(details)) THEN NULL
            WHEN json_type(\(details), '$.before') = 'text' THEN json_remove(\(details), '$.before')
            ELSE CASE entity_type \(cases.joined(separator: " ")) ELSE \(details) END END
            """
    }

    /// Name of an entity's view that hides columns but no rows, for internal queries that select
    /// one visible project. A second filter would reverse SQLite's order of tables and make it sort
    /// a million rows. The name contains the schema's generated name, so a pack's SQL cannot use
    /// the view. The authorizer could not refuse it: SQLite does not call the authorizer for a view
    /// whose rows are only counted.
    func everyProject(_ entity: Entity) -> String { SQLText.name(schema + " " + entity.name) }

    /// Name of the view of an entity's rows in the chosen project, for an anonymous export. It has
    /// each field as `Pack.anonymity` specifies, and nothing else. The views of Fichero's internal
    /// tables are empty, since these record people's actions. As with `everyProject`, a pack's SQL
    /// cannot know the name.
    func anonymous(_ entity: Entity) -> String { schema + " anonymous " + entity.name }

    /// The tables with the project and the records of the selection, for anonymous exports. Their
    /// names are generated, because a pack's SQL could read the ids in `temp.selected`.
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

    /// SQL condition: a row belongs to a visible project, through its reference or through its
    /// parents'. Rows of tables without projects (profiles, catalogues) are visible to everybody;
    /// in other tables, a row without a project is not visible.
    ///
    /// - Parameter projects: SQL query for the ids of the visible projects.
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
