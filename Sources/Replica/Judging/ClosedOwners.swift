import GRDB
import Model

/// New rows of an import that would become parts of a record that was closed before it.
struct ClosedOwners {
    /// A new row, and the closing state of its record.
    struct Part {
        var id: String
        var state: String
    }

    /// Tables that the replica keeps for its own work; their rows are no parts of records.
    private static let bookkeeping: Set<String> = ["sync_queue", "conflicts", "project_members", "file_sync_states", "exports"]

    private let entity: Entity
    /// For each record that may close a row: how to find it from the row `t`, and its closing
    /// states.
    private let owners: [(entity: String, id: String, field: String, closed: [String])]

    init(_ entity: Entity, pack: Pack) {
        self.entity = entity
        var owners: [(entity: String, id: String, field: String, closed: [String])] = []
        if !Self.bookkeeping.contains(entity.name), !IndexPlan.logs.contains(entity.name) {
            var id = "t.id"
            var owner: Entity? = entity
            for part in entity.projectPath?.parts ?? [] where part != "id" {
                guard let current = owner else { break }
                id = current.name == entity.name && id == "t.id"
                    ? "t." + SQLText.name(part) : "(SELECT \(SQLText.name(part)) FROM main.\(SQLText.name(current.name)) WHERE id = \(id))"
                owner = current.field(part)?.references.flatMap { pack.entity($0) }
                if let owner, let states = owner.states, !states.closed.isEmpty { owners.append((owner.name, id, states.field, states.closed)) }
            }
        }
        self.owners = owners
    }

    /// New rows of a table that are parts of records which existed and were closed before this
    /// import. Records that the import itself creates do not count.
    ///
    /// - Parameters:
    ///   - before: new rows have greater rowids.
    ///   - stamp: of this import.
    func parts(_ db: Database, after before: Int64, stamp: Int64) throws -> [Part] {
        var parts: [Part] = []
        var seen: Set<String> = []
        for owner in owners {
            let table = "main." + SQLText.name(owner.entity), state = "o." + SQLText.name(owner.field)
            let closed = owner.closed.map(SQLText.literal).joined(separator: ", ")
            // The state before this import: a record that the import itself closes was open when
            // its parts were recorded.
            let updated = "FROM temp.import_updated AS u WHERE u.entity = \(SQLText.literal(owner.entity)) AND u.row_id = o.id"
            let earlier = "coalesce((SELECT json_extract(u.before, '$.' || \(SQLText.literal(owner.field))) \(updated)), \(state))"
            // Most replicas have no closed record; then no new row is examined.
            let any = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM \(table) AS o WHERE \(state) IN (\(closed)))
                      OR EXISTS (SELECT 1 FROM temp.import_updated WHERE entity = \(SQLText.literal(owner.entity)))
                    """)
            guard any == true else { continue }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT t.id, \(earlier) FROM main.\(SQLText.name(entity.name)) AS t JOIN \(table) AS o ON o.id = \(owner.id)
                    WHERE t.rowid > ? AND \(earlier) IN (\(closed)) AND (o.content_stamp <> ? OR EXISTS (SELECT 1 \(updated))) ORDER BY t.rowid
                    """, arguments: [before, stamp])
            for row in rows where seen.insert(row[0]).inserted { parts.append(Part(id: row[0], state: row[1])) }
        }
        return parts
    }
}
