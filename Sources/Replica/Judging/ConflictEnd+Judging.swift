import GRDB
import JSONReading
import Model

/// Checks who may end a conflict.
extension ConflictEnd {
    /// Whoever may edit may give way where all that waits of the row is their own: that takes
    /// nothing from anybody. All else needs the permission to resolve.
    func ensureAllowed() throws {
        let actor = application.request.actor
        guard !actor.role.permissions.contains(.resolve) else { return }
        guard decision.side == .remote, remote != nil, try isOwnChange(of: actor), try arePartsOwn(of: actor) else { throw ActorFailure.notAllowed(role: actor.role.name, permission: .resolve) }
    }

    /// Whether a row becomes what the remote has already: that is no work of the actor's, whatever
    /// state the row has on either side.
    ///
    /// - Parameter merged: the row's values as they are to be; nil: it is to be removed.
    func isGivingWay(_ importer: EntityImporter, _ id: String, to merged: [MemoryRows.Value]?) throws -> Bool {
        guard decision.side == .remote, try isOf(importer.entity.name, id), let theirs else { return false }
        guard let merged else { return isDeletedThere }
        guard !isDeletedThere, let existing = try importer.existing(id) else { return false }
        return importer.differences(merged, from: existing.values).allSatisfy { difference in
            difference.field == "updated_at" || theirs[difference.field].map { RowConflict.isSame($0.stated, difference.after) } ?? false
        }
    }

    /// The states of a row and of its owners, its own as the remote has it: that is the row which
    /// the actor changes by keeping something else.
    func states(_ importer: EntityImporter, of id: String) throws -> [Judge.RowState] {
        guard entity == importer.entity.name, rowID == id, let field = importer.entity.states?.field else { return try importer.states(of: id) }
        return try importer.states(of: id, own: theirs?[field]?.stated)
    }

    /// Of a record that was deleted there, the parts go with it, and so does what others changed in
    /// them or added to it.
    private func arePartsOwn(of actor: Model.Actor) throws -> Bool {
        guard isDeletedThere else { return true }
        return try parts().allSatisfy { part in
            let waits = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM main.sync_queue WHERE entity_type = ?1 AND entity_id = ?2)
                      OR EXISTS (SELECT 1 FROM main.\(SQLText.name(part.entity)) WHERE id = ?2 AND remote_updated_at IS NULL)
                    """, arguments: [part.entity, part.id]) ?? false
            return try !waits || isOwnChange(part.entity, part.id, of: actor)
        }
    }

    private func isOwnChange(of actor: Model.Actor) throws -> Bool { try isOwnChange(entity, rowID, of: actor) }

    /// Whether the actor made every change of a row that waits: an item of the queue and its log
    /// entry bear the number of the same write.
    private func isOwnChange(_ entity: String, _ rowID: String, of actor: Model.Actor) throws -> Bool {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), sum(EXISTS (
                  SELECT 1 FROM main.activity_logs AS l WHERE l.content_stamp = q.content_stamp AND l.entity_type = q.entity_type AND l.entity_id = q.entity_id AND l.actor_id = ?3))
                FROM main.sync_queue AS q WHERE q.entity_type = ?1 AND q.entity_id = ?2
                """, arguments: [entity, rowID, actor.id])
        return row.map { $0[0] > 0 && ($0[0] as Int) == ($0[1] as Int?) } ?? false
    }
}
