import Foundation
import Model
import Remotes
import Replica
import Synchronization

/// What a sync did with files.
struct ExchangedFiles: Encodable, Sendable {
    var sent = 0
    var sentBytes: Int64 = 0
    var fetched = 0
    var fetchedBytes: Int64 = 0
    /// Files that could not go or come; there is a finding for each.
    var failures = 0

    var isEmpty: Bool { sent + fetched + failures == 0 }
}

/// Sends files whose rows the central database has, and fetches those that a person keeps: three at
/// once, each checked by its size or its checksum.
///
/// A file that was sent twice, because a run was killed before it was noted, is there once: its
/// place has the id of its row.
struct FileExchange {
    let session: CommandSession
    let replica: Replica
    let remote: any Remote
    let findings: any FindingSink

    /// Files at once.
    private static let width = 3
    /// Files after which the replica notes what was done.
    private static let groupSize = 30

    func send(of projects: [String]?, at time: Date) throws -> ExchangedFiles {
        let move = try move()
        return try exchange(replica.filesToSend(of: projects), "cli.sync.sending") { try move.send($0, by: $1, progress: $2) } note: { file, outcome, exchanged in
            switch outcome {
            case .done(let place, let bytes):
                try replica.noteSent(file, to: place, by: remote.actor, in: session.environment, at: time)
                exchanged.sent += 1
                exchanged.sentBytes += bytes
            case .refused(let kind, let message):
                try replica.noteNotSent(file, kind, message)
                try tell("SYNC-FILE-NOT-SENT", file, ["class": kind.rawValue, "reason": message])
            case .missing: try tell("SYNC-FILE-MISSING", file)
            case .differs: try tell("SYNC-FILE-CHANGED", file)
            }
        }
    }

    func fetch(of projects: [String]) throws -> ExchangedFiles {
        let move = try move()
        return try exchange(replica.filesToFetch(of: projects, for: remote.actor.id), "cli.sync.fetching") { try move.fetch($0, by: $1, progress: $2) } note: { file, outcome, exchanged in
            switch outcome {
            case .done(let place, let bytes):
                try replica.noteFetched(file, at: place)
                exchanged.fetched += 1
                exchanged.fetchedBytes += bytes
            case .refused(let kind, let message): try tell("SYNC-FILE-NOT-FETCHED", file, ["class": kind.rawValue, "reason": message])
            case .missing: try tell("SYNC-FILE-NOT-FETCHED", file, ["class": PushFailureClass.storage.rawValue, "reason": "-"])
            case .differs: try tell("SYNC-FILE-DIFFERS", file)
            }
        }
    }

    private func move() throws -> FileMove {
        let naming = session.pack.project
        var organisations: [String: String] = [:]
        if let field = naming.organisation {
            for row in try replica.texts(of: naming.entity, fields: [field]) { organisations[row.id] = row.values[0] }
        }
        return FileMove(
            pack: session.pack, replica: replica, remote: remote.address, organisations: organisations, organisation: session.configuration.organisation)
    }

    // MARK: Several at once

    private func exchange(
        _ files: [FileTransfer], _ title: String, _ work: @escaping FileWork.Work, note: (FileTransfer, FileMove.Outcome, inout ExchangedFiles) throws -> Void
    ) throws -> ExchangedFiles {
        var exchanged = ExchangedFiles()
        guard !files.isEmpty, let makeStorage = remote.makeStorage else { return exchanged }
        session.progress.begin(session.text(title), total: Int(files.reduce(0) { $0 + ($1.bytes ?? 0) } / 1024))
        defer { session.progress.end() }
        let shared = FileWork(progress: session.progress)
        for start in stride(from: 0, to: files.count, by: Self.groupSize) {
            let group = Array(files[start..<min(start + Self.groupSize, files.count)])
            for (file, outcome) in zip(group, try shared.perform(group, atOnce: Self.width, makeStorage, work)) {
                if case .done = outcome {} else { exchanged.failures += 1 }
                try note(file, outcome, &exchanged)
            }
        }
        return exchanged
    }

    private func tell(_ code: String, _ file: FileTransfer, _ arguments: [String: String] = [:]) throws {
        let key = try session.pack.entity(file.entity).flatMap { try replica.name(of: $0, id: file.rowID) }
        try findings.add(Finding(code, place: Place(table: file.entity, id: file.rowID, key: key), arguments: arguments))
    }
}
