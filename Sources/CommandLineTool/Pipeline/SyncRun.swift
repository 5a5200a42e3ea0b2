import Foundation
import Model
import Remotes
import Replica

/// One sync with the central database. What was changed here goes there first. Then what was
/// changed there comes here, in two steps: people, projects, memberships and what people keep
/// offline; then the rows of the projects that the actor keeps offline. Each step is applied whole
/// or not at all, and both show one moment.
struct SyncRun {
    private let session: CommandSession
    private let replica: Replica
    private let remote: any Remote
    private let wait: Int

    /// How often what changed meanwhile is asked for, where a server does not show one moment.
    private static let mostRounds = 3

    /// Connects. Throws `SettingFailure`, `PostgresFailure`, `WebFailure`, `SupabaseFailure`,
    /// `RemoteFailure`.
    init(_ session: CommandSession, wait: Int) throws {
        (self.session, self.wait) = (session, wait)
        let address = RemoteAddress(session.configuration)
        guard let address else { throw SettingFailure.noRemote }
        guard let email = session.options.actor ?? session.configuration.actor else { throw SettingFailure.noActor }
        replica = try session.openReplica(waiting: wait)
        session.progress.begin(session.text("cli.sync.head", ["environment": session.environment, "remote": address.text]), total: nil)
        remote = try address.connect(session, email: email, wait: wait)
        try remote.actor.ensure(may: .read)
    }

    // MARK: The steps

    /// Tables that come whatever is kept offline: who works, on what, what is kept, and rows of no
    /// project.
    private var structure: [Entity] {
        session.pack.centralEntities.filter { $0.projectPath == nil || isOfPeople($0) }
    }

    /// Tables of which a person sees more or less rows without any of them changing, when
    /// memberships change. They are small and come whole each time.
    private func isOfPeople(_ entity: Entity) -> Bool {
        ["profiles", "project_members", "file_sync_states", session.pack.project.entity].contains(entity.name)
    }

    /// The other tables, whose rows come with their project.
    private var contents: [Entity] {
        let always = Set(structure.map(\.name))
        return session.pack.centralEntities.filter { !always.contains($0.name) }
    }

    private func files(_ findings: any FindingSink) -> FileExchange {
        FileExchange(session: session, replica: replica, remote: remote, findings: findings)
    }

    func perform(proving: Bool, withFiles: Bool) throws -> SyncResult {
        var result = SyncResult(remote: remote.address, environment: session.environment, isPlan: false)
        return try RunScope.perform(session, replica, session.context(remote.actor), command: "sync", waitSeconds: wait) { scope in
            let findings = FindingList()
            // Who may only read has nothing to send.
            if remote.actor.role.permissions.contains(.sync) {
                let projects = try ownProjects()
                let sender = ChangeSender(session: session, replica: replica, remote: remote, projects: projects)
                result.sent = try sender.send(at: scope.context.asOf, findings: findings)
                if withFiles {
                    result.files = try files(findings).send(of: projects, at: scope.context.asOf)
                    // The places of the files, which their rows have now.
                    if result.files.sent > 0 { result.sent.add(try sender.send(at: scope.context.asOf, findings: FindingList())) }
                }
            }
            for round in 1...Self.mostRounds {
                let arrived = try remote.look { look in
                    let pulled = try pull(look, scope.context, sent: result.sent.count, findings: findings, &result)
                    // Rows of one moment may refer to rows that changed after it, which come now.
                    let isLast = look.isOneMoment || !pulled.hasArrivals || round == Self.mostRounds
                    if isLast, proving { result.proof = try prove(look) }
                    result.pulled.add(round == 1 ? pulled : pulled.changesOnly)
                    return !isLast
                }
                if !arrived { break }
            }
            if withFiles {
                let fetched = try files(findings).fetch(of: replica.offlineProjects(of: remote.actor.id))
                (result.files.fetched, result.files.fetchedBytes) = (fetched.fetched, fetched.fetchedBytes)
                result.files.failures += fetched.failures
            }
            result.findings = findings.findings
            let isProven = result.proof?.allSatisfy(\.isEqual) ?? true
            return (result, isProven && result.sent.failures == 0 && result.files.failures == 0 ? .done : .findings, JSONString.document(result.pulled))
        }
    }

    /// Takes over what changed, as the look shows it.
    private func pull(
        _ look: any RemoteLook, _ context: RunContext, sent: Int, findings: any FindingSink, _ result: inout SyncResult
    ) throws -> PullAccount {
        var request = PullRequest(
            runID: context.id, remote: remote.address, actor: remote.actor, environment: context.environment, startedAt: context.asOf)
        request.sent = sent
        let visible = try look.projects()
        var pulled = try replica.pull(request, at: look.position, visible: visible, findings: findings) { staging in
            for entity in structure { try fetch(entity, nil, look, staging) }
            try fetchRemoved(structure, nil, look, staging)
        }
        let projects = try replica.offlineProjects(of: remote.actor.id).filter(visible.contains)
        if !projects.isEmpty {
            pulled.add(
                try replica.pull(request, at: look.position, findings: findings) { staging in
                    for project in projects {
                        for entity in contents { try fetch(entity, project, look, staging) }
                    }
                    try fetchRemoved(contents, projects, look, staging)
                })
        }
        result.projects = try codes(of: projects)
        return pulled
    }

    /// The projects whose changes the actor sends, also such as the server does not know yet; nil:
    /// all, for whoever may administer.
    private func ownProjects() throws -> [String]? {
        remote.actor.role.permissions.contains(.administer) ? nil : try replica.status(visibleTo: remote.actor.id, runs: 0).projects.map(\.id)
    }

    /// What a sync would bring: counted by the server, nothing is changed.
    func plan() throws -> SyncResult {
        var result = SyncResult(remote: remote.address, environment: session.environment, isPlan: true)
        try remote.look { look in
            let visible = try look.projects()
            let projects = try replica.offlineProjects(of: remote.actor.id).filter(visible.contains)
            result.projects = try codes(of: projects)
            if remote.actor.role.permissions.contains(.sync) { result.waiting = try replica.pushSummary(of: ownProjects()) }
            let scopes = structure.map { ($0, nil) } + projects.flatMap { project in contents.map { ($0, project) } }
            result.expected = try scopes.compactMap { entity, project in
                guard !look.fields(of: entity).isEmpty else { return nil }
                let rows = try look.count(of: entity, in: project, since: since(entity, project, look))
                return rows == 0 ? nil : .init(project: try project.flatMap { try codes(of: [$0]).first }, entity: entity.name, rows: rows)
            }
        }
        return result
    }

    /// The position from which changes are asked for; nil: every row comes.
    private func since(_ entity: Entity, _ project: String?, _ look: any RemoteLook) throws -> RemotePosition? {
        guard !isOfPeople(entity) else { return nil }
        let kept = try replica.pulledPosition(of: entity.name, scope: project, remote: remote.address, actor: remote.actor)
        return kept.flatMap { $0.leads(to: look.position) ? $0 : nil }
    }

    private func fetch(_ entity: Entity, _ project: String?, _ look: any RemoteLook, _ staging: PullStaging) throws {
        let fields = look.fields(of: entity)
        guard !fields.isEmpty else { return }
        let since = try since(entity, project, look)
        try staging.begin(entity, fields: fields, scope: project, isWhole: since == nil)
        var taken = 0
        let sent = try look.rows(of: entity, in: project, since: since) { batch in
            try staging.take(batch, of: entity)
            taken += batch.rowCount
            session.progress.show(taken)
        }
        // The server counts by itself.
        guard sent == taken else { throw SettingFailure.syncCount(table: entity.name, sent: sent, taken: taken) }
        if since == nil, !look.isOneMoment { staging.spare(try look.proof(of: entity, in: project).later, of: entity) }
    }

    /// Asks once for the removals since the oldest position of these tables.
    private func fetchRemoved(_ entities: [Entity], _ projects: [String]?, _ look: any RemoteLook, _ staging: PullStaging) throws {
        let scopes = projects?.map(Optional.some) ?? [nil]
        var asked: Set<RemotePosition> = []
        for scope in scopes {
            for entity in entities {
                guard let since = try since(entity, scope, look), asked.insert(since).inserted else { continue }
                staging.take(try look.removed(since: since).filter { row in entities.contains { $0.name == row.entity } })
            }
        }
    }

    private func codes(of projects: [String]) throws -> [String] {
        guard !projects.isEmpty else { return [] }
        let naming = session.pack.project
        let all = try replica.texts(of: naming.entity, fields: [naming.code])
        return projects.map { id in all.first { $0.id == id }?.values[0] ?? id }
    }

    // MARK: Proof

    /// Compares every table with the server; where they differ, the rows are found.
    private func prove(_ look: any RemoteLook) throws -> [SyncResult.Proof] {
        let visible = try look.projects()
        let projects = try replica.offlineProjects(of: remote.actor.id).filter(visible.contains)
        let scopes = structure.map { ($0, nil) } + projects.flatMap { project in contents.map { ($0, project) } }
        return try scopes.compactMap { entity, project -> SyncResult.Proof? in
            guard !look.fields(of: entity).isEmpty else { return nil }
            let scope: ProofScope = project.map { .project($0) } ?? .visible(visible, remote.actor)
            let (there, later) = try look.proof(of: entity, in: project)
            var proof = SyncResult.Proof(
                project: try project.flatMap { try codes(of: [$0]).first }, entity: entity.name,
                here: try replica.proof(of: entity, in: scope, without: later), there: there)
            if !proof.isEqual {
                let (here, there) = (try replica.remoteVersions(of: entity, in: scope), try look.versions(of: entity, in: project))
                let ids = Set(here.keys).union(there.keys).filter { here[$0] != there[$0] && !later.contains($0) }
                proof.differing = Array(ids.sorted().prefix(20))
            }
            return proof
        }
    }
}
