import GRDB
import Model

/// Finds the rows that are erased with a person, and the rows that only lose their references to
/// erased rows. The two temporary tables contain the ids of these rows.
struct ErasedRows {
    private let db: Database
    private let pack: Pack
    private let subject: SubjectDefinition
    private let person: Entity

    init(_ db: Database, pack: Pack, _ subject: SubjectDefinition, _ person: Entity) throws {
        (self.db, self.pack, self.subject, self.person) = (db, pack, subject, person)
        for table in ["erased_rows", "erased_references"] {
            try db.execute(
                sql:
                    """
                    CREATE TEMP TABLE IF NOT EXISTS \(table) (entity TEXT, id TEXT, PRIMARY KEY (entity, id)) \
                    WITHOUT ROWID; DELETE FROM \(table)
                    """
            )
        }
    }

    private var tables: [Entity] { pack.entities.filter { !IndexPlan.logs.contains($0.name) } }

    /// The people with this id or identifying value, and the values by which the person is
    /// recognised later, which nobody else has.
    func people(known given: String) throws -> (ids: [String], identity: Set<String>) {
        let fields = subject.identity.compactMap { person.field($0)?.name }
        let normal = ErasedPeople.normal(given)
        guard normal.count >= ErasureTraces.leastLength else { return ([], []) }
        let rows = try Row.fetchAll(
            db, sql: "SELECT \(SQLText.names(["id"] + fields)) FROM main.\(SQLText.name(person.name))")
        var holders: [String: Set<String>] = [:]
        for row in rows {
            for column in 0..<row.count {
                if let value = row[column] as String? {
                    holders[ErasedPeople.normal(value), default: []].insert(row[0])
                }
            }
        }
        let ids = holders[normal] ?? []
        let identity = holders.filter {
            !$0.value.isDisjoint(with: ids) && $0.value.isSubset(of: ids) && $0.key.count >= ErasureTraces.leastLength
        }.map(\.key)
        return (ids.sorted(), Set(identity).union(ids.isEmpty ? [] : [normal]))
    }

    /// The words by which the people are found in texts, such as names.
    func mentions(of ids: [String]) throws -> [String] {
        let fields = subject.mentions.compactMap { person.field($0)?.name }
        guard !fields.isEmpty else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql:
                """
                SELECT \(SQLText.names(fields)) FROM main.\(SQLText.name(person.name)) WHERE id IN (SELECT value \
                FROM json_each(?))
                """,
            arguments: [try Quarantine.json(ids)])
        return rows.flatMap { row in (0..<row.count).compactMap { row[$0] as String? } }
    }

    /// The words, in normalised form, that other people have too.
    func shared(_ words: [String], but ids: [String]) throws -> Set<String> {
        let fields = subject.mentions.compactMap { person.field($0)?.name }
        guard !fields.isEmpty, !words.isEmpty else { return [] }
        let rows = try Row.fetchCursor(
            db,
            sql:
                """
                SELECT \(SQLText.names(fields)) FROM main.\(SQLText.name(person.name)) WHERE id NOT IN (SELECT value \
                FROM json_each(?))
                """,
            arguments: [try Quarantine.json(ids)])
        let own = Set(words.map(ErasedPeople.normal))
        var shared: Set<String> = []
        while let row = try rows.next() {
            for column in fields.indices {
                if let value = row[column] as String? { shared.insert(ErasedPeople.normal(value)) }
            }
            shared.formIntersection(own)
        }
        return shared
    }

    /// Collects the rows that are erased with these people, with all their parts.
    func findGoing(with people: [String]) throws {
        try take(people, of: person)
        for rows in subject.rows where rows.fate == .delete {
            guard let entity = pack.entity(rows.entity), let field = entity.field(rows.by) else { continue }
            try take(RowRemoval.referring(entity, field, to: people, db), of: entity)
        }
    }

    /// Adds rows and their parts to `erased_rows`.
    private func take(_ ids: [String], of entity: Entity) throws {
        guard !ids.isEmpty else { return }
        let list = try Quarantine.json(ids)
        let new = try String.fetchAll(
            db,
            sql:
                """
                SELECT value FROM json_each(?1) WHERE value NOT IN (SELECT id \
                FROM temp.erased_rows WHERE entity = ?2)
                """,
            arguments: [list, entity.name])
        guard !new.isEmpty else { return }
        try db.execute(
            sql: "INSERT OR IGNORE INTO temp.erased_rows SELECT ?2, value FROM json_each(?1)",
            arguments: [list, entity.name])
        for part in tables {
            for field in part.fields
            where field.references == entity.name && field.deletesWithParent && field.type != .list {
                try take(RowRemoval.referring(part, field, to: new, db), of: part)
            }
        }
    }

    /// Paths of the files of the erased rows.
    func files() throws -> [String] {
        try photoColumns.flatMap { entity, path in
            try String.fetchAll(
                db,
                sql:
                    """
                    SELECT DISTINCT \(path) FROM main.\(SQLText.name(entity.name)) WHERE \(path) IS NOT NULL \
                    AND \(Self.isGoing("id")) ORDER BY 1
                    """,
                arguments: [entity.name])
        }
    }

    /// The given paths that no row contains any more.
    func forgotten(_ paths: [String]) throws -> [String] {
        try photoColumns.reduce(paths) { paths, column in
            let known = try Set(
                String.fetchAll(
                    db,
                    sql:
                        """
                        SELECT \(column.path) FROM main.\(SQLText.name(column.entity.name)) \
                        WHERE \(column.path) IN (SELECT value FROM json_each(?))
                        """,
                    arguments: [Quarantine.json(paths)]))
            return paths.filter { !known.contains($0) }
        }
    }

    private var photoColumns: [(entity: Entity, path: String)] {
        tables.compactMap { entity in PhotoColumns(entity).path.map { (entity, SQLText.name(entity.fields[$0].name)) } }
    }

    /// SQL condition: a row of the entity `?1` is erased.
    static func isGoing(_ id: String) -> String { "\(id) IN (SELECT id FROM temp.erased_rows WHERE entity = ?1)" }

    func ids(in table: String) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT DISTINCT id FROM temp.\(table) ORDER BY 1")
    }

    /// Clears references to erased rows in the rows that stay; then deletes the erased rows.
    func erase(stamp: Int64) throws -> [ErasureAccount.Line] {
        for entity in tables {
            for field in entity.fields where field.references != nil { try leave(entity, field, stamp) }
        }
        var lines: [ErasureAccount.Line] = []
        for entity in tables {
            let name = SQLText.name(entity.name)
            let removed =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM main.\(name) WHERE \(Self.isGoing("id"))", arguments: [entity.name])
                ?? 0
            let left =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM temp.erased_references WHERE entity = ?", arguments: [entity.name])
                ?? 0
            if removed + left > 0 { lines.append(.init(entity: entity.name, removed: removed, anonymised: left)) }
        }
        for entity in tables {
            try db.execute(
                sql: "DELETE FROM main.\(SQLText.name(entity.name)) WHERE \(Self.isGoing("id"))",
                arguments: [entity.name])
        }
        return lines
    }

    private func leave(_ entity: Entity, _ field: Field, _ stamp: Int64) throws {
        guard let target = field.references else { return }
        let column = SQLText.name(field.name),
            gone = "SELECT id FROM temp.erased_rows WHERE entity = \(SQLText.literal(target))"
        let leads = field.type == .list
            ? """
                json_valid(\(column)) AND EXISTS (SELECT 1 FROM json_each(\(column)) AS item \
                WHERE item.value IN (\(gone)))
                """
            : "\(column) IN (\(gone))"
        let stays = "\(leads) AND id NOT IN (SELECT id FROM temp.erased_rows WHERE entity = ?1)"
        try db.execute(
            sql:
                """
                INSERT OR IGNORE INTO temp.erased_references SELECT ?1, id FROM main.\(SQLText.name(entity.name)) \
                WHERE \(stays)
                """,
            arguments: [entity.name])
        let empty = field.type == .list
            ? """
                (SELECT json_group_array(item.value) FROM json_each(\(column)) AS item \
                WHERE item.value NOT IN (\(gone)))
                """
            : "NULL"
        let clears = target == person.name ? subject.cleared(with: field, of: entity) : []
        let sets = (["\(column) = \(empty)"] + clears.map { SQLText.name($0) + " = NULL" }).joined(separator: ", ")
        try db.execute(
            sql:
                """
                UPDATE main.\(SQLText.name(entity.name)) SET \(sets), content_stamp = ?2, local_version = \
                local_version + 1 WHERE \(stays)
                """,
            arguments: [entity.name, stamp])
    }
}
