package import Foundation
import GRDB
package import Model

/// The state of one project's events and files in an exchange with the sync partner.
package struct ExchangeStatus: Sendable, Hashable, Codable {
    /// Numbers of events by state: to be sent; sent and not acknowledged; acknowledged.
    package var waiting = 0
    package var sent = 0
    package var acknowledged = 0
    package var files = 0
    /// Number of files that the sync partner has.
    package var filesThere = 0
    /// The files of changes that are not acknowledged, the oldest first.
    package var batches: [SentBatch] = []

    /// Whether the project's data counts as synced: no event waits for an acknowledgement, and the
    /// partner has all files.
    package var isSynced = true
}

/// Counts events and files by project, as the pack's `events:` describe them.
struct ExchangeCounts {
    let db: Database
    let pack: Pack

    /// Statuses by project id; empty if the pack does not define an acknowledged event.
    func statuses() throws -> [String: ExchangeStatus] {
        guard let log = pack.events, let events = pack.entity(log.entity),
            let acknowledged = Acknowledgement(events, in: pack)
        else { return [:] }
        var found: [String: ExchangeStatus] = [:]
        // The partner also has the events that it sent itself.
        let isThere = "(\(acknowledged.condition(events)) OR t.sync_state = 'synced')"
        let isSent = """
            t.id IN (SELECT q.entity_id FROM main.sync_queue AS q JOIN main.sent_items AS s ON s.item_id = q.id
              WHERE s.file IS NOT NULL AND q.entity_type = \(SQLText.literal(events.name)))
            """
        for row in try rows(
            events,
            """
            coalesce(sum(NOT \(isThere) AND NOT \(isSent)), 0), coalesce(sum(NOT \(isThere) \
            AND \(isSent)), 0), coalesce(sum(\(isThere)), 0)
            """
        ) {
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
        for batch in try SentItems(db).batches(for: nil) {
            found[batch.projectID, default: ExchangeStatus()].batches.append(batch)
        }
        for (project, status) in found {
            found[project]?.isSynced = status.waiting + status.sent == 0 && status.files == status.filesThere
        }
        return found
    }

    private func rows(_ entity: Entity, _ counts: String) throws -> [Row] {
        try Row.fetchAll(
            db,
            sql:
                """
                SELECT \(RowProject(of: entity, in: pack).expression("t")), \(counts) \
                FROM main.\(SQLText.name(entity.name)) AS t GROUP BY 1
                """
        )
    }
}

extension Acknowledgement {
    /// SQL condition on a row `t`: its values show that the sync partner has the row.
    func condition(_ entity: Entity) -> String {
        let fields = values.sorted { $0.key < $1.key }.map {
            ("t." + SQLText.name(entity.fields[$0.key].name), $0.value.literal)
        }
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

/// The sync state of one project with the central database, for one person.
package struct SyncStatus: Sendable, Hashable, Codable {
    package struct Pull: Sendable, Hashable, Codable {
        package var remote: String
        /// Time of the last sync that fetched the project's rows for this person.
        package var at: String
    }

    /// nil: rows of no project.
    package var projectID: String?
    package var project: String?
    /// Whether the person has chosen files of the project for offline use.
    package var isOffline: Bool
    /// The last pull from each central database, the latest first; empty: none.
    package var pulled: [Pull]
    /// Changes that wait to be sent.
    package var push: PushSummary
    package var openConflicts: Int
    /// The exchange's events and files, if the pack defines what an acknowledged event is.
    package var exchange: ExchangeStatus?
    /// Files to be sent, and files to be fetched.
    package var filesToSend = 0
    package var filesToFetch = 0
    /// Reason why no file can be sent or fetched now; nil: files can.
    package var filesWait: String?

    /// Whether there is nothing to report.
    fileprivate var isEmpty: Bool {
        pulled.isEmpty && push == PushSummary() && openConflicts == 0 && filesToSend + filesToFetch == 0
    }
}

extension Replica {
    /// The sync state of some projects, as a person sees it. Rows of no project are last, and are
    /// left out if there is nothing to report.
    package func syncStatus(of projects: [ReplicaStatus.Project], for actor: Model.Actor, at now: Date) throws
        -> [SyncStatus]
    {
        let ids = projects.map(\.id)
        let offline = Set(pack.entity("file_sync_states") == nil ? [] : try offlineProjects(of: actor.id))
        return try read { db in
            let toSend = try FileTransfers(db: db, pack: pack, projects: ids, isWithNone: true).countToSend()
            let toFetch = try FileTransfers(db: db, pack: pack, projects: ids.filter(offline.contains)).countToFetch(
                for: actor.id)
            let pushed = try PushCounts(
                db: db, pack: pack, projects: ids, actorID: actor.id, isWithNone: true, now: now
            ).summaries()
            let pulled = try pulls(of: actor, db), conflicts = try openConflicts(db),
                exchanged = try ExchangeCounts(db: db, pack: pack).statuses()
            func status(_ project: ReplicaStatus.Project?) -> SyncStatus {
                SyncStatus(
                    projectID: project?.id, project: project?.code,
                    isOffline: project.map { offline.contains($0.id) } ?? false,
                    pulled: pulled[project?.id ?? ""] ?? [], push: pushed[project?.id] ?? PushSummary(),
                    openConflicts: conflicts[project?.id] ?? 0,
                    exchange: project.flatMap { exchanged[$0.id] },
                    filesToSend: toSend[project?.id] ?? 0, filesToFetch: toFetch[project?.id] ?? 0)
            }
            let none = status(nil)
            return projects.map(status) + (none.isEmpty ? [] : [none])
        }
    }

    /// Pulls by project id; the empty key is for people, projects and other rows of no project.
    private func pulls(of actor: Model.Actor, _ db: Database) throws -> [String: [SyncStatus.Pull]] {
        let rows = try Row.fetchAll(
            db,
            sql:
                """
                SELECT scope, remote, max(pulled_at) FROM main.sync_cursors WHERE actor_id = ? GROUP BY 1, 2 \
                ORDER BY 3 DESC, 2
                """,
            arguments: [actor.id])
        return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { SyncStatus.Pull(remote: $0[1], at: $0[2]) } }
    }

    private func openConflicts(_ db: Database) throws -> [String?: Int] {
        var counts: [String?: Int] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT project_id, count(*) FROM main.conflicts WHERE resolution_status = 'open' GROUP BY 1")
        {
            counts[row[0] as String?] = row[1]
        }
        return counts
    }
}
