import GRDB
import Model

/// The parent records of a table's rows, and the parent states that lock those rows: to change a
/// part is to change its record.
struct OwnerStates {
    /// A row that must not be changed because of its record's state.
    struct Barred {
        var id: String
        var machine: StateMachine
        var state: String
        /// Whether a given reason unlocks the row.
        var isOnlyClosed: Bool
    }

    private struct Owner {
        var entity: String
        /// SQL for the owner's id, starting from the part `t`.
        var id: String
        var machine: StateMachine
        /// States in which the role may not correct the owner.
        var others: [String]

        var state: String { "o." + SQLText.name(machine.field) }
    }

    /// Tables for the replica's internal work; their rows are not parts of records.
    private static let bookkeeping: Set<String> = [
        "sync_queue", "conflicts", "project_members", "file_sync_states", "exports",
    ]

    private let entity: Entity
    private let owners: [Owner]

    /// - Parameter role: the role whose allowed states count; nil: only closed records are locked.
    init(_ entity: Entity, pack: Pack, role: Role?) {
        self.entity = entity
        var owners: [Owner] = []
        guard !Self.bookkeeping.contains(entity.name), !IndexPlan.logs.contains(entity.name) else {
            self.owners = []
            return
        }
        var id = "t.id"
        var owner: Entity? = entity
        // The role's states count only for the nearest record, as for a person's correction.
        var isNearest = entity.states == nil
        for part in entity.projectPath?.parts ?? [] where part != "id" {
            guard let current = owner else { break }
            let column = SQLText.name(part)
            id = current.name == entity.name && id == "t.id"
                ? "t." + column : "(SELECT \(column) FROM main.\(SQLText.name(current.name)) WHERE id = \(id))"
            owner = current.field(part)?.references.flatMap { pack.entity($0) }
            guard let owner, let states = owner.states else { continue }
            let judging = isNearest ? role : nil
            let others = judging.map { role in states.all.filter { !role.mayCorrect(in: $0, of: states) } } ?? []
            isNearest = false
            if !states.closed.isEmpty || !others.isEmpty {
                owners.append(Owner(entity: owner.name, id: id, machine: states, others: others))
            }
        }
        self.owners = owners
    }

    /// New rows that are parts of locked records which existed before this import. Records that the
    /// import itself creates do not count.
    ///
    /// - Parameters:
    ///   - before: new rows have rowids greater than this.
    ///   - stamp: the content stamp of this import.
    func barred(_ db: Database, after before: Int64, stamp: Int64) throws -> [Barred] {
        try owners.flatMap { owner in
            // The state before this import: a record that the import itself moves was in another
            // state when its parts were recorded.
            let name = SQLText.literal(owner.entity), field = SQLText.literal(owner.machine.field)
            let updated = "FROM temp.import_updated AS u WHERE u.entity = \(name) AND u.row_id = o.id"
            let earlier = "coalesce((SELECT json_extract(u.before, '$.' || \(field)) \(updated)), \(owner.state))"
            let isEarlier = "(o.content_stamp <> \(stamp) OR EXISTS (SELECT 1 \(updated)))"
            return try barred(
                owner, db, state: earlier, or: "EXISTS (SELECT 1 FROM temp.import_updated WHERE entity = \(name))",
                "t.rowid > \(before) AND \(isEarlier)")
        }.uniqued()
    }

    /// Rows that a change set touched, and whose records somebody has since moved to a locking
    /// state.
    ///
    /// - Parameters:
    ///   - rows: SQL condition on a row `t`.
    ///   - stamp: stamp of the change set; records with this stamp are as its author left them.
    ///   - set: id of the change set; records that it removed return with their parts.
    func barred(_ db: Database, where rows: String, stamp: Int64, set: String) throws -> [Barred] {
        try owners.flatMap { owner in
            let (name, id) = (SQLText.literal(owner.entity), SQLText.literal(set))
            let returning = "SELECT row_id FROM import_removals WHERE import_id = \(id) AND entity = \(name)"
            return try barred(
                owner, db, state: owner.state,
                "(\(rows)) AND o.content_stamp <> \(stamp) AND o.id NOT IN (\(returning))")
        }.uniqued()
    }

    /// - Parameters:
    ///   - state: SQL for the record's state that counts.
    ///   - other: SQL condition: rows are examined even if no record is in a locking state now.
    private func barred(
        _ owner: Owner, _ db: Database, state: String, or other: String = "false", _ condition: String
    ) throws -> [Barred] {
        let table = "main." + SQLText.name(owner.entity)
        let states = Set(owner.machine.closed + owner.others).sorted().map(SQLText.literal).joined(separator: ", ")
        // Most replicas have no record in a locking state; then no row is examined.
        let here = "EXISTS (SELECT 1 FROM \(table) AS o WHERE \(owner.state) IN (\(states)))"
        guard try Bool.fetchOne(db, sql: "SELECT \(here) OR \(other)") == true else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT t.id, \(state) FROM main.\(SQLText.name(entity.name)) AS t
                JOIN \(table) AS o ON o.id = \(owner.id)
                WHERE \(state) IN (\(states)) AND \(condition) ORDER BY t.rowid
                """)
        let strict = owner.others + owner.machine.frozen
        return rows.map { row in
            Barred(id: row[0], machine: owner.machine, state: row[1], isOnlyClosed: !strict.contains(row[1]))
        }
    }
}

extension [OwnerStates.Barred] {
    /// Returns one entry for each row; an entry that a reason does not unlock takes precedence.
    fileprivate func uniqued() -> [OwnerStates.Barred] {
        var seen: Set<String> = []
        let strict = Set(filter { !$0.isOnlyClosed }.map(\.id))
        return filter { (!$0.isOnlyClosed || !strict.contains($0.id)) && seen.insert($0.id).inserted }
    }
}

extension Role {
    /// Whether the role may correct a record, or a part of one, in a state. A role that may move a
    /// record out of a state may correct the record in that state. A role that may close a record
    /// may also correct it when closed. If no role may do either, any editor corrects the record,
    /// since nobody could send it back first.
    func mayCorrect(in state: String, of machine: StateMachine) -> Bool {
        guard !machine.transitions.isEmpty, state != machine.initial else { return true }
        let isClosed = machine.closed.contains(state)
        let judges = machine.transitions.filter { $0.from == state || (isClosed && $0.to == state) }
        return judges.isEmpty || judges.contains { $0.roles.contains(name) }
    }
}

extension StateMachine {
    /// Every state that the machine contains.
    fileprivate var all: Set<String> { Set(transitions.flatMap { [$0.from, $0.to] } + closed + [initial]) }
}
