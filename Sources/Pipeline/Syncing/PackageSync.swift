import Exporting
import Foundation
import Importing
import Model
import OutputFiles
import Recording
import Remotes
package import Replica
import Validating

/// Runs a sync by packages for the command: it reads the received packages first, then sends the
/// waiting changes. No change counts as synced before the partner acknowledges it.
struct PackageSync: SyncMethod {
    private let session: WorkSession
    private let replica: Replica
    private let folders: PackageFolders
    private let wait: Int
    let actor: Actor
    /// The sync partner cannot report which rows it has.
    var canProve: Bool { false }

    /// Throws `SettingFailure`, `ReplicaFailure`, `ActorFailure`.
    init(_ session: WorkSession, _ folders: PackageFolders, wait: Int) throws {
        (self.session, self.folders, self.wait) = (session, folders, wait)
        // A missing folder may be a share that is not mounted, so it is not created.
        for folder in [folders.send, folders.receive] where !Self.isFolder(folder) {
            throw SettingFailure.noExchangeFolder(folder)
        }
        replica = try session.openReplica(waiting: wait)
        actor = try session.actor(in: replica, to: .sync)
        session.display.begin(
            session.text("cli.sync.head", ["environment": session.environment, "remote": folders.send]), total: nil)
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path))?[
            .type] as? FileAttributeType == .typeDirectory
    }

    private func remote(takesFiles: Bool = true) -> PackageRemote {
        PackageRemote(folders.send, pack: session.pack, actor: actor, takesFiles: takesFiles)
    }

    /// The projects whose changes the actor sends; nil: all.
    private func ownProjects() throws -> [String]? {
        actor.role.permissions.contains(.administer) ? nil : try replica.projects(of: actor.id)
    }

    private var result: SyncResult { SyncResult(remote: folders.send, environment: session.environment, isPlan: false) }

    /// The address contains both folders: whoever writes into the receiving folder acts as the
    /// partner.
    private var address: String {
        [folders.send, folders.receive].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
            .joined(separator: " → ")
    }

    func plan(_ request: SyncRequest) throws -> SyncResult {
        try request.ensureFollowing(address, replica, as: actor)
        var result = result
        result.isPlan = true
        guard let reach = remote().reach else { return result }
        result.waiting = try replica.pushSummary(of: ownProjects(), reach: reach, isAgain: request.isRetrying)
        result.packages = PackageExchange(
            received: try intake(nil).unread().map(\.name), untaken: try replica.untakenChanges(reach))
        return result
    }

    func perform(_ request: SyncRequest) throws -> SyncResult {
        try request.ensureFollowing(address, replica, as: actor)
        return try RunScope.perform(session, replica, session.context(actor), command: "sync", waitSeconds: wait) {
            scope in
            try replica.follow(exchange: address)
            var result = result, exchange = PackageExchange()
            result.isWithRecords = request.isFetching
            let findings = FindingList()
            let dispatch = PackageDispatch(scope: scope, folder: folders.send, findings: findings)
            // The batches of a killed run are written unchanged.
            if request.isSending { exchange.sent = try dispatch.write(replica.unwrittenBatches(for: folders.send)) }
            if request.isFetching {
                let received = try intake(scope).receive(findings)
                (result.pulled, exchange.received, exchange.acknowledged) = (
                    received.account, received.files, received.acknowledged
                )
            }
            if request.isSending {
                let remote = remote(takesFiles: request.isWithFiles)
                if request.isRetrying { try replica.sendAgain(to: folders.send, of: ownProjects()) }
                try WaitingRecordErrors(session, replica, actor).report(findings)
                result.sent = try ChangeSender(
                    pack: session.pack, replica: replica, remote: remote, environment: session.environment,
                    display: session.display, projects: ownProjects()
                ).send(at: scope.context.asOf, retrying: request.isRetrying, findings: findings)
                exchange.sent += try dispatch.write(replica.sealBatches(for: folders.send, at: scope.context.asOf))
                exchange.untaken = try self.remote().reach.map { try replica.untakenChanges($0) } ?? 0
            }
            result.packages = exchange
            result.findings = findings.findings
            return (result, result.exitCode, JSONString.document(result.pulled))
        }
    }

    private func intake(_ scope: RunScope?) -> PackageIntake {
        PackageIntake(session: session, replica: replica, scope: scope, folder: folders.receive)
    }
}

/// Result of a sync by packages, or of its plan.
package struct PackageExchange: Encodable, Sendable {
    /// Number of changes that the partner has acknowledged.
    package var acknowledged = 0
    /// Names of the files that were read or, in a plan, would be read.
    package var received: [String] = []
    /// The files that were written.
    package var sent: [SentBatch] = []
    /// Number of changes that packages cannot contain.
    package var untaken = 0
}

/// Validates the records with waiting changes before they are sent. Records with errors are
/// reported, but sent: a draft naturally has gaps, and is safer in two places than only in this
/// replica.
struct WaitingRecordErrors {
    private let session: WorkSession
    private let replica: Replica
    private let actor: Actor

    private static let limit = 100

    init(_ session: WorkSession, _ replica: Replica, _ actor: Actor) {
        (self.session, self.replica, self.actor) = (session, replica, actor)
    }

    func report(_ findings: any FindingSink) throws {
        guard actor.role.permissions.contains(.sync) else { return }
        let changed = try session.pack.records.map { ($0, try replica.recordsWithChanges($0)) }.filter { !$0.1.isEmpty }
        guard !changed.isEmpty else { return }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [], timeZone: session.timeZone,
            asOf: session.asOf)
        // Records that did not change since they were validated are not validated again.
        _ = try session.validate(reading, keepingIn: replica)
        for (kind, waiting) in changed {
            for record in try reading.recordsWithErrors(of: kind, among: waiting).prefix(Self.limit) {
                let place = Place(table: kind.root, id: record.id, key: record.key)
                try findings.add(Finding("SYNC-UNSOUND", place: place, arguments: ["codes": record.detail]))
            }
        }
    }
}

/// Writes the batch files of a sync. Each is written under a temporary name and then renamed, and
/// the same changes give the same bytes. So a run after a kill writes the file again, and no change
/// is sent twice.
struct PackageDispatch {
    let scope: RunScope
    let folder: String
    let findings: any FindingSink

    private var session: WorkSession { scope.session }

    /// Returns the batches with the time of their files.
    func write(_ batches: [SentBatch]) throws -> [SentBatch] { try batches.map(write) }

    private func write(_ batch: SentBatch) throws -> SentBatch {
        let naming = session.pack.project, final = folder + "/" + batch.file
        let code = try scope.replica.texts(of: naming.entity, fields: [naming.code]).first { $0.id == batch.projectID }?
            .values[0]
        let files = StoredPhotos(session)
        let written = try scope.replica.reading(batch, for: folder, as: scope.context.actor) { tables, nextPhoto in
            let content = PackageContent(
                pack: session.pack.name, packVersion: session.pack.version, createdAt: batch.madeAt,
                project: code ?? batch.projectID,
                tables: tables.map { PackageTable(entity: $0.entity, fields: $0.fields, open: $0.open) })
            return try PackageWriter().write(
                content, nextPhoto: { try nextPhoto().map(files.packaged) }, finalPath: final, findings: findings,
                progress: session.display.show)
        }
        try Interruption.check()
        try OutputCommit.publish(
            temporary: written.temporaryPath, final: final, replacing: .anything(but: session.replicaFiles))
        try scope.replica.noteWritten(
            batch, for: folder, rows: written.rows, photos: written.photos, by: scope.context.actor,
            in: scope.context.environment, at: scope.context.asOf)
        var done = batch
        done.sentAt = Timestamp.format(scope.context.asOf)
        return done
    }
}

/// The files of photos beside the replica, for a package.
struct StoredPhotos {
    private let folder: String

    init(_ session: WorkSession) { folder = session.replicaFolder }

    /// Opens only files in a store beside the replica: other programs can store any path.
    func packaged(_ photo: ReadSession.PackagedPhoto) -> PackagePhoto {
        let parts = (photo.path ?? "").split(separator: "/", omittingEmptySubsequences: false)
        let isStored = parts.count > 1 && parts[0].hasSuffix(".files") && !parts.contains("..")
        return PackagePhoto(
            entity: photo.entity, id: photo.id, name: photo.name,
            path: isStored ? photo.path.map { folder + "/" + $0 } : nil, sha256: photo.sha256)
    }
}
