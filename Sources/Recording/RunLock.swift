import Glibc
import Model

/// Allows one run at a time for a replica (and a job): an exclusive advisory lock on a small file
/// beside the replica.
///
/// The kernel releases the lock when the process ends for any reason, so there are no stale locks.
/// The lock file is never removed: otherwise a third run could lock a new file while a second one
/// still waits for the old file. The file's text, `PID SINCE`, only serves for messages.
package struct RunLock: ~Copyable {
    /// The run that has the lock, as described in the lock file.
    package struct Holder: Sendable, Hashable {
        package var pid: Int32
        /// When it started, as text.
        package var since: String
    }

    package let path: String
    private let descriptor: Int32

    /// Longest pause between two attempts while waiting.
    private static let longestPause = Duration.milliseconds(250)

    /// The path of the lock file for a replica, or for one job on it.
    package static func path(forReplica replica: String, job: String? = nil) -> String {
        guard let job else { return replica + ".lock" }
        return replica + "." + OutputName.safeComponent(job) + ".lock"
    }

    /// Acquires the lock, waiting up to `seconds` for its holder to end.
    ///
    /// - Parameter since: the run's start, shown to another run that finds the file locked.
    /// - Throws: `RecordingFailure.busy` once the time is over, `.lock` when the file cannot be
    ///   made or locked.
    package static func acquire(path: String, wait seconds: Int, since: String) throws(RecordingFailure) -> RunLock {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .lock(path: path, reason: systemReason(errno)) }
        do throws(RecordingFailure) {
            try lock(descriptor, path: path, seconds: seconds)
            try sign(descriptor, path: path, since: since)
        } catch {
            close(descriptor)
            throw error
        }
        return RunLock(path: path, descriptor: descriptor)
    }

    deinit {
        // A child that another thread starts has the descriptor too, until it becomes its own program:
        // closing it here would not release the lock at once.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func lock(_ descriptor: Int32, path: String, seconds: Int) throws(RecordingFailure) {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(max(0, seconds))
        var pause = Duration.milliseconds(10)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK else { throw .lock(path: path, reason: systemReason(number)) }
            let left = end - clock.now
            guard left > .zero, !Interruption.isRequested else {
                throw .busy(path: path, holder: signature(descriptor))
            }
            // A blocking flock with an alarm would need signals, which belong to the whole process;
            // polling does not.
            usleep(UInt32(min(pause, left, longestPause).components.attoseconds / 1_000_000_000_000) + 1)
            pause = min(pause * 2, longestPause)
        }
    }

    private static func sign(_ descriptor: Int32, path: String, since: String) throws(RecordingFailure) {
        let text = Array("\(getpid()) \(since)\n".utf8)
        guard ftruncate(descriptor, 0) == 0, unsafe pwrite(descriptor, text, text.count, 0) == text.count else {
            throw .lock(path: path, reason: systemReason(errno))
        }
    }

    private static func signature(_ descriptor: Int32) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard words.count == 2, let pid = Int32(words[0]) else { return nil }
        return Holder(pid: pid, since: String(words[1].prefix { $0 != "\n" }))
    }
}
