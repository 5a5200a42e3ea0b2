import Digests
import Foundation
import Glibc
package import Model

/// Reason why a file could not be published, or a run could not lock its replica.
package typealias RecordingFailure = DeclaredFailure<OutputCommit>

extension RecordingFailure {
    /// Another run has the lock; `holder` is that run's entry in the lock file, if it could be
    /// read.
    package static func busy(path: String, holder: RunLock.Holder?) -> Self {
        Self(
            "RUN-BUSY", .busy,
            ["path": path, "pid": holder.map { String($0.pid) } ?? "?", "since": holder?.since ?? "?"])
    }
    package static func lock(path: String, reason: String) -> Self {
        Self("RUN-LOCK", .cannotCreateOutput, ["path": path, "reason": reason])
    }
    /// A file that this run may not replace has the final name.
    package static func outputExists(path: String) -> Self {
        Self("OUTPUT-EXISTS", .cannotCreateOutput, ["path": path])
    }
    /// The path belongs to a registered file of another line, document or project, which `delivery`
    /// describes.
    package static func outputOfAnother(path: String, delivery: String) -> Self {
        Self(
            "OUTPUT-OF-ANOTHER", .cannotCreateOutput,
            ["path": path, "delivery": delivery, "places": "{project} {export} {line}"])
    }
    /// The path belongs to a registered file of the same delivery, which was changed after its
    /// registration.
    package static func outputChanged(path: String, version: Int) -> Self {
        Self("OUTPUT-CHANGED", .cannotCreateOutput, ["path": path, "version": version, "placeholder": "{version}"])
    }
    /// The path is that of the replica or one of its files.
    package static func outputOfReplica(path: String) -> Self {
        Self("OUTPUT-OF-REPLICA", .cannotCreateOutput, ["path": path])
    }
    package static func outputDirectory(path: String, reason: String) -> Self {
        Self("OUTPUT-MAKE-DIRECTORY", .cannotCreateOutput, ["path": path, "reason": reason])
    }
    package static func outputRename(path: String, reason: String) -> Self {
        Self("OUTPUT-RENAME", .inputOutput, ["path": path, "reason": reason])
    }
    /// The file is complete and has its final name, but flushing the folder failed, so the name may
    /// not survive a power loss.
    package static func outputUnconfirmed(path: String, reason: String) -> Self {
        Self("OUTPUT-UNCONFIRMED", .inputOutput, ["path": path, "reason": reason])
    }
    /// The pattern is not a relative path inside the output directory.
    package static func patternPath(pattern: String) -> Self {
        Self("OUTPUT-PATTERN", .badConfiguration, ["pattern": pattern])
    }
    package static func patternPlaceholder(pattern: String, name: String, known: [String]) -> Self {
        Self(
            "OUTPUT-PLACEHOLDER", .badConfiguration,
            ["pattern": pattern, "name": name, "known": known.map { "{\($0)}" }.joined(separator: " ")])
    }
    /// A path component made from the pattern is too long for a file system.
    package static func nameTooLong(name: String, limit: Int) -> Self {
        Self("OUTPUT-NAME-LONG", .cannotCreateOutput, ["name": name, "limit": limit])
    }
    package static func fileMissing(path: String) -> Self { Self("FILE-MISSING", .noInput, ["path": path]) }
    /// The path is that of a folder or another thing that is not a regular file.
    package static func noFile(path: String) -> Self { Self("FILE-KIND", .badInput, ["path": path]) }
    package static func fileUnreadable(path: String, reason: String) -> Self {
        Self("FILE-UNREADABLE", .inputOutput, ["path": path, "reason": reason])
    }
}

/// The system's message for an error number: the C library's, in the C locale.
func systemReason(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "errno \(number)" }
    return unsafe String(cString: text)
}

/// SHA-256 and size of a file, which is read once, in pieces.
package struct FileChecksum: Sendable, Hashable {
    /// Lower-case hexadecimal.
    package var sha256: String
    package var bytes: Int64

    /// - Throws: `RecordingFailure.fileMissing` or `.fileUnreadable` (also if it is not a regular
    ///   file).
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
                guard errno == EINTR else {
                    throw RecordingFailure.fileUnreadable(path: path, reason: systemReason(errno))
                }
            }
        }
        sha256 = content.digest.hexadecimal
        bytes = content.bytes
    }
}

/// An advisory lock on a file that a run is about to replace. A second run is refused. While the
/// lock is active, the caller checks that the file is still the one that it read. A lock on a
/// replaced file would not protect the new one.
package enum FileClaim {
    /// - Throws: `RecordingFailure.busy` if another run has locked the file, `.fileUnreadable` if
    ///   the file cannot be opened.
    package static func holding<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingFailure.fileUnreadable(path: path, reason: systemReason(errno)) }
        defer {
            // As `RunLock`: a child may have the descriptor a little longer.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw RecordingFailure.busy(path: path, holder: nil) }
        return try body()
    }
}
