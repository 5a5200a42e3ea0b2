import Digests
import Foundation
import Glibc
package import Model

/// Reason why a file could not be published, or a run could not lock its replica.
package enum RecordingFailure: Failure, Equatable {
    /// Another run has the lock; `holder` is that run's entry in the lock file, if it could be
    /// read.
    case busy(path: String, holder: RunLock.Holder?)
    case lock(path: String, reason: String)
    /// A file that this run may not replace has the final name.
    case outputExists(path: String)
    /// The path belongs to a registered file of another line, document or project, which `delivery`
    /// describes.
    case outputOfAnother(path: String, delivery: String)
    /// The path belongs to a registered file of the same delivery, which was changed after its
    /// registration.
    case outputChanged(path: String, version: Int)
    /// The path is that of the replica or one of its files.
    case outputOfReplica(path: String)
    case outputDirectory(path: String, reason: String)
    case outputRename(path: String, reason: String)
    /// The file is complete and has its final name, but flushing the folder failed, so the name may
    /// not survive a power loss.
    case outputUnconfirmed(path: String, reason: String)
    /// The pattern is not a relative path inside the output directory.
    case patternPath(pattern: String)
    case patternPlaceholder(pattern: String, name: String, known: [String])
    /// A path component made from the pattern is too long for a file system.
    case nameTooLong(name: String, limit: Int)
    case fileMissing(path: String)
    /// The path is that of a folder or another thing that is not a regular file.
    case noFile(path: String)
    case fileUnreadable(path: String, reason: String)

    package var code: String {
        switch self {
        case .busy: "RUN-BUSY"
        case .lock: "RUN-LOCK"
        case .outputExists: "OUTPUT-EXISTS"
        case .outputOfAnother: "OUTPUT-OF-ANOTHER"
        case .outputChanged: "OUTPUT-CHANGED"
        case .outputOfReplica: "OUTPUT-OF-REPLICA"
        case .outputDirectory: "OUTPUT-MAKE-DIRECTORY"
        case .outputRename: "OUTPUT-RENAME"
        case .outputUnconfirmed: "OUTPUT-UNCONFIRMED"
        case .patternPath: "OUTPUT-PATTERN"
        case .patternPlaceholder: "OUTPUT-PLACEHOLDER"
        case .nameTooLong: "OUTPUT-NAME-LONG"
        case .fileMissing: "FILE-MISSING"
        case .noFile: "FILE-KIND"
        case .fileUnreadable: "FILE-UNREADABLE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .busy: .busy
        case .lock, .outputExists, .outputOfAnother, .outputChanged, .outputOfReplica, .outputDirectory, .nameTooLong:
            .cannotCreateOutput
        case .patternPath, .patternPlaceholder: .badConfiguration
        case .fileMissing: .noInput
        case .noFile: .badInput
        case .outputRename, .outputUnconfirmed, .fileUnreadable: .inputOutput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .busy(let path, let holder):
            ["path": path, "pid": holder.map { String($0.pid) } ?? "?", "since": holder?.since ?? "?"]
        case .lock(let path, let reason), .outputDirectory(let path, let reason), .outputRename(let path, let reason),
            .outputUnconfirmed(let path, let reason), .fileUnreadable(let path, let reason):
            ["path": path, "reason": reason]
        case .outputExists(let path), .outputOfReplica(let path), .fileMissing(let path), .noFile(let path):
            ["path": path]
        case .outputOfAnother(let path, let delivery):
            ["path": path, "delivery": delivery, "places": "{project} {export} {line}"]
        case .outputChanged(let path, let version):
            ["path": path, "version": String(version), "placeholder": "{version}"]
        case .patternPath(let pattern): ["pattern": pattern]
        case .patternPlaceholder(let pattern, let name, let known):
            ["pattern": pattern, "name": name, "known": known.map { "{\($0)}" }.joined(separator: " ")]
        case .nameTooLong(let name, let limit): ["name": name, "limit": String(limit)]
        }
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
        // Closing the only descriptor releases the lock.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw RecordingFailure.busy(path: path, holder: nil) }
        return try body()
    }
}
