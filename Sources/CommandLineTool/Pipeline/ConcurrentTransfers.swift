import Foundation
import Model
import Remotes
import Synchronization

/// Works on several files at once. What ends one for lack of a connection or of space ends all.
final class ConcurrentTransfers: Sendable {
    typealias Work = @Sendable (FileTransfer, any RemoteStorage, (Int64) -> Void) throws -> StorageTransfer.Outcome

    /// What the threads share.
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
    private let line: ProgressLine

    /// - Parameter progress: that of all files, with nothing done.
    init(_ progress: FileProgress, shownOn line: ProgressLine) {
        shared = Mutex(Shared(progress: progress))
        self.line = line
    }

    /// The outcome of each file; nil where the work ended before it was done. What ended it comes
    /// along, so that what was done can be noted first.
    func perform(_ files: [FileTransfer], atOnce width: Int, _ makeStorage: @escaping @Sendable () -> any RemoteStorage, _ work: @escaping Work) -> (outcomes: [StorageTransfer.Outcome?], failure: (any Error)?) {
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
                line.showLine { title, _, elapsed in progress.line(title, elapsed: elapsed) }
            }
            shared.withLock { $0.outcomes[index] = outcome }
        } catch let refusal as SupabaseFailure {
            guard case .refused(let status, let state, let message) = refusal, !refusal.isPassing else { return shared.withLock { $0.failure = refusal } }
            let kind: PushFailureClass = [401, 403].contains(status) ? .permission : .storage
            shared.withLock { $0.outcomes[index] = .refused(kind, message.isEmpty ? state : message) }
        } catch {
            shared.withLock { $0.failure = error }
        }
    }
}
