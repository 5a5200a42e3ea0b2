import GRDB
import JSONReading
import Model

/// Checks of fields that record who did an act, such as signing a record. Only roles that may move
/// records to the act's state may set them.
extension Judge {
    func judgeActs(_ entity: Entity, _ rows: EntityRows) throws {
        // A sync partner's data counts as fact. An administrator's file may contain records signed
        // long ago in another system.
        let isAdministrator = role.permissions.contains(.administer)
        guard request.exchange == nil, request.origin == .person || !isAdministrator else { return }
        let contested = try contestedRow(entity)
        for (field, doers) in entity.acts where !doers.contains(role.name) {
            let (staged, here) = ("s." + StagedEntity.column(field), "t." + SQLText.name(field.name))
            // Files that do not update existing rows change nothing.
            let isChangedHere = request.policy == .skip ? "false" : "t.id IS NOT NULL AND \(isChanged(field, entity))"
            var isSet = "(t.id IS NULL AND \(staged) IS NOT NULL) OR (\(isChangedHere))"
            if let contested {
                // The upload replaces the remote's value, so only a difference from it is an act.
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

/// Checks of the client's sequential numbers for records, which an export assigns once.
extension Judge {
    /// Refuses numbers that a person sets; a file does not change a number that a row has. A
    /// decision about a conflict may use the remote's number.
    func judgeNumbers(_ entity: Entity, _ rows: EntityRows) throws {
        guard request.exchange == nil, request.origin == .person || request.policy.updates else { return }
        let contested = try contestedRow(entity)
        for numbering in pack.numberings where numbering.entity == entity.name {
            guard let field = numbering.field.flatMap({ entity.field($0) }) else { continue }
            let (staged, here) = ("s." + StagedEntity.column(field), "t." + SQLText.name(field.name))
            // A file from before the first export has no numbers, and takes none away.
            let isGiven =
                request.origin == .person
                ? "true" : "\(here) IS NOT NULL AND \(staged) IS NOT NULL AND \(changeable)"
            var isSet = "\(isChanged(field, entity)) AND \(isGiven)"
            if let contested {
                let there = contested.remote[field.name]?.stated.map(SQLText.literal) ?? "NULL"
                isSet += " AND NOT (s.f_id = \(SQLText.literal(contested.id)) AND CAST(\(staged) AS TEXT) IS \(there))"
            }
            try refuse(
                "CHANGE-NUMBER", field: field.name, ["field": SQLText.literal(field.name)],
                "\(joined(rows)) WHERE \(isSet)")
        }
    }
}

extension UndoJudge {
    /// Checks that only a role that may do an act can undo it.
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
