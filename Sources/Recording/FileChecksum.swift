import Digests
import Foundation
import Glibc

/// SHA-256 and size of a file, read once, in pieces.
package struct FileChecksum: Sendable, Hashable {
    /// Lower-case hexadecimal.
    package var sha256: String
    package var bytes: Int64

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
        let content = try SHA256.digest { (piece) throws(RecordingFailure) in
            while true {
                let count = unsafe read(descriptor, &piece, piece.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw RecordingFailure.fileUnreadable(path: path, reason: systemReason(errno)) }
            }
        }
        sha256 = content.digest.hexadecimal
        bytes = content.bytes
    }
}
