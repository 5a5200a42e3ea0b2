package import Foundation
import Model
import Remotes
import Replica

extension SyncEngine {
    /// Counts what a sync would send and fetch, and changes nothing. If the server does not report
    /// removals, the removed rows are those that it no longer has.
    ///
    /// - Parameter time: the time of the sync. Rejected changes that are retried only after it count
    ///   as held back; nil: no change is held back for its time.
    package func plan(_ request: SyncRequest, at time: Date?) throws -> SyncResult {
        var result = SyncResult(remote: remote.address, environment: environment, isPlan: true)
        result.isWithRecords = request.isFetching
        if request.isSending { result.waiting = try waiting(at: time) }
        try remote.withSnapshot { snapshot in
            let visible = try snapshot.projects(), seen = try visible + replica.unknownProjects(seenBy: remote.actor)
            let kept = try keptProjects(snapshot).filter(visible.contains)
            let names = try projectCodes(kept, snapshot)
            result.projects = kept.compactMap { names[$0] }
            let known = try replica.claimedProjects().subtracting(kept).filter(visible.contains).sorted()
            let scopes =
                structure.map { ($0, nil) }
                + (request.isFetching ? kept + known : known).flatMap { project in
                    contents.map { ($0, Optional(project)) }
                }
            result.pulled.withdrawn = try replica.memberships(of: remote.actor.id).filter { !seen.contains($0) }
            var removals = RemovalsAhead(snapshot, kept: kept)
            result.expected = try scopes.compactMap { entity, project in
                guard !snapshot.fields(of: entity).isEmpty else { return nil }
                let scope: ProofScope = project.map { .project($0) } ?? .visible(seen)
                let (rows, removed) =
                    isOfPeople(entity)
                    ? try differing(entity, scope, snapshot) : try changed(entity, project, scope, snapshot, &removals)
                return rows + removed == 0
                    ? nil
                    : .init(project: project.map { names[$0] ?? $0 }, entity: entity.name, rows: rows, removed: removed)
            }
        }
        return result
    }

    /// Counts the rows that differ, for a table that is fetched whole each time.
    private func differing(_ entity: Entity, _ scope: ProofScope, _ snapshot: any RemoteSnapshot) throws -> (
        rows: Int, removed: Int
    ) {
        let (here, there) = (
            try replica.remoteVersions(of: entity, in: scope), try snapshot.versions(of: entity, in: nil)
        )
        // Profiles that the actor no longer sees stay in the replica, as their work refers to them.
        return (
            there.count { here[$0.key] != $0.value },
            entity.name == "profiles" ? 0 : here.keys.count { there[$0] == nil }
        )
    }

    private func changed(
        _ entity: Entity, _ project: String?, _ scope: ProofScope, _ snapshot: any RemoteSnapshot,
        _ removals: inout RemovalsAhead
    ) throws -> (rows: Int, removed: Int) {
        guard let since = try since(entity, project, snapshot) else {
            return (try snapshot.count(of: entity, in: project, since: nil), 0)
        }
        guard snapshot.isExact else {
            let (here, there) = (
                try replica.remoteVersions(of: entity, in: scope), try snapshot.versions(of: entity, in: project)
            )
            return (there.count { here[$0.key] != $0.value }, here.keys.count { there[$0] == nil })
        }
        return (
            try snapshot.count(of: entity, in: project, since: since),
            try replica.countRows(removals.rows(of: entity, since: since), of: entity, in: project)
        )
    }

    // MARK: Projects

    /// The projects that the actor will have offline after profiles and memberships are
    /// fetched. They are read from the server's rows, except for rows with local changes, which are sent first.
    private func keptProjects(_ snapshot: any RemoteSnapshot) throws -> [String] {
        guard let entity = pack.entity("file_sync_states"), !snapshot.fields(of: entity).isEmpty else {
            return try replica.offlineProjects(of: remote.actor.id)
        }
        let fields = ["profile_id", "project_id"]
        let unsent = try replica.unsentRows(of: entity)
        let here = try replica.texts(of: entity.name, fields: fields).filter { unsent.contains($0.id) }
        let there = try texts(of: entity, fields: fields, snapshot).filter { !unsent.contains($0.id) }
        return Set((here + there).filter { $0.values[0] == remote.actor.id }.compactMap { $0.values[1] }).sorted()
    }

    /// Codes of projects by id, also of projects that only the server has.
    private func projectCodes(_ ids: [String], _ snapshot: any RemoteSnapshot) throws -> [String: String] {
        var names = Dictionary(zip(ids, try codes(of: ids))) { first, _ in first }
        if names.contains(where: { $0.key == $0.value }), let entity = pack.entity(pack.project.entity) {
            for row in try texts(of: entity, fields: [pack.project.code], snapshot) { names[row.id] = row.values[0] }
        }
        return names
    }

    /// Fields of all rows of a small table that the actor sees on the server.
    private func texts(of entity: Entity, fields names: [String], _ snapshot: any RemoteSnapshot) throws -> [(
        id: String, values: [String?]
    )] {
        let fields = snapshot.fields(of: entity)
        let columns = names.map { name in fields.firstIndex { entity.fields[$0].name == name } }
        var rows: [(id: String, values: [String?])] = []
        guard !fields.isEmpty else { return rows }
        _ = try snapshot.rows(of: entity, in: nil, since: nil) { batch in
            for row in 0..<batch.rowCount {
                rows.append((batch.string(row, 0) ?? "", columns.map { $0.flatMap { batch.description(row, $0) } }))
            }
        }
        return rows
    }
}

/// Fetches the removals since each position from the server, once.
private struct RemovalsAhead {
    private let snapshot: any RemoteSnapshot
    /// The projects whose rows are fetched.
    private let kept: [String]
    private var known: [RemotePosition: [String: [RemovedRow]]] = [:]
    private var arriving: [String: Set<String>] = [:]

    init(_ snapshot: any RemoteSnapshot, kept: [String]) { (self.snapshot, self.kept) = (snapshot, kept) }

    /// Ids of a table's rows that were deleted, or moved to a project that is not fetched. Rows
    /// that moved to a fetched project are counted when they arrive.
    mutating func rows(of entity: Entity, since: RemotePosition) throws -> [String] {
        if known[since] == nil { known[since] = Dictionary(grouping: try snapshot.removed(since: since), by: \.entity) }
        let told = known[since]?[entity.name] ?? []
        if told.contains(where: \.isMove), arriving[entity.name] == nil {
            arriving[entity.name] = try kept.reduce(into: []) {
                $0.formUnion(try snapshot.versions(of: entity, in: $1).keys)
            }
        }
        return told.filter { !$0.isMove || arriving[entity.name]?.contains($0.id) != true }.map(\.id)
    }
}
