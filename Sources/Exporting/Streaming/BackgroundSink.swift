import Dispatch
import Foundation
package import OutputFiles
import Synchronization

/// Hands buffers of bytes to a second thread, which compresses, hashes or writes them while the first formats the next rows.
///
/// The hand-over is bounded and swaps buffers: `send` takes the full one and gives back an emptied one, so memory stays flat and
/// nothing is copied. An error of the sink comes out of the next `send` or of `finish`. A sink that is given up without
/// `finish` is ended and dropped before the last reference to this object is gone.
package final class BackgroundSink<Sink: ByteSink & ~Copyable> {
    private let shared: Shared<Sink>
    private var isFinished = false

    /// `depth`: how many buffers may wait.
    package init(_ sink: consuming sending Sink, depth: Int = 3) {
        shared = Shared(sink, depth: depth)
        let shared = shared
        let thread = Thread { shared.run() }
        thread.name = "fichero.sink"
        thread.start()
    }

    deinit {
        guard !isFinished else { return }
        shared.end()
        shared.drop()
    }

    /// Passes on what is in `buffer` and leaves an empty one in its place; waits when the other thread is behind.
    package func send(_ buffer: inout ByteBuffer) throws {
        guard !buffer.isEmpty else { return }
        try shared.send(&buffer)
    }

    /// Waits until everything is written and gives the sink back.
    package func finish() throws -> sending Sink {
        precondition(!isFinished, "finished twice")
        isFinished = true
        shared.end()
        return try shared.takeSink()
    }
}

/// What both threads see. Semaphores say how many slots are free and filled; each slot belongs to one thread at a time.
private final class Shared<Sink: ByteSink & ~Copyable>: Sendable {
    private final class Slot: Sendable {
        let buffer = Mutex(ByteBuffer())
    }

    private let sink: Mutex<Sink?>
    private let failure = Mutex<(any Error)?>(nil)
    private let slots: [Slot]
    private let nextToFill = Mutex(0)
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ sink: consuming sending Sink, depth: Int) {
        self.sink = Mutex(sink)
        slots = (0..<max(1, depth)).map { _ in Slot() }
        // Signalled instead of given as the first value: a semaphore may not die below its first value.
        for _ in slots { free.signal() }
    }

    func send(_ buffer: inout ByteBuffer) throws {
        free.wait()
        if let error = failure.withLock({ $0 }) {
            free.signal()
            throw error
        }
        nextSlot().buffer.withLock { swap(&$0, &buffer) }
        buffer.removeAll()
        filled.signal()
    }

    /// An empty buffer tells the other thread to stop.
    func end() {
        free.wait()
        nextSlot().buffer.withLock { $0.removeAll() }
        filled.signal()
        ended.wait()
    }

    func takeSink() throws -> sending Sink {
        if let error = failure.withLock({ $0 }) {
            drop()
            throw error
        }
        let taken = sink.withLock { $0.take() }
        guard let taken else { preconditionFailure("a sink is taken once") }
        return taken
    }

    func drop() {
        sink.withLock { $0 = nil }
    }

    private func nextSlot() -> Slot {
        nextToFill.withLock { next in
            defer { next = (next + 1) % slots.count }
            return slots[next]
        }
    }

    func run() {
        var next = 0
        while true {
            filled.wait()
            let isLast = slots[next].buffer.withLock { buffer in
                guard !buffer.isEmpty else { return true }
                // After a failure the rest is taken and thrown away, so that the first thread never waits for ever.
                if failure.withLock({ $0 == nil }) { pass(buffer) }
                return false
            }
            if isLast { break }
            next = (next + 1) % slots.count
            free.signal()
        }
        ended.signal()
    }

    private func pass(_ buffer: borrowing ByteBuffer) {
        do {
            try sink.withLock { sink in try buffer.withBytes { bytes in try sink?.write(bytes) } }
        } catch {
            failure.withLock { $0 = error }
        }
    }
}
