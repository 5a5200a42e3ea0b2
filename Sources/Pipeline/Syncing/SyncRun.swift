import Foundation
package import Model
import Remotes
import Replica

/// The command's run of a sync with a central database. It connects, runs the engine, transfers the
/// files, and records the result.
struct SyncRun: SyncMethod {
    private let session: WorkSession
    private let replica: Replica
    private let remote: any CentralDatabase
    private let wait: Int
    private let fileWait: TransferObstacle?

    /// Connects. Throws `SettingFailure`, `PostgresFailure`, `WebFailure`, `SupabaseFailure`,
    /// `RemoteFailure`.
    init(_ session: WorkSession, wait: Int, isPlan: Bool) throws {
        (self.session, self.wait) = (session, wait)
        guard let address = session.syncing.remote else { throw SettingFailure.noRemote }
        guard let email = session.email else { throw SettingFailure.noActor }
        replica = try session.openReplica(waiting: wait)
        session.display.begin(
            session.text("cli.sync.head", ["environment": session.environment, "remote": address.text]), total: nil)
        do {
            remote = try address.connect(session, email: email, wait: wait)
        } catch let failure as RemoteFailure {
            // An inactive person must not continue to work in the replica, so the status is stored.
            // The refusal is reported even if the replica cannot be written.
            if !isPlan, failure.code == "REMOTE-INACTIVE", let email = failure.arguments["email"],
                let status = failure.arguments["status"]
            {
                try? replica.noteStatus(status, of: email, at: address.text)
            }
            throw failure
        }
        try remote.actor.ensure(may: .read)
        fileWait = remote.makeStorage == nil ? .noStorage : TransferObstacle(session)
    }

    var actor: Actor { remote.actor }
    var canProve: Bool { true }

    private func files(_ findings: any FindingSink) -> FileSync {
        FileSync(session: session, replica: replica, remote: remote, wait: fileWait, findings: findings)
    }

    private var engine: SyncEngine {
        SyncEngine(
            pack: session.pack, replica: replica, remote: remote, environment: session.environment,
            display: session.display)
    }

    func plan(_ request: SyncRequest) throws -> SyncResult {
        try ensureServer(request)
        var result = try engine.plan(request, at: request.isRetrying ? nil : session.asOf)
        if request.isWithFiles {
            let maySend = request.isSending && remote.actor.role.permissions.contains(.sync)
            result.files = try files(FindingList()).planned(
                sendingOf: maySend ? engine.ownProjects() : [],
                fetchingOf: request.isFetching ? replica.offlineProjects(of: remote.actor.id) : [])
        }
        return result
    }

    private func ensureServer(_ request: SyncRequest) throws {
        try request.ensureFollowing(remote.address, replica, as: remote.actor)
    }

    func perform(_ request: SyncRequest) throws -> SyncResult {
        try ensureServer(request)
        var result = SyncResult(remote: remote.address, environment: session.environment, isPlan: false)
        (result.isWithRecords, result.isDeep) = (request.isFetching, request.isDeep)
        if request.isDeep { try replica.ensureSound() }
        return try RunScope.perform(session, replica, session.context(remote.actor), command: "sync", waitSeconds: wait)
        { scope in
            let findings = FindingList()
            // The server may already have this replica's new rows under their final ids.
            if request.isSending, try replica.mayBeKnownElsewhere() {
                result.pulled = try engine.pull(
                    runID: scope.context.id, at: scope.context.asOf, sent: 0, isWithRecords: false, proving: false,
                    findings: findings
                ).account
            }
            if request.isSending { try send(request, at: scope.context.asOf, &result, findings) }
            let pulled = try engine.pull(
                runID: scope.context.id, at: scope.context.asOf, sent: result.sent.count,
                isWithRecords: request.isFetching, proving: request.isProving,
                comparingValues: request.isDeep, findings: findings)
            result.pulled.add(pulled.account)
            try replica.reportUnknownProjects(to: remote.actor, findings)
            (result.projects, result.proof) = (pulled.projects, pulled.proof)
            if request.isWithFiles, request.isFetching {
                result.files.add(fetched: try files(findings).fetch(of: replica.offlineProjects(of: remote.actor.id)))
            }
            if let folder = request.proofFolder, let proof = pulled.proof, let position = pulled.position {
                result.documents = try SyncProofProduction(scope: scope, folder: folder).write(
                    proof, of: remote.address, at: position, comparingValues: request.isDeep)
            }
            result.findings = findings.findings
            return (result, result.exitCode, JSONString.document(result.pulled))
        }
    }

    private func send(_ request: SyncRequest, at time: Date, _ result: inout SyncResult, _ findings: FindingList) throws
    {
        try WaitingRecordErrors(session, replica, remote.actor).report(findings)
        result.sent = try engine.send(at: time, retrying: request.isRetrying, findings: findings)
        guard request.isWithFiles, remote.actor.role.permissions.contains(.sync) else { return }
        result.files = try files(findings).send(of: engine.ownProjects(), at: time)
        // Sends the storage paths that the files' rows have now.
        if result.files.sent > 0 {
            result.sent.add(try engine.send(at: time, retrying: false, findings: FindingList()))
        }
    }
}

/// The options of a sync.
package struct SyncRequest {
    /// Whether the replica's changes and files are sent.
    package var isSending = true
    /// Whether the sync partner's changes and files are fetched.
    package var isFetching = true
    /// Whether replica and server are compared at the end.
    package var isProving = false
    /// Whether every row is fetched again, to compare its values too.
    package var isDeep = false
    /// The folder for the proof's documents, which are registered; nil: no documents are written.
    package var proofFolder: String?
    /// Whether rejected changes are retried although they are not due.
    package var isRetrying = false
    package var isWithFiles = true
    /// Whether the replica may follow another server than before.
    package var isNewServer = false

    package init() {}

    /// Ensures that the replica follows the configured remote, or that the actor may choose it. If
    /// a replica had rows of two servers, it would send them to both.
    func ensureFollowing(_ remote: String, _ replica: Replica, as actor: Actor) throws {
        switch try replica.following(remote) {
        case .this: return
        case .another(let before) where !isNewServer: throw SettingFailure.otherServer(remote, before: before)
        case .another, .nothing:
            guard try replica.mayChooseRemote(actor.email) else { throw SettingFailure.notToChoose(remote) }
        }
    }
}

/// A kind of sync: with a central database, or by packages.
package protocol SyncMethod {
    /// The person who syncs, with the role on the server.
    var actor: Actor { get }
    /// Whether the sync partner can report which rows it has.
    var canProve: Bool { get }

    /// Plan of a sync. If the sync retries, rejected and unacknowledged changes count too.
    func plan(_ request: SyncRequest) throws -> SyncResult
    func perform(_ request: SyncRequest) throws -> SyncResult
}

extension WorkSession {
    /// Connects with the remote in the configuration: a central database takes precedence over
    /// folders for packages.
    ///
    /// - Parameter isPlan: whether the sync is only planned, so that nothing is changed.
    package func sync(wait: Int, isPlan: Bool = false) throws -> any SyncMethod {
        guard syncing.remote == nil, let folders = syncing.packages else {
            return try SyncRun(self, wait: wait, isPlan: isPlan)
        }
        return try PackageSync(self, folders, wait: wait)
    }
}

/// Reason why no file can be sent or fetched now.
package enum TransferObstacle: Hashable, Sendable {
    /// The central database stores no files.
    case noStorage
    /// Files may not be sent over this machine's network, or the machine has no outside network.
    case network(NetworkKind?, allowed: [NetworkKind])

    /// Nil: files may be sent.
    ///
    /// - Parameters:
    ///   - stated: the kind of network that the person sets (`FICHERO_NETWORK`), if the machine
    ///     cannot detect it: a telephone on a cable looks like a wired network.
    ///   - current: returns the kind that the machine detects.
    package init?(
        _ address: RemoteAddress, _ policy: FilePolicy, stated: String?,
        current: () -> NetworkKind? = { NetworkKind.current() }
    ) {
        guard address.keepsFiles else {
            self = .noStorage
            return
        }
        guard let allowed = policy.networks else { return nil }
        let known = stated.flatMap(NetworkKind.init)
        if known == nil, address.isOfThisMachine { return nil }
        let kind = known ?? current()
        if let kind, allowed.contains(kind) { return nil }
        self = .network(kind, allowed: allowed)
    }

    /// The obstacle for a session's configuration; nil also if no central database is configured.
    package init?(_ session: WorkSession) {
        guard let address = session.syncing.remote else { return nil }
        self.init(address, session.syncing.files, stated: session.syncing.network)
    }

    /// The obstacle's name in JSON output.
    package var name: String {
        switch self {
        case .noStorage: "noStorage"
        case .network(let kind, _): "network:" + (kind?.rawValue ?? "none")
        }
    }
}
