package import Foundation
package import Model
package import Remotes
package import Replica

/// Syncs a replica with a central database, without the command's output and files. It first sends
/// the replica's changes. Then it pulls in two steps: people, projects, memberships and offline
/// choices; then the rows of the projects that the actor chose to have offline. Each step is
/// applied completely or not at all.
package struct SyncEngine {
    package let pack: Pack
    package let replica: Replica
    package let remote: any CentralDatabase
    package let environment: String
    package let display: any RunDisplay

    package init(
        pack: Pack, replica: Replica, remote: any CentralDatabase, environment: String, display: any RunDisplay
    ) {
        (self.pack, self.replica, self.remote, self.environment, self.display) = (
            pack, replica, remote, environment, display
        )
    }

    /// The maximum number of rounds of a pull, if the server cannot give a consistent snapshot.
    /// Each round fetches what changed during the last one.
    private static let mostRounds = 3

    // MARK: What goes and comes

    /// Tables that are always fetched: people, projects, memberships, offline choices, and tables
    /// without projects.
    var structure: [Entity] {
        pack.centralEntities.filter { $0.projectPath == nil || isOfPeople($0) }
    }

    /// Whether a table's visible rows depend on memberships, so that they can change although no
    /// row does. These tables are small, and are fetched whole each time.
    func isOfPeople(_ entity: Entity) -> Bool {
        ["profiles", "project_members", "file_sync_states", pack.project.entity].contains(entity.name)
    }

    /// The other tables, whose rows are fetched with their project.
    package var contents: [Entity] {
        let always = Set(structure.map(\.name))
        return pack.centralEntities.filter { !always.contains($0.name) }
    }

    /// Sends the replica's changes. If the person may only read, the changes count as held back.
    ///
    /// - Parameter retrying: whether rejected changes that are not due are sent too.
    package func send(at time: Date, retrying: Bool, findings: any FindingSink) throws -> SentChanges {
        guard remote.actor.role.permissions.contains(.sync) else {
            var sent = SentChanges()
            let held = try waiting(at: time).held.reduce(0) { $0 + $1.count }
            if held > 0 { sent.held[PushHoldReason.role.rawValue] = held }
            return sent
        }
        try reportUnsendable(findings)
        try replica.endWaits(ofOthersThan: remote.actor)
        return try ChangeSender(
            pack: pack, replica: replica, remote: remote, environment: environment, display: display,
            projects: ownProjects()
        )
            .send(at: time, retrying: retrying, findings: findings)
    }

    /// Reports values that are not sent because the server has no column for them.
    private func reportUnsendable(_ findings: any FindingSink) throws {
        let waiting = try replica.waitingEntities()
        guard !waiting.isEmpty else { return }
        try remote.withSnapshot { snapshot in
            for entity in pack.centralEntities where waiting.contains(entity.name) {
                let there = Set(snapshot.fields(of: entity))
                guard !there.isEmpty else { continue }
                for field in entity.centralFields
                where !there.contains(field) && entity.fields[field].name != "updated_at" {
                    let name = entity.fields[field].name, count = try replica.countWaiting(with: name, of: entity)
                    guard count > 0 else { continue }
                    try findings.add(
                        Finding(
                            "SYNC-FIELD-UNKNOWN", place: Place(table: entity.name, field: name),
                            arguments: ["field": name, "name": entity.name, "count": String(count)]))
                }
            }
        }
    }

    /// The rows that a pull fetched, and whether they equal the server's.
    package struct Pulled {
        package var account = PullAccount()
        /// Codes of the projects that the actor has offline.
        package var projects: [String] = []
        package var proof: [SyncResult.Proof]?
        /// The moment on the server whose state the rows show.
        package var position: RemotePosition?
    }

    /// Fetches and applies what changed on the server.
    ///
    /// - Parameters:
    ///   - runID: the run's id; nil: the run is not recorded.
    ///   - sent: the number of changes that the sync sent before, for the log.
    ///   - isWithRecords: whether the rows of projects are fetched too, and not only people.
    ///   - comparingValues: whether every row is fetched again and compared with the replica's row.
    package func pull(
        runID: String?, at time: Date, sent: Int, isWithRecords: Bool = true, proving: Bool,
        comparingValues: Bool = false, findings: any FindingSink
    ) throws -> Pulled {
        var pulled = Pulled()
        for round in 1...Self.mostRounds {
            let isLast = try remote.withSnapshot { snapshot in
                var request = PullRequest(
                    runID: runID, remote: remote.address, actor: remote.actor, environment: environment, startedAt: time
                )
                request.sent = round == 1 ? sent : 0
                request.isExact = snapshot.isExact
                let compares = comparingValues && round == 1
                var account = PullAccount()
                // Reported changes are applied first: any difference after that is damage.
                if !compares || snapshot.isExact {
                    account = try pull(request, snapshot, isWithRecords, proving: proving, findings: findings, &pulled)
                }
                if compares {
                    (request.comparesValues, request.sent) = (true, snapshot.isExact ? 0 : request.sent)
                    account.add(
                        try pull(request, snapshot, isWithRecords, proving: proving, findings: findings, &pulled))
                }
                // Rows may refer to rows that changed after the snapshot's moment; the next round
                // fetches those.
                let isLast = snapshot.isOneMoment || !account.hasArrivals || round == Self.mostRounds
                if isLast, proving { pulled.proof = try prove(snapshot) }
                pulled.position = snapshot.position
                pulled.account.add(round == 1 && snapshot.isExact ? account : account.changesOnly)
                return isLast
            }
            if isLast { break }
        }
        return pulled
    }

    private func pull(
        _ request: PullRequest, _ snapshot: any RemoteSnapshot, _ isWithRecords: Bool, proving: Bool,
        findings: any FindingSink,
        _ pulled: inout Pulled
    ) throws -> PullAccount {
        let visible = try snapshot.projects()
        func since(_ entity: Entity, _ project: String?) throws -> RemotePosition? {
            request.comparesValues ? nil : try self.since(entity, project, snapshot)
        }
        var account = try replica.pull(request, at: snapshot.position, visible: visible, findings: findings) {
            staging in
            for entity in structure { try fetch(entity, nil, since(entity, nil), snapshot, staging) }
            try fetchRemoved(structure, nil, snapshot, staging)
        }
        let kept = try replica.offlineProjects(of: remote.actor.id).filter(visible.contains)
        // Some rows came from an imported file that claims they are already on the server. Their
        // projects are fetched to check this.
        let claimed = try replica.claimedProjects().filter(visible.contains)
        let projects = (isWithRecords ? kept : []) + claimed.subtracting(isWithRecords ? kept : []).sorted()
        if !projects.isEmpty {
            account.add(
                try replica.pull(request, at: snapshot.position, findings: findings) { staging in
                    for project in projects {
                        for entity in contents { try fetch(entity, project, since(entity, project), snapshot, staging) }
                    }
                    try fetchRemoved(contents, projects, snapshot, staging)
                })
        }
        if !snapshot.isExact {
            account.add(
                try pullDiffering(
                    request, snapshot, isWithRecords ? projects : [], visible, proving: proving, findings: findings))
        }
        pulled.projects = try codes(of: kept)
        return account
    }

    /// If a server does not report exact changes, compares row counts, or, with a proof, the rows'
    /// versions. Tables that differ are fetched whole.
    private func pullDiffering(
        _ request: PullRequest, _ snapshot: any RemoteSnapshot, _ projects: [String], _ visible: [String],
        proving: Bool,
        findings: any FindingSink
    ) throws -> PullAccount {
        let scopes =
            structure.filter { !isOfPeople($0) }.map { ($0, nil) }
            + projects.flatMap { project in contents.map { ($0, Optional(project)) } }
        let differing = try scopes.filter { entity, project in
            guard !snapshot.fields(of: entity).isEmpty else { return false }
            let scope: ProofScope = project.map { .project($0) } ?? .visible(visible)
            guard proving else {
                return try replica.proof(of: entity, in: scope).rows
                    != snapshot.count(of: entity, in: project, since: nil)
            }
            let (there, later) = try snapshot.proof(of: entity, in: project)
            return try replica.proof(of: entity, in: scope, without: later) != there
        }
        guard !differing.isEmpty else { return PullAccount() }
        let account = try replica.pull(request, at: snapshot.position, findings: findings) { staging in
            for (entity, project) in differing { try fetch(entity, project, nil, snapshot, staging) }
        }
        return account
    }

    /// The projects whose changes the actor sends, also projects that the server does not know yet;
    /// nil: all, for an administrator.
    func ownProjects() throws -> [String]? {
        remote.actor.role.permissions.contains(.administer) ? nil : try replica.projects(of: remote.actor.id)
    }

    /// The changes that wait to be sent; if the person may only read, all are held back.
    package func waiting(at time: Date?) throws -> PushSummary {
        var summary = try replica.pushSummary(of: ownProjects(), by: remote.actor, at: time)
        if !remote.actor.role.permissions.contains(.sync) { summary.holdAll(for: .role) }
        return summary
    }

    /// The position from which changes are fetched; nil: every row is fetched.
    package func since(_ entity: Entity, _ project: String?, _ snapshot: any RemoteSnapshot) throws -> RemotePosition? {
        guard !isOfPeople(entity) else { return nil }
        let kept = try replica.pulledPosition(
            of: entity.name, scope: project, remote: remote.address, actor: remote.actor)
        return kept.flatMap { $0.leads(to: snapshot.position) ? $0 : nil }
    }

    private func fetch(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ snapshot: any RemoteSnapshot,
        _ staging: PullStaging
    ) throws {
        let fields = snapshot.fields(of: entity)
        guard !fields.isEmpty else { return }
        try staging.begin(
            entity, fields: fields, scope: project, isWhole: since == nil, isDated: snapshot.isDated(entity),
            isRestored: since == nil && isRestored(entity, project, snapshot))
        var taken = 0, arrived: Set<String> = []
        // Counting a whole table may take long, so the server counts only if the progress is shown.
        try display.part(
            of: since == nil && !isOfPeople(entity) ? snapshot.count(of: entity, in: project, since: nil) : nil)
        let sent = try snapshot.rows(of: entity, in: project, since: since) { batch in
            try staging.take(batch, of: entity)
            taken += batch.rowCount
            if isOfPeople(entity) { for row in 0..<batch.rowCount { arrived.insert(batch.string(row, 0) ?? "") } }
            display.show(taken, of: entity.name)
        }
        // The server's count must equal the number of received rows.
        guard sent == taken else { throw SettingFailure.syncCount(table: entity.name, sent: sent, taken: taken) }
        guard since == nil, snapshot.isExact, !snapshot.isOneMoment else { return }
        // If every row of the replica arrived again, none can be mistaken for a removed one.
        if try !isOfPeople(entity)
            || replica.texts(of: entity.name, fields: []).contains(where: { !arrived.contains($0.id) })
        {
            staging.spare(try snapshot.proof(of: entity, in: project).later, of: entity)
        }
    }

    /// Whether a table was pulled from this server before it was restored from a backup.
    private func isRestored(_ entity: Entity, _ project: String?, _ snapshot: any RemoteSnapshot) throws -> Bool {
        guard snapshot.isExact else { return false }
        let kept = try replica.pulledPosition(
            of: entity.name, scope: project, remote: remote.address, actor: remote.actor)
        return kept.map { !$0.leads(to: snapshot.position) } ?? false
    }

    /// Fetches the removals since each position of these tables, once. They apply to scopes that
    /// were pulled up to that position: in other scopes, the row may have been created again since.
    /// All removals are fetched in two cases: the server was restored from a backup, or an imported
    /// file is the only evidence that a row is on the server.
    private func fetchRemoved(
        _ entities: [Entity], _ projects: [String]?, _ snapshot: any RemoteSnapshot, _ staging: PullStaging
    ) throws {
        let claimed = remote.actor.role.permissions.contains(.sync) ? try replica.claimedRows() : [:]
        var followed: [RemotePosition: [String: Set<String?>]] = [:], restored: [String: Set<String?>] = [:],
            asked: [String: Set<String?>] = [:]
        for scope in projects?.map(Optional.some) ?? [nil] {
            for entity in entities {
                if let since = try since(entity, scope, snapshot) {
                    followed[since, default: [:]][entity.name, default: []].insert(scope)
                } else if try isRestored(entity, scope, snapshot) {
                    restored[entity.name, default: []].insert(scope)
                }
                if claimed[entity.name] != nil { asked[entity.name, default: []].insert(scope) }
            }
        }
        func take(
            since: RemotePosition, in scopes: [String: Set<String?>], _ isTaken: (RemovedRow) -> Bool = { _ in true }
        ) throws {
            guard !scopes.isEmpty else { return }
            for (entity, rows) in Dictionary(grouping: try snapshot.removed(since: since).filter(isTaken), by: \.entity)
            {
                if let scopes = scopes[entity] { staging.take(rows, in: scopes) }
            }
        }
        for (since, scopes) in followed { try take(since: since, in: scopes) }
        try take(since: snapshot.position.beginning, in: restored)
        try take(since: snapshot.position.beginning, in: asked) {
            !$0.isMove && claimed[$0.entity]?.contains($0.id) == true
        }
    }

    package func codes(of projects: [String]) throws -> [String] {
        guard !projects.isEmpty else { return [] }
        let naming = pack.project
        let all = try replica.texts(of: naming.entity, fields: [naming.code])
        return projects.map { id in all.first { $0.id == id }?.values[0] ?? id }
    }

    // MARK: Proof

    /// Compares every table with the server, and finds the rows that differ.
    private func prove(_ snapshot: any RemoteSnapshot) throws -> [SyncResult.Proof] {
        let visible = try snapshot.projects()
        let seen = try visible + replica.unknownProjects(seenBy: remote.actor)
        let projects = try replica.offlineProjects(of: remote.actor.id).filter(visible.contains)
        let codes = Dictionary(zip(projects, try codes(of: projects))) { first, _ in first }
        let scopes =
            (structure.map { ($0, nil) } + projects.flatMap { project in contents.map { ($0, Optional(project)) } })
            .filter { !snapshot.fields(of: $0.0).isEmpty }
            .map { ($0, $1, scope: $1.map { .project($0) } ?? ProofScope.visible(seen)) }
        let proofs = ProofsAhead(replica, scopes.map { ($0.0, $0.scope) })
        return try scopes.map { entity, project, scope in
            var (there, later) = try snapshot.proof(of: entity, in: project)
            let all = try proofs.next()
            // Profiles that the actor no longer sees stay, as their work refers to them.
            if entity.name == "profiles" {
                let seen = try snapshot.versions(of: entity, in: nil)
                later.formUnion(try replica.remoteVersions(of: entity, in: scope).keys.filter { seen[$0] == nil })
            }
            var proof = SyncResult.Proof(
                project: project.flatMap { codes[$0] }, entity: entity.name,
                here: later.isEmpty ? all : try replica.proof(of: entity, in: scope, without: later), there: there)
            if !proof.isEqual {
                var versions = try snapshot.versions(of: entity, in: project)
                // The server may still have people who were erased from this replica.
                if try replica.leaveOutErased(&versions) {
                    proof.there = RowsProof(of: versions.filter { !later.contains($0.key) })
                }
                if !proof.isEqual { try find(&proof, entity, project, scope, later, versions, snapshot) }
            }
            proof.waiting = try max(proof.waiting, replica.waitingRows(of: entity, in: project))
            return proof
        }
    }

    /// After a failed proof, finds the rows that differ.
    private func find(
        _ proof: inout SyncResult.Proof, _ entity: Entity, _ project: String?, _ scope: ProofScope,
        _ later: Set<String>, _ there: [String: String],
        _ snapshot: any RemoteSnapshot
    ) throws {
        let here = try replica.remoteVersions(of: entity, in: scope)
        var ids = Set(here.keys).union(there.keys).filter { here[$0] != there[$0] && !later.contains($0) }
        if project != nil {
            // A row with an unsent change or an open conflict does not count as a difference: it
            // was moved to another project, or deleted, on one side only. A row with no project
            // field takes the project of its record; the record is compared separately.
            let (anywhereHere, anywhereThere) = (
                try replica.remoteVersions(of: entity, in: .all), try snapshot.versions(of: entity, in: nil)
            )
            let unsent = try replica.unsentRows(of: entity)
            let isFollower = entity.projectPath.map { $0.parts.count > 1 } ?? false
            let waiting = ids.filter { id in
                guard let here = anywhereHere[id], let there = anywhereThere[id] else { return unsent.contains(id) }
                return here == there && (isFollower || unsent.contains(id))
            }
            ids.subtract(waiting)
            proof.waiting = waiting.count
        }
        proof.differing = Array(ids.sorted().prefix(20))
    }
}
