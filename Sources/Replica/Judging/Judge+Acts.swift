import GRDB
import JSONReading
import Model

/// Checks of fields that say who did an act, such as the signing of a record: whoever may lead
/// records to the state of the act sets them.
extension Judge {
    func judgeActs(_ entity: Entity, _ rows: EntityRows) throws {
        // The other side of an exchange says what is so, and what an administrator's file says may
        // have been signed elsewhere, long ago.
        let isAdministrator = role.permissions.contains(.administer)
        guard request.exchange == nil, request.origin == .person || !isAdministrator else { return }
        let contested = try contestedRow(entity)
        for (field, doers) in entity.acts where !doers.contains(role.name) {
            let (staged, here) = ("s." + StagedEntity.column(field), "t." + SQLText.name(field.name))
            // Files that leave existing rows alone change nothing.
            let isChangedHere = request.policy == .skip ? "false" : "t.id IS NOT NULL AND \(isChanged(field, entity))"
            var isSet = "(t.id IS NULL AND \(staged) IS NOT NULL) OR (\(isChangedHere))"
            if let contested {
                // What goes up replaces what the remote has; to take that is no act of the person's.
                let there = contested.remote[field.name]?.stated.map(SQLText.literal) ?? "NULL"
                let kept = "CASE WHEN \(isStated(field, entity)) THEN \(staged) ELSE \(here) END"
                let isContested = "s.f_id = \(SQLText.literal(contested.id))"
                isSet = "CASE WHEN \(isContested) THEN CAST(\(kept) AS TEXT) IS NOT \(there) ELSE \(isSet) END"
            }
            try refuse(
                "CHANGE-ACT", field: field.name,
                [
                    "field": SQLText.literal(field.name), "role": SQLText.literal(role.name),
                    "may": SQLText.literal(doers.joined(separator: ", ")),
                ],
                "\(joined(rows)) WHERE \(isSet)")
        }
    }
}

extension UndoJudge {
    /// Only roles that may do an act may take it back.
    func ensureActs(of entity: Entity) throws {
        guard !isAdministratorsFile else { return }
        for (field, doers) in entity.acts where !doers.contains(actor.role.name) {
            let isChanged = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM import_changes WHERE import_id = ? AND entity = ? AND kind = 'update'
                      AND json_type(before, ?) IS NOT NULL)
                    """, arguments: [target.id, entity.name, "$.\"\(field.name)\""])
            if isChanged == true { throw ActorFailure.notAllowed(role: actor.role.name, permission: .edit) }
        }
    }
}
