import Foundation
import Model

/// Sweeps batches on a thread of its own, in the order in which they are handed over, a few at a time.
///
/// Used by one thread; its deinitialiser waits for the lane's.
final class SweepLane {
    /// A batch, and what the sweep found in it.
    private struct Work {
        var batch: RowBatch
        var suspects: [UInt64] = []
    }

    /// How many batches can be on their way.
    static let depth = 4

    private let columnCount: Int
    // Both have room for all that are on their way, so that neither thread waits for the other to take.
    private let filled = HandOver([Work?](repeating: nil, count: depth))
    private let swept = HandOver([Work?](repeating: nil, count: depth))
    private var spare: [Work] = []
    /// Batches that were handed over and not taken back.
    private(set) var waiting = 0

    init(_ plan: EntityPlan, columnCount: Int) {
        self.columnCount = columnCount
        let thread = Thread { [filled, swept] in Self.run(RowSweep(plan), filled, swept) }
        thread.name = "fichero.sweep"
        thread.start()
    }

    deinit { filled.cancel() }

    /// Hands a batch over in exchange for an empty one; only while fewer than `depth` wait.
    func submit(_ batch: inout RowBatch) throws {
        precondition(waiting < Self.depth)
        var own = spare.popLast() ?? Work(batch: RowBatch(columnCount: columnCount))
        swap(&own.batch, &batch)
        var work = Optional(consume own)
        if try filled.give(&work) { waiting += 1 }
    }

    /// Takes the oldest batch back, with what the sweep found; only while some wait.
    func take(_ batch: inout RowBatch, _ suspects: inout [UInt64]) throws {
        precondition(waiting > 0)
        var work: Work?
        guard try swept.take(&work), var own = work.take() else { preconditionFailure("the lane gives back what it got") }
        swap(&own.batch, &batch)
        swap(&own.suspects, &suspects)
        spare.append(own)
        waiting -= 1
    }

    private static func run(_ initial: RowSweep, _ filled: HandOver<Work?>, _ swept: HandOver<Work?>) {
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
