import Digests
import Foundation
import Glibc

/// SHA-256 and size of a file, read once, in pieces.
package struct FileChecksum: Sendable, Hashable {
    /// Lower-case hexadecimal.
    package var sha256: String
    package var bytes: Int64

    private static let pieceSize = 1 << 18

    /// - Throws: `RecordingFailure.fileMissing` or `.fileUnreadable` (also for anything but a
    ///   regular file).
    package init(of path: String) throws(RecordingFailure) {
        // Without O_NONBLOCK a named pipe in an output directory would block the check for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .fileMissing(path: path) : .fileUnreadable(path: path, reason: systemReason(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .fileUnreadable(path: path, reason: systemReason(EINVAL))
        }
        var hash = SHA256()
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        var total: Int64 = 0
        while true {
            let count = unsafe read(descriptor, &piece, piece.count)
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .fileUnreadable(path: path, reason: systemReason(errno))
            }
            hash.update(piece.span.extracting(..<count))
            total += Int64(count)
        }
        sha256 = hash.digest().hexadecimal
        bytes = total
    }
}
