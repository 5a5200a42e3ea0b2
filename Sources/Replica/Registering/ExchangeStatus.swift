import GRDB
import Model

/// How the events and the files of one project stand towards the other side of an exchange.
package struct ExchangeStatus: Sendable, Hashable, Codable {
    /// Events that are to be sent; that were sent and are not acknowledged; that are.
    package var waiting = 0
    package var sent = 0
    package var acknowledged = 0
    package var files = 0
    /// Files that the other side has.
    package var filesThere = 0
    /// The files of changes that are not acknowledged, the oldest first.
    package var batches: [SentBatch] = []

    /// Whether the project's data counts as synced here: no event waits for an acknowledgement, and
    /// the other side has all files.
    package var isSynced = true
}

/// Counts events and files by project, as the pack's `events:` describe them.
struct ExchangeCounts {
    let db: Database
    let pack: Pack

    /// Empty where the pack does not say what an acknowledged event is.
    func statuses() throws -> [String: ExchangeStatus] {
        guard let log = pack.events, let events = pack.entity(log.entity), let acknowledged = Acknowledgement(events, in: pack) else { return [:] }
        var found: [String: ExchangeStatus] = [:]
        // What came from the other side is there.
        let isThere = "(\(acknowledged.condition(events)) OR t.sync_state = 'synced')"
        let isSent = """
            t.id IN (SELECT q.entity_id FROM main.sync_queue AS q JOIN main.sent_items AS s ON s.item_id = q.id
              WHERE s.file IS NOT NULL AND q.entity_type = \(SQLText.literal(events.name)))
            """
        for row in try rows(events, "coalesce(sum(NOT \(isThere) AND NOT \(isSent)), 0), coalesce(sum(NOT \(isThere) AND \(isSent)), 0), coalesce(sum(\(isThere)), 0)") {
            guard let project: String = row[0] else { continue }
            found[project] = ExchangeStatus(waiting: row[1], sent: row[2], acknowledged: row[3])
        }
        if let files = log.files.flatMap({ pack.entity($0.entity) }), let done = Acknowledgement(files, in: pack) {
            for row in try rows(files, "count(*), coalesce(sum(\(done.condition(files))), 0)") {
                guard let project: String = row[0] else { continue }
                var status = found[project] ?? ExchangeStatus()
                (status.files, status.filesThere) = (row[1], row[2])
                found[project] = status
            }
        }
        for batch in try SentItems(db).batches(for: nil) { found[batch.projectID, default: ExchangeStatus()].batches.append(batch) }
        for (project, status) in found { found[project]?.isSynced = status.waiting + status.sent == 0 && status.files == status.filesThere }
        return found
    }

    private func rows(_ entity: Entity, _ counts: String) throws -> [Row] {
        try Row.fetchAll(db, sql: "SELECT \(RowProject(of: entity, in: pack).expression("t")), \(counts) FROM main.\(SQLText.name(entity.name)) AS t GROUP BY 1")
    }
}

extension Acknowledgement {
    /// SQL condition on a row `t`: it says that the other side has it.
    func condition(_ entity: Entity) -> String {
        let fields = values.sorted { $0.key < $1.key }.map { ("t." + SQLText.name(entity.fields[$0.key].name), $0.value.literal) }
        let any = fields.map { "\($0) IS \($1)" }.joined(separator: " OR ")
        return "((\(any)) AND " + fields.map { "coalesce(\($0), \($1)) IS \($1)" }.joined(separator: " AND ") + ")"
    }
}

extension MemoryRows.Value {
    fileprivate var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): String(integer)
        case .real(let real): real.description
        case .text(let text): SQLText.literal(text)
        }
    }
}
