// Long file: the statements that find, for each kind of check, what has changed.

import Databases
import Model

/// Finds, for one check after the other, the rows that must be checked again.
///
/// `temp.touched` contains the changes since the stored verdict (the findings of an earlier
/// validation). It lists the ids of changed rows. Under the name of a reference, it lists ids to
/// which that reference pointed before the change.
struct JudgedRows {
    /// A table of which a query sees only some rows.
    struct Narrowing {
        var entity: Entity
        var condition: String
    }

    private let connection: SQLiteConnection
    private let views: ActorViews
    private var pack: Pack { views.pack }
    /// Entities with changes.
    private var touched: Set<String> = []
    private var counts: [String: Int64] = [:]
    /// Whether there are too many changes to look for the affected rows.
    var isEverything = false
    private var isFocused = false
    /// The restrictions for the last examined query.
    private(set) var narrowings: [Narrowing] = []

    init(_ connection: SQLiteConnection, _ views: ActorViews) {
        (self.connection, self.views) = (connection, views)
    }

    // MARK: what changed

    /// Fills `temp.touched`; false if there are too many changes.
    ///
    /// - Parameter uncommitted: additional changes of an open transaction.
    mutating func collect(since known: VerdictKeeper.Known, and uncommitted: [ReadSession.Spot], seesEveryProject: Bool)
        throws -> Bool
    {
        let limit = VerdictKeeper.maximumTouched
        for entity in TouchedRows.watched(in: pack) {
            // If somebody dropped this index, every row is checked: a scan of the table to find the
            // changes would take as long.
            let count = try? connection.run(
                """
                INSERT OR IGNORE INTO temp.touched (entity, field, id)
                SELECT \(SQLText.literal(entity.name)), '', id FROM \(connection.base).\(SQLText.name(entity.name))
                INDEXED BY \(SQLText.name(IndexPlan.stampIndex(of: entity))) WHERE content_stamp > ?1 LIMIT \(limit + 1)
                """, [.integer(known.stamp)])
            guard let count, count <= limit else { return false }
        }
        let noted = try connection.run(
            """
            INSERT OR IGNORE INTO temp.touched (entity, field, id) SELECT entity, field, row_id \
            FROM \(connection.base).touched_rows WHERE n > ?1 LIMIT \(limit + 1)
            """,
            [.integer(known.touched)])
        if noted > limit { return false }
        try take(uncommitted)
        // If a row moves to another project, or leaves one, its parts change too: they may have
        // become visible or invisible to the actor.
        if !seesEveryProject {
            for entity in TouchedRows.watched(in: pack) {
                for prefix in prefixes(of: entity.projectPath.map { [$0] } ?? []) {
                    try connection.run(
                        """
                        INSERT OR IGNORE INTO temp.touched (entity, field, id) \
                        SELECT \(SQLText.literal(entity.name)), '', id FROM \
                        (\(through(prefix, from: entity, in: connection.base + ".")))
                        """
                    )
                }
            }
            try findTouched()
        }
        return true
    }

    /// Treats these rows as the changed ones, and restricts validation to checks that depend on
    /// them.
    mutating func focus(on rows: [ReadSession.Spot]) throws {
        isFocused = true
        try take(rows)
    }

    private mutating func take(_ rows: [ReadSession.Spot]) throws {
        for row in rows {
            try connection.run(
                "INSERT OR IGNORE INTO temp.touched (entity, field, id) VALUES (?1, ?2, ?3)",
                [.text(row.entity), .text(row.field), .text(row.id)])
        }
        try findTouched()
    }

    private mutating func findTouched() throws {
        let statement = try connection.prepare("SELECT DISTINCT entity FROM temp.touched")
        touched = []
        while try statement.step() { touched.insert(statement.text(0) ?? "") }
    }

    // MARK: one check

    /// Fills `temp.judged`; returns which rows are to be checked.
    /// - Parameter reads: the tables that a query reads.
    mutating func find(_ reach: CheckReach, reads: Set<String>, verdict: Int64) throws -> VerdictKeeper.Extent {
        narrowings = []
        try connection.execute("DELETE FROM temp.judged")
        guard let entity = pack.entity(reach.entity) else { return .all }
        switch reach.kind {
        case .whole(let names):
            return touched.isDisjoint(with: names) ? .none : .all
        case .rows(let paths):
            guard try addRows(of: entity, paths) else { return .all }
        case .alike(let values, let within):
            guard try addRows(of: entity, []) else { return .all }
            try addAlike(entity, values, within, reach, verdict)
        case .count(let parts, let by, let paths):
            guard try addRows(of: entity, paths), try addOwners(of: parts, by: by, entity) else { return .all }
        case .query(_, let scope, let paths):
            return try find(entity, reads.union([entity.name]), scope, paths)
        }
        return try extent(of: entity)
    }

    /// Returns `.some` for the rows in `temp.judged`, or `.all` if there are so many that checking
    /// all rows takes no longer.
    private mutating func extent(of entity: Entity) throws -> VerdictKeeper.Extent {
        let count = try connection.integer("SELECT count(*) FROM temp.judged")
        if count == 0 { return .none }
        if count < 1000 || isFocused { return .some }
        return try count * 4 > self.count(entity) ? .all : .some
    }

    /// Number of an entity's rows, counted once.
    private mutating func count(_ entity: Entity) throws -> Int64 {
        if let known = counts[entity.name] { return known }
        let count = try connection.integer("SELECT count(*) FROM \(connection.base).\(SQLText.name(entity.name))")
        counts[entity.name] = count
        return count
    }

    /// Adds the rows whose file has changed since it was last opened.
    mutating func addChangedFiles(_ reach: CheckReach, verdict: Int64, stampOf: (String) -> String) throws
        -> VerdictKeeper.Extent
    {
        let files = try connection.prepare(
            "SELECT row_id, path, stamp FROM \(connection.base).kept_files WHERE verdict = ?1 AND name = ?2",
            [.integer(verdict), .text(reach.name)])
        while try files.step() {
            guard let id = files.text(0), stampOf(files.text(1) ?? "") != files.text(2) else { continue }
            try connection.run("INSERT OR IGNORE INTO temp.judged (id) VALUES (?1)", [.text(id)])
        }
        guard let entity = pack.entity(reach.entity) else { return .all }
        return try extent(of: entity)
    }

    // MARK: rows

    /// Adds changed rows, and rows from which a path leads through a changed row. Returns false if
    /// these rows cannot be determined.
    private func addRows(of entity: Entity, _ paths: [FieldPath]) throws -> Bool {
        try add("SELECT id FROM temp.touched WHERE entity = \(SQLText.literal(entity.name)) AND field = ''")
        for prefix in prefixes(of: paths) {
            guard let (owner, isList) = target(of: prefix, from: entity) else { continue }
            guard touched.contains(owner.name) else { continue }
            if isList { return false }
            try add(through(prefix, from: entity, in: ""))
        }
        return true
    }

    /// Adds rows that share values with a changed row, and rows that shared values with another row
    /// when they were last checked.
    private func addAlike(
        _ entity: Entity, _ values: [String], _ within: [String], _ reach: CheckReach, _ verdict: Int64
    ) throws {
        guard try connection.integer("SELECT EXISTS (SELECT 1 FROM temp.judged)") == 1 else { return }
        try add(
            """
            SELECT row_id FROM \(connection.base).kept_findings WHERE verdict = \(verdict) \
            AND name = \(SQLText.literal(reach.name))
            """
        )
        let same =
            values.map { "o.\(SQLText.name($0)) = t.\(SQLText.name($0))" }
            + within.map { "o.\(SQLText.name($0)) IS t.\(SQLText.name($0))" }
        let table = SQLText.name(entity.name)
        try add(
            """
            SELECT o.id FROM temp.judged AS j CROSS JOIN \(table) AS t CROSS JOIN \(table) AS o WHERE t.id = j.id \
            AND \(same.joined(separator: " AND "))
            """
        )
    }

    /// Adds the present and former owners of changed parts that are counted.
    private func addOwners(of name: String, by: FieldPath, _ entity: Entity) throws -> Bool {
        guard let parts = pack.entity(name) else { return false }
        guard pack.field(at: by, from: parts) != nil else { return !touched.contains(name) }
        guard !touched.isDisjoint(with: pack.owners(along: by, from: parts).map(\.name)) else { return true }
        try add(owners(of: parts, by: by))
        return true
    }

    /// SQL for the rows to which changed parts, or changed rows on the path to them, refer or
    /// referred. If a stratum moves to another pit, its samples move too.
    private func owners(of parts: Entity, by path: FieldPath) -> String {
        var ids: [String] = []
        for (owner, part) in zip(pack.owners(along: path, from: parts), path.parts) {
            let name = SQLText.literal(owner.name), table = views.source(owner), by = SQLText.name(part)
            let below =
                ids.isEmpty
                ? []
                : [
                    """
                    SELECT p.\(by) FROM \(table) AS p WHERE p.id IN (\(ids.joined(separator: " UNION ALL "))) \
                    AND p.\(by) IS NOT NULL
                    """
                ]
            ids = [
                """
                SELECT p.\(by) FROM temp.touched AS t CROSS JOIN \(table) AS p
                WHERE t.entity = \(name) AND t.field = '' AND p.id = t.id AND p.\(by) IS NOT NULL
                """,
                "SELECT id FROM temp.touched WHERE entity = \(name) AND field = \(SQLText.literal(part))",
            ] + below
        }
        return ids.joined(separator: " UNION ALL ")
    }

    private func add(_ ids: String) throws { try connection.run("INSERT OR IGNORE INTO temp.judged (id) \(ids)") }

    // MARK: queries

    private mutating func find(
        _ entity: Entity, _ reads: Set<String>, _ scope: Rule.Scope?, _ paths: [FieldPath]
    ) throws -> VerdictKeeper.Extent {
        let asked = prefixes(of: paths).compactMap { target(of: $0, from: entity)?.0.name }
        guard !touched.isDisjoint(with: reads.union(asked)) else { return .none }
        // Other rows that a path reaches, and rows that refer to their own table, could be hidden
        // by the restricted views.
        guard paths.allSatisfy(\.isLocal), !reads.contains(where: refersToItself) else { return .all }
        switch scope {
        case nil: return .all
        case .row: return try findRows(entity, reads)
        case .record: return try findRecords(entity, reads)
        case .project: return isFocused ? .all : try findProjects(reads)
        }
    }

    private func refersToItself(_ name: String) -> Bool {
        pack.entity(name)?.fields.contains { $0.references == name } ?? false
    }

    private mutating func findRows(_ entity: Entity, _ reads: Set<String>) throws -> VerdictKeeper.Extent {
        guard touched.isDisjoint(with: reads.subtracting([entity.name])), try addRows(of: entity, []) else {
            return .all
        }
        narrowings = [Narrowing(entity: entity, condition: "id IN (SELECT id FROM temp.judged)")]
        return try extent(of: entity)
    }

    /// Checks whole records: their root, and the parts that refer to it.
    private mutating func findRecords(_ entity: Entity, _ reads: Set<String>) throws -> VerdictKeeper.Extent {
        let kind = pack.records.first { kind in
            kind.root == entity.name || kind.parts.contains { $0.entity == entity.name && !$0.isList }
        }
        guard let kind, let root = pack.entity(kind.root) else { return .all }
        let parts = kind.parts.filter { !$0.isList && reads.contains($0.entity) }
        try addRoots(root, through: reads.subtracting(parts.map(\.entity)))
        for part in parts {
            guard let entity = pack.entity(part.entity) else { return .all }
            try add(owners(of: entity, by: part.by))
        }
        // A change in another table that the query reads may affect any record. A change in a
        // project's row may affect the records of that project.
        let others = reads.subtracting(parts.map(\.entity) + [root.name, pack.project.entity])
        guard touched.isDisjoint(with: others) else { return .all }
        if reads.contains(pack.project.entity), touched.contains(pack.project.entity) {
            guard let path = root.projectPath, path.isLocal else { return .all }
            try add(through([path.parts[0]], from: root, in: ""))
        }
        narrowings = [Narrowing(entity: root, condition: "id IN (SELECT id FROM temp.judged)")]
        narrowings += parts.compactMap { part in
            // Parts without a record are always checked, because nothing else shows that they
            // changed.
            pack.entity(part.entity).flatMap { entity in
                condition(part.by, of: entity).map { Narrowing(entity: entity, condition: $0) }
            }
        }
        return try extentOfQuery(root)
    }

    private func addRoots(_ root: Entity, through reads: Set<String>) throws {
        guard reads.contains(root.name) else { return }
        try add("SELECT id FROM temp.touched WHERE entity = \(SQLText.literal(root.name)) AND field = ''")
    }

    /// Checks whole projects.
    private mutating func findProjects(_ reads: Set<String>) throws -> VerdictKeeper.Extent {
        guard let projects = pack.entity(pack.project.entity) else { return .all }
        for name in reads.intersection(touched) {
            guard let entity = pack.entity(name), let path = entity.projectPath, try addProjects(of: entity, path)
            else { return .all }
        }
        for name in reads {
            guard let entity = pack.entity(name), let path = entity.projectPath else { continue }
            guard let condition = self.condition(path, of: entity) else { return .all }
            narrowings.append(Narrowing(entity: entity, condition: condition))
        }
        return try extentOfQuery(projects)
    }

    /// Adds the present and former projects of changed rows. Returns false if one of the rows has
    /// no project.
    private func addProjects(of entity: Entity, _ path: FieldPath) throws -> Bool {
        let name = SQLText.literal(entity.name)
        guard path.parts != ["id"] else {
            try add("SELECT id FROM temp.touched WHERE entity = \(name) AND field = ''")
            return true
        }
        var owner = entity
        var now = "SELECT id FROM temp.touched WHERE entity = \(name) AND field = ''"
        var joins = PathJoins(from: entity, pack: pack)
        let project = joins.column(path)
        let homeless =
            """
            SELECT EXISTS (SELECT 1 FROM \(SQLText.name(entity.name)) AS t0\(joins.sql) WHERE t0.id IN (\(now)) \
            AND \(project) IS NULL)
            """
        guard try connection.integer(homeless) == 0 else { return false }
        for (index, part) in path.parts.enumerated() {
            let field = SQLText.name(part)
            let before =
                """
                SELECT id FROM temp.touched WHERE entity = \(SQLText.literal(owner.name)) \
                AND field = \(SQLText.literal(part))
                """
            let values =
                "SELECT \(field) AS id FROM \(views.source(owner)) WHERE \(field) IS NOT NULL AND id IN (\(now))"
            now = values + " UNION ALL " + before
            guard index < path.parts.count - 1 else { break }
            guard let next = owner.field(part)?.references.flatMap({ pack.entity($0) }) else { return false }
            owner = next
        }
        try add(now)
        return true
    }

    /// SQL condition: a row from which the path leads to a row in `temp.judged`, or from which the
    /// path ends at an empty reference.
    private func condition(_ path: FieldPath, of entity: Entity) -> String? {
        if path.parts == ["id"] { return "id IN (SELECT id FROM temp.judged)" }
        var owners = [entity]
        for part in path.parts.dropLast() {
            guard let next = owners.last?.field(part)?.references.flatMap({ pack.entity($0) }) else { return nil }
            owners.append(next)
        }
        var condition = "SELECT id FROM temp.judged"
        for (owner, part) in zip(owners, path.parts).reversed() {
            let field = SQLText.name(part)
            condition = "\(field) IN (\(condition)) OR \(field) IS NULL"
            if owner.name != entity.name { condition = "SELECT id FROM \(views.source(owner)) WHERE \(condition)" }
        }
        return condition
    }

    /// Like `extent`, but a restricted query also checks rows without a record or project.
    private mutating func extentOfQuery(_ entity: Entity) throws -> VerdictKeeper.Extent {
        if isFocused { return .some }
        let count = try connection.integer("SELECT count(*) FROM temp.judged")
        let all = try self.count(entity)
        return count * 4 > all && all > 3 ? .all : .some
    }

    // MARK: paths

    /// The prefixes of paths that are references, each once: `corte_id.calicata_id.code` →
    /// `corte_id`, `corte_id.calicata_id`.
    private func prefixes(of paths: [FieldPath]) -> [[String]] {
        var prefixes: [[String]] = []
        for path in paths {
            for length in 1..<max(1, path.parts.count) {
                let prefix = Array(path.parts.prefix(length))
                if !prefixes.contains(prefix) { prefixes.append(prefix) }
            }
        }
        return prefixes
    }

    /// The entity at the end of references, and whether one of the references is a list.
    private func target(of references: [String], from entity: Entity) -> (Entity, isList: Bool)? {
        var (current, isList) = (entity, false)
        for part in references {
            guard let field = current.field(part), let next = field.references.flatMap({ pack.entity($0) }) else {
                return nil
            }
            isList = isList || field.type == .list
            current = next
        }
        return (current, isList)
    }

    /// A query for the rows from which references lead to a changed row.
    private func through(_ references: [String], from entity: Entity, in schema: String) -> String {
        guard let first = references.first, let next = entity.field(first)?.references.flatMap({ pack.entity($0) })
        else { return "SELECT NULL WHERE 0" }
        let inner = references.count > 1
            ? through(Array(references.dropFirst()), from: next, in: schema)
            : "SELECT id FROM temp.touched WHERE entity = \(SQLText.literal(next.name)) AND field = ''"
        return "SELECT id FROM \(schema)\(SQLText.name(entity.name)) WHERE \(SQLText.name(first)) IN (\(inner))"
    }
}
