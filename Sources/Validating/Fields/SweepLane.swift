import Dispatch
import Foundation
import Model
import Synchronization

/// Sweeps batches on a thread of its own, in the order in which they are handed over, a few at a time.
///
/// Used by one thread; its deinitialiser waits for the lane's.
final class SweepLane {
    /// How many batches can be on their way.
    static let depth = 4

    private let lane: Lane
    private var submitted = 0
    private var taken = 0

    init(_ plan: EntityPlan, columnCount: Int) {
        lane = Lane(columnCount: columnCount)
        let lane = lane
        let thread = Thread { lane.run(RowSweep(plan)) }
        thread.name = "fichero.sweep"
        thread.start()
    }

    deinit {
        lane.stop()
    }

    /// Batches that were handed over and not taken back.
    var waiting: Int { submitted - taken }

    /// Hands a batch over in exchange for an empty one; only while fewer than `depth` wait.
    func submit(_ batch: inout RowBatch) {
        precondition(waiting < Self.depth)
        lane.slots[submitted % Self.depth].work.withLock { swap(&$0.batch, &batch) }
        submitted += 1
        lane.filled.signal()
    }

    /// Takes the oldest batch back, with what the sweep found; only while some wait.
    func take(_ batch: inout RowBatch, _ suspects: inout [UInt64]) {
        precondition(waiting > 0)
        lane.swept.wait()
        lane.slots[taken % Self.depth].work.withLock { work in
            swap(&work.batch, &batch)
            swap(&work.suspects, &suspects)
        }
        taken += 1
    }
}

/// What both threads see; a slot belongs to one of them at a time, as the semaphores say.
private final class Lane: Sendable {
    struct Work {
        var batch: RowBatch
        var suspects: [UInt64] = []
    }

    final class Slot: Sendable {
        let work: Mutex<Work>
        init(columnCount: Int) { work = Mutex(Work(batch: RowBatch(columnCount: columnCount))) }
    }

    let slots: [Slot]
    let filled = DispatchSemaphore(value: 0)
    let swept = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isStopping = Mutex(false)

    init(columnCount: Int) {
        slots = (0..<SweepLane.depth).map { _ in Slot(columnCount: columnCount) }
    }

    func run(_ initial: RowSweep) {
        var sweep = initial
        var next = 0
        while true {
            filled.wait()
            if isStopping.withLock({ $0 }) { break }
            slots[next].work.withLock { sweep.findSuspects(in: $0.batch, into: &$0.suspects) }
            next = (next + 1) % slots.count
            swept.signal()
        }
        ended.signal()
    }

    func stop() {
        isStopping.withLock { $0 = true }
        filled.signal()
        ended.wait()
    }
}
