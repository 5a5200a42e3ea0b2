import Foundation
import Model
package import OutputFiles
import Synchronization

/// Passes buffers of bytes to a second thread, which compresses, hashes or writes them while the
/// first formats the next rows.
///
/// The number of buffers is bounded, and buffers are swapped: `send` takes the full one and returns
/// an empty one, so memory does not grow and nothing is copied. If the sink fails, the next `send`
/// or `finish` throws its error. Without `finish`, deinitialisation stops the thread and releases
/// the sink.
package final class BackgroundSink<Sink: ByteSink & ~Copyable> {
    private let shared: Shared<Sink>
    private var filled = Filled()
    private var isFinished = false

    /// - Parameter depth: the number of buffers that may wait.
    package init(_ sink: consuming sending Sink, depth: Int = 3) {
        shared = Shared(sink, depth: depth)
        let shared = shared
        let thread = Thread { shared.run() }
        thread.name = "fichero.sink"
        thread.start()
    }

    deinit {
        guard !isFinished else { return }
        shared.buffers.cancel()
        shared.drop()
    }

    /// Passes on the content of `buffer` and leaves an empty one in its place. Waits if too many
    /// buffers are waiting for the other thread.
    package func send(_ buffer: inout ByteBuffer) throws {
        guard !buffer.isEmpty else { return }
        swap(&filled.buffer, &buffer)
        _ = try shared.buffers.give(&filled)
    }

    /// Waits until everything is written, and returns the sink.
    package func finish() throws -> sending Sink {
        precondition(!isFinished, "finished twice")
        isFinished = true
        shared.buffers.end()
        return try shared.takeSink()
    }
}

/// A reference to a buffer. The queue passes on copyable values, and a buffer is not copyable.
private final class Filled {
    var buffer = ByteBuffer()
}

/// The queue and the sink, which both threads share.
private final class Shared<Sink: ByteSink & ~Copyable>: Sendable {
    let buffers: BoundedQueue<Filled>
    private let sink: Mutex<Sink?>

    init(_ sink: consuming sending Sink, depth: Int) {
        self.sink = Mutex(sink)
        buffers = BoundedQueue((0..<max(1, depth)).map { _ in Filled() })
    }

    func takeSink() throws -> sending Sink {
        do {
            try buffers.drain()
        } catch {
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

    func run() {
        var filled = Filled()
        do {
            while try buffers.take(&filled) {
                try sink.withLock { sink in try filled.buffer.withBytes { bytes in try sink?.write(bytes) } }
                filled.buffer.removeAll()
            }
        } catch {
            buffers.fail(error)
        }
    }
}
