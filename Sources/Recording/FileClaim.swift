import Glibc

/// The claim of one run on a file that it is about to replace: an advisory lock on the file itself.
/// Whoever comes second is refused, and so is whoever opened the file that was there before.
package enum FileClaim {
    /// - Throws: `RecordingFailure.busy` where another run holds the file or has replaced it
    ///   meanwhile, `.fileUnreadable` where it cannot be opened.
    package static func holding<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingFailure.fileUnreadable(path: path, reason: systemReason(errno)) }
        // Closing the only descriptor frees the file.
        defer { close(descriptor) }
        var own = stat(), there = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &there) == 0, own.st_ino == there.st_ino,
            own.st_dev == there.st_dev
        else { throw RecordingFailure.busy(path: path, holder: nil) }
        return try body()
    }
}
