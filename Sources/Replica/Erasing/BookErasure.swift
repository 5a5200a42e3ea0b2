import GRDB
import Model

/// Takes a person out of everything that the replica keeps beside its records: logs, queue,
/// conflicts, rejected rows, inverses, bases, findings, the journal of runs. Every table of the
/// program is looked at, so that one that is added later cannot be forgotten.
struct BookErasure {
    private let db: Database
    private let pack: Pack

    /// Tables that are left alone: they hold nothing that people wrote.
    private static let ownTables: Set = ["fichero_replica", "fichero_writes", "erased_marks"]
    /// Tables that say what happened, and when: their rows stay, and what names the person in them
    /// is emptied. Rows of all other tables go.
    private static let histories: Set = [
        "activity_logs", "exports", "document_versions", "pipeline_runs", "imports", "import_details", "import_readings", "import_sources", "touched_rows",
    ]

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// Returns how many rows were changed or removed, by table.
    func erase(_ references: [(entity: String, id: String)], _ changes: ChangeLog) throws -> [String: Int] {
        // Verdicts are no book: they are made again.
        try db.execute(sql: "DELETE FROM kept_verdicts")
        try renewItems(of: references, changes)
        var counts: [String: Int] = [:]
        for table in ProgramTables.names + IndexPlan.logs.sorted() where !Self.ownTables.contains(table) {
            let columns = try Row.fetchAll(db, sql: "SELECT name, \"notnull\" FROM pragma_table_info(?) WHERE type = 'TEXT'", arguments: [table])
                .map { (name: SQLText.name($0[0]), isRequired: ($0[1] as Int) == 1) }
            guard !columns.isEmpty else { continue }
            let isNamed = columns.map { "fichero_mentions(\($0.name))" }.joined(separator: " OR ")
            if table == "export_numbers" {
                // A number is never given again, so the number stays.
                try db.execute(sql: "UPDATE export_numbers SET row_id = lower(hex(randomblob(16))) WHERE fichero_mentions(row_id)")
            } else if Self.histories.contains(table) {
                let sets = columns.map { "\($0.name) = CASE WHEN fichero_mentions(\($0.name)) THEN \(Self.empty($0.name, $0.isRequired)) ELSE \($0.name) END" }
                try db.execute(sql: "UPDATE main.\(table) SET \(sets.joined(separator: ", ")) WHERE \(isNamed)")
            } else {
                try db.execute(sql: "DELETE FROM main.\(table) WHERE \(isNamed)")
            }
            if db.changesCount > 0 { counts[table] = db.changesCount }
        }
        try endConflicts()
        return counts
    }

    private static func empty(_ column: String, _ isRequired: Bool) -> String {
        isRequired ? "CASE WHEN json_valid(\(column)) THEN iif(json_type(\(column)) = 'array', '[]', '{}') ELSE '' END" : "NULL"
    }

    /// A row that stays goes up as it is now.
    private func renewItems(of references: [(entity: String, id: String)], _ changes: ChangeLog) throws {
        for row in references {
            guard let reader = try? changes.reader(of: row.entity), let values = try reader.values(of: row.id) else { continue }
            try db.execute(
                sql: "UPDATE main.sync_queue SET payload_json = iif(operation = 'INSERT', ?, ?) WHERE entity_type = ? AND entity_id = ? AND payload_json IS NOT NULL",
                arguments: [reader.givenJSON(values), reader.json(values), row.entity, row.id])
        }
    }

    /// A conflict about the person is over with its payloads; the next sync brings what the server
    /// has, without the person.
    private func endConflicts() throws {
        for entity in pack.entities where !IndexPlan.logs.contains(entity.name) {
            try db.execute(
                sql: """
                    UPDATE main.\(SQLText.name(entity.name)) SET sync_state = iif(remote_updated_at IS NULL, 'local_only', 'synced')
                    WHERE sync_state = 'conflict' AND id IN (SELECT id FROM temp.erased_references WHERE entity = ?1)
                      AND id NOT IN (SELECT entity_id FROM main.conflicts WHERE entity_type = ?1 AND resolution_status = 'open')
                    """, arguments: [entity.name])
        }
    }

    /// How many rows of records still name the person in a text, by table.
    func others() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for entity in pack.entities where !IndexPlan.logs.contains(entity.name) {
            let texts = entity.fields.filter { $0.type.storage == "TEXT" }.map { "fichero_mentions(\(SQLText.name($0.name)))" }
            let found = try Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(SQLText.name(entity.name)) WHERE \(texts.joined(separator: " OR "))") ?? 0
            if found > 0 { counts[entity.name] = found }
        }
        return counts
    }
}
