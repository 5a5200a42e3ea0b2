internal import CCairo

/// Collects what cairo writes and passes it on in pieces. An error that the receiver throws is
/// kept; cairo only learns that the write failed.
final class CairoOutput {
    static let pieceSize = 1 << 16

    private let pieceSize: Int
    private var buffer: [UInt8] = []
    private let receive: ([UInt8]) throws -> Void
    private(set) var failure: (any Error)?
    /// Nothing more is passed on: the document was dropped unfinished.
    var isClosed = false

    /// - Parameter pieceSize: the least size of a piece; 1: every write of cairo's comes alone.
    init(pieceSize: Int = pieceSize, _ receive: @escaping ([UInt8]) throws -> Void) {
        self.receive = receive
        self.pieceSize = pieceSize
        buffer.reserveCapacity(Self.pieceSize * 2)
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> cairo_status_t {
        guard !isClosed, failure == nil else { return CAIRO_STATUS_WRITE_ERROR }
        unsafe buffer.append(contentsOf: bytes)
        if buffer.count >= pieceSize { flush() }
        return failure == nil ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
    }

    func flush() {
        guard !isClosed, failure == nil, !buffer.isEmpty else { return }
        do { try receive(buffer) } catch { failure = error }
        buffer.removeAll(keepingCapacity: true)
    }

    /// The function that cairo calls, with the sink as its closure.
    static let write: cairo_write_func_t = { closure, data, length in
        guard let closure = unsafe closure, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = unsafe Unmanaged<CairoOutput>.fromOpaque(closure).takeUnretainedValue()
        return unsafe sink.append(UnsafeBufferPointer(start: data, count: Int(length)))
    }
}
