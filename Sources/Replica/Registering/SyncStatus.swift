package import Foundation
import GRDB
package import Model

/// How one project stands towards the central database, for one person.
package struct SyncStatus: Sendable, Hashable, Codable {
    package struct Pull: Sendable, Hashable, Codable {
        package var remote: String
        /// The clock of the last sync that brought the project's rows to this person.
        package var at: String
    }

    /// nil: what belongs to no project.
    package var projectID: String?
    package var project: String?
    /// Whether the person keeps something of the project offline.
    package var isOffline: Bool
    /// From each central database, the latest first; empty: never.
    package var pulled: [Pull]
    /// What waits to go there.
    package var push: PushSummary
    package var openConflicts: Int
    /// Its events and files, if the pack says what an acknowledged event is.
    package var exchange: ExchangeStatus?
    /// Files that are to go there, and those that are to come.
    package var filesToSend = 0
    package var filesToFetch = 0
    /// Why no file goes or comes now; nil: files may.
    package var filesWait: String?

    /// Whether there is nothing to say.
    fileprivate var isEmpty: Bool { pulled.isEmpty && push == PushSummary() && openConflicts == 0 && filesToSend + filesToFetch == 0 }
}

extension Replica {
    /// The state of the sync of some projects, as a person sees it, and of what belongs to none,
    /// which comes last and is left out if there is nothing to say.
    package func syncStatus(of projects: [ReplicaStatus.Project], for actor: Model.Actor, at now: Date) throws -> [SyncStatus] {
        let ids = projects.map(\.id)
        let offline = Set(pack.entity("file_sync_states") == nil ? [] : try offlineProjects(of: actor.id))
        return try read { db in
            let toSend = try FileTransfers(db: db, pack: pack, projects: ids, isWithNone: true).countToSend()
            let toFetch = try FileTransfers(db: db, pack: pack, projects: ids.filter(offline.contains)).countToFetch(for: actor.id)
            let pushed = try PushCounts(db: db, pack: pack, projects: ids, actorID: actor.id, isWithNone: true, now: now).summaries()
            let pulled = try pulls(of: actor, db), conflicts = try openConflicts(db), exchanged = try ExchangeCounts(db: db, pack: pack).statuses()
            func status(_ project: ReplicaStatus.Project?) -> SyncStatus {
                SyncStatus(
                    projectID: project?.id, project: project?.code, isOffline: project.map { offline.contains($0.id) } ?? false,
                    pulled: pulled[project?.id ?? ""] ?? [], push: pushed[project?.id] ?? PushSummary(), openConflicts: conflicts[project?.id] ?? 0,
                    exchange: project.flatMap { exchanged[$0.id] },
                    filesToSend: toSend[project?.id] ?? 0, filesToFetch: toFetch[project?.id] ?? 0)
            }
            let none = status(nil)
            return projects.map(status) + (none.isEmpty ? [] : [none])
        }
    }

    /// By the project's id; empty: people, projects and what else belongs to no project.
    private func pulls(of actor: Model.Actor, _ db: Database) throws -> [String: [SyncStatus.Pull]] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT scope, remote, max(pulled_at) FROM main.sync_cursors WHERE actor_id = ? GROUP BY 1, 2 ORDER BY 3 DESC, 2", arguments: [actor.id])
        return Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { SyncStatus.Pull(remote: $0[1], at: $0[2]) } }
    }

    private func openConflicts(_ db: Database) throws -> [String?: Int] {
        var counts: [String?: Int] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT project_id, count(*) FROM main.conflicts WHERE resolution_status = 'open' GROUP BY 1") {
            counts[row[0] as String?] = row[1]
        }
        return counts
    }
}
