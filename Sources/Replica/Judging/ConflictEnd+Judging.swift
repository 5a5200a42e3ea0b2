import GRDB
import JSONReading
import Model

/// Checks who may end a conflict.
extension ConflictEnd {
    /// An editor may accept the remote's row if all waiting changes of the row are the editor's,
    /// since nobody else loses work. Everything else needs the permission to resolve.
    func ensureAllowed() throws {
        let actor = application.request.actor
        guard !actor.role.permissions.contains(.resolve) else { return }
        guard decision.side == .remote, remote != nil, try isOwnChange(of: actor), try arePartsOwn(of: actor) else {
            throw ActorFailure.notAllowed(role: actor.role.name, permission: .resolve)
        }
    }

    /// Whether a change turns a row into the remote's version. Then the change is not the actor's
    /// work, so the row's local and remote states do not matter.
    ///
    /// - Parameter merged: the row's values after the change; nil: the change removes it.
    func acceptsRemoteRow(_ importer: EntityImporter, _ id: String, to merged: [MemoryRows.Value]?) throws -> Bool {
        guard decision.side == .remote, try isOf(importer.entity.name, id), let theirs else { return false }
        guard let merged else { return isDeletedThere }
        guard !isDeletedThere, let existing = try importer.existing(id) else { return false }
        return importer.differences(merged, from: existing.values).allSatisfy { difference in
            difference.field == "updated_at"
                || theirs[difference.field].map { RowConflict.isSame($0.stated, difference.after) } ?? false
        }
    }

    /// The states of a row and of its owners. For the row in conflict, the remote's state is used,
    /// since the decision changes the remote's row.
    func states(_ importer: EntityImporter, of id: String) throws -> [Judge.RowState] {
        guard entity == importer.entity.name, rowID == id, let field = importer.entity.states?.field else {
            return try importer.states(of: id)
        }
        return try importer.states(of: id, own: theirs?[field]?.stated)
    }

    /// Whether the actor also made all waiting changes of the record's parts. If the remote deleted
    /// the record, its parts are removed too, including what other people changed or added.
    private func arePartsOwn(of actor: Model.Actor) throws -> Bool {
        guard isDeletedThere else { return true }
        return try parts().allSatisfy { part in
            let waits =
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM main.sync_queue WHERE entity_type = ?1 AND entity_id = ?2)
                          OR EXISTS (SELECT 1 FROM main.\(SQLText.name(part.entity)) WHERE id = ?2 \
                        AND remote_updated_at IS NULL)
                        """, arguments: [part.entity, part.id]) ?? false
            return try !waits || isOwnChange(part.entity, part.id, of: actor)
        }
    }

    private func isOwnChange(of actor: Model.Actor) throws -> Bool { try isOwnChange(entity, rowID, of: actor) }

    /// Whether the actor made every waiting change of a row. A queue item and its log entry have
    /// the same write number, by which the author is found.
    private func isOwnChange(_ entity: String, _ rowID: String, of actor: Model.Actor) throws -> Bool {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), sum(EXISTS (
                  SELECT 1 FROM main.activity_logs AS l WHERE l.content_stamp = q.content_stamp \
                AND l.entity_type = q.entity_type AND l.entity_id = q.entity_id AND l.actor_id = ?3))
                FROM main.sync_queue AS q WHERE q.entity_type = ?1 AND q.entity_id = ?2
                """, arguments: [entity, rowID, actor.id])
        return row.map { $0[0] > 0 && ($0[0] as Int) == ($0[1] as Int?) } ?? false
    }
}
