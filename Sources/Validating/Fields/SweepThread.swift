import Foundation
import Model

/// Sweeps batches on a thread of its own, in the order of their submission, a few at a time.
///
/// It is used by one thread. Its deinitialiser waits for its own thread.
final class SweepThread {
    /// A batch, and the suspects of the sweep.
    private struct Work {
        var batch: RowBatch
        var suspects: [UInt64] = []
    }

    /// The number of batches that can be under way.
    static let depth = 4

    private let columnCount: Int
    // Both have room for all batches under way, so that neither thread waits for the other.
    private let filled = BoundedQueue([Work?](repeating: nil, count: depth))
    private let swept = BoundedQueue([Work?](repeating: nil, count: depth))
    private var spare: [Work] = []
    /// Batches that were submitted and not taken back.
    private(set) var waiting = 0

    init(_ plan: EntityPlan, columnCount: Int) {
        self.columnCount = columnCount
        let thread = Thread { [filled, swept] in Self.run(RowSweep(plan), filled, swept) }
        thread.name = "fichero.sweep"
        thread.start()
    }

    deinit { filled.cancel() }

    /// Submits a batch in exchange for an empty one. Fewer than `depth` batches must be waiting.
    func submit(_ batch: inout RowBatch) throws {
        precondition(waiting < Self.depth)
        var own = spare.popLast() ?? Work(batch: RowBatch(columnCount: columnCount))
        swap(&own.batch, &batch)
        var work = Optional(consume own)
        if try filled.give(&work) { waiting += 1 }
    }

    /// Takes back the oldest batch, with the suspects of the sweep. At least one batch must be
    /// waiting.
    func take(_ batch: inout RowBatch, _ suspects: inout [UInt64]) throws {
        precondition(waiting > 0)
        var work: Work?
        guard try swept.take(&work), var own = work.take() else { preconditionFailure("the thread gives back what it got") }
        swap(&own.batch, &batch)
        swap(&own.suspects, &suspects)
        spare.append(own)
        waiting -= 1
    }

    private static func run(_ initial: RowSweep, _ filled: BoundedQueue<Work?>, _ swept: BoundedQueue<Work?>) {
        var sweep = initial
        do {
            var work: Work?
            while try filled.take(&work), var own = work.take() {
                sweep.findSuspects(in: own.batch, into: &own.suspects)
                work = consume own
                guard try swept.give(&work) else { break }
            }
            swept.end()
        } catch {
            swept.end(error)
        }
    }
}
