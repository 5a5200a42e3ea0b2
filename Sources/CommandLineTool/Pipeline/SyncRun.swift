import Foundation
import Model
import Remotes
import Replica

/// The command's run of a sync with a central database: it connects, lets the engine work, moves
/// the files, and records what was done.
struct SyncRun: SyncWay {
    private let session: CommandSession
    private let replica: Replica
    private let remote: any CentralDatabase
    private let wait: Int
    private let fileWait: TransferObstacle?

    /// Connects. Throws `SettingFailure`, `PostgresFailure`, `WebFailure`, `SupabaseFailure`,
    /// `RemoteFailure`.
    init(_ session: CommandSession, wait: Int, isPlan: Bool) throws {
        (self.session, self.wait) = (session, wait)
        let address = RemoteAddress(session.configuration)
        guard let address else { throw SettingFailure.noRemote }
        guard let email = session.options.actor ?? session.configuration.actor else { throw SettingFailure.noActor }
        replica = try session.openReplica(waiting: wait)
        session.progress.begin(session.text("cli.sync.head", ["environment": session.environment, "remote": address.text]), total: nil)
        do {
            remote = try address.connect(session, email: email, wait: wait)
        } catch let failure as RemoteFailure {
            // Whoever may not work there does not go on here. What is said is the refusal, even if
            // the replica cannot be written.
            if !isPlan, case .inactive(let email, let status) = failure { try? replica.noteStatus(status, of: email, at: address.text) }
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
        SyncEngine(pack: session.pack, replica: replica, remote: remote, environment: session.environment, progress: session.progress)
    }

    /// What a sync would send and bring.
    func plan(_ request: SyncRequest) throws -> SyncResult {
        try ensureServer(request)
        var result = try engine.plan(request, at: request.isRetrying ? nil : session.asOf)
        if request.isWithFiles {
            let maySend = request.isSending && remote.actor.role.permissions.contains(.sync)
            result.files = try files(FindingList()).planned(
                sendingOf: maySend ? engine.ownProjects() : [], fetchingOf: request.isFetching ? replica.offlineProjects(of: remote.actor.id) : [])
        }
        return result
    }

    /// The rows of two servers in one replica would be sent to each of them.
    private func ensureServer(_ request: SyncRequest) throws {
        guard !request.isNewServer, let before = try replica.followsAnother(than: remote.address) else { return }
        throw SettingFailure.otherServer(remote.address, before: before)
    }

    func perform(_ request: SyncRequest) throws -> SyncResult {
        try ensureServer(request)
        var result = SyncResult(remote: remote.address, environment: session.environment, isPlan: false)
        (result.isWithRecords, result.isDeep) = (request.isFetching, request.isDeep)
        if request.isDeep { try replica.ensureSound() }
        return try RunScope.perform(session, replica, session.context(remote.actor), command: "sync", waitSeconds: wait) { scope in
            let findings = FindingList()
            // What was made here may be there already, under the id that counts.
            if request.isSending, try replica.mayBeKnownElsewhere() {
                result.pulled = try engine.pull(runID: scope.context.id, at: scope.context.asOf, sent: 0, isWithRecords: false, proving: false, findings: findings).account
            }
            if request.isSending { try send(request, at: scope.context.asOf, &result, findings) }
            let pulled = try engine.pull(
                runID: scope.context.id, at: scope.context.asOf, sent: result.sent.count, isWithRecords: request.isFetching, proving: request.isProving,
                comparingValues: request.isDeep, findings: findings)
            result.pulled.add(pulled.account)
            try replica.tellUnknownProjects(to: remote.actor, findings)
            (result.projects, result.proof) = (pulled.projects, pulled.proof)
            if request.isWithFiles, request.isFetching {
                result.files.add(fetched: try files(findings).fetch(of: replica.offlineProjects(of: remote.actor.id)))
            }
            if let folder = request.proofFolder, let proof = pulled.proof, let position = pulled.position {
                result.documents = try SyncProofProduction(scope: scope, folder: folder).write(proof, of: remote.address, at: position, comparingValues: request.isDeep)
            }
            result.findings = findings.findings
            return (result, result.exitCode, JSONString.document(result.pulled))
        }
    }

    private func send(_ request: SyncRequest, at time: Date, _ result: inout SyncResult, _ findings: FindingList) throws {
        try WaitingRecordErrors(session, replica, remote.actor).report(findings)
        result.sent = try engine.send(at: time, retrying: request.isRetrying, findings: findings)
        guard request.isWithFiles, remote.actor.role.permissions.contains(.sync) else { return }
        result.files = try files(findings).send(of: engine.ownProjects(), at: time)
        // The places of the files, which their rows have now.
        if result.files.sent > 0 { result.sent.add(try engine.send(at: time, retrying: false, findings: FindingList())) }
    }
}
