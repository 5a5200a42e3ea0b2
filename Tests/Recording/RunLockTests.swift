import Foundation
import Model
import Testing
import Workbench

@testable import Recording

/// A Python process holds the lock by `flock`. We must wait for it, and get the lock when it ends.
@Suite struct RunLockTests {
    let directory: TemporaryFolder

    init() throws { directory = try TemporaryFolder() }

    private struct Holder {
        let process = Process()
        private let input = Pipe()

        init(of path: String) throws {
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = [
                "-c",
                """
                import fcntl, os, sys
                f = open(sys.argv[1], "w")
                fcntl.flock(f, fcntl.LOCK_EX)
                f.write(f"{os.getpid()} 2026-01-31T12:00:00Z\\n"); f.flush()
                os.write(1, b"locked\\n")
                sys.stdin.read()
                """, path,
            ]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let said = output.fileHandleForReading.availableData
            #expect(String(decoding: said, as: UTF8.self) == "locked\n")
        }

        func release() throws { try input.fileHandleForWriting.close() }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// The holder of the lock, as a waiting run sees it. It is nil if the lock is free.
    private func holder(_ path: String) -> RunLock.Holder? {
        do throws(RecordingFailure) {
            _ = try RunLock.acquire(path: path, wait: 0, since: "probe")
        } catch {
            if error.code == "RUN-BUSY", let since = error.arguments["since"],
                let pid = error.arguments["pid"].flatMap({ Int32($0) })
            {
                return RunLock.Holder(pid: pid, since: since)
            }
        }
        return nil
    }

    @Test func isTakenAndSigned() throws {
        let path = RunLock.path(forReplica: directory.file("replica.sqlite"))
        #expect(path.hasSuffix("/replica.sqlite.lock"))
        #expect(holder(path) == nil)
        let lock = try RunLock.acquire(path: path, wait: 0, since: "2026-02-01T08:00:00Z")
        #expect(holder(path) == RunLock.Holder(pid: getpid(), since: "2026-02-01T08:00:00Z"))
        #expect(try directory.text(of: "replica.sqlite.lock") == "\(getpid()) 2026-02-01T08:00:00Z\n")
        _ = consume lock
        #expect(holder(path) == nil)
    }

    @Test func excludesASecondDescriptorOfTheSameProcess() throws {
        let path = directory.file("l.lock")
        let lock = try RunLock.acquire(path: path, wait: 0, since: "now")
        #expect(throws: RecordingFailure.busy(path: path, holder: .init(pid: getpid(), since: "now"))) {
            _ = try RunLock.acquire(path: path, wait: 0, since: "later")
        }
        _ = consume lock
    }

    @Test func namesTheHolder() throws {
        let path = directory.file("l.lock")
        let other = try Holder(of: path)
        defer { other.kill() }
        let expected = RecordingFailure.busy(
            path: path, holder: .init(pid: other.process.processIdentifier, since: "2026-01-31T12:00:00Z"))
        #expect(throws: expected) { _ = try RunLock.acquire(path: path, wait: 0, since: "now") }
        #expect(expected.code == "RUN-BUSY")
        #expect(expected.exitCode.rawValue == 75)
        #expect(expected.arguments["pid"] == String(other.process.processIdentifier))
        #expect(holder(path)?.pid == other.process.processIdentifier)
    }

    @Test func waitsForTheHolderToEnd() throws {
        let path = directory.file("l.lock")
        let other = try Holder(of: path)
        let ending = Thread { try? other.release() }
        ending.start()
        let lock = try RunLock.acquire(path: path, wait: 60, since: "now")
        other.process.waitUntilExit()
        #expect(holder(path)?.pid == getpid())
        _ = consume lock
    }

    @Test func isFreeAfterAKill() throws {
        let path = directory.file("l.lock")
        let other = try Holder(of: path)
        other.kill()
        let lock = try RunLock.acquire(path: path, wait: 0, since: "now")
        #expect(holder(path)?.since == "now")
        _ = consume lock
    }

    @Test func saysWhenTheFileCannotBeMade() throws {
        let path = directory.file("none/l.lock")
        #expect(throws: RecordingFailure.lock(path: path, reason: "No such file or directory")) {
            _ = try RunLock.acquire(path: path, wait: 0, since: "now")
        }
        // If the lock were a link, others could make us write to another file.
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.lock"), withDestinationPath: directory.file("other"))
        #expect(throws: RecordingFailure.self) { _ = try RunLock.acquire(path: directory.file("link.lock"), wait: 0, since: "now") }
        #expect(!FileManager.default.fileExists(atPath: directory.file("other")))
    }

    @Test func jobsHaveTheirOwnFile() {
        #expect(RunLock.path(forReplica: "a/r.db", job: "monthly") == "a/r.db.monthly.lock")
        #expect(!RunLock.path(forReplica: "a/r.db", job: "../x").contains("/.."))
    }
}
