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

    private let condition = NSCondition()
    // Touched only while the condition is locked, but for `work`, of which the type's description tells.
    nonisolated(unsafe) private var jobs: [Job] = []
    /// Stretches whose rows are done with, so that the room that they have is used again.
    nonisolated(unsafe) private var used: [ImportedStretch] = []
    nonisolated(unsafe) private var failure: (any Error)?
    nonisolated(unsafe) private var isBusy = false
    nonisolated(unsafe) private var isStopped = false
    nonisolated(unsafe) private let work: Work

    init(_ work: @escaping Work) {
        unsafe self.work = work
        let thread = Thread { [self] in run() }
        thread.name = "fichero.staging"
        thread.start()
    }

    /// Takes what a stretch of rows of one table holds; the stretch is empty afterwards.
    func take(_ stretch: inout ImportedStretch, of table: Int) throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe jobs.count >= Self.depth, unsafe failure == nil, unsafe !isStopped { condition.wait() }
        if let failure = unsafe failure { throw failure }
        var full = empty(like: stretch)
        swap(&full, &stretch)
        unsafe jobs.append(Job(stretch: full, table: table))
        condition.broadcast()
    }

    /// An empty stretch for rows of the same table.
    private func empty(like stretch: borrowing ImportedStretch) -> ImportedStretch {
        let kinds = stretch.batches.map { ($0.entity, $0.fields, $0.place) }
        let index = unsafe used.firstIndex { known in
            known.batches.count == kinds.count && zip(known.batches, kinds).allSatisfy { $0.entity == $1.0 && $0.fields == $1.1 && $0.place == $1.2 }
        }
        if let index { return unsafe used.remove(at: index) }
        unsafe used.removeAll()
        return ImportedStretch(stretch.batches.map { batch in
            ImportedBatch(
                entity: batch.entity, fields: batch.fields, place: batch.place, raw: RawCells(headings: batch.raw.headings, isText: batch.raw.isText))
        })
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
            var job = unsafe jobs.removeFirst()
            unsafe isBusy = true
            condition.unlock()
            var failed: (any Error)?
            do {
                unsafe try work(job)
                job.stretch.removeAll()
            } catch {
                failed = error
            }
            condition.lock()
            if failed == nil { unsafe used.append(job.stretch) }
            unsafe isBusy = false
            if let failed {
                unsafe failure = failed
                unsafe jobs.removeAll()
            }
            condition.broadcast()
        }
    }
}
