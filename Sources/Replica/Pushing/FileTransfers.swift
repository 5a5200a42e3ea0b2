import GRDB
import Model

/// Finds the files that wait to be sent or fetched.
struct FileTransfers {
    let db: Database
    let pack: Pack
    /// Ids as a JSON list; nil: all projects.
    let projects: String?
    /// Whether files of no project are included too.
    let isWithNone: Bool

    /// - Parameter projects: ids; nil: all projects, and files of no project.
    init(db: Database, pack: Pack, projects: [String]?, isWithNone: Bool = false) throws {
        (self.db, self.pack, self.isWithNone) = (db, pack, isWithNone)
        self.projects = try projects.map { try Quarantine.json($0) }
    }

    private func inScope(_ project: String) -> String {
        "(?1 IS NULL OR \(project) IN (SELECT value FROM json_each(?1))\(isWithNone ? " OR \(project) IS NULL" : ""))"
    }

    // MARK: To send

    /// Files whose upload a queue item requests, in the order of the queue.
    func queued() throws -> [FileTransfer] {
        let items = try Row.fetchAll(
            db,
            sql:
                """
                SELECT id, entity_type, entity_id, project_id FROM main.sync_queue WHERE operation = 'UPLOAD' \
                AND \(inScope("project_id")) ORDER BY content_stamp, id
                """,
            arguments: [projects])
        return try items.compactMap { item -> FileTransfer? in
            guard let entity = (item[1] as String?).flatMap({ pack.entity($0) }), let id: String = item[2] else {
                return nil
            }
            let found = try Row.fetchOne(
                db,
                sql:
                    """
                    SELECT local_path, storage_path, bytes, sha256 FROM main.\(SQLText.name(entity.name)) \
                    WHERE id = ? AND NOT (\(LogPages.waits))
                    """,
                arguments: [id])
            guard let row = found else { return nil }
            return FileTransfer(
                entity: entity.name, rowID: id, projectID: item[3], itemID: item[0], localPath: row[0],
                storagePath: row[1], bytes: row[2], sha256: row[3])
        }
    }

    /// Files of rows that have a local file and no storage path, if the central database has the
    /// row.
    func unsent(of entity: Entity) throws -> [FileTransfer] {
        guard let condition = unsentCondition(entity) else { return [] }
        return try rows(
            of: entity,
            "\(condition) AND t.remote_updated_at IS NOT NULL AND t.sync_state NOT IN ('conflict', 'error')", [projects]
        )
    }

    private func unsentCondition(_ entity: Entity) -> String? {
        guard let path = entity.field(of: .path), let stored = entity.field(of: .stored), entity.sendsFiles else {
            return nil
        }
        return "t.\(SQLText.name(path.name)) IS NOT NULL AND t.\(SQLText.name(stored.name)) IS NULL"
    }

    /// Number of files to be sent by project, including those whose rows still wait to be sent.
    func countToSend() throws -> [String?: Int] {
        var counts: [String?: Int] = [:]
        try add(
            Row.fetchAll(
                db,
                sql:
                    """
                    SELECT project_id, count(*) FROM main.sync_queue WHERE operation = 'UPLOAD' \
                    AND \(inScope("project_id")) GROUP BY 1
                    """,
                arguments: [projects]), to: &counts)
        for entity in pack.entities {
            if let condition = unsentCondition(entity) { try add(count(entity, condition, [projects]), to: &counts) }
        }
        return counts
    }

    // MARK: To fetch

    /// Files of rows that have a storage path and no local file. Included are files that the person
    /// marked as always synced, or that every replica gets.
    func missing(of entity: Entity, for profileID: String) throws -> [FileTransfer] {
        guard let condition = missingCondition(entity) else { return [] }
        return try rows(of: entity, condition, [projects, profileID], isScoped: false)
    }

    /// Number of files to be fetched, by project.
    func countToFetch(for profileID: String) throws -> [String?: Int] {
        var counts: [String?: Int] = [:]
        for entity in pack.entities {
            if let condition = missingCondition(entity) {
                try add(count(entity, condition, [projects, profileID], isScoped: false), to: &counts)
            }
        }
        return counts
    }

    private func missingCondition(_ entity: Entity) -> String? {
        guard let path = entity.field(of: .path), let stored = entity.field(of: .stored) else { return nil }
        let place = "t.\(SQLText.name(stored.name))"
        let project = RowProject(of: entity, in: pack).expression("t")
        // A value with `://` is a web address and not a path in Storage.
        let isAway = "t.\(SQLText.name(path.name)) IS NULL AND \(place) IS NOT NULL AND \(place) NOT LIKE '%://%'"
        if entity.filesAlwaysCome {
            return isAway + " AND (\(project) IS NULL OR \(inScope(project))) AND ?2 IS NOT NULL"
        }
        let owner = entity.projectPath?.parts.first.flatMap { entity.field($0) }
        // A person chooses a record's files by the record's id, or a folder with everything below
        // it.
        let record =
            owner?.references.map { "\(SQLText.literal($0 + "/")) || t.\(SQLText.name(owner?.name ?? ""))" } ?? "NULL"
        let above = entity.fields.first { $0.references == entity.name }.map { parent in
            """
            WITH RECURSIVE above (id) AS (SELECT t.id UNION SELECT a.\(SQLText.name(parent.name)) \
            FROM main.\(SQLText.name(entity.name)) AS a JOIN above ON a.id = above.id)
              SELECT id FROM above
            """
        }
        return """
            \(isAway) AND \(inScope(project)) AND EXISTS (
              SELECT 1 FROM main.file_sync_states AS f WHERE f.profile_id = ?2 AND f.sync_mode = 'always_synced' \
            AND f.project_id = \(project)
              AND (f.document_node_id IS NULL AND f.path IS NULL OR f.path = \(record) \
            OR f.document_node_id IN (\(above ?? "NULL"))))
            """
    }

    // MARK: Rows

    private func add(_ rows: [Row], to counts: inout [String?: Int]) {
        for row in rows { counts[row[0] as String?, default: 0] += row[1] }
    }

    private func count(_ entity: Entity, _ condition: String, _ arguments: StatementArguments, isScoped: Bool = true)
        throws -> [Row]
    {
        let project = RowProject(of: entity, in: pack).expression("t")
        let scope = isScoped ? " AND " + inScope(project) : ""
        return try Row.fetchAll(
            db,
            sql:
                """
                SELECT \(project), count(*) FROM main.\(SQLText.name(entity.name)) AS t WHERE \(condition)\(scope) \
                GROUP BY 1
                """,
            arguments: arguments)
    }

    private func rows(of entity: Entity, _ condition: String, _ arguments: StatementArguments, isScoped: Bool = true)
        throws -> [FileTransfer]
    {
        let project = RowProject(of: entity, in: pack).expression("t")
        let scope = isScoped ? " AND " + inScope(project) : ""
        let found = try Row.fetchAll(
            db,
            sql:
                """
                SELECT t.*, \(project) AS file_project FROM main.\(SQLText.name(entity.name)) AS t \
                WHERE \(condition)\(scope) ORDER BY t.id
                """,
            arguments: arguments)
        func value(_ fact: Entity.FileFact, _ row: Row) -> DatabaseValue? {
            entity.field(of: fact).map { row[$0.name] }
        }
        func text(_ fact: Entity.FileFact, _ row: Row) -> String? { value(fact, row).flatMap(String.fromDatabaseValue) }
        return found.map { row in
            let values = entity.fields.compactMap { field in
                String.fromDatabaseValue(row[field.name]).map { (field.name, $0) }
            }
            return FileTransfer(
                entity: entity.name, rowID: row["id"], projectID: row["file_project"], localPath: text(.path, row),
                storagePath: text(.stored, row),
                bytes: value(.bytes, row).flatMap(Int64.fromDatabaseValue), sha256: text(.sha256, row),
                name: text(.name, row),
                values: Dictionary(uniqueKeysWithValues: values))
        }
    }
}
