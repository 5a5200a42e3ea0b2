import GRDB
import JSONReading
import Model

/// Resolves a conflict as a person decided, within the change that sets the chosen values.
struct ConflictEnd {
    let decision: ConflictDecision
    let entity: String
    let rowID: String
    /// The remote's row in the conflict as JSON; nil if the conflict is with a file.
    let remote: String?
    let application: ImportApplication
    var db: Database { application.db }

    /// Nil if the change resolves no conflict. Throws `ConflictFailure` if somebody else resolved
    /// the conflict meanwhile.
    init?(_ application: ImportApplication) throws {
        guard let decision = application.request.decision else { return nil }
        try self.init(application, decision)
        try ensureAllowed()
    }

    private init(_ application: ImportApplication, _ decision: ConflictDecision) throws {
        let row = try Row.fetchOne(
            application.db,
            sql:
                """
                SELECT entity_type, entity_id, remote_payload FROM main.conflicts WHERE id = ? \
                AND resolution_status = 'open'
                """,
            arguments: [decision.conflictID])
        guard let row else { throw ConflictFailure.notOpen(decision.conflictID) }
        (self.application, self.decision, entity, rowID) = (application, decision, row[0], row[1])
        let key = RowKey(entity: row[0], id: row[1])
        remote = try RemoteVersion(application.db).isOfRemote(decision.conflictID, key) ? row[2] : nil
    }

    /// Whether the decision applies to a row: the row of the conflict itself or, if the remote
    /// deleted a record, a part that was deleted with the record.
    func isOf(_ entity: String, _ id: String) throws -> Bool {
        if self.entity == entity && rowID == id { return true }
        return try isDeletedThere && conflict(ofPart: entity, id) != nil
    }

    /// Closes the conflict and queues its row with the chosen values. The row's sync state becomes
    /// `pending_upload`, or stays `conflict` while other conflicts of the row are open. A record
    /// that the remote has confirmed stays in its deliveries.
    ///
    /// After a conflict with the remote's row, the next push is based on that row's version, and
    /// the row's earlier queue items are deleted. A row that the remote has deleted is sent as new,
    /// and so are its parts.
    func record(time: String) throws {
        let parts = isDeletedThere ? try parts() : []
        try recordRow(time: time)
        for (entity, id) in parts {
            guard let conflict = try conflict(ofPart: entity, id) else { continue }
            try ConflictEnd(application, ConflictDecision(conflictID: conflict, side: decision.side)).recordRow(
                time: time)
        }
    }

    private func recordRow(time: String) throws {
        guard let importer = try application.importer(of: entity),
            let conflicts = try application.importer(of: "conflicts")
        else { return }
        try close(conflicts, time: time)
        guard let existing = try importer.existing(rowID) else { return try takeRemote() }
        // If a value changed, the row's change has already recorded the earlier state and queued
        // the row.
        let isChanged =
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM temp.import_updated WHERE entity = ? AND row_id = ?)",
                arguments: [entity, rowID]) ?? false
        try setState(isChanged: isChanged)
        try takeRemote()
        let project = try importer.reader.project(of: existing.values)
        if !isChanged {
            let item = try application.changes.enqueue(
                isDeletedThere ? .insert : .update, of: entity, id: rowID, project: project,
                payload: importer.reader.json(existing.values))
            try application.trail.note(
                .update, entity: entity, id: rowID, place: nil, row: nil, before: "{}", states: existing.states,
                item: item)
        }
        var details = ["conflict": decision.conflictID, "kept": decision.side.rawValue]
        details["reason"] = application.request.reason
        try application.changes.logEntry(
            "conflict_resolved", of: entity, id: rowID, project: project, details: RowJSON.object(details))
    }

    /// Closes the conflict, so that an undo of the change can open it again.
    private func close(_ conflicts: EntityImporter, time: String) throws {
        let id = decision.conflictID
        if let before = try conflicts.existing(id) {
            var open = RowJSON()
            open.add("resolution_status", .text("open"))
            open.add("resolved_by", .null)
            open.add("resolved_at", .null)
            try application.trail.note(
                .update, entity: "conflicts", id: id, place: nil, row: nil, before: open.text, states: before.states,
                item: nil)
        }
        try db.execute(
            sql:
                """
                UPDATE main.conflicts SET resolution_status = ?, resolved_by = ?, resolved_at = ?, content_stamp = ? \
                WHERE id = ?
                """,
            arguments: [decision.side.rawValue, application.request.actor.id, time, application.stamp, id])
    }

    /// Sets the row's sync state, by whether it has other open conflicts.
    private func setState(isChanged: Bool) throws {
        let others =
            try Int.fetchOne(
                db,
                sql:
                    """
                    SELECT count(*) FROM main.conflicts WHERE entity_type = ? AND entity_id = ? \
                    AND resolution_status = 'open'
                    """,
                arguments: [entity, rowID]) ?? 0
        try db.execute(
            sql:
                """
                UPDATE main.\(SQLText.name(entity)) SET sync_state = ?, content_stamp = ?, \
                own_mark = (remote_updated_at IS NOT NULL), local_version = local_version + \(isChanged ? 0 : 1) \
                WHERE id = ?
                """,
            arguments: [others > 0 ? "conflict" : "pending_upload", application.stamp, rowID])
    }

    /// The record's parts, each before its own parts. Parts that the decision has just removed are
    /// included.
    func parts() throws -> [(entity: String, id: String)] {
        guard let own = application.pack.entity(entity) else { return [] }
        let here = try RowRemoval.parts(of: own, rowID, application.pack, db).dropFirst().flatMap { part in
            part.ids.map { (part.entity.name, $0) }
        }
        let gone = try Row.fetchAll(
            db, sql: "SELECT entity, row_id FROM import_removals WHERE import_id = ? ORDER BY n DESC",
            arguments: [application.id])
        return here + gone.map { ($0[0], $0[1]) }
    }

    /// The open conflict of a part that the remote deleted.
    private func conflict(ofPart entity: String, _ id: String) throws -> String? {
        let open = try Row.fetchAll(
            db,
            sql:
                """
                SELECT id, remote_payload FROM main.conflicts WHERE entity_type = ? AND entity_id = ? \
                AND resolution_status = 'open'
                """,
            arguments: [entity, id])
        return try open.first { row in
            try RowConflict.isDeletion(row[1] ?? "")
                && RemoteVersion(db).isOfRemote(row[0], RowKey(entity: entity, id: id))
        }?[0]
    }

    /// The remote's row, parsed.
    var theirs: JSONValue? { remote.flatMap { try? JSONValue.stored($0) } }

    var isDeletedThere: Bool { theirs?["deleted"] == .bool(true) }

    /// Bases the decision on the remote's present row, even if the decision removes the row.
    private func takeRemote() throws {
        guard let remote else { return }
        let key = RowKey(entity: entity, id: rowID), versions = RemoteVersion(db)
        try versions.dropDecided(key, before: application.stamp)
        try versions.take(from: remote, key)
        if isDeletedThere { try RowBases.forget(key, db) } else { try application.bases.keep(remote, of: key) }
    }
}

/// A person's decision about a conflict; the chosen values are in the change itself.
package struct ConflictDecision: Sendable, Hashable {
    package enum Side: String, Sendable, Codable {
        case local, remote, merged
    }

    package var conflictID: String
    package var side: Side

    package init(conflictID: String, side: Side) { (self.conflictID, self.side) = (conflictID, side) }
}
