import Glibc
package import Model

/// Why a file could not be published, or a run could not lock its replica.
package enum RecordingFailure: Failure, Equatable {
    /// Another run holds the lock; `holder` is what it wrote about itself, if that could be read.
    case busy(path: String, holder: RunLock.Holder?)
    case lock(path: String, reason: String)
    /// A file that this run may not replace has the final name.
    case outputExists(path: String)
    /// The name belongs to a registered file of another line, document or project, which `delivery`
    /// names.
    case outputOfAnother(path: String, delivery: String)
    /// The name belongs to a file of this very delivery that somebody changed after it was
    /// registered.
    case outputChanged(path: String, version: Int)
    /// The replica or one of its files has the final name.
    case outputOfReplica(path: String)
    case outputDirectory(path: String, reason: String)
    case outputRename(path: String, reason: String)
    /// The file is complete and has its name, but the disk did not confirm the name.
    case outputUnconfirmed(path: String, reason: String)
    /// The pattern is no relative path that stays inside the output directory.
    case patternPath(pattern: String)
    case patternPlaceholder(pattern: String, name: String, known: [String])
    /// A name that the pattern gave is too long for a file system.
    case nameTooLong(name: String, limit: Int)
    case fileMissing(path: String)
    /// A folder, or something else that is no regular file.
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
        case .lock, .outputExists, .outputOfAnother, .outputChanged, .outputOfReplica, .outputDirectory, .nameTooLong: .cannotCreateOutput
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
        case .outputExists(let path), .outputOfReplica(let path), .fileMissing(let path), .noFile(let path): ["path": path]
        case .outputOfAnother(let path, let delivery): ["path": path, "delivery": delivery, "places": "{project} {export} {line}"]
        case .outputChanged(let path, let version): ["path": path, "version": String(version), "placeholder": "{version}"]
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
