import GRDB
import Model

/// Checks of removals.
extension Judge {
    /// Reason why the actor may not remove a row; nil if it is allowed.
    ///
    /// - Parameter states: the states of the row and of its owners.
    func judgeRemoval(of id: String, _ entity: Entity, _ states: [RowState]) throws -> Refusal? {
        let allowed =
            entity.writer == .administrators
            ? pack.roles.filter { $0.permissions.contains(.administer) }.map(\.name) : entity.deletion?.roles ?? []
        let mayNot = (
            "CHANGE-DELETE",
            [
                "name": entity.name, "role": role.name, "state": states.first?.state ?? "—",
                "may": allowed.joined(separator: ", "),
                "states": (entity.deletion?.states ?? []).joined(separator: ", "),
            ]
        )
        if entity.writer == .administrators {
            if entity.name == "profiles", id == request.actor.id {
                return ("CHANGE-OWN-ROLE", ["actor": request.actor.email])
            }
            return role.permissions.contains(.administer) ? nil : mayNot
        }
        if let owner = entity.owner {
            let isOwn =
                try Bool.fetchOne(
                    db, sql: "SELECT \(SQLText.name(owner)) = ? FROM main.\(SQLText.name(entity.name)) WHERE id = ?",
                    arguments: [request.actor.id, id]) == true
            guard isOwn || role.permissions.contains(.administer) else {
                return ("CHANGE-NOT-OWN", ["actor": request.actor.email])
            }
            return try covers(id, entity) ? frozen(states) : ("CHANGE-PROJECT", ["actor": request.actor.email])
        }
        guard let deletion = entity.deletion, deletion.roles.contains(role.name) else { return mayNot }
        guard try covers(id, entity) else { return ("CHANGE-PROJECT", ["actor": request.actor.email]) }
        if let frozen = frozen(states) { return frozen }
        if let closed = closed(states), request.reason == nil { return ("CHANGE-CLOSED", ["state": closed]) }
        guard deletion.states.isEmpty || states.allSatisfy({ deletion.states.contains($0.state) }) else {
            return mayNot
        }
        return nil
    }

    /// Reason why a row and all its parts may not be removed together: one of them is in conflict,
    /// or a remaining row refers to one.
    ///
    /// - Parameter isDecided: whether the change set itself resolves the conflict of a row.
    func judgeParts(
        _ gone: [(entity: Entity, ids: [String])], isDecided: (_ entity: String, _ id: String) throws -> Bool
    ) throws -> Refusal? {
        for (entity, ids) in gone {
            let waiting = try String.fetchAll(
                db,
                sql:
                    """
                    SELECT id FROM main.\(SQLText.name(entity.name)) WHERE id IN (SELECT value FROM json_each(?)) \
                    AND sync_state = 'conflict'
                    """,
                arguments: [try Quarantine.json(ids)])
            if try waiting.contains(where: { try !isDecided(entity.name, $0) }) { return ("CHANGE-CONFLICT", [:]) }
        }
        for (owner, ids) in gone.reversed() {
            for other in pack.entities where !IndexPlan.logs.contains(other.name) {
                for field in other.fields where field.references == owner.name {
                    let taken = Set(gone.filter { $0.entity.name == other.name }.flatMap(\.ids))
                    if try RowRemoval.referring(other, field, to: ids, db).contains(where: { !taken.contains($0) }) {
                        return ("CHANGE-REFERRED", ["name": other.name])
                    }
                }
            }
        }
        return nil
    }
}

/// Ensures that an administrator remains: if there was one before a change, there must be one
/// afterwards, since nobody else can administer users.
struct Administrators {
    private let db: Database
    private let pack: Pack

    init(_ db: Database, pack: Pack) { (self.db, self.pack) = (db, pack) }

    /// The number of active profiles with the permission to administer, except one profile.
    func working(but id: String? = nil) throws -> Int {
        let roles = pack.roles.filter { $0.permissions.contains(.administer) }.map { SQLText.literal($0.name) }.joined(
            separator: ", ")
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM main.profiles
                WHERE id IS NOT ? AND role IN (\(roles)) AND status = 'ACTIVO' AND cached_at IS NOT NULL \
                AND cached_at <> ''
                """, arguments: [id]) ?? 0
    }

    /// Throws `ChangeFailure.lastAdministrator` if the body removes the last one.
    func keepOne<T>(_ body: () throws -> T) throws -> T {
        let before = try working()
        let result = try body()
        if before > 0, try working() == 0 { throw ChangeFailure.lastAdministrator }
        return result
    }
}
