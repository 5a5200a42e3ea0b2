import Model

/// SQL for the rows that belong to the selection.
extension ReadSession {
    /// SQL conditions on rows of the selection's root entity: those of its project, whether
    /// selected or not.
    func rootConditions(_ selection: RecordSelection, alias: String) -> [String] {
        guard let path = selection.root.projectPath else { return [] }
        return [Self.projectCondition(path, alias: alias, selection.root, pack, project: selection.project.id)]
    }

    /// SQL conditions on the selected rows of the root entity; without a selection, no row
    /// satisfies them.
    func selectedConditions(alias: String) -> [String] {
        guard let selection else { return ["0"] }
        let leftOut = "NOT EXISTS (SELECT 1 FROM temp.left_out AS l WHERE l.id = \(alias).id)"
        return rootConditions(selection, alias: alias) + (selection.leavesOut ? [leftOut] : [])
    }

    /// The selection's root as a table, for use with `rootConditions` or `selectedConditions`,
    /// which restrict it to the project.
    func rootTable(_ selection: RecordSelection) -> String { views.everyProject(selection.root) }

    static func filter(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    /// The items of a list column as a table, empty if the column contains no list. The column is
    /// checked first, since `json_each` fails on text that is not JSON.
    static func items(of column: String) -> String {
        """
        json_each(CASE WHEN json_valid(\(column)) THEN CASE json_type(\(column)) WHEN 'array' THEN \(column) \
        ELSE '[]' END ELSE '[]' END)
        """
    }

    /// SQL condition on a row's project, through its parents if necessary.
    static func projectCondition(_ path: FieldPath, alias: String, _ entity: Entity, _ pack: Pack, project: String)
        -> String
    {
        ReferenceSQL(path, from: entity, in: pack).condition(alias, "= " + SQLText.literal(project))
    }

    /// SQL for the ids of an entity's rows that the selected records refer to: parts, or rows at
    /// the end of references from root or parts.
    func idsReached(_ target: String) -> String {
        guard let selection else { return "SELECT NULL WHERE 0" }
        let root = selection.root
        if let part = selection.kind.parts.first(where: { $0.entity == target && !$0.isList }),
            let entity = pack.entity(target)
        {
            let roots = "SELECT r.id FROM \(rootTable(selection)) AS r\(Self.filter(selectedConditions(alias: "r")))"
            return
                """
                SELECT p.id FROM \(SQLText.name(target)) AS p WHERE \
                \(ReferenceSQL(part.by, from: entity, in: pack).condition("p", "IN (\(roots))"))
                """
        }
        if let part = selection.kind.parts.first(where: { $0.entity == target && $0.isList }) {
            let lists =
                """
                SELECT r.\(SQLText.name(part.by.description)) AS list \
                FROM \(rootTable(selection)) AS r\(Self.filter(selectedConditions(alias: "r")))
                """
            return "SELECT j.value FROM (\(lists)) AS s, \(Self.items(of: "s.list")) AS j"
        }
        if target == pack.project.entity { return "SELECT \(SQLText.literal(selection.project.id))" }
        if let path = referencePath(from: root, to: target) {
            return reached(
                path, from: root, as: rootTable(selection), where: selectedConditions(alias: PathJoins.rootAlias))
        }
        let rootIDs = "SELECT r.id FROM \(rootTable(selection)) AS r\(Self.filter(selectedConditions(alias: "r")))"
        for part in selection.kind.parts where !part.isList {
            guard let entity = pack.entity(part.entity), let path = referencePath(from: entity, to: target) else {
                continue
            }
            let isSelected = ReferenceSQL(part.by, from: entity, in: pack).condition(
                PathJoins.rootAlias, "IN (\(rootIDs))")
            return reached(path, from: entity, as: SQLText.name(entity.name), where: [isSelected])
        }
        return "SELECT NULL WHERE 0"
    }

    private func reached(_ path: FieldPath, from entity: Entity, as table: String, where conditions: [String]) -> String
    {
        var joins = PathJoins(from: entity, pack: pack)
        let value = joins.column(path)
        return "SELECT \(value) FROM \(table) AS t0\(joins.sql)\(Self.filter(conditions))"
    }

    /// The shortest chain of references between two entities, as a path whose last part refers to
    /// the target.
    private func referencePath(from start: Entity, to target: String) -> FieldPath? {
        var queue: [(Entity, [String])] = [(start, [])]
        var seen: Set<String> = [start.name]
        while !queue.isEmpty {
            let (entity, path) = queue.removeFirst()
            for field in entity.fields where field.type != .list {
                guard let next = field.references.flatMap({ pack.entity($0) }) else { continue }
                if next.name == target { return FieldPath(parts: path + [field.name]) }
                if seen.insert(next.name).inserted { queue.append((next, path + [field.name])) }
            }
        }
        return nil
    }
}
