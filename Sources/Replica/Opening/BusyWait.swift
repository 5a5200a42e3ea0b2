import Foundation
import Model
import Synchronization

/// How long a statement waits for another program's lock, as `--wait` sets it. After a wait that
/// failed there is no further one, so that a run that gives up ends then. A signal ends the wait.
final class BusyWait: Sendable {
    private let patience: Duration
    private let isOver = Atomic<Bool>(false)
    private let began = Mutex(ContinuousClock.now)

    init(seconds: Double) { patience = .milliseconds(Int(max(0, seconds) * 1000)) }

    /// Whether to ask for the lock again; called by SQLite after each attempt, counted from 0.
    func wait(attempts: Int) -> Bool {
        let now = ContinuousClock.now
        let first = began.withLock { began in
            if attempts == 0 { began = now }
            return began
        }
        guard !isOver.load(ordering: .relaxed), !Interruption.isRequested else { return false }
        guard now - first < patience else {
            isOver.store(true, ordering: .relaxed)
            return false
        }
        // Short pauses at first, since most locks are short.
        usleep(UInt32(min(1 << min(attempts, 7), 100)) * 1000)
        return true
    }
}
