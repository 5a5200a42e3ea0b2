import Foundation
import GRDB
import Model

/// Checks of the conditions on transitions: the person whom the record names, and rules.
extension Judge {
    /// Staged rows `s` that move to another state, with the rows `t` that they change.
    struct MovedRows {
        var entity: Entity
        /// SQL for the states before and after.
        var from, to: String
        /// SQL for the person whom a field names. A record counts as it was before the change:
        /// whoever could name himself by the same change would not be bound.
        var named: (Field) -> String
        /// The text after FROM.
        var sql: String

        func with(_ condition: String) -> MovedRows {
            var rows = self
            rows.sql += " AND " + condition
            return rows
        }
    }

    /// Refuses moves of existing records that break a condition.
    func judgeConditions(_ states: StateMachine, _ rows: MovedRows) throws {
        for moves in conditionalMoves(states) {
            let isMove =
                "\(rows.from) = \(SQLText.literal(moves[0].from)) AND \(rows.to) = \(SQLText.literal(moves[0].to))"
            try refuseUnmet(moves, states, rows.with(isMove))
        }
    }

    /// Refuses new records in a state to which no transition leads whose conditions they meet.
    ///
    /// - Parameter to: SQL for the state of a staged row.
    func judgeNewConditions(_ entity: Entity, _ rows: EntityRows, _ states: StateMachine, to: String) throws {
        let new = MovedRows(
            entity: entity, from: "'—'", to: to, named: { "s." + StagedEntity.column($0) },
            sql: "\(joined(rows)) WHERE t.id IS NULL")
        // A new record comes from the state in which records begin, not from one that it never had.
        for moves in conditionalMoves(states)
        where moves[0].to != states.initial && (moves[0].from == states.initial || !isReached(moves[0].to, states)) {
            try refuseUnmet(moves, states, new.with("\(to) = \(SQLText.literal(moves[0].to))"))
        }
    }

    /// Whether a transition of the actor's role leads to a state from the one in which records begin.
    private func isReached(_ state: String, _ states: StateMachine) -> Bool {
        moves(states).contains { $0.from == states.initial && $0.to == state }
    }

    /// The transitions of the actor's role, grouped by their states. A group with a transition that
    /// has no condition is left out. So are all groups for a sync partner, whose data count as fact.
    private func conditionalMoves(_ states: StateMachine) -> [[StateMachine.Transition]] {
        guard request.exchange == nil, states.transitions.contains(where: \.isConditional) else { return [] }
        let groups = Dictionary(grouping: moves(states)) { [$0.from, $0.to] }
            .filter { $0.value.allSatisfy(\.isConditional) }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// - Parameter moves: transitions between the same states. A row has to fulfil one of them.
    private func refuseUnmet(_ moves: [StateMachine.Transition], _ states: StateMachine, _ rows: MovedRows) throws {
        let me = SQLText.literal(request.actor.id)
        let owners = moves.map { $0.own.flatMap { rows.entity.field($0) } }
        let isOwn = owners.map { owner -> String in owner.map { "\(rows.named($0)) IS \(me)" } ?? "true" }
        let fields = owners.compactMap { $0?.name }
        if fields.count == moves.count {
            let names = Set(fields).sorted().joined(separator: ", ")
            try refuse(
                "CHANGE-OWN-MOVE", field: states.field,
                ["from": rows.from, "to": rows.to, "fields": SQLText.literal(names)],
                rows.with("NOT (\(isOwn.joined(separator: " OR ")))").sql)
        }
        let codes = moves.flatMap(\.require)
        let offenders = Dictionary(codes.map { ($0, breaking($0, rows)) }) { first, _ in first }
        let isMet = zip(moves, isOwn).map { move, own -> String in
            let terms = [own] + move.require.compactMap { offenders[$0] }.map { "s.n NOT IN (\($0))" }
            return "(\(terms.joined(separator: " AND ")))"
        }
        for code in codes {
            guard let broken = offenders[code] else { continue }
            try refuse(
                "CHANGE-MOVE-RULE", field: pack.rules.first { $0.code == code }?.field ?? states.field,
                ["from": rows.from, "to": rows.to, "demand": SQLText.literal(code)],
                rows.with("NOT (\(isMet.joined(separator: " OR "))) AND s.n IN (\(broken))").sql)
        }
    }

    /// A query for the numbers of rows that break a rule as they are after the change.
    private func breaking(_ code: String, _ rows: MovedRows) -> String {
        guard let rule = pack.rules.first(where: { $0.code == code }), case .row(let demand) = rule.check else {
            return "SELECT NULL WHERE false"
        }
        let values = rows.entity.fields.map { field -> String in
            // Existing rows keep their values in fields that the actor does not see.
            let isSeen = request.actor.sees(field, of: pack)
            let isTaken = "t.id IS NULL" + (isSeen ? " OR " + isStated(field, rows.entity) : "")
            let name = SQLText.name(field.name)
            return "CASE WHEN \(isTaken) THEN s.\(StagedEntity.column(field)) ELSE t.\(name) END AS \(name)"
        }
        var joins = PathJoins(from: rows.entity, pack: pack)
        let day = OfficeDay.text(of: request.startedAt, in: pack.officeZone)
        let conditions = [rule.when ?? .boolean(true), .not(demand)].map {
            ExpressionSQL.literal($0, joins: &joins, on: day)
        }
        return """
            SELECT t0.n FROM (SELECT s.n AS n, \(values.joined(separator: ", ")) FROM \(rows.sql)) AS t0\(joins.sql) \
            WHERE \(conditions.joined(separator: " AND "))
            """
    }
}
