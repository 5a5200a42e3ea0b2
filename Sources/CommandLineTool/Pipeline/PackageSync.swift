import Foundation
import Importing
import Model
import Remotes
import Replica

/// The command's run of a sync by packages: what came back is read first, then what waits here is
/// sent. Nothing counts as synced before it is acknowledged.
struct PackageSync: SyncWay {
    private let session: CommandSession
    private let replica: Replica
    private let folders: Configuration.Packages
    private let wait: Int
    let actor: Actor
    /// Nobody can be asked what the other side has.
    var canProve: Bool { false }

    /// Throws `SettingFailure`, `ReplicaFailure`, `ActorFailure`.
    init(_ session: CommandSession, _ folders: Configuration.Packages, wait: Int) throws {
        (self.session, self.folders, self.wait) = (session, folders, wait)
        // A share that is not mounted is not made here.
        for folder in [folders.send, folders.receive] where !Self.isFolder(folder) { throw SettingFailure.noExchangeFolder(folder) }
        replica = try session.openReplica(waiting: wait)
        actor = try session.actor(in: replica, to: .sync)
        session.progress.begin(session.text("cli.sync.head", ["environment": session.environment, "remote": folders.send]), total: nil)
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path))?[.type] as? FileAttributeType == .typeDirectory
    }

    private func remote(takesFiles: Bool = true) -> PackageRemote { PackageRemote(folders.send, pack: session.pack, actor: actor, takesFiles: takesFiles) }

    /// The projects whose changes the actor sends; nil: all.
    private func ownProjects() throws -> [String]? {
        actor.role.permissions.contains(.administer) ? nil : try replica.projects(of: actor.id)
    }

    private var result: SyncResult { SyncResult(remote: folders.send, environment: session.environment, isPlan: false) }

    func plan(_ request: SyncRequest) throws -> SyncResult {
        var result = result
        result.isPlan = true
        guard let reach = remote().reach else { return result }
        result.waiting = try replica.pushSummary(of: ownProjects(), reach: reach, isAgain: request.isRetrying)
        result.packages = PackageExchange(received: try intake(nil).unread().map(\.name), untaken: try replica.untakenChanges(reach))
        return result
    }

    func perform(_ request: SyncRequest) throws -> SyncResult {
        try RunScope.perform(session, replica, session.context(actor), command: "sync", waitSeconds: wait) { scope in
            var result = result, exchange = PackageExchange()
            result.isWithRecords = request.isFetching
            let findings = FindingList()
            let dispatch = PackageDispatch(scope: scope, folder: folders.send, findings: findings)
            // What a killed run had put together goes as it was.
            if request.isSending { exchange.sent = try dispatch.write(replica.unwrittenBatches(for: folders.send)) }
            if request.isFetching {
                let received = try intake(scope).receive(findings)
                (result.pulled, exchange.received, exchange.acknowledged) = (received.account, received.files, received.acknowledged)
            }
            if request.isSending {
                let remote = remote(takesFiles: request.isWithFiles)
                if request.isRetrying { try replica.sendAgain(to: folders.send, of: ownProjects()) }
                try WaitingRecordErrors(session, replica, actor).report(findings)
                result.sent = try ChangeSender(
                    pack: session.pack, replica: replica, remote: remote, environment: session.environment, progress: session.progress, projects: ownProjects()
                ).send(at: scope.context.asOf, retrying: request.isRetrying, findings: findings)
                exchange.sent += try dispatch.write(replica.sealBatches(for: folders.send, at: scope.context.asOf))
                exchange.untaken = try self.remote().reach.map { try replica.untakenChanges($0) } ?? 0
            }
            result.packages = exchange
            result.findings = findings.findings
            return (result, result.exitCode, JSONString.document(result.pulled))
        }
    }

    private func intake(_ scope: RunScope?) -> PackageIntake { PackageIntake(session: session, replica: replica, scope: scope, folder: folders.receive) }
}
