import Glibc
import OutputFiles

/// Bytes that wait on disk: written once from front to back, then read. The file has no name, so
/// nothing can be left behind.
struct SpoolFile: ~Copyable {
    private let path: String
    private let descriptor: Int32
    private var pending = ByteBuffer(capacity: 1 << 16)
    private var flushed: Int64 = 0

    /// The file is in the directory of `finalPath`, where there is room for what the export needs.
    init(beside finalPath: String) throws(OutputFailure) {
        path = finalPath
        let name = TemporaryName.path(beside: finalPath)
        descriptor = unsafe Glibc.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
        unsafe unlink(name)
    }

    deinit {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    mutating func append(_ bytes: Span<UInt8>) throws(OutputFailure) {
        pending.append(bytes)
        if pending.count >= 1 << 16 { try flush() }
    }

    mutating func flush() throws(OutputFailure) {
        let descriptor = descriptor
        let start = flushed
        let error = pending.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { raw in unsafe OpenFile.write(raw, to: descriptor, at: start) }
        }
        if let error { throw OutputFailure.system(error, path: path) }
        flushed += Int64(pending.count)
        pending.removeAll()
    }

    /// Exactly `count` bytes that were flushed before.
    func read(_ count: Int, at offset: Int64) throws(OutputFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let error = unsafe bytes.withUnsafeMutableBytes { unsafe OpenFile.read(into: $0, from: descriptor, at: offset) }
        if let error { throw OutputFailure.system(error, path: path) }
        return bytes
    }
}
