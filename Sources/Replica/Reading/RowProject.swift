import GRDB
import Model

/// The project of a row, found along the path that its entity declares, such as
/// `calicata_id.project_id`.
struct RowProject {
    /// The entity of the row.
    let entity: Entity
    let pack: Pack

    init(of entity: Entity, in pack: Pack) { (self.entity, self.pack) = (entity, pack) }

    /// SQL expression for the project of a row with this alias.
    func expression(_ row: String) -> String { steps(row).last?.sql ?? "NULL" }

    /// The record whose project a part belongs to: its table, and an SQL expression for its id. Nil
    /// for rows that refer to their project directly.
    func record(_ row: String) -> (entity: Entity, id: String)? {
        guard let before = steps(row).dropLast().last,
            let record = before.entity.field(before.field)?.references.flatMap({ pack.entity($0) })
        else { return nil }
        return (record, before.sql)
    }

    /// SQL condition: a row is part of a record that waits for a decision because the remote has
    /// the record and its parts in another project.
    ///
    /// - Parameter orOutOfSight: whether to include parts of a record that the person can no longer
    ///   see at the remote.
    func isElsewhere(_ row: String, orOutOfSight: Bool = false) -> String {
        guard let record = record(row), let path = record.entity.projectPath?.parts, path.count == 1 else {
            return "false"
        }
        let (table, there) = (SQLText.name(record.entity.name), "k.remote_payload ->> '$.\"\(path[0])\"'")
        return """
            \(record.id) IN (SELECT k.entity_id FROM main.conflicts AS k JOIN main.\(table) AS o ON o.id = k.entity_id
              WHERE k.entity_type = \(SQLText.literal(record.entity.name)) AND k.resolution_status = 'open'
                AND (\(there) <> \
            o.\(SQLText.name(path[0]))\(orOutOfSight ? " OR k.remote_payload ->> '$.deleted'" : "")))
            """
    }

    /// SQL condition: a row belongs to one of some projects. It is for queries that read the whole
    /// table: the records of these projects are looked up once, not for each row.
    ///
    /// - Parameter projects: SQL for the ids of the projects.
    func isAmong(_ projects: String, _ row: String) -> String {
        Self.isAmong(projects, row, entity, entity.projectPath?.parts[...] ?? [], in: pack)
    }

    private static func isAmong(
        _ projects: String, _ row: String, _ entity: Entity, _ path: ArraySlice<String>, in pack: Pack
    ) -> String {
        guard let part = path.first else { return "false" }
        let rest = path.dropFirst()
        guard !rest.isEmpty else { return "\(row).\(SQLText.name(part)) IN (\(projects))" }
        guard let owner = entity.field(part)?.references.flatMap({ pack.entity($0) }) else { return "false" }
        // The plus sign prevents SQLite from going from each record to its rows, which are
        // scattered over the table.
        return
            """
            +\(row).\(SQLText.name(part)) IN (SELECT o\(rest.count).id \
            FROM main.\(SQLText.name(owner.name)) AS o\(rest.count) \
            WHERE \(isAmong(projects, "o\(rest.count)", owner, rest, in: pack)))
            """
    }

    /// The path from a row to its project: each of its fields, with an expression for its value.
    private func steps(_ row: String) -> [(entity: Entity, field: String, sql: String)] {
        var steps: [(entity: Entity, field: String, sql: String)] = []
        for part in entity.projectPath?.parts ?? [] {
            guard let last = steps.last else {
                steps.append((entity, part, row + "." + SQLText.name(part)))
                continue
            }
            guard let next = last.entity.field(last.field)?.references.flatMap({ pack.entity($0) }) else { return [] }
            steps.append(
                (
                    next, part,
                    "(SELECT \(SQLText.name(part)) FROM main.\(SQLText.name(next.name)) WHERE id = \(last.sql))"
                ))
        }
        return steps
    }

    /// The id of a row's project; nil if the row does not exist or has no project.
    func id(ofRow id: String, _ db: Database) throws -> String? { try ids(where: "t.id = ?", [id], db).first }

    /// The ids of the projects of all rows `t` that satisfy a condition.
    func ids(where condition: String, _ arguments: StatementArguments, _ db: Database) throws -> Set<String> {
        guard entity.projectPath != nil else { return [] }
        let sql = "SELECT DISTINCT \(expression("t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE \(condition)"
        return Set(try String?.fetchAll(db, sql: sql, arguments: arguments).compactMap(\.self))
    }
}

/// SQL along a path of references, from a row to a row above it, such as from a stratum's sample by
/// `corte_id.calicata_id` to the pit. A path of one step is the field itself.
///
/// All SQL about the record of a part uses this type or `PathJoins`, so that a part may be any
/// number of steps below its root.
struct ReferenceSQL {
    /// The tables along the path, each with the field that refers to the next.
    private let steps: [(table: String, field: String)]

    /// - Parameter schema: schema of the tables on the path; nil: the actor's views.
    init(_ path: FieldPath, from entity: Entity, in pack: Pack, schema: String? = nil) {
        steps = zip(pack.owners(along: path, from: entity), path.parts).map { owner, part in
            ((schema.map { $0 + "." } ?? "") + SQLText.name(owner.name), SQLText.name(part))
        }
    }

    /// SQL for the id at the end of the path, from a row with this alias.
    func value(_ row: String) -> String {
        steps.dropFirst().reduce("\(row).\(steps.first?.field ?? "id")") { id, step in
            "(SELECT \(step.field) FROM \(step.table) WHERE id = \(id))"
        }
    }

    /// SQL condition on a row with this alias: the id at the end of the path satisfies `end`, such
    /// as `= t0.id` or `IN (…)`. Rows are found from the end, by the indexes of references.
    func condition(_ row: String, _ end: String) -> String {
        let inner = steps.dropFirst().reversed().reduce(end) { end, step in
            "IN (SELECT id FROM \(step.table) WHERE \(step.field) \(end))"
        }
        return "\(row).\(steps.first?.field ?? "id") \(inner)"
    }
}
