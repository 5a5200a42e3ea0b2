import Foundation
import Model

/// A thread that does one piece of work with batches of rows, one after the other, while whoever makes them makes the next ones; then it
/// hands them on to the next lane.
///
/// What it works with belongs to it from `take` until `settle` returns; after that, to whoever called until the next `take`. The first
/// failure, its own or of a lane behind it, is thrown by the next call.
final class BatchLane: Sendable {
    /// Rows of one staged place and one table of the source.
    struct Job {
        var batch: ImportedBatch
        var place: Int64
        var table: Int
    }

    typealias Work = (borrowing Job) throws -> Void

    /// Batches that wait; more would only take memory.
    private static let depth = 4

    private let next: BatchLane?
    private let used: UsedBatches
    private let condition = NSCondition()
    // Touched only while the condition is locked, but for `work`, of which the type's description tells.
    nonisolated(unsafe) private var jobs: [Job] = []
    nonisolated(unsafe) private var failure: (any Error)?
    nonisolated(unsafe) private var isBusy = false
    nonisolated(unsafe) private var isStopped = false
    nonisolated(unsafe) private let work: Work

    init(_ name: String, used: UsedBatches, before next: BatchLane? = nil, _ work: @escaping Work) {
        (self.next, self.used) = (next, used)
        unsafe self.work = work
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    func take(_ job: consuming Job) throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe jobs.count >= Self.depth, unsafe failure == nil, unsafe !isStopped { condition.wait() }
        if let failure = unsafe failure { throw failure }
        unsafe jobs.append(job)
        condition.broadcast()
    }

    /// Waits until all is done here that was taken, and handed on.
    func settle() throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe (isBusy || !jobs.isEmpty), unsafe failure == nil { condition.wait() }
        // What is being worked on is at an end, even if it failed.
        while unsafe isBusy { condition.wait() }
        if let failure = unsafe failure { throw failure }
    }

    /// Ends the thread; what still waits is dropped.
    func stop() {
        condition.lock()
        defer { condition.unlock() }
        unsafe isStopped = true
        unsafe jobs.removeAll()
        condition.broadcast()
        while unsafe isBusy { condition.wait() }
    }

    private func run() {
        condition.lock()
        defer { condition.unlock() }
        while true {
            while unsafe jobs.isEmpty, unsafe !isStopped { condition.wait() }
            if unsafe isStopped { return }
            let job = unsafe jobs.removeFirst()
            unsafe isBusy = true
            condition.unlock()
            var failed: (any Error)?
            do {
                unsafe try work(job)
                if let next { try next.take(job) } else { used.add(job.batch) }
            } catch {
                failed = error
            }
            condition.lock()
            unsafe isBusy = false
            if let failed {
                unsafe failure = failed
                unsafe jobs.removeAll()
            }
            condition.broadcast()
        }
    }
}
