import Glibc

/// The claim of one run on a file that it is about to replace: an advisory lock on the file itself.
/// Whoever comes second is refused. Within the claim, the caller checks that the file is still the
/// one that it read: whoever opened the file that was there before holds no claim on the new one.
package enum FileClaim {
    /// - Throws: `RecordingFailure.busy` where another run holds the file, `.fileUnreadable` where
    ///   it cannot be opened.
    package static func holding<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingFailure.fileUnreadable(path: path, reason: systemReason(errno)) }
        // Closing the only descriptor frees the file.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw RecordingFailure.busy(path: path, holder: nil) }
        return try body()
    }
}
