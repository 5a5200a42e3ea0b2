import GRDB
import JSONReading
import Model

/// Checks of states and their transitions.
extension Judge {
    /// Refuses transitions that the pack does not define or does not allow the actor's role. A new
    /// record must have a state that the actor's role can reach. Only an administrator can import
    /// records with other states, which were reached long ago in another system.
    func judgeStates(_ entity: Entity, _ rows: EntityRows) throws {
        guard let states = entity.states, !states.transitions.isEmpty, let field = entity.field(states.field) else {
            return
        }
        if request.policy.updates { try judgeMoves(entity, rows, states, field) }
        let to = "s." + StagedEntity.column(field)
        let isNew = "NOT EXISTS (SELECT 1 FROM \(rows.table) AS t WHERE t.id = s.f_id)"
        if request.origin == .person {
            try refuse(
                "CHANGE-REQUIRED", field: field.name, ["field": SQLText.literal(field.name)],
                "\(rows.staged) AS s WHERE \(to) IS NULL AND \(isNew)")
        }
        // An administrator's file may hold what another system decided long ago; a command decides now.
        if request.origin == .person || !role.permissions.contains(.administer) {
            try judgeNewConditions(entity, rows, states, to: to)
        }
        guard !role.permissions.contains(.administer) else { return }
        let known = field.vocabulary.flatMap { pack.vocabulary($0) }?.values ?? []
        let reachable = Set([states.initial] + states.transitions.filter { $0.roles.contains(role.name) }.map(\.to))
        let refused = known.filter { !reachable.contains($0) }.map(SQLText.literal).joined(separator: ", ")
        guard !refused.isEmpty else { return }
        try refuse(
            "CHANGE-NEW-STATE", field: field.name, ["to": to, "role": SQLText.literal(role.name)],
            "\(rows.staged) AS s WHERE \(to) IN (\(refused)) AND \(isNew)")
    }

    private func judgeMoves(_ entity: Entity, _ rows: EntityRows, _ states: StateMachine, _ field: Field) throws {
        var moves = moves(states).map { ($0.from, $0.to) }
        // The file may be older than the mark with which Fichero set the exported state.
        if request.origin == .file, let exported = states.exported { moves.append((exported.to, exported.from)) }
        // A record without a state may get the initial one.
        let pairs = (moves + [("", states.initial)]).map { "(\(SQLText.literal($0)), \(SQLText.literal($1)))" }
            .joined(separator: ", ")
        let to = "s." + StagedEntity.column(field), from = "t." + SQLText.name(field.name)
        var (before, after, isMoved) = (from, to, isChanged(field, entity))
        var named = { (field: Field) in "t." + SQLText.name(field.name) }
        if let contested = try contestedRow(entity) {
            // The upload changes the remote's row, so its present state is the start.
            let isContested = "s.f_id = \(SQLText.literal(contested.id))"
            let there = contested.remote[states.field]?.stated.map(SQLText.literal) ?? "NULL"
            before = "CASE WHEN \(isContested) THEN \(there) ELSE \(from) END"
            after = "CASE WHEN \(isContested) AND NOT \(isStated(field, entity)) THEN \(from) ELSE \(to) END"
            isMoved = "CASE WHEN \(isContested) THEN \(before) IS NOT \(after) ELSE \(isMoved) END"
            named = { field in
                let person = contested.remote[field.name]?.stated.map(SQLText.literal) ?? "NULL"
                return "CASE WHEN \(isContested) THEN \(person) ELSE t.\(SQLText.name(field.name)) END"
            }
        }
        try refuse(
            "CHANGE-TRANSITION", field: field.name,
            [
                "from": "coalesce(\(before), '—')", "to": "coalesce(\(after), '—')",
                "role": SQLText.literal(role.name),
                "may": mayMove(states, "coalesce(\(before), '')", "coalesce(\(after), '')"),
            ],
            """
            \(joined(rows, "JOIN"))
            WHERE \(isMoved) AND NOT (coalesce(\(before), ''), coalesce(\(after), '')) IN (VALUES \(pairs)) \
            AND \(changeable)
            """)
        try judgeConditions(
            states,
            MovedRows(
                entity: entity, from: before, to: after, named: named,
                sql: "\(joined(rows, "JOIN")) WHERE \(isMoved) AND \(changeable)"))
    }

    /// The row whose conflict with the remote the change resolves, with the remote's version.
    func contestedRow(_ entity: Entity) throws -> (id: String, remote: JSONValue)? {
        guard let decision = request.decision else { return nil }
        let row = try Row.fetchOne(
            db, sql: "SELECT entity_id, remote_payload FROM main.conflicts WHERE id = ? AND entity_type = ?",
            arguments: [decision.conflictID, entity.name])
        guard let row, try RemoteVersion(db).isOfRemote(decision.conflictID, RowKey(entity: entity.name, id: row[0]))
        else { return nil }
        guard let remote = try? JSONValue.stored(row[1] as String? ?? ""), remote["deleted"] == nil else { return nil }
        return (row[0], remote)
    }

    /// The transitions that the actor's role may make.
    func moves(_ states: StateMachine) -> [StateMachine.Transition] {
        states.transitions.filter { $0.roles.contains(role.name) }
    }

    /// SQL for the roles that may make a transition, as a message lists them; empty if no role may.
    private func mayMove(_ states: StateMachine, _ from: String, _ to: String) -> String {
        let cases = states.transitions.map { move in
            """
            WHEN \(from) = \(SQLText.literal(move.from)) AND \(to) = \(SQLText.literal(move.to)) \
            THEN \(SQLText.literal(move.roles.joined(separator: ", ")))
            """
        }
        return "CASE \(cases.joined(separator: " ")) ELSE '' END"
    }

    /// Whether the actor's role alone, of any record, allows a transition. A pack without
    /// transitions allows every transition.
    func mayMove(_ states: StateMachine, from: String, to: String) -> Bool {
        states.transitions.isEmpty || moves(states).contains {
            $0.from == from && $0.to == to && !$0.isConditional
        }
    }

    /// The state that closes a row: the row's state, or that of one of its owners.
    func closed(_ states: [RowState]) -> String? { states.first { $0.machine.closed.contains($0.state) }?.state }

    /// The state in which nobody changes a row: the row's state, or that of one of its owners.
    func frozen(_ states: [RowState]) -> Refusal? {
        states.first { $0.machine.frozen.contains($0.state) }.map { ("CHANGE-FROZEN", ["state": $0.state]) }
    }

    /// Whether the actor may add a photo or part to an existing row. The row must be in one of the
    /// actor's projects, and must not be closed unless a reason is given.
    func mayTouch(_ id: String, _ entity: Entity, _ states: [RowState]) throws -> Bool {
        try covers(id, entity) && frozen(states) == nil && (request.reason != nil || closed(states) == nil)
    }

    /// Reason why the actor may not change a row or part in these states; nil: allowed.
    ///
    /// - Parameter states: the states of the row and of its owners, nearest first.
    func judgeCorrection(_ states: [RowState]) -> Refusal? {
        if let frozen = frozen(states) { return frozen }
        if let closed = closed(states), request.reason == nil { return ("CHANGE-CLOSED", ["state": closed]) }
        guard let (machine, state) = states.first, !role.mayCorrect(in: state, of: machine) else { return nil }
        return mayNotCorrect(machine, state)
    }

    private func mayNotCorrect(_ machine: StateMachine, _ state: String) -> Refusal {
        let may = pack.roles.filter { $0.mayCorrect(in: state, of: machine) }.map(\.name)
        return ("CHANGE-EDIT", ["role": role.name, "state": state, "may": may.joined(separator: ", ")])
    }

    /// The role whose allowed states limit a file's rows; nil: only closed records are locked. It
    /// is nil for a sync partner, whose data counts as fact. It is nil for an administrator, whose
    /// file may contain records approved long ago in another system.
    private var roleOfFile: Role? {
        request.exchange == nil && !role.permissions.contains(.administer) ? role : nil
    }

    /// Reason why a file may neither change a row in these states nor cause a conflict: the file's
    /// actor could not correct the row directly either.
    func judgeFile(_ states: [RowState]) -> Refusal? {
        if request.exchange == nil, let frozen = frozen(states) { return frozen }
        guard let role = roleOfFile, let (machine, state) = states.first, !role.mayCorrect(in: state, of: machine)
        else {
            return nil
        }
        return mayNotCorrect(machine, state)
    }

    /// New rows of a file that are parts of already existing records which lock their parts.
    func barredParts(of entity: Entity, after before: Int64, stamp: Int64) throws -> [OwnerStates.Barred] {
        try OwnerStates(entity, pack: pack, role: roleOfFile).barred(db, after: before, stamp: stamp)
    }

    /// Reason for refusing a part of a locked record.
    func refusal(of part: OwnerStates.Barred) -> Refusal {
        if part.machine.frozen.contains(part.state) { return ("CHANGE-FROZEN", ["state": part.state]) }
        return part.isOnlyClosed
            ? ("IMPORT-CLOSED-PART", ["state": part.state]) : mayNotCorrect(part.machine, part.state)
    }
}
