import Databases
import GRDB
import JSONReading
import Model

/// Handles the rows of a sync partner's package (`ExchangeTerms`): finds the waiting local changes
/// that they acknowledge, and decides about rows that differ from the replica's.
///
/// An acknowledgement is recognised by a row's values, not by the file that it replies to. It may
/// arrive in parts, in any order, twice, or after the row changed once more. So a row acknowledges
/// the last waiting change with the same values, and all changes before that one.
final class Acknowledgements {
    private unowned let application: ImportApplication
    private let terms: ExchangeTerms
    private let hold = PushHold(name: "acknowledged", at: nil)
    private let settlement: PushSettlement
    private var db: Database { application.db }

    init(_ application: ImportApplication, _ terms: ExchangeTerms) throws {
        (self.application, self.terms) = (application, terms)
        let request = application.request
        settlement = try PushSettlement(
            application.db, pack: application.pack, hold, by: request.actor, in: request.environment,
            at: request.startedAt)
    }

    // MARK: Rows that acknowledge

    /// Settles the waiting changes that staged rows acknowledge.
    func take(_ rows: EntityRows) throws {
        let entity = rows.importer.entity
        let columns = entity.fields.map { "s." + StagedEntity.column($0) }
        let found = try PreparedStatement(
            db,
            """
            SELECT s.n, s.sync_state = 'synced', q.id, q.payload_json, \(columns.joined(separator: ", "))
            FROM \(rows.staged) AS s JOIN main.sync_queue AS q ON q.entity_id = s.f_id
            WHERE q.entity_type = \(SQLText.literal(entity.name)) AND q.operation IN ('INSERT', 'UPDATE') \
            AND \(rows.accepted("s.n"))
            ORDER BY s.n, q.content_stamp DESC, q.id DESC
            """)
        let statement = Acknowledgement(entity, in: application.pack)
        var done: [(item: String, id: String, values: [MemoryRows.Value])] = [], last: Int64?
        while try found.step() {
            guard found.integer(0) != last else { continue }
            let values = entity.fields.indices.map { found.value(4 + $0) }
            guard statement?.isStated(values) ?? (found.integer(1) == 1), let payload = found.text(3),
                isSame(values, entity.values(ofPayload: payload), entity, statement)
            else { continue }
            last = found.integer(0)
            done.append((found.text(2) ?? "", found.text(4) ?? "", values))
        }
        found.reset()
        for answer in done {
            try settlement.settle([PushOutcome(itemID: answer.item, result: .confirmed(version: terms.version))])
            if let statement { try mark(answer.id, statement, answer.values, entity) }
            try settleRemoval(answer.values, entity)
        }
    }

    /// Settles the queued DELETE of a record when a row is the event that removes that record.
    private func settleRemoval(_ event: [MemoryRows.Value], _ entity: Entity) throws {
        guard let log = application.pack.events, entity.name == log.entity,
            let type = entity.position(ofField: log.type), let record = entity.position(ofField: log.record),
            case .text(let name) = event[type], case .text(let id) = event[record],
            let kind = log.kinds.first(where: { $0.type == name }), kind.action == .delete
        else { return }
        let items = try String.fetchAll(
            db, sql: "SELECT id FROM main.sync_queue WHERE operation = 'DELETE' AND entity_type = ? AND entity_id = ?",
            arguments: [kind.entity, id])
        for item in items { try settlement.settle([PushOutcome(itemID: item, result: .gone)]) }
    }

    /// Sets the fields that record that the sync partner has the row.
    private func mark(_ id: String, _ statement: Acknowledgement, _ values: [MemoryRows.Value?], _ entity: Entity)
        throws
    {
        var sets = statement.values.mapValues { $0 }
        if let time = statement.time {
            let stated = values[time] ?? .null
            sets[time] = stated == .null ? .text(terms.version) : stated
        }
        let positions = sets.keys.sorted()
        let update = try PreparedStatement(
            db,
            """
            UPDATE main.\(SQLText.name(entity.name)) SET \
            \(positions.map { SQLText.name(entity.fields[$0].name) + " = ?" }.joined(separator: ", ")),
              content_stamp = \(application.stamp), local_version = local_version + 1 WHERE id = ?
            """)
        try update.bind(positions.map { sets[$0] ?? .null } + [.text(id)])
        try update.run()
    }

    /// Whether a row's values equal those of a sent change. Fields about the exchange itself are
    /// ignored, and so is a file's path on a device.
    private func isSame(
        _ values: [MemoryRows.Value?], _ sent: [MemoryRows.Value?], _ entity: Entity, _ statement: Acknowledgement?
    ) -> Bool {
        let left = statement?.positions ?? []
        return entity.travellingFields(for: application.request.actor, of: application.pack).allSatisfy { position in
            let field = entity.fields[position]
            return left.contains(position) || field.name == "updated_at"
                || field.isSame(values[position] ?? .null, sent[position] ?? .null)
        }
    }

    // MARK: Rows that differ

    /// Outcome for a row that differs from the replica's row; nil if it is a conflict, as for any
    /// file.
    func outcome(of match: EntityRows.Match, _ merged: [MemoryRows.Value], _ rows: EntityRows) throws -> ImportOutcome?
    {
        let importer = rows.importer, entity = importer.entity, existing = match.existing
        let statement = Acknowledgement(entity, in: application.pack)
        let isEvent = entity.name == application.pack.events?.entity
        let hasSameContent = isSame(merged, existing.values, entity, statement)
        if hasSameContent || isEvent {
            guard hasSameContent else {
                // An event never changes, so two versions of one event cannot both be true.
                try application.findings.add(application.finding("SYNC-EVENT-DIFFERS", rows, match.n, id: match.id))
                try application.note(match.n, .skipped, importer.differences(merged, from: existing.values))
                return .skipped
            }
            // The package contains less than the replica, or differs only in exchange fields.
            guard let statement, statement.isStated(match.values), !statement.isStated(existing.values),
                existing.syncState == .synced
            else { return .unchanged }
            try mark(match.id, statement, match.values, entity)
            return .updated
        }
        if existing.syncState == .synced, !existing.isOwnMark {
            // Of two packages with the same creation time, the one that is read later wins.
            guard try version(of: match.id, entity) <= terms.version else { return .unchanged }
            // A closed record needs a reason for an acknowledgement too.
            if try application.judge.closed(importer.states(of: match.id)) != nil, application.request.reason == nil {
                return nil
            }
            try takeOver(match, merged, rows)
            return .updated
        }
        // If the partner sent the version from before the local change, the row counts as
        // unchanged.
        let base = try RowBases.row(entity.name, match.id, db).map { entity.values(ofPayload: $0.description) }
        return base.map { isUnchanged(match.values, since: $0, entity, statement) } == true ? .unchanged : nil
    }

    private func isUnchanged(
        _ values: [MemoryRows.Value?], since base: [MemoryRows.Value?], _ entity: Entity, _ statement: Acknowledgement?
    ) -> Bool {
        isSame(zip(values, base).map { $0 ?? $1 }, base, entity, statement)
    }

    private func version(of id: String, _ entity: Entity) throws -> String {
        try String.fetchOne(
            db, sql: "SELECT remote_updated_at FROM main.\(SQLText.name(entity.name)) WHERE id = ?", arguments: [id])
            ?? ""
    }

    /// Replaces the row with the sync partner's version and marks it as synced.
    private func takeOver(_ match: EntityRows.Match, _ merged: [MemoryRows.Value], _ rows: EntityRows) throws {
        let importer = rows.importer
        let differences = importer.differences(merged, from: match.existing.values)
        try rows.keepForUndo(match.id)
        try importer.update(match.id, to: merged, stamp: application.stamp)
        try db.execute(
            sql:
                """
                UPDATE main.\(SQLText.name(importer.entity.name)) SET sync_state = 'synced', remote_updated_at = ? \
                WHERE id = ?
                """,
            arguments: [terms.version, match.id])
        try application.noteUpdated(match, importer, differences, details: nil)
    }

    /// Discards sent items that need no acknowledgement any more.
    func finish() throws { try SentItems(db).tidy() }
}
