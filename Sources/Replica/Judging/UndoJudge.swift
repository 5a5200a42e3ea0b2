import GRDB
import JSONReading
import Model

/// Checks that the actor may undo a change: the permission to make it must still exist.
struct UndoJudge {
    let db: Database
    let pack: Pack
    let actor: Model.Actor
    let target: UndoTarget

    private var role: Role { actor.role }

    /// - Parameter isOwn: SQL condition on a row `t`: the change to undo created the row.
    func ensureLeave(isOwn: String) throws {
        let ofSet =
            """
            SELECT entity FROM import_changes WHERE import_id = ?1 UNION SELECT entity FROM import_removals \
            WHERE import_id = ?1
            """
        var touched = Set(try String.fetchAll(db, sql: ofSet, arguments: [target.id]))
        if target.isCommand {
            for entity in pack.entities
            where try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM main.\(SQLText.name(entity.name)) AS t WHERE \(isOwn))") == true
            {
                touched.insert(entity.name)
            }
        }
        // Rows of the pack's event log follow from the change, and are removed with it.
        if target.isCommand, let log = pack.events?.entity { touched.remove(log) }
        if touched.contains(AcceptanceChange.table) { try actor.ensure(may: .resolve) }
        for entity in pack.entities where touched.contains(entity.name) { try ensureLeave(for: entity) }
    }

    /// Rows of a table whose records lock them in their present state, which blocks the undo: to
    /// undo a change of a part is to change its record.
    ///
    /// - Parameter rows: SQL condition on a row `t`.
    func barred(_ entity: Entity, where rows: String) throws -> [OwnerStates.Barred] {
        try OwnerStates(entity, pack: pack, role: isAdministratorsFile ? nil : role).barred(
            db, where: rows, stamp: target.stamp, set: target.id)
    }

    /// An administrator's file may contain records approved long ago in another system.
    var isAdministratorsFile: Bool { !target.isCommand && role.permissions.contains(.administer) }

    private func ensureLeave(for entity: Entity) throws {
        if entity.writer == .administrators { return try actor.ensure(may: .administer) }
        try ensureMoves(of: entity)
        try ensureActs(of: entity)
        guard target.isCommand, entity.owner == nil, try changesMoreThanStates(entity) else { return }
        guard role.isEditor(of: entity), !role.permissions.isDisjoint(with: [.edit, .resolve]) else {
            throw ActorFailure.notAllowed(role: role.name, permission: .edit)
        }
    }

    /// Checks that the actor's role may make every transition of the change.
    private func ensureMoves(of entity: Entity) throws {
        guard let states = entity.states, !states.transitions.isEmpty else { return }
        let path = "'$.\"\(states.field)\"'"
        let moves = try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT c.before ->> \(path), t.\(SQLText.name(states.field)) FROM import_changes AS c
                JOIN main.\(SQLText.name(entity.name)) AS t ON t.id = c.row_id
                WHERE c.import_id = ? AND c.entity = ? AND c.kind = 'update' \
                AND json_type(c.before, \(path)) IS NOT NULL
                """, arguments: [target.id, entity.name])
        for move in moves {
            let (from, to): (String, String) = (move[0] ?? "", move[1] ?? "")
            // A record without a state got the initial one. The file may be older than the mark
            // with which Fichero set the exported state.
            if from == to || from.isEmpty || (from == states.exported?.to && to == states.exported?.from) { continue }
            guard states.transitions.contains(where: { $0.from == from && $0.to == to && $0.roles.contains(role.name) })
            else {
                throw ActorFailure.notAllowed(role: role.name, permission: .edit)
            }
        }
    }

    /// Records that the undo moves back to an earlier state, by table. The list is empty if nothing
    /// changed since: then the undo restores the records exactly, including any errors.
    func moved(_ entities: [Entity]) throws -> [(entity: Entity, ids: Set<String>)] {
        let isLast = try Bool.fetchOne(
            db, sql: "SELECT NOT EXISTS (SELECT 1 FROM import_details WHERE stamp > ? AND undone_at IS NULL)",
            arguments: [target.stamp])
        // Changes from a server or another program are not change sets.
        let isUntouched = try isLast == true && !entities.contains { entity in
            let newer = "SELECT EXISTS (SELECT 1 FROM main.\(SQLText.name(entity.name)) WHERE content_stamp > ?)"
            return try Bool.fetchOne(db, sql: newer, arguments: [target.stamp]) == true
        }
        guard !isUntouched else { return [] }
        return try entities.compactMap { entity in
            guard let states = entity.states, !states.approves.isEmpty else { return nil }
            let ids = try String.fetchAll(
                db,
                sql:
                    """
                    SELECT row_id FROM import_changes WHERE import_id = ? AND entity = ? AND kind = 'update' \
                    AND json_type(before, ?) IS NOT NULL
                    """,
                arguments: [target.id, entity.name, "$.\"\(states.field)\""])
            return (entity, Set(ids))
        }
    }

    private func changesMoreThanStates(_ entity: Entity) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM import_removals WHERE import_id = ?1 AND entity = ?2)
                  OR NOT EXISTS (SELECT 1 FROM import_changes WHERE import_id = ?1 AND entity = ?2)
                  OR EXISTS (
                    SELECT 1 FROM import_changes AS c, json_each(c.before) AS j
                    WHERE c.import_id = ?1 AND c.entity = ?2 AND j.key NOT IN (?3, 'updated_at'))
                """, arguments: [target.id, entity.name, entity.states?.field ?? ""]) == true
    }
}

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
        guard request.exchange == nil, request.origin == .person || request.policy == .update else { return }
        let contested = try contestedRow(entity)
        for numbering in pack.numberings where numbering.entity == entity.name {
            guard let field = numbering.field.flatMap({ entity.field($0) }) else { continue }
            let (staged, here) = ("s." + StagedEntity.column(field), "t." + SQLText.name(field.name))
            if request.origin == .file { try keepNumbers(here, staged: StagedEntity.column(field), rows) }
            let isGiven = request.origin == .person ? "true" : "\(here) IS NOT NULL AND \(changeable)"
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

    /// Keeps the numbers of existing rows if a file from before the first export has none.
    private func keepNumbers(_ here: String, staged: String, _ rows: EntityRows) throws {
        try db.execute(
            sql: """
                UPDATE \(rows.staged) SET \(staged) = (SELECT \(here) FROM \(rows.table) AS t WHERE t.id = f_id)
                WHERE \(staged) IS NULL AND f_id IN (SELECT t.id FROM \(rows.table) AS t WHERE \(here) IS NOT NULL)
                """)
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
