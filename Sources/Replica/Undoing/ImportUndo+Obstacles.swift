import GRDB
import Model

/// Checks that nothing depends on the import to be undone; each check throws if something does.
extension ImportUndo {
    func refuse(_ obstacle: UndoObstacle, _ sql: String, _ arguments: StatementArguments = []) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(sql))", arguments: arguments) ?? 0
        guard count > 0 else { return }
        let records = try String.fetchAll(db, sql: "SELECT * FROM (\(sql)) LIMIT 10", arguments: arguments)
        throw UndoFailure.builtOn(target.id, obstacle, records: records, count: count)
    }

    /// SQL of a row's readable name, such as `calicatas C-12`, from the last field of the key. The
    /// id is used if there is none, and in projects of which the actor is not a member.
    func name(_ entity: Entity, _ row: String) -> String {
        let field = entity.key.last.flatMap { entity.field($0) }
        var key = field.flatMap { context.actor.sees($0, of: pack) ? "\(row).\(SQLText.name($0.name))" : nil } ?? "NULL"
        if !context.actor.role.permissions.contains(.administer), entity.projectPath != nil {
            let own =
                "SELECT project_id FROM main.project_members WHERE profile_id = \(SQLText.literal(context.actor.id))"
            key = "CASE WHEN \(RowProject(of: entity, in: pack).expression(row)) IN (\(own)) THEN \(key) END"
        }
        return "\(SQLText.literal(entity.name + " ")) || coalesce(\(key), \(row).id)"
    }

    /// SQL condition on a row `t`: the import added or changed it.
    func isTouched(_ entity: Entity) -> String {
        let (id, name) = (SQLText.literal(target.id), SQLText.literal(entity.name))
        let changed =
            "SELECT row_id FROM import_changes WHERE import_id = \(id) AND entity = \(name) AND kind = 'update'"
        return "\(isOwn) OR t.id IN (\(changed))"
    }

    /// - Parameter rows: SQL condition on the checked rows `t`.
    func ensureOpen(_ entity: Entity, _ rows: String) throws {
        if let states = entity.states, !states.frozen.isEmpty {
            let frozen = states.frozen.map(SQLText.literal).joined(separator: ", ")
            // What the import itself added may go again.
            try refuse(
                .barred,
                """
                SELECT \(name(entity, "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE (\(rows)) \
                AND NOT coalesce(\(isOwn), false) AND t.\(SQLText.name(states.field)) IN (\(frozen))
                """)
        }
        let barred = try judge.barred(entity, where: rows)
        let strict = barred.filter { !$0.isOnlyClosed }
        let found = strict.isEmpty && reason == nil ? barred : strict
        guard !found.isEmpty else { return }
        let named = "SELECT \(name(entity, "t")) FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = ?"
        let records = try found.prefix(10).map { row in
            "\(try String.fetchOne(db, sql: named, arguments: [row.id]) ?? entity.name) (\(row.state))"
        }
        throw UndoFailure.builtOn(target.id, strict.isEmpty ? .closed : .barred, records: records, count: found.count)
    }

    /// Refuses if a later change concerns rows of this import.
    func ensureNotLater() throws {
        try refuse(
            .later,
            """
            SELECT DISTINCT c.entity || ' ' || c.row_id FROM import_changes AS c
              JOIN import_details AS d ON d.import_id = c.import_id
            WHERE d.stamp > ?2 AND (
              EXISTS (SELECT 1 FROM import_changes AS own WHERE own.import_id = ?1 AND own.entity = c.entity
                AND own.row_id = c.row_id)
              OR c.kind = 'retry' AND EXISTS (SELECT 1 FROM rejects AS r WHERE r.id = c.row_id AND r.import_id = ?1))
            """, [target.id, target.stamp])
        // Rows of the import that a later change removed.
        try refuse(
            .later,
            """
            SELECT DISTINCT r.entity || ' ' || r.row_id FROM import_removals AS r
              JOIN import_details AS d ON d.import_id = r.import_id
            WHERE d.stamp > ?2 AND (json_extract(r.states, '$.import_source')
                BETWEEN \(own.lowerBound) AND \(own.upperBound)
              OR EXISTS (SELECT 1 FROM import_changes AS c WHERE c.import_id = ?1 AND c.entity = r.entity
                AND c.row_id = r.row_id))
            """, [target.id, target.stamp])
        for entity in pack.entities {
            try refuse(
                .later,
                """
                SELECT DISTINCT \(name(entity, "t")) FROM import_changes AS c
                  JOIN import_details AS d ON d.import_id = c.import_id
                JOIN main.\(SQLText.name(entity.name)) AS t ON t.id = c.row_id
                WHERE c.entity = \(SQLText.literal(entity.name)) AND d.stamp > ?1 AND \(isOwn)
                """, [target.stamp])
        }
    }

    /// Refuses if the actor is no longer a member of a project. Actors may still undo rows that
    /// they added themselves.
    func ensureMember(of projects: Set<String>) throws {
        try ImportApplication.dropTemporary(db)
        for table in ChangeScope.temporary { try db.execute(sql: table) }
        if try !ChangeScope(db, pack: pack, actor: context.actor, broughtBy: target.id).covers(projects) {
            throw UndoFailure.notMember(target.id)
        }
    }

    /// Projects of the rows that the import added or changed.
    func projects(_ entities: [Entity]) throws -> Set<String> {
        var found: Set<String> = []
        for entity in entities {
            let isOfImport =
                "\(isOwn) OR t.id IN (SELECT row_id FROM import_changes WHERE import_id = ? AND entity = ?)"
            found.formUnion(try RowProject(of: entity, in: pack).ids(where: isOfImport, [target.id, entity.name], db))
        }
        return found
    }

    /// Refuses if a document of these projects was registered after the import. The rows in a
    /// document are not recorded, so any document counts.
    func ensureNotExported(_ projects: Set<String>) throws {
        try refuse(
            .exported,
            """
            SELECT file_name FROM (SELECT project_id, file_name FROM exports
              ORDER BY rowid LIMIT -1 OFFSET \(target.exports))
            WHERE project_id IN (SELECT value FROM json_each(?))
            """, [try Quarantine.json(projects.sorted())])
    }

    /// Refuses if a removal became a conflict after the change. The decision of the conflict
    /// determines whether the row returns, and with which values.
    func ensureNotContested() throws {
        try refuse(
            .contested,
            """
            SELECT DISTINCT k.entity_type || ' ' || k.entity_id FROM import_removals AS r
              JOIN main.conflicts AS k ON k.entity_type = r.entity AND k.entity_id = r.row_id
            WHERE r.import_id = ? AND (k.resolution_status = 'open' OR k.content_stamp > ?)
            """, [target.id, target.stamp])
    }

    /// Refuses if changes were sent: the sync partner may have them, even if it has not
    /// acknowledged them.
    func ensureNotSent() throws {
        try refuse(
            .synced,
            """
            SELECT DISTINCT q.entity_type || ' ' || q.entity_id FROM sent_items AS s JOIN main.sync_queue AS q \
            ON q.id = s.item_id WHERE q.content_stamp = ?
            """,
            [target.stamp])
        guard let events = pack.events?.entity else { return }
        try refuse(
            .synced,
            """
            SELECT \(SQLText.literal(events + " ")) || t.id FROM main.\(SQLText.name(events)) AS t \
            WHERE t.sync_state = 'synced' AND t.content_stamp >= ? AND \(isOwn) AND \(target.isCommand)
            """,
            [target.stamp])
    }

    func ensureUntouched(_ entity: Entity) throws {
        let table = "main." + SQLText.name(entity.name)
        let changed = "SELECT row_id FROM import_changes WHERE import_id = ?1 AND entity = ?2 AND kind = 'update'"
        // Rows copied from a device arrived with sync states, so those prove nothing. Only other
        // rows became synced or contested after the import.
        let stateless =
            """
            \(isOwn) AND t.id IN (SELECT entity_id FROM activity_logs WHERE entity_type = ?2 \
            AND action IN ('row_imported', 'row_added'))
            """
        try refuse(
            .synced,
            """
            SELECT \(name(entity, "t")) FROM \(table) AS t WHERE t.sync_state IN ('synced', 'pending_download')
              AND (t.id IN (\(changed)) OR \(stateless))
            """, [target.id, entity.name])
        try refuse(
            .changed,
            """
            SELECT \(name(entity, "t")) FROM \(table) AS t WHERE t.content_stamp <> ?3 AND (\(isOwn)
              OR t.id IN (\(changed)))
              OR t.sync_state = 'conflict' AND \(stateless)
            """, [target.id, entity.name, target.stamp])
        try ensureConflictsOpen(entity)
        try refuse(
            .referred,
            """
            SELECT \(name(entity, "t")) FROM finding_acceptances AS a JOIN \(table) AS t ON t.id = a.row_id
            WHERE a.tbl = ?1 AND a.withdrawn_at IS NULL AND \(isOwn)
            """, [entity.name])
    }

    /// Refuses if a conflict of the import was decided, or if one was opened later over its change.
    private func ensureConflictsOpen(_ entity: Entity) throws {
        let table = "main." + SQLText.name(entity.name)
        try refuse(
            .changed,
            """
            SELECT \(name(entity, "t")) FROM \(table) AS t JOIN import_changes AS c ON c.entity = ?2
              AND c.row_id = t.id AND c.import_id = ?1
            WHERE c.kind = 'conflict' AND (
              t.sync_state <> 'conflict' OR NOT EXISTS (SELECT 1 FROM conflicts AS k WHERE k.id = c.item_id
                AND k.resolution_status = 'open'))
            """, [target.id, entity.name])
        // A conflict that was opened after the import compares the change with the remote's row.
        // Its decision determines what happens to the change.
        try refuse(
            .changed,
            """
            SELECT DISTINCT \(name(entity, "t")) FROM \(table) AS t JOIN import_changes AS c ON c.entity = ?2
              AND c.row_id = t.id AND c.import_id = ?1
            WHERE c.kind = 'update' AND t.sync_state = 'conflict'
              AND json_extract(c.states, '$.sync_state') <> 'conflict'
              AND NOT EXISTS (SELECT 1 FROM import_changes AS o WHERE o.entity = ?2 AND o.row_id = t.id
                AND o.import_id = ?1 AND o.kind = 'conflict')
            """, [target.id, entity.name])
    }

    /// Refuses if rows of another origin refer to a row that the import added.
    func ensureNotReferred(_ entity: Entity, by others: [Entity]) throws {
        let own = "SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn)"
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (\(own))") == true else { return }
        if entity.name == "profiles" {
            // The history refers to the profile of a person who has worked, so the profile stays.
            let isOther = "l.import_source IS NULL OR NOT (\(isOwn.replacing("t.", with: "l.")))"
            for actors in ["activity_logs AS l WHERE \(isOther)", "import_details", "pipeline_runs"] {
                try refuse(
                    .referred,
                    """
                    SELECT \(name(entity, "t")) FROM main.profiles AS t WHERE \(isOwn) AND t.id IN (SELECT actor_id \
                    FROM main.\(actors))
                    """
                )
            }
        }
        for other in others {
            for field in other.fields where field.references == entity.name {
                let reference = "o." + SQLText.name(field.name)
                let leads = field.type == .list
                    ? """
                        json_valid(\(reference)) AND EXISTS (SELECT 1 FROM json_each(\(reference)) AS item \
                        WHERE item.value IN (\(own)))
                        """
                    : "\(reference) IN (\(own))"
                try refuse(
                    .referred,
                    """
                    SELECT \(name(other, "o")) FROM main.\(SQLText.name(other.name)) AS o
                    WHERE \(leads) AND (o.import_source IS NULL OR NOT (\(isOwn.replacing("t.", with: "o."))))
                    """)
            }
        }
    }
}
