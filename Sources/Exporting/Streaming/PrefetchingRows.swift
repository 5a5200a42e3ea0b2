import Dispatch
import Foundation
package import Model
import Synchronization

/// Steps another source on its own thread, a few batches ahead of whoever formats them.
///
/// The wrapped source must not be touched by anybody else until this object is gone; its deinitialiser waits for the thread.
package final class PrefetchingRows: RowSource {
    package let columnCount: Int
    private let ahead: Ahead
    private var isAtEnd = false

    package init(_ source: any RowSource, depth: Int = 3) {
        columnCount = source.columnCount
        ahead = Ahead(source, depth: depth)
        let ahead = ahead
        let thread = Thread { ahead.run() }
        thread.name = "fichero.rows"
        thread.start()
    }

    deinit {
        ahead.stop()
    }

    package func fill(_ batch: inout RowBatch) throws {
        guard !isAtEnd else { return batch.removeAll() }
        do {
            try ahead.take(&batch)
            isAtEnd = batch.rowCount == 0
        } catch {
            isAtEnd = true
            throw error
        }
    }
}

/// What both threads see; a slot belongs to one of them at a time, as the semaphores say.
private final class Ahead: Sendable {
    private final class Slot: Sendable {
        let batch: Mutex<RowBatch>
        init(columnCount: Int) { batch = Mutex(RowBatch(columnCount: columnCount)) }
    }

    // `any RowSource` is not Sendable. After `init` only the thread that runs `run` uses it, and `stop` waits for that thread:
    // the protocol demands of whoever opened it to hand it on for good. `stop` also drops it, so that its statement is finalised
    // there and not by whichever thread lets go last.
    nonisolated(unsafe) private var source: (any RowSource)?
    private let slots: [Slot]
    private let failure = Mutex<(any Error)?>(nil)
    private let isStopping = Mutex(false)
    private let nextToTake = Mutex(0)
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ source: any RowSource, depth: Int) {
        unsafe self.source = source
        let columnCount = source.columnCount
        slots = (0..<max(1, depth)).map { _ in Slot(columnCount: columnCount) }
        for _ in slots { free.signal() }
    }

    func take(_ batch: inout RowBatch) throws {
        filled.wait()
        let slot = nextToTake.withLock { next in
            defer { next = (next + 1) % slots.count }
            return slots[next]
        }
        slot.batch.withLock { swap(&$0, &batch) }
        // The thread ends after an empty batch, so an error is only there together with one.
        if batch.rowCount == 0, let error = failure.withLock({ $0 }) { throw error }
        free.signal()
    }

    func stop() {
        isStopping.withLock { $0 = true }
        free.signal()
        ended.wait()
        unsafe source = nil
    }

    func run() {
        var next = 0
        var isRunning = true
        while isRunning {
            free.wait()
            if isStopping.withLock({ $0 }) { break }
            isRunning = slots[next].batch.withLock { fill(&$0) }
            next = (next + 1) % slots.count
            filled.signal()
        }
        ended.signal()
    }

    private func fill(_ batch: inout RowBatch) -> Bool {
        do {
            unsafe try source?.fill(&batch)
            return batch.rowCount > 0
        } catch {
            batch.removeAll()
            failure.withLock { $0 = error }
            return false
        }
    }
}
