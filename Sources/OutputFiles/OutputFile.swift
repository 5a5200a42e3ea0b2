import Crypto
import Glibc
package import Model
import Zipping

/// A file that exists only when it is complete: it grows under a temporary name beside its final one, is flushed to disk and
/// closed by `close`, and is removed when it is given up before that. Whoever registers it renames it.
///
/// Counts bytes and computes SHA-256 as they pass. After a `patch` of earlier bytes the sum is taken from the file instead.
package struct OutputFile: ~Copyable, ByteSink, ZipOutput {
    package let finalPath: String
    package let temporaryPath: String
    /// Bytes written so far.
    package private(set) var position: Int64 = 0
    private var descriptor: Int32
    private var sum = SHA256()
    private var isPatched: Bool

    /// Creates the temporary file; `finalPath`'s directory must exist. `isPatched` says that patches are sure to come, which spares
    /// summing twice.
    package init(finalPath: String, isPatched: Bool = false) throws(OutputFailure) {
        self.isPatched = isPatched
        self.finalPath = finalPath
        temporaryPath = TemporaryName.path(beside: finalPath)
        descriptor = unsafe Glibc.open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
    }

    /// A file that a library wrote and closed under a temporary name: it is summed and flushed by `close` as if it had been written here.
    package init(written temporaryPath: String, finalPath: String) throws(OutputFailure) {
        (self.finalPath, self.temporaryPath, isPatched) = (finalPath, temporaryPath, true)
        descriptor = unsafe Glibc.open(temporaryPath, O_RDWR | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { throw OutputFailure.system(errno, path: finalPath) }
        position = Int64(status.st_size)
    }

    deinit {
        if descriptor >= 0 {
            _ = Glibc.close(descriptor)
            unsafe unlink(temporaryPath)
        }
    }

    package mutating func write(_ bytes: Span<UInt8>) throws {
        try Interruption.check()
        try unsafe bytes.withUnsafeBytes { raw in
            if !isPatched { unsafe sum.update(bufferPointer: raw) }
            try unsafe put(raw, at: position)
        }
        position += Int64(bytes.count)
    }

    /// Replaces bytes that were written before: sizes that are known only afterwards.
    package mutating func patch(_ bytes: Span<UInt8>, at offset: Int64) throws {
        isPatched = true
        try unsafe bytes.withUnsafeBytes { raw in try unsafe put(raw, at: offset) }
    }

    /// Flushes the file to disk and closes it: complete, under its temporary name.
    package consuming func close(rows: Int) throws -> WrittenFile {
        if isPatched { try sumFromFile() }
        let digest = sum.finalize()
        guard fsync(descriptor) == 0 else { throw OutputFailure.system(errno, path: finalPath) }
        let closing = descriptor
        guard Glibc.close(closing) == 0 else {
            descriptor = -1
            unsafe unlink(temporaryPath)
            throw OutputFailure.system(errno, path: finalPath)
        }
        descriptor = -1
        return WrittenFile(
            temporaryPath: temporaryPath, finalPath: finalPath, bytes: position, sha256: Self.hexadecimal(digest), rows: rows)
    }

    private func put(_ raw: UnsafeRawBufferPointer, at offset: Int64) throws(OutputFailure) {
        if let error = unsafe OpenFile.write(raw, to: descriptor, at: offset) { throw OutputFailure.system(error, path: finalPath) }
    }

    private mutating func sumFromFile() throws {
        sum = SHA256()
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var offset: Int64 = 0
        while offset < position {
            let size = chunk.count
            let read = unsafe chunk.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, size, off_t(offset)) }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw OutputFailure.system(read < 0 ? errno : EIO, path: finalPath) }
            unsafe chunk.withUnsafeBytes { unsafe sum.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<read])) }
            offset += Int64(read)
        }
    }

    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in digest {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
