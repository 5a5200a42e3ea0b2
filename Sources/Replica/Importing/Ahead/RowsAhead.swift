import GRDB
import Model

/// Applies new rows of a large import while its source is still read, on a thread of its own: within the import's one transaction, so that
/// all goes back if anything fails.
///
/// Whatever is beyond the plain, and every row after it, is left to `ImportApplication`, as are rows that the replica has already: so the
/// outcome is the same as if all rows had been applied at the end, in their order. The replica's connection belongs to the thread from a
/// batch's `take` until `settle` returns.
final class RowsAhead {
    /// Rows of an entity that state other fields than the one before have statements of their own; of more kinds than this they wait.
    private static let mostKinds = 16

    private let application: ImportApplication
    /// Of the replica, for what goes wrong with it.
    private let path: String
    private let lent: LentBatch
    /// For each entity the greatest row number before this import.
    private var before: [String: Int64] = [:]
    private var entities: [String: [EntityAhead]] = [:]
    private var current: EntityAhead?
    private var applying: BatchLane?
    /// The last staged row that came here; nil as long as it goes on.
    private var end: Int64?
    /// By entity the greatest row number when it ended.
    private var last: [String: Int64] = [:]
    /// Waits until whatever is being staged has been handed on.
    var settleStaging: () throws -> Void = {}

    init(_ application: ImportApplication, path: String) throws {
        (self.application, self.path) = (application, path)
        lent = try LentBatch(on: application.db)
        for statement in EntityAhead.numbers { try application.db.execute(sql: statement) }
    }

    var goesOn: Bool { end == nil }

    /// The lane that takes batches once they are staged; nil when it has ended.
    func lane(_ used: UsedBatches) -> BatchLane? {
        guard goesOn else { return nil }
        let lane = applying ?? BatchLane("fichero.applying", used: used) { [unowned self] job in try apply(job) }
        applying = lane
        return lane
    }

    // MARK: Taking rows

    /// Whether a batch needs no `makeReady`.
    func isReady(for batch: borrowing ImportedBatch) -> Bool {
        guard goesOn, batch.rows.rowCount > 0 else { return true }
        guard let current else { return false }
        return current.entity.name == batch.entity && current.fields == batch.fields
    }

    /// Makes ready for batches of another kind; false where such rows must wait for the end.
    func makeReady(for batch: borrowing ImportedBatch, of entity: Entity) throws -> Bool {
        guard goesOn else { return true }
        guard !isReady(for: batch) else { return true }
        guard !IndexPlan.logs.contains(entity.name), application.mayChange(entity) else { return false }
        try settle()
        if before[entity.name] == nil { before[entity.name] = try lastRow(of: entity.name) }
        let fields = batch.fields
        if let known = entities[entity.name]?.first(where: { $0.fields == fields }) {
            current = known
        } else {
            guard entities[entity.name, default: []].count < Self.mostKinds else { return false }
            let made = try EntityAhead(application, entity, fields: fields, lent: lent)
            entities[entity.name, default: []].append(made)
            current = made
        }
        return true
    }

    private func apply(_ job: borrowing BatchLane.Job) throws {
        guard job.batch.rows.rowCount > 0 else { return }
        let (entity, fields) = (job.batch.entity, job.batch.fields)
        try apply(job.batch, by: entities[entity]?.first { $0.fields == fields }, place: job.place)
    }

    /// Whoever stages rows hears of it, and must not take it for a fault of the staging file.
    private func apply(_ batch: borrowing ImportedBatch, by entity: EntityAhead?, place: Int64) throws {
        do {
            try entity?.apply(batch, source: place + application.trail.offset)
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    /// Takes a row that came by itself; false where it must wait for the end.
    func store(_ row: ImportedRow, _ values: [MemoryRows.Value?], of entity: Entity, place: Int64) throws -> Bool {
        guard goesOn else { return true }
        guard row.syncState == nil, row.localVersion == nil, row.remoteUpdatedAt == nil, let position = StagedEntity.position(of: row) else { return false }
        let fields = values.indices.filter { values[$0] != nil && $0 != 0 } + [0]
        var batch = ImportedBatch(entity: entity.name, fields: fields, place: row.place, headings: [])
        for field in fields { batch.rows.append(values[field] ?? .null) }
        batch.endRow(line: position)
        guard try makeReady(for: batch, of: entity) else { return false }
        try settle()
        try apply(batch, by: current, place: place)
        return true
    }

    /// Waits until the connection is free.
    private func settle() throws {
        try settleStaging()
        try applying?.settle()
    }

    /// Ends it: rows after this one are no longer taken.
    func finish(after row: Int64) throws {
        guard goesOn else { return }
        try settle()
        stop()
        end = row
        for name in before.keys { last[name] = try lastRow(of: name) }
    }

    func stop() { applying?.stop() }

    private func lastRow(of entity: String) throws -> Int64 {
        try Int64.fetchOne(application.db, sql: "SELECT coalesce(max(rowid), 0) FROM main.\(SQLText.name(entity))") ?? 0
    }

    // MARK: What was done

    /// What came of rows of one entity.
    struct Outcome {
        /// New rows have greater numbers.
        var before: Int64
        var inserted: Int
        /// The last staged row that was seen to.
        var end: Int64
        /// New rows up to this number have their queue item, but for those that wait.
        var last: Int64
        /// Whether some are listed in `temp.import_waiting`.
        var hasWaiting: Bool
    }

    /// Whether a new row may lead nowhere. Foreign keys are not looked at while rows are applied ahead: they were looked up here.
    var hasDoubts: Bool { entities.values.contains { $0.contains(where: \.hasDoubts) } }

    func outcome(of entity: String) -> Outcome? {
        guard let before = before[entity], let end, let last = last[entity], let made = entities[entity] else { return nil }
        return Outcome(
            before: before, inserted: made.reduce(0) { $0 + $1.inserted }, end: end, last: last, hasWaiting: made.contains(where: \.hasWaiting))
    }

    // MARK: What the replica was before

    /// Gives the rows of an entity that were there before this import, with the values of some fields and the id.
    func forEachRow(of entity: String, _ fields: [String], _ body: ([MemoryRows.Value]) throws -> Void) throws {
        if goesOn { try settle() }
        let limit = before[entity].map { " WHERE rowid <= \($0)" } ?? ""
        let rows = try PreparedStatement(application.db, "SELECT \(SQLText.names(fields + ["id"])) FROM main.\(SQLText.name(entity))\(limit)")
        while try rows.step() { try body((0..<rows.columnCount).map(rows.value)) }
        rows.reset()
    }
}

extension RowBatch {
    fileprivate mutating func append(_ value: MemoryRows.Value) {
        switch value {
        case .null: appendNull()
        case .integer(let integer): append(integer)
        case .real(let real): append(real)
        case .text(let text): append(text)
        }
    }
}
