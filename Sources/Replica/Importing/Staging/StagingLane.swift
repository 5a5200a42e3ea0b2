import Foundation
import Model

/// The thread that stages stretches of rows, one after the other, while whoever makes them makes the next ones.
///
/// What it works with belongs to it from `take` until `settle` returns; after that, to whoever called until the next `take`. The first
/// failure is thrown by the next call.
final class StagingLane: Sendable {
    /// Rows of one table of the source.
    struct Job {
        var stretch: ImportedStretch
        var table: Int
    }

    typealias Work = (borrowing Job) throws -> Void

    /// Stretches that wait; more would only take memory.
    private static let depth = 4

    private let used: UsedStretches
    private let condition = NSCondition()
    // Touched only while the condition is locked, but for `work`, of which the type's description tells.
    nonisolated(unsafe) private var jobs: [Job] = []
    nonisolated(unsafe) private var failure: (any Error)?
    nonisolated(unsafe) private var isBusy = false
    nonisolated(unsafe) private var isStopped = false
    nonisolated(unsafe) private let work: Work

    init(used: UsedStretches, _ work: @escaping Work) {
        self.used = used
        unsafe self.work = work
        let thread = Thread { [self] in run() }
        thread.name = "fichero.staging"
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

    /// Waits until all is done that was taken.
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
                used.add(job.stretch)
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
