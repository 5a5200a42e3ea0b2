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
        guard target.isCommand, entity.owner == nil, try changesClosedFields(entity) else { return }
        guard role.isEditor(of: entity), !role.permissions.isDisjoint(with: [.edit, .resolve]) else {
            throw ActorFailure.notAllowed(role: role.name, permission: .edit)
        }
    }

    /// Checks that the actor's role may make every transition of the change.
    private func ensureMoves(of entity: Entity) throws {
        guard let states = entity.states, !states.transitions.isEmpty else { return }
        let path = "'$.\"\(states.field)\"'"
        // Whoever moves only the records that name him takes back no move of another's.
        let owners = Set(states.transitions.compactMap(\.own)).sorted()
        let named = owners.map { owner -> String in
            let (path, now) = ("'$.\"\(owner)\"'", "t." + SQLText.name(owner))
            return ", iif(json_type(c.before, \(path)) IS NULL, \(now), c.before ->> \(path)) AS \(SQLText.name(owner))"
        }
        let moves = try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT c.before ->> \(path), t.\(SQLText.name(states.field))\(named.joined(separator: "")) \
                FROM import_changes AS c
                JOIN main.\(SQLText.name(entity.name)) AS t ON t.id = c.row_id
                WHERE c.import_id = ? AND c.entity = ? AND c.kind = 'update' \
                AND json_type(c.before, \(path)) IS NOT NULL
                """, arguments: [target.id, entity.name])
        for move in moves {
            let (from, to): (String, String) = (move[0] ?? "", move[1] ?? "")
            // A record without a state got the initial one. The file may be older than the mark
            // with which Fichero set the exported state.
            if from == to || from.isEmpty || (from == states.exported?.to && to == states.exported?.from) { continue }
            let isAllowed = states.transitions.contains { made in
                guard made.from == from, made.to == to, made.roles.contains(role.name) else { return false }
                return made.own.map { move[$0] as String? == actor.id } ?? true
            }
            guard isAllowed else { throw ActorFailure.notAllowed(role: role.name, permission: .edit) }
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

    /// Whether the change concerns more than the fields that are open to the role.
    private func changesClosedFields(_ entity: Entity) throws -> Bool {
        let open = entity.fields(openTo: role.name).sorted().map(SQLText.literal).joined(separator: ", ")
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM import_removals WHERE import_id = ?1 AND entity = ?2)
                  OR NOT EXISTS (SELECT 1 FROM import_changes WHERE import_id = ?1 AND entity = ?2)
                  OR EXISTS (
                    SELECT 1 FROM import_changes AS c, json_each(c.before) AS j
                    WHERE c.import_id = ?1 AND c.entity = ?2 AND j.key NOT IN (\(open)))
                """, arguments: [target.id, entity.name]) == true
    }
}
