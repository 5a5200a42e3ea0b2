import GRDB
package import Model

/// The content of `fichero history`: runs, exports and activity, each newest first.
package struct ReplicaHistory: Sendable, Hashable, Codable {
    /// One entry of the activity log.
    package struct Activity: Sendable, Hashable, Codable {
        package var id: String
        package var projectID: String?
        package var actorID: String?
        /// The actor's mail address, which is personal: shown only to roles that may see it.
        package var actorEmail: String?
        package var action: String
        package var entity: String?
        package var entityID: String?
        /// JSON.
        package var details: String?
        package var environment: String?
        package var createdAt: String
        /// Time by the machine's clock; `createdAt` is by the run's clock.
        package var writtenAt: String?
        /// Whether the entry comes from an imported file, so that Fichero did not record it itself.
        package var isClaimed = false
    }

    /// One change set: an import, a retry, or a person's command.
    package struct Change: Sendable, Hashable, Codable {
        /// The id that `fichero undo` accepts.
        package var id: String
        package var runID: String?
        package var source: String
        package var format: String
        package var time: String
        /// Time by the machine's clock; `time` is by the run's clock.
        package var writtenAt: String?
        package var actorID: String?
        /// Shown only to roles that may see addresses.
        package var actorEmail: String?
        package var reason: String?
        /// The outcomes of the change's rows by table, as JSON.
        package var counts: String
        package var undoneAt: String?
    }

    package var changes: [Change]
    package var runs: [PipelineRun]
    package var exports: [RegisteredExport]
    package var activity: [Activity]
}

extension Model.Actor {
    /// Whether the actor may see the details of log entries about a table. Details that may quote
    /// fields that the actor may not see are hidden. So are details of imported entries about an
    /// unknown table.
    func seesDetails(of table: String?, isOfFile: Bool, in pack: Pack) -> Bool {
        guard pack.isVisible("details", of: "activity_logs", to: role) else { return false }
        guard let entity = table.flatMap({ pack.entity($0) }) else {
            return !isOfFile || role.permissions.contains(.administer)
        }
        return entity.fields.allSatisfy { sees($0, of: pack) }
    }

    /// Whether the actor made a change set, or administers. Only these see its reason and its file.
    func seesWhole(actOf maker: String?) -> Bool { maker == id || role.permissions.contains(.administer) }
}

extension Replica {
    /// The newest entries of each kind, for some projects or for all (nil). A run belongs to the
    /// projects of the exports that it registered. Runs and change sets, also failed ones, are
    /// shown to those who made them and to administrators.
    ///
    /// - Parameter reader: the actor who reads the history; nil: Fichero itself. Addresses and
    ///   values that the actor's role may not see are left out.
    package func history(projectIDs: [String]? = nil, limit: Int = 50, reader: Model.Actor? = nil) throws
        -> ReplicaHistory
    {
        // A list of ids as one JSON argument; NULL for all projects.
        let projects = try projectIDs.map { try Quarantine.json($0) }
        let isVisible = "(?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))"
        let seesAddresses = pack.isVisible("email", of: "profiles", to: reader?.role)
        let isOpen = { [pack] (name: String?, isOfFile: Bool) -> Bool in
            reader?.seesDetails(of: name, isOfFile: isOfFile, in: pack) ?? true
        }
        let isAdministrator = reader?.role.permissions.contains(.administer) ?? false
        return try read { db in
            ReplicaHistory(
                changes: try changes(db, of: isAdministrator ? nil : reader?.id, seesAddresses, limit: limit),
                runs: try RunJournal.runs(
                    db,
                    where: "?1 IS NULL OR ?2 OR actor_id = ?3 OR id IN (SELECT run_id FROM exports WHERE \(isVisible))",
                    arguments: [projects, isAdministrator, reader?.id], limit: limit
                ).map { $0.actorID == reader?.id ? $0 : shown($0, to: reader?.role) },
                exports: try exports(
                    db, where: "?1 IS NULL OR e.project_id IN (SELECT value FROM json_each(?1))", arguments: [projects],
                    order: "e.content_stamp DESC, e.rowid DESC", limit: limit
                ).map { $0.actorID == reader?.id ? $0 : shown($0, to: reader?.role) },
                activity: try Row.fetchAll(
                    db,
                    sql: """
                        SELECT id, project_id, actor_id, (SELECT email FROM profiles \
                        WHERE profiles.id = actor_id), action, entity_type,
                          entity_id, details, environment, created_at,
                          (SELECT written_at FROM fichero_writes WHERE stamp = activity_logs.content_stamp), \
                        import_source IS NOT NULL
                        FROM activity_logs WHERE \(isVisible) ORDER BY content_stamp DESC, id DESC LIMIT \(limit)
                        """, arguments: [projects]
                ).map { row in
                    ReplicaHistory.Activity(
                        id: row[0], projectID: row[1], actorID: row[2], actorEmail: seesAddresses ? row[3] : nil,
                        action: row[4] ?? "", entity: row[5],
                        entityID: row[6], details: isOpen(row[5], row[11]) ? row[7] : nil, environment: row[8],
                        createdAt: row[9] ?? "",
                        writtenAt: row[10], isClaimed: row[11])
                })
        }
    }

    /// A registered file without the values that a role may not see. A selection may quote the
    /// values of any field, and a path may contain the key of a project.
    private func shown(_ export: RegisteredExport, to reader: Role?) -> RegisteredExport {
        guard let reader else { return export }
        var export = export
        if !pack.isVisible("email", of: "profiles", to: reader) { export.actorEmail = nil }
        if !pack.isVisible("line", of: "exports", to: reader) { export.line = nil }
        if !pack.isVisible("selection", of: "exports", to: reader) { export.selection = nil }
        if !pack.isVisible("local_path", of: "exports", to: reader) { export.localPath = "" }
        if !pack.isVisible(pack.project.code, of: pack.project.entity, to: reader) { export.project = export.projectID }
        return export
    }

    /// A run without its selection and its summary, if a role may not see selections.
    func shown(_ run: PipelineRun, to reader: Role?) -> PipelineRun {
        guard !pack.isVisible("selection", of: "exports", to: reader) else { return run }
        var run = run
        (run.selection, run.summary) = (nil, nil)
        return run
    }

    private func changes(_ db: Database, of actor: String?, _ seesAddresses: Bool, limit: Int) throws -> [ReplicaHistory
        .Change]
    {
        try Row.fetchAll(
            db,
            sql: """
                SELECT i.id, i.run_id, i.source, i.format, i.started_at, d.actor_id, (SELECT email FROM profiles \
                WHERE profiles.id = d.actor_id),
                  d.reason, i.counts, d.undone_at, (SELECT written_at FROM fichero_writes WHERE stamp = d.stamp)
                FROM imports AS i LEFT JOIN import_details AS d ON d.import_id = i.id
                WHERE ?1 IS NULL OR d.actor_id = ?1 ORDER BY d.stamp DESC, i.rowid DESC LIMIT \(limit)
                """, arguments: [actor]
        ).map { row in
            ReplicaHistory.Change(
                id: row[0], runID: row[1], source: row[2], format: row[3], time: row[4], writtenAt: row[10],
                actorID: row[5], actorEmail: seesAddresses ? row[6] : nil,
                reason: row[7], counts: row[8], undoneAt: row[9])
        }
    }
}
