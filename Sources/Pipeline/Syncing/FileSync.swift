import Foundation
import Logging
import Model
import Remotes
import Replica
import Synchronization

/// The files that a sync sent and fetched.
package struct SyncedFiles: Encodable, Sendable {
    /// Files that would be sent and fetched, or the reason why they cannot be now.
    package struct Waiting: Encodable, Sendable {
        package var send = 0
        package var fetch = 0
        /// `TransferObstacle.name`; nil: nothing blocks the transfer.
        package var reason: String?
    }

    package var sent = 0
    package var sentBytes: Int64 = 0
    package var fetched = 0
    package var fetchedBytes: Int64 = 0
    /// Number of files that could not be sent or fetched; there is a finding for each.
    package var failures = 0
    package var waiting: Waiting?

    package var isEmpty: Bool { sent + fetched + failures == 0 && waiting == nil }

    /// Adds the fetched files to the sent ones.
    package mutating func add(fetched other: SyncedFiles) {
        (fetched, fetchedBytes) = (other.fetched, other.fetchedBytes)
        failures += other.failures
        guard let later = other.waiting else { return }
        waiting = Waiting(send: waiting?.send ?? 0, fetch: later.fetch, reason: later.reason)
    }
}

/// Sends files whose rows the central database has, and fetches files that a person chose to have
/// offline. A few are transferred at once, and each is checked by its size or its checksum.
///
/// A run after a kill may send a file twice. Storage stores one copy, as the path contains the
/// row's id.
struct FileSync {
    let session: WorkSession
    let replica: Replica
    let remote: any CentralDatabase
    /// Reason why no file can be sent or fetched now; nil: files can.
    let wait: TransferObstacle?
    let findings: any FindingSink

    /// The replica stores the results after this many files.
    private static let groupSize = 30

    func send(of projects: [String]?, at time: Date) throws -> SyncedFiles {
        if let wait {
            return try waiting(wait) { $0.send = try replica.countFilesToSend(of: projects).values.reduce(0, +) }
        }
        let move = try move()
        // On a shared replica, other people may have added files that this person may not send.
        let files = try replica.filesToSend(of: projects).filter {
            session.pack.entity($0.entity).map(remote.actor.role.maySend) ?? false
        }.map(move.measured)
        return try exchange(files, "cli.sync.sending") {
            try move.send($0, by: $1, progress: $2)
        } note: { file, outcome, exchanged in
            switch outcome {
            case .done(let place, let bytes, let sha256):
                try replica.noteSent(
                    file, to: place, bytes: bytes, sha256: sha256, by: remote.actor, in: session.environment, at: time)
                exchanged.sent += 1
                exchanged.sentBytes += bytes
            case .refused(let kind, let message):
                try replica.noteNotSent(file, kind, message)
                try report("SYNC-FILE-NOT-SENT", file, ["class": kind.rawValue, "reason": message])
            case .missing: try report("SYNC-FILE-MISSING", file)
            case .notRead(let reason): try report("SYNC-FILE-NOT-READ", file, ["reason": reason])
            case .differs: try report("SYNC-FILE-CHANGED", file)
            case .foreign: try report("SYNC-FILE-PLACE", file)
            }
        }
    }

    func fetch(of projects: [String]) throws -> SyncedFiles {
        if let wait {
            return try waiting(wait) {
                $0.fetch = try replica.countFilesToFetch(of: projects, for: remote.actor.id).values.reduce(0, +)
            }
        }
        let move = try move()
        return try exchange(replica.filesToFetch(of: projects, for: remote.actor.id), "cli.sync.fetching") {
            try move.fetch($0, by: $1, progress: $2)
        } note: { file, outcome, exchanged in
            switch outcome {
            case .done(let place, let bytes, _):
                try replica.noteFetched(file, at: place)
                exchanged.fetched += 1
                exchanged.fetchedBytes += bytes
            case .refused(let kind, let message):
                try report("SYNC-FILE-NOT-FETCHED", file, ["class": kind.rawValue, "reason": message])
            case .missing, .notRead:
                try report("SYNC-FILE-NOT-FETCHED", file, ["class": PushFailureClass.storage.rawValue, "reason": "-"])
            case .differs: try report("SYNC-FILE-DIFFERS", file)
            case .foreign: try report("SYNC-FILE-PLACE", file)
            }
        }
    }

    /// Files that would be sent and fetched, for rows that the replica has.
    func planned(sendingOf sending: [String]?, fetchingOf fetching: [String]) throws -> SyncedFiles {
        try waiting(wait) {
            $0.send = try replica.countFilesToSend(of: sending).values.reduce(0, +)
            $0.fetch = try replica.countFilesToFetch(of: fetching, for: remote.actor.id).values.reduce(0, +)
        }
    }

    /// Counts the files that would be transferred, and transfers none.
    private func waiting(_ wait: TransferObstacle?, _ count: (inout SyncedFiles.Waiting) throws -> Void) rethrows
        -> SyncedFiles
    {
        var exchanged = SyncedFiles(), waiting = SyncedFiles.Waiting(reason: wait?.name)
        try count(&waiting)
        if waiting.send + waiting.fetch > 0 { exchanged.waiting = waiting }
        return exchanged
    }

    private func move() throws -> StorageTransfer {
        let naming = session.pack.project
        var organisations: [String: String] = [:]
        if let field = naming.organisation {
            for row in try replica.texts(of: naming.entity, fields: [field]) { organisations[row.id] = row.values[0] }
        }
        return StorageTransfer(
            pack: session.pack, replica: replica, remote: remote.address, organisations: organisations,
            organisation: session.organisation)
    }

    // MARK: Several at once

    private func exchange(
        _ files: [FileTransfer], _ title: String, _ work: @escaping ConcurrentTransfers.Work,
        note: (FileTransfer, StorageTransfer.Outcome, inout SyncedFiles) throws -> Void
    ) throws -> SyncedFiles {
        var exchanged = SyncedFiles()
        guard !files.isEmpty, let makeStorage = remote.makeStorage else { return exchanged }
        session.display.begin(session.text(title), total: nil)
        defer { session.display.end() }
        let shared = ConcurrentTransfers(
            FileProgress(count: files.count, bytes: files.reduce(0) { $0 + ($1.bytes ?? 0) }), shownOn: session.display
        )
        for start in stride(from: 0, to: files.count, by: Self.groupSize) {
            let group = Array(files[start..<min(start + Self.groupSize, files.count)])
            let done = shared.perform(group, atOnce: session.syncing.files.atOnce, makeStorage, work)
            for (index, (file, outcome)) in zip(group, done.outcomes).enumerated() {
                guard let outcome else { continue }
                if case .done(_, let bytes, _) = outcome {
                    log(file, bytes, "\(start + index + 1)/\(files.count)")
                } else {
                    exchanged.failures += 1
                }
                try note(file, outcome, &exchanged)
            }
            // Finished files are recorded before the error is thrown.
            if let failure = done.failure { throw failure }
        }
        return exchanged
    }

    /// Writes one line for each file into the log, if nobody watches the progress.
    private func log(_ file: FileTransfer, _ bytes: Int64, _ position: String) {
        guard !session.display.isWatched else { return }
        session.log.info(
            "file moved",
            metadata: ["file": "\(position)", "table": "\(file.entity)", "id": "\(file.rowID)", "bytes": "\(bytes)"])
    }

    private func report(_ code: String, _ file: FileTransfer, _ arguments: [String: String] = [:]) throws {
        let key = try session.pack.entity(file.entity).flatMap { try replica.name(of: $0, id: file.rowID) }
        try findings.add(
            Finding(code, place: Place(table: file.entity, id: file.rowID, key: key), arguments: arguments))
    }
}

/// Transfers several files at once. A lack of connection or of disk space ends all transfers.
final class ConcurrentTransfers: Sendable {
    typealias Work = @Sendable (FileTransfer, any RemoteStorage, (Int64) -> Void) throws -> StorageTransfer.Outcome

    /// State that the threads share.
    private struct Shared {
        var outcomes: [StorageTransfer.Outcome?] = []
        var started = 0
        var failure: (any Error)?
        var progress: FileProgress

        mutating func next() -> Int? {
            guard failure == nil, started < outcomes.count else { return nil }
            started += 1
            return started - 1
        }
    }

    private let shared: Mutex<Shared>
    private let display: any RunDisplay

    /// - Parameter progress: the progress of all files together, before the first one.
    init(_ progress: FileProgress, shownOn display: any RunDisplay) {
        shared = Mutex(Shared(progress: progress))
        self.display = display
    }

    /// The outcome of each file; nil for a file that was not reached. An error is returned and not
    /// thrown, so that the finished files can be recorded first.
    func perform(
        _ files: [FileTransfer], atOnce width: Int, _ makeStorage: @escaping @Sendable () -> any RemoteStorage,
        _ work: @escaping Work
    ) -> (outcomes: [StorageTransfer.Outcome?], failure: (any Error)?) {
        shared.withLock { ($0.outcomes, $0.started) = (Array(repeating: nil, count: files.count), 0) }
        DispatchQueue.concurrentPerform(iterations: min(width, files.count)) { _ in
            let storage = makeStorage()
            while let index = shared.withLock({ $0.next() }) { take(files[index], index, storage, work) }
        }
        return shared.withLock { ($0.outcomes, $0.failure) }
    }

    private func take(_ file: FileTransfer, _ index: Int, _ storage: any RemoteStorage, _ work: Work) {
        shared.withLock { $0.progress.begin(file.rowID, file.name, bytes: file.bytes) }
        defer { shared.withLock { $0.progress.end(file.rowID) } }
        do {
            let outcome = try work(file, storage) { bytes in
                let progress = shared.withLock { shared in
                    shared.progress.move(file.rowID, to: bytes)
                    return shared.progress
                }
                display.show(progress)
            }
            shared.withLock { $0.outcomes[index] = outcome }
        } catch let refusal as SupabaseFailure {
            guard let state = refusal.state, !refusal.isPassing else {
                return shared.withLock { $0.failure = refusal }
            }
            let kind: PushFailureClass = refusal.exitCode == .notPermitted ? .permission : .storage
            let message = refusal.arguments["message", default: ""]
            shared.withLock { $0.outcomes[index] = .refused(kind, message.isEmpty ? state : message) }
        } catch {
            shared.withLock { $0.failure = error }
        }
    }
}

/// The progress of a sync's files: the number of files and bytes, the time left, and each active
/// file.
package struct FileProgress {
    /// The totals of all files.
    package let count: Int
    package let bytes: Int64
    /// Finished files, transferred or failed.
    package private(set) var done = 0
    /// Bytes of all files transferred so far.
    package private(set) var moved: Int64 = 0
    /// Active files, in the order in which they began.
    package private(set) var active: [(id: String, name: String, bytes: Int64?, moved: Int64)] = []

    init(count: Int, bytes: Int64) { (self.count, self.bytes) = (count, bytes) }

    /// - Parameters:
    ///   - id: distinguishes files with the same name.
    ///   - bytes: the size of the file; nil when it is unknown.
    package mutating func begin(_ id: String, _ name: String, bytes: Int64?) { active.append((id, name, bytes, 0)) }

    /// - Parameter moved: bytes of the file transferred so far.
    package mutating func move(_ id: String, to moved: Int64) {
        guard let index = active.firstIndex(where: { $0.id == id }) else { return }
        self.moved += moved - active[index].moved
        active[index].moved = moved
    }

    package mutating func end(_ id: String) {
        done += 1
        active.removeAll { $0.id == id }
    }
}
