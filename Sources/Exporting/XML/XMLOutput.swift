import CLibXML2
import Model
import OutputFiles

/// Writes to an output file through libxml2's output buffer.
///
/// If writing to the file fails, the next `write` or `close` throws the error. The file is removed
/// if this value is released without `close`.
@safe struct XMLOutput: ~Copyable, ByteSink, @unchecked Sendable {
    // Sendable is unchecked because of the pointer: this value is the only owner of the buffer and
    // of its target.
    private let target: Target
    private var buffer: xmlOutputBufferPtr?

    /// Receives the buffer's bytes and stores the first error, because libxml2 passes on only a
    /// failure code.
    private final class Target {
        var file: OutputFile?
        var failure: (any Error)?

        init(_ file: consuming OutputFile) { self.file = consume file }

        func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            do {
                try unsafe file?.write(Span(_unsafeElements: bytes))
                return true
            } catch {
                if failure == nil { failure = error }
                return false
            }
        }
    }

    init(_ file: consuming OutputFile) throws {
        let target = Target(file)
        self.target = target
        // The target outlives the buffer, which is closed in `close` or `deinit`.
        let context = unsafe Unmanaged.passUnretained(target).toOpaque()
        unsafe buffer = xmlOutputBufferCreateIO(
            { context, bytes, count in
                guard let context = unsafe context, let bytes = unsafe bytes else { return -1 }
                let target = unsafe Unmanaged<Target>.fromOpaque(context).takeUnretainedValue()
                return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
                    unsafe target.write(UnsafeBufferPointer(start: bytes, count: Int(count))) ? count : -1
                }
            }, nil, context, nil)
        guard unsafe buffer != nil else { throw OutputFailure.library(name: "libxml2", reason: "no output buffer") }
    }

    deinit {
        if let open = unsafe buffer { _ = unsafe xmlOutputBufferClose(open) }
    }

    mutating func write(_ bytes: Span<UInt8>) throws {
        var start = 0
        while start < bytes.count {
            // libxml2 accepts lengths as 32-bit integers.
            let end = min(bytes.count, start + 1 << 30)
            let written = unsafe bytes.extracting(start..<end).withUnsafeBytes { piece in
                unsafe xmlOutputBufferWrite(
                    buffer, Int32(piece.count), piece.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
            guard written >= 0 else { throw failure("write") }
            start = end
        }
    }

    /// Writes the bytes that are still in the buffer, flushes the file to disk and closes it.
    consuming func close(rows: Int) throws -> WrittenFile {
        let open = unsafe buffer
        unsafe buffer = nil
        guard unsafe xmlOutputBufferClose(open) >= 0, target.failure == nil else { throw failure("close") }
        guard let file = target.file.take() else { throw failure("close") }
        return try file.close(rows: rows)
    }

    private func failure(_ step: String) -> any Error {
        target.failure ?? OutputFailure.library(name: "libxml2", reason: step)
    }
}
