import Foundation
import Model

/// A thread that puts batches of rows into the staging file, while whoever reads the source makes the next ones.
///
/// What it puts them with belongs to it from `take` until `settle` returns; after that, to whoever called until the next `take`. The first
/// failure is thrown by the next call.
final class StagingLane: Sendable {
    typealias Put = (borrowing ImportedBatch, _ place: Int64, _ table: Int) throws -> Void

    private struct Job {
        var batch: ImportedBatch
        var place: Int64
        var table: Int
    }

    /// Batches that wait; more would only take memory.
    private static let depth = 4

    private let condition = NSCondition()
    // Touched only while the condition is locked, but for `put`, of which the type's description tells.
    nonisolated(unsafe) private var jobs: [Job] = []
    nonisolated(unsafe) private var spares: [ImportedBatch] = []
    nonisolated(unsafe) private var failure: (any Error)?
    nonisolated(unsafe) private var isBusy = false
    nonisolated(unsafe) private var isStopped = false
    nonisolated(unsafe) private let put: Put

    init(_ put: @escaping Put) {
        unsafe self.put = put
        let thread = Thread { [self] in run() }
        thread.name = "fichero.staging"
        thread.start()
    }

    /// Takes a batch and leaves an empty one of the same kind.
    func take(_ batch: inout ImportedBatch, place: Int64, table: Int) throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe jobs.count >= Self.depth, unsafe failure == nil { condition.wait() }
        if let failure = unsafe failure { throw failure }
        var empty: ImportedBatch
        if let index = unsafe spares.firstIndex(where: { $0.entity == batch.entity && $0.fields == batch.fields && $0.place == batch.place }) {
            empty = unsafe spares.remove(at: index)
        } else {
            unsafe spares.removeAll()
            empty = ImportedBatch(entity: batch.entity, fields: batch.fields, place: batch.place, headings: batch.raw.headings)
        }
        swap(&empty, &batch)
        unsafe jobs.append(Job(batch: empty, place: place, table: table))
        condition.broadcast()
    }

    /// Waits until all is done that was taken.
    func settle() throws {
        condition.lock()
        defer { condition.unlock() }
        while unsafe (isBusy || !jobs.isEmpty), unsafe failure == nil { condition.wait() }
        // What is being put is at an end, even if it failed.
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
                unsafe try put(job.batch, job.place, job.table)
                job.batch.removeAll()
            } catch {
                failed = error
            }
            condition.lock()
            unsafe isBusy = false
            if let failed {
                unsafe failure = failed
                unsafe jobs.removeAll()
            } else {
                unsafe spares.append(job.batch)
            }
            condition.broadcast()
        }
    }
}
