import GRDB
import Model

/// Removes a person from everything that the replica stores beside its records. That includes logs,
/// queue, conflicts, rejected rows, data for undos, bases, findings and the journal of runs. All of
/// the program's tables are visited, so that a new table is included too.
///
/// Entries about an erased row are deleted. Entries about a row that stays are other people's work,
/// so they only lose their references to the person.
struct BookkeepingErasure {
    private let db: Database
    private let pack: Pack

    /// Tables that stay unchanged: they contain no text by people, or only paths of files that the
    /// erasure reports for a manual check.
    private static let unchangedTables: Set = [
        "fichero_replica", "fichero_writes", "erased_marks", "run_outputs", "sync_cursors", "log_chain", "ruling_packs",
    ]
    /// Tables of cached results, which are deleted and computed again.
    private static let cacheTables = ["kept_findings", "kept_files", "kept_checks", "kept_verdicts"]
    /// Tables of history: their rows stay, even those about erased rows, but the values that name
    /// the person are emptied.
    private static let historyTables: Set = [
        "activity_logs", "exports", "document_versions", "pipeline_runs", "imports", "import_details",
        "import_readings", "import_sources",
    ]
    /// Tables that contain earlier or new versions of rows as JSON.
    private static let versionTables: Set = [
        "sync_queue", "conflicts", "row_bases", "own_bases", "import_changes", "import_removals",
    ]
    /// Columns with paths of registered files, which stay: without them nobody could find the
    /// files.
    private static let pathColumns: Set = ["local_path", "file_name", "storage_path"]

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// Returns how many rows were changed or removed, by table.
    func erase() throws -> [String: Int] {
        for table in Self.cacheTables { try db.execute(sql: "DELETE FROM main.\(table)") }
        var counts: [String: Int] = [:]
        for table in ProgramTables.names + IndexPlan.logs.sorted()
        where !Self.unchangedTables.contains(table) && !Self.cacheTables.contains(table) {
            let columns = try Row.fetchAll(
                db, sql: "SELECT name, \"notnull\" FROM pragma_table_info(?) WHERE type = 'TEXT'", arguments: [table]
            )
                .map { (name: $0[0] as String, isRequired: ($0[1] as Int) == 1) }
            let count = try erase(from: table, columns)
            if count > 0 { counts[table] = count }
        }
        for table in ["push_waits", "sent_items"] {
            try db.execute(sql: "DELETE FROM main.\(table) WHERE item_id NOT IN (SELECT id FROM main.sync_queue)")
        }
        return counts
    }

    private func erase(from table: String, _ columns: [(name: String, isRequired: Bool)]) throws -> Int {
        var count = 0
        let row = columns.map(\.name).first { ["entity_id", "row_id", "record_id"].contains($0) }
        if table == "export_numbers" {
            // A number is never assigned twice, so the entry stays, with a random row id.
            return try change(
                """
                UPDATE main.export_numbers SET row_id = lower(hex(randomblob(16))) WHERE row_id IN (SELECT id \
                FROM temp.erased_rows)
                """
            )
        }
        if let row, !Self.historyTables.contains(table) {
            count += try change("DELETE FROM main.\(table) WHERE \(row) IN (SELECT id FROM temp.erased_rows)")
        }
        if table == "activity_logs" {
            // All details that were logged about an erased row are the person's data.
            count += try change(
                """
                UPDATE main.activity_logs SET entity_id = NULL, details = NULL WHERE entity_id IN (SELECT id \
                FROM temp.erased_rows)
                """
            )
        }
        if table == "rejects" { return try count + eraseRejects() }
        if Self.versionTables.contains(table) {
            return try count + eraseIDs(from: table, columns.map(\.name)) + eraseWaitingLogs(table)
        }
        return try count + eraseMentions(from: table, columns, row: row)
    }

    /// Removes the person's ids from versions of rows.
    private func eraseIDs(from table: String, _ columns: [String]) throws -> Int {
        let versions = columns.filter {
            ["payload_json", "local_payload", "remote_payload", "row", "before"].contains($0)
        }
        return try versions.reduce(0) { count, column in
            try count + change(
                """
                UPDATE main.\(table) SET \(column) = fichero_without_ids(\(column)) \
                WHERE fichero_has_id(\(column))
                """
            )
        }
    }

    /// Removes the person's values from texts. Values that only this person has are removed
    /// everywhere. A name that others have too stays in entries about other people.
    ///
    /// - Parameter row: the column with the id of the row that an entry is about.
    private func eraseMentions(from table: String, _ columns: [(name: String, isRequired: Bool)], row: String?) throws
        -> Int
    {
        var count = 0
        let texts = columns.filter { !Self.pathColumns.contains($0.name) && $0.name != "id" }
        guard !texts.isEmpty else { return count }
        let isOther =
            row.map { row in
                pack.subjects.map { "AND coalesce(\(row), '') NOT IN (SELECT id FROM main.\(SQLText.name($0.entity)))" }
                    ?? ""
            } ?? ""
        for (suffix, condition) in [(ErasureTraces.alone, ""), ("", isOther)] {
            let (mentions, redacted) = ("fichero_mentions\(suffix)", "fichero_redacted\(suffix)")
            let sets = texts.map { column in
                let name = SQLText.name(column.name)
                let kept = column.isRequired ? "coalesce(\(redacted)(\(name)), '')" : "\(redacted)(\(name))"
                return "\(name) = CASE WHEN \(mentions)(\(name)) THEN \(kept) ELSE \(name) END"
            }
            let isNamed = texts.map { "\(mentions)(\(SQLText.name($0.name)))" }.joined(separator: " OR ")
            count += try change(
                "UPDATE main.\(table) SET \(sets.joined(separator: ", ")) WHERE (\(isNamed)) \(condition)")
        }
        return count
    }

    /// Removes the person from queued log entries, as from the logs: an export's selection may name
    /// the person.
    private func eraseWaitingLogs(_ table: String) throws -> Int {
        guard table == "sync_queue" else { return 0 }
        let logs = IndexPlan.logs.sorted().map(SQLText.literal).joined(separator: ", ")
        let kept = SQLText.literal(try Quarantine.json(Self.pathColumns.sorted()))
        return try change(
            """
            UPDATE main.sync_queue SET payload_json = fichero_redacted_but(payload_json, \(kept))
            WHERE entity_type IN (\(logs)) AND fichero_mentions(payload_json)
            """)
    }

    private func change(_ sql: String) throws -> Int {
        try db.execute(sql: sql)
        return db.changesCount
    }

    /// Deletes rejected rows of the person; other rejected rows only lose their references.
    private func eraseRejects() throws -> Int {
        var count = 0
        for row in try Row.fetchAll(
            db,
            sql:
                """
                SELECT id, entity, raw FROM main.rejects WHERE fichero_mentions(raw) OR fichero_mentions(place) \
                OR fichero_mentions(findings)
                """
        ) {
            let names = (row[1] as String?).flatMap { pack.entity($0) }.map { pack.membersOfPeople(in: $0) } ?? []
            count += try change(
                """
                DELETE FROM main.rejects WHERE id = \(SQLText.literal(row[0])) \
                AND fichero_member_mentions(raw, \(SQLText.literal(try Quarantine.json(names))))
                """
            )
        }
        for column in ["raw", "place", "findings"] {
            count += try change(
                """
                UPDATE main.rejects SET \(column) = coalesce(fichero_without_ids(\(column)), '') \
                WHERE fichero_has_id(\(column))
                """
            )
        }
        return count
    }

    /// Number of rows of records that still name the person in a text, by table.
    func others() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for entity in pack.entities where !IndexPlan.logs.contains(entity.name) && entity.name != pack.subjects?.entity
        {
            let texts = entity.fields.filter { $0.type.storage == "TEXT" }.map {
                "fichero_mentions(\(SQLText.name($0.name)))"
            }
            guard !texts.isEmpty else { continue }
            let found =
                try Int.fetchOne(
                    db,
                    sql:
                        """
                        SELECT count(*) FROM main.\(SQLText.name(entity.name)) \
                        WHERE \(texts.joined(separator: " OR "))
                        """
                ) ?? 0
            if found > 0 { counts[entity.name] = found }
        }
        return counts
    }
}

extension Pack {
    /// The names, in files, of the fields that connect a row with a person: the id and other
    /// identifying fields, or the references by which rows are erased with the person.
    func membersOfPeople(in entity: Entity) -> [String] {
        guard let subject = subjects else { return [] }
        let fields = entity.fields.filter { subject.owns(entity, by: $0) }
        return fields.flatMap { [$0.name] + $0.otherNames + $0.synonyms }
    }
}
