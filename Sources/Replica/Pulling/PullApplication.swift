// Long file: the steps of one transaction, in their order.

import Databases
import Foundation
import GRDB
import JSONReading
import Model

/// Applies pulled rows within the caller's transaction. Statements handle all rows of an entity at
/// once; only rows with local changes are handled one by one.
struct PullApplication {
    private let db: Database
    private let pack: Pack
    private let request: PullRequest
    private let findings: any FindingSink
    private let stamp: Int64
    private let time: String
    private let changes: ChangeLog
    private let conflicts: ConflictKeeper
    private let cursors: PullCursors

    /// SQL condition: the row may be overwritten, as it has no local change that the remote has not
    /// confirmed.
    private static let confirmed = "sync_state IN ('synced', 'pending_download') AND own_mark = 0"

    init(_ db: Database, pack: Pack, request: PullRequest, findings: any FindingSink) throws {
        (self.db, self.pack, self.request, self.findings) = (db, pack, request, findings)
        stamp = try ReplicaKey.nextStamp(db)
        time = Timestamp.format(request.startedAt)
        changes = try ChangeLog(
            db, pack: pack, actorID: request.actor.id, environment: request.environment, now: request.startedAt,
            stamp: stamp)
        conflicts = try ConflictKeeper(db, changes: changes, now: request.startedAt)
        cursors = PullCursors(remote: request.remote, actor: request.actor)
    }

    func apply(_ staging: PullStaging, at position: RemotePosition, visible: [String]?) throws -> PullAccount {
        var account = PullAccount()
        if visible != nil { account.sent = request.sent }
        try db.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS pull_moved (entity TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY \
                (entity, id)) WITHOUT ROWID;
                DELETE FROM pull_moved
                """)
        var lines = try applyArrived(staging)
        try giveProjectsToChanges()
        try reportMisfits(staging)
        try UnverifiedRemoteRows(db, pack: pack).decide(
            staging, visible: visible, for: request.actor, changes, findings: findings)
        try AdoptedRows(db, pack: pack).adopt(staging.staged, changes, at: time)
        // The actor receives rows of unknown projects too, so these are not withdrawn.
        let visible = try visible.map { try $0 + UnknownProjects(db, pack: pack).seen(by: request.actor) }
        if let visible { account.withdrawn = try withdraw(except: visible) }
        try PulledRemovals(
            db, pack: pack, changes: changes, conflicts: conflicts, findings: findings, arrived: staging.staged,
            comparison: comparison
        )
            .remove(pack.entities.parentsFirst.map { entity in
                var gone = try gone(entity, staging, visible)
                gone.ids += try leftBehind(entity, staging)
                return gone
            }, &lines)
        try noteOwnProfile()
        try cursors.forgetOtherServers(db)
        for cursor in staging.cursors {
            try cursors.keep(position, of: cursor.entity, scope: cursor.scope, at: time, db)
        }
        account.lines = pack.entities.compactMap { lines[$0.name] }.filter { !$0.isEmpty }
        guard account.lines.allSatisfy(\.isWhole) else { throw ReplicaFailure.internal(path: "", code: "PULL-COUNT") }
        if account.changesSomething {
            try changes.logEntry("sync", of: nil, id: nil, project: nil, details: Quarantine.json(account))
        }
        return account
    }

    private var comparison: ValueComparison? {
        request.comparesValues
            ? ValueComparison(db: db, pack: pack, changes: changes, findings: findings, isExact: request.isExact) : nil
    }

    // MARK: Rows that arrived

    private func applyArrived(_ staging: PullStaging) throws -> [String: PullAccount.Line] {
        var lines: [String: PullAccount.Line] = [:]
        let erased = try ErasedArrivals(db, pack: pack)
        for entity in pack.entities.parentsFirst {
            guard var rows = staging.staged[entity.name] else { continue }
            if let erased {
                let count = try erased.leaveOut(
                    entity, from: rows.table, fields: rows.fields.map { entity.fields[$0] }, isRemote: true)
                rows.count -= count
                try erased.report(count, of: entity, findings)
            }
            try noteMoved(rows)
            try forgetKnownMisfits(rows)
            lines[entity.name] = try apply(rows)
        }
        return lines
    }

    private func apply(_ rows: PullStaging.Rows) throws -> PullAccount.Line {
        var line = PullAccount.Line(entity: rows.entity.name, received: rows.count)
        guard rows.count > 0 else { return line }
        let importer = try EntityImporter(
            db, pack: pack, entity: rows.entity, reader: changes.reader(of: rows.entity.name), origin: .remote)
        // This precedes the insertion, so that only rows already in the replica are examined.
        try contested(rows, importer, &line)
        try comparison?.reportDifferences(rows, importer)
        let missing = try comparison?.missing(rows, isRemovedHere: isRemovedHere(rows)) ?? []
        line.changed = try update(rows)
        line.new = try insert(rows, &line)
        try comparison?.reportMissing(missing, of: rows.entity)
        line.unchanged = line.received - line.new - line.changed - line.conflict - line.kept
        return line
    }

    /// Sets the missing project of queued changes whose record arrives in this pull. Without a
    /// project, only an administrator could send the changes.
    private func giveProjectsToChanges() throws {
        let changed = try String.fetchAll(
            db,
            sql: "SELECT DISTINCT entity_type FROM main.sync_queue WHERE project_id IS NULL AND entity_type IS NOT NULL"
        )
        for entity in changed.compactMap({ pack.entity($0) }) where entity.projectPath != nil {
            try db.execute(
                sql: """
                    UPDATE main.sync_queue SET project_id = (
                      SELECT \(RowProject(of: entity, in: pack).expression("t")) \
                    FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id = sync_queue.entity_id)
                    WHERE project_id IS NULL AND entity_type = ?
                    """, arguments: [entity.name])
        }
    }

    /// Drops misfits that were reported before: a server without Fichero's SQL sends unchanged rows
    /// again.
    private func forgetKnownMisfits(_ rows: PullStaging.Rows) throws {
        try db.execute(
            sql: """
                DELETE FROM staging.misfits WHERE entity = ?1 AND n IN (
                  SELECT s.n FROM staging.misfits AS m JOIN \(rows.table) AS s ON s.n = m.n
                    JOIN main.\(SQLText.name(rows.entity.name)) AS t ON t.id = s.f_id \
                AND t.remote_updated_at IS s.version WHERE m.entity = ?1)
                """, arguments: [rows.entity.name])
    }

    /// Reports the local fields that stay empty because the server's value does not fit them.
    private func reportMisfits(_ staging: PullStaging) throws {
        for rows in staging.staged.values.sorted(by: { $0.entity.name < $1.entity.name }) {
            let found = try Row.fetchCursor(
                db,
                sql:
                    """
                    SELECT s.f_id, m.field, m.type FROM staging.misfits AS m JOIN \(rows.table) AS s ON s.n = m.n \
                    WHERE m.entity = ? GROUP BY 1, 2 ORDER BY min(m.n), 2
                    """,
                arguments: [rows.entity.name])
            while let row = try found.next() {
                let place = Place(
                    table: rows.entity.name, id: row[0],
                    key: try EntityRows.name(of: row[0], rows.entity, pack: pack, db), field: row[1])
                try findings.add(Finding("SYNC-VALUE", place: place, arguments: ["type": row[2]]))
            }
        }
    }

    /// SQL condition: the row was removed locally, and the removal was not sent yet. If the server
    /// changed the row, the next push reports the conflict.
    private func isRemovedHere(_ rows: PullStaging.Rows) -> String {
        """
        f_id IN (SELECT entity_id FROM main.sync_queue WHERE operation = '\(ChangeLog.Operation.delete.rawValue)' \
        AND entity_type = \(SQLText.literal(rows.entity.name))
          EXCEPT SELECT id FROM main.\(SQLText.name(rows.entity.name)))
        """
    }

    private func insert(_ rows: PullStaging.Rows, _ line: inout PullAccount.Line) throws -> Int {
        let table = "main." + SQLText.name(rows.entity.name)
        let removed = isRemovedHere(rows)
        line.kept += try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows.table) WHERE \(removed)") ?? 0
        let states: [(column: SystemColumn, value: String)] = [
            (.syncState, "'synced'"), (.localVersion, "1"), (.remoteUpdatedAt, "version"),
            (.contentStamp, String(stamp)), (.ownMark, "0"),
            (.keyText, "key_text"),
        ]
        let names = [SQLText.name("id")] + rows.names + states.map { SQLText.name($0.column.rawValue) }
        let values = rows.fields.map { StagedEntity.column(rows.entity.fields[$0]) } + states.map(\.value)
        let indexes = try DroppedIndexes(db, table: rows.entity.name, newRows: rows.count)
        try db.execute(
            sql:
                """
                INSERT INTO \(table) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) \
                FROM \(rows.table) WHERE NOT (\(removed)) ORDER BY n ON CONFLICT (id) DO NOTHING
                """
        )
        let inserted = db.changesCount
        try indexes.putBack()
        return inserted
    }

    private func update(_ rows: PullStaging.Rows) throws -> Int {
        let table = "main." + SQLText.name(rows.entity.name)
        var sets =
            zip(rows.names, rows.arrived).map { "\($0) = \($1)" } + [
                "sync_state = 'synced'", "remote_updated_at = s.version", "content_stamp = \(stamp)",
                "key_text = s.key_text", "local_version = local_version + 1",
            ]
        if let path = rows.entity.field(of: .path), let isReplaced = isFileReplaced(rows) {
            sets.append(
                "\(SQLText.name(path.name)) = CASE WHEN \(isReplaced) THEN NULL ELSE t.\(SQLText.name(path.name)) END")
        }
        try db.execute(
            sql: """
                UPDATE \(table) AS t SET \(sets.joined(separator: ", ")) FROM \(rows.table) AS s
                WHERE t.id = s.f_id AND t.\(Self.confirmed) AND (t.sync_state <> 'synced' OR \(rows.differs))
                """)
        let changed = db.changesCount
        // A row can have a newer version and the same values.
        try db.execute(
            sql: """
                UPDATE \(table) AS t SET remote_updated_at = s.version FROM \(rows.table) AS s
                WHERE t.id = s.f_id AND t.\(Self.confirmed) AND t.remote_updated_at IS NOT s.version
                """)
        return changed
    }

    /// SQL condition: the server's row has another file than the replica's, so the file must be
    /// fetched again; nil: the rows have no file fields.
    private func isFileReplaced(_ rows: PullStaging.Rows) -> String? {
        let fields = [Entity.FileFact.stored, .sha256].compactMap { rows.entity.field(of: $0) }.filter {
            rows.names.contains(SQLText.name($0.name))
        }
        let conditions = fields.map { field in
            let here = "t." + SQLText.name(field.name)
            return "(\(here) IS NOT NULL AND \(here) IS NOT s.\(StagedEntity.column(field)))"
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
    }

    /// Handles the rows that arrived and have local changes, one by one.
    private func contested(_ rows: PullStaging.Rows, _ importer: EntityImporter, _ line: inout PullAccount.Line) throws
    {
        let table = "main." + SQLText.name(rows.entity.name)
        let arrived = rows.fields.map { "s." + StagedEntity.column(rows.entity.fields[$0]) }
        let found = try PreparedStatement(
            db,
            """
            SELECT s.version, t.remote_updated_at, \(arrived.joined(separator: ", ")) FROM \(rows.table) AS s CROSS \
            JOIN \(table) AS t ON t.id = s.f_id
            WHERE NOT (t.\(Self.confirmed))\(isOlder(rows)) ORDER BY s.n
            """)
        while try found.step() {
            let version = found.text(0)
            guard let id = found.text(2), version == nil || version != found.text(1) else {
                line.kept += 1
                continue
            }
            var values = [MemoryRows.Value?](repeating: nil, count: rows.entity.fields.count)
            for (column, field) in rows.fields.enumerated() { values[field] = found.value(2 + column) }
            switch try settle(id, version, values, importer) {
            case .kept: line.kept += 1
            case .conflict: line.conflict += 1
            case .confirmed: break
            }
        }
    }

    /// SQL condition: a server restored from a backup has an older version than it had confirmed.
    /// Rows that Fichero itself writes are left out, as no person decides about them.
    private func isOlder(_ rows: PullStaging.Rows) -> String {
        !rows.restored.isEmpty && rows.entity.isDecidedByPeople
            ? " OR (t.remote_updated_at > s.version AND \(rows.differs))" : ""
    }

    private enum Settlement {
        /// The replica's row does not change.
        case kept
        case conflict
        /// Replica and server have the same row. Fields that the server adds are applied as usual.
        case confirmed
    }

    /// Decides about a row that was changed both locally and on the server.
    private func settle(_ id: String, _ version: String?, _ values: [MemoryRows.Value?], _ importer: EntityImporter)
        throws -> Settlement
    {
        guard let existing = try importer.existing(id) else { return .kept }
        let name = importer.entity.name
        // The same change was made locally and on the server, or the server's reply was lost.
        if existing.syncState != .conflict, isEqual(values, existing.values, importer) {
            try confirm(id, name)
            return .confirmed
        }
        // The server's row still has the values that the local change started from. Or it equals
        // the local row, except that Fichero's mark was not sent yet.
        let isKnown = try RowBases.row(name, id, db).map { isUnchanged(values, since: $0, importer) } ?? false
        // If a conflict is open, it must be updated to show the server's present row.
        if try (isKnown || importer.isSame(values, as: existing.values)) && !conflicts.isOpenWithRemote(name, id) {
            try note(version, id, name)
            return .kept
        }
        let kept = try conflicts.keepRemote(
            importer, id: id, local: existing.values, remote: importer.json(values, version: version))
        try note(version, id, name)
        guard kept.isOpen else { return .kept }
        if kept.id != nil {
            let place = Place(table: name, id: id, key: try EntityRows.name(of: id, importer.entity, pack: pack, db))
            try findings.add(
                Finding(
                    existing.syncState == .synced && !existing.isOwnMark ? "SYNC-LOST" : "SYNC-CONFLICT", place: place))
        }
        return .conflict
    }

    /// Whether the arrived values equal the local row's. A field that did not arrive and the time
    /// of the last change do not count.
    private func isEqual(_ values: [MemoryRows.Value?], _ existing: [MemoryRows.Value], _ importer: EntityImporter)
        -> Bool
    {
        zip(importer.entity.fields, zip(values, existing)).allSatisfy { field, pair in
            pair.0 == nil || pair.0 == pair.1 || field.name == "updated_at"
        }
    }

    private func isUnchanged(_ values: [MemoryRows.Value?], since base: JSONValue, _ importer: EntityImporter) -> Bool {
        for (field, value) in zip(importer.entity.fields, values) {
            guard let value, field.name != "updated_at", field.name != "id" else { continue }
            guard RowConflict.isSame(value.shown, base[field.name]?.stated) else { return false }
        }
        return true
    }

    /// Stores the server's version of a row, and leaves the row's values alone.
    private func note(_ version: String?, _ id: String, _ entity: String) throws {
        try db.execute(
            sql: "UPDATE main.\(SQLText.name(entity)) SET remote_updated_at = ? WHERE id = ?", arguments: [version, id])
    }

    /// Marks a row as synced, since the server has the same values, and clears its queue items.
    private func confirm(_ id: String, _ entity: String) throws {
        try db.execute(
            sql: "UPDATE main.\(SQLText.name(entity)) SET sync_state = 'synced', own_mark = 0 WHERE id = ?",
            arguments: [id])
        try db.execute(
            sql: "DELETE FROM main.sync_queue WHERE entity_type = ? AND entity_id = ?", arguments: [entity, id])
        try RowBases.forget(RowKey(entity: entity, id: id), db)
    }

    // MARK: Rows that went

    /// The rows of an entity that were deleted on the server or moved to another project.
    private func gone(_ entity: Entity, _ staging: PullStaging, _ visible: [String]?) throws -> PulledRemovals.Gone {
        var ids: [String] = [], lost: Set<String> = []
        for (rows, scopes) in staging.removed where rows.first?.entity == entity.name {
            ids += try removed(rows.filter { !$0.isMove }, of: entity, in: scopes, withOrphans: true)
            // Orphans are not included: another user of this replica may see the new project, and
            // get the row from there.
            ids += try removed(rows.filter(\.isMove), of: entity, in: scopes, withOrphans: false)
        }
        guard let rows = staging.staged[entity.name] else { return .init(entity: entity, ids: ids) }
        let told = Set(ids)
        let elsewhere = RowProject(of: entity, in: pack).isElsewhere("t")
        // The server sends only profiles that the actor may see; an absent one may still exist.
        for scope in rows.whole where scope != nil || entity.name != "profiles" {
            let projects = try Quarantine.json(scope.map { [$0] } ?? visible ?? [])
            let project = RowProject(of: entity, in: pack).expression("t")
            // If the server does not report removals, a part whose record is gone is removed. A row
            // with its own project field is not: its project may be empty.
            let isPart = entity.projectPath.map { $0.parts.count > 1 } ?? false
            let orphan = isPart && !request.isExact ? " OR \(project) IS NULL" : ""
            let within =
                entity.projectPath == nil ? "true" : "(\(project) IN (SELECT value FROM json_each(?1))\(orphan))"
            let missing = try String.fetchAll(
                db,
                sql: """
                    SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE t.remote_updated_at IS NOT NULL \
                    AND \(within)
                    AND t.id NOT IN (SELECT f_id FROM \(rows.table)) AND NOT (\(elsewhere)) AND ?1 IS NOT NULL
                    """, arguments: [projects])
            let spared = staging.spared[entity.name] ?? []
            let missed = missing.filter { !spared.contains($0) }
            ids += missed
            if rows.restored.contains(scope) { lost.formUnion(missed.filter { !told.contains($0) }) }
        }
        return .init(entity: entity, ids: ids, lost: lost)
    }

    /// Ids of the removed rows that the replica still has, in the scopes that the removals cover.
    ///
    /// - Parameter withOrphans: also rows whose project cannot be found any more, because their
    ///   record was removed from the replica first.
    private func removed(_ rows: [RemovedRow], of entity: Entity, in scopes: Set<String?>, withOrphans: Bool) throws
        -> [String]
    {
        guard !rows.isEmpty else { return [] }
        if entity.projectPath == nil || (withOrphans && scopes.contains(nil)) { return rows.map(\.id) }
        let project = RowProject(of: entity, in: pack).expression("t")
        return try String.fetchAll(
            db,
            sql: """
                SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id IN (SELECT value FROM json_each(?1))
                AND (\(project) IN (SELECT value FROM json_each(?2))\(withOrphans ? " OR \(project) IS NULL" : ""))
                """,
            arguments: [try Quarantine.json(rows.map(\.id)), try Quarantine.json(scopes.compactMap(\.self).sorted())])
    }

    /// Lists the records whose project changes: the person may have missed changes of their parts.
    /// The server sends the parts with a moved record, and with a project that is fetched whole.
    private func noteMoved(_ rows: PullStaging.Rows) throws {
        let entity = rows.entity.name
        if let path = rows.entity.projectPath?.parts, path.count == 1, let field = rows.entity.field(path[0]),
            rows.names.contains(SQLText.name(field.name))
        {
            let (here, there) = ("t." + SQLText.name(field.name), "s." + StagedEntity.column(field))
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO pull_moved SELECT ?1, t.id FROM \(rows.table) AS s \
                    JOIN main.\(SQLText.name(entity)) AS t ON t.id = s.f_id
                    WHERE \(here) IS NOT \(there) AND (t.\(Self.confirmed) OR \(there) IN (SELECT value \
                    FROM json_each(?2)))
                    """, arguments: [entity, try Quarantine.json(rows.whole.compactMap(\.self))])
        }
        for part in pack.parts(deletedWith: rows.entity) {
            try db.execute(
                sql:
                    """
                    INSERT OR IGNORE INTO pull_moved SELECT ?1, p.id FROM main.\(SQLText.name(part.entity.name)) AS p \
                    WHERE p.\(SQLText.name(part.field.name)) IN (SELECT id FROM pull_moved WHERE entity = ?2)
                    """,
                arguments: [part.entity.name, entity])
        }
    }

    /// Parts that did not arrive with their moved record. The server sends all parts of such a
    /// record, so the missing ones no longer exist.
    private func leftBehind(_ entity: Entity, _ staging: PullStaging) throws -> [String] {
        guard request.isExact,
            !pack.entities.filter({ owner in pack.parts(deletedWith: owner).contains { $0.entity.name == entity.name } }
            ).isEmpty
        else { return [] }
        let arrived = staging.staged[entity.name].map { "SELECT f_id FROM \($0.table)" } ?? "SELECT NULL WHERE false"
        return try String.fetchAll(
            db,
            sql:
                """
                SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE t.id IN (SELECT id FROM pull_moved \
                WHERE entity = ?) AND t.remote_updated_at IS NOT NULL AND t.id NOT IN (\(arrived))
                """,
            arguments: [entity.name])
    }

    // MARK: People

    /// Removes the actor's membership of projects that the actor no longer sees on the server. This
    /// hides their rows from the actor; the rows remain in the replica, with all their changes.
    private func withdraw(except visible: [String]) throws -> [String] {
        let list = try Quarantine.json(visible)
        let lost = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT project_id FROM main.project_members
                WHERE profile_id = ?1 AND remote_updated_at IS NOT NULL AND project_id NOT IN (SELECT value \
                FROM json_each(?2)) ORDER BY 1
                """, arguments: [request.actor.id, list])
        for project in lost {
            try db.execute(
                sql:
                    """
                    DELETE FROM main.project_members WHERE profile_id = ? AND project_id = ? \
                    AND remote_updated_at IS NOT NULL
                    """,
                arguments: [request.actor.id, project])
            try cursors.forget(scope: project, db)
        }
        return lost
    }

    /// Records that the server confirmed the actor's profile in this pull.
    private func noteOwnProfile() throws {
        try db.execute(sql: "UPDATE main.profiles SET cached_at = ? WHERE id = ?", arguments: [time, request.actor.id])
    }
}
