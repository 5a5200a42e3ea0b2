import Foundation
import Testing
import Workbench

/// `sync --watch` as a process: it syncs at once, says so in one line, holds nothing while it
/// waits, and ends when it is asked to.
@Suite struct SyncWatchRunTests {
    /// The program that started the tests may ignore the signal, which Fichero would then do too.
    init() { signal(SIGINT, SIG_DFL) }

    /// Starts a watch, and returns it with the first line that it says.
    ///
    /// - Parameter redirection: of the shell that starts it.
    private func start(_ office: SyncedOffice, _ arguments: String..., redirection: String = "") throws -> (running: ProgramRun.Running, line: String) {
        let command = ["-c", "exec \"$@\" " + redirection, "sh", ProgramRun.fichero, "sync", "--watch", "24h", "--actor", SyncedOffice.field] + arguments
        let running = try ProgramRun.start("/bin/sh", command, in: office.folder, environment: [:])
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let more = running.process.output.availableData
            if more.isEmpty { break }
            said += more
        }
        return (running, String(decoding: said, as: UTF8.self))
    }

    private func end(_ running: ProgramRun.Running, by signal: Int32) -> (status: Int32, said: String) {
        kill(running.process.processIdentifier, signal)
        let ended = running.finish()
        return (ended.status, ended.output + ended.error)
    }

    @Test func aRoundIsOneLineHoldsNothingAfterwardsAndASignalEndsTheWait() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.follow()
        _ = try office.pit(2)
        let (running, line) = try start(office, "--prove")
        #expect(line.contains("came 1,") && line.contains("Proven: ") && line.split(separator: "\n").count == 1, "\(line)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "2")
        let between = try office.run("sync", "--wait", "0")
        #expect(between.status == 0, "the watch holds no lock: \(between.error)")
        let connected = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        // The server notices the end of a connection a moment after its client.
        #expect(try (0..<500).contains { _ in try office.central(connected) == "0" }, "the watch holds no connection")
        let ended = end(running, by: SIGTERM)
        #expect(ended.status == 75 && ended.said.contains("RUN-STOPPED"), "\(ended)")
    }

    @Test func aServerThatIsAwayIsToldAndWaitedFor() throws {
        let office = try SyncedOffice(isPrepared: false)
        try office.configure(host: office.folder)
        let (running, line) = try start(office, "--quiet", redirection: "2>&1")
        #expect(line.hasPrefix("fichero sync: ") && line.contains("REMOTE-UNREACHABLE") && line.contains(" Again at "), "\(line)")
        #expect(end(running, by: SIGINT).status == 75)
    }

    @Test func programsGetALineForEachRound() throws {
        let office = try SyncedOffice()
        let (running, line) = try start(office, "--json")
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(read?["environment"] as? String == "DEV" && line.split(separator: "\n").count == 1, "\(line)")
        #expect(end(running, by: SIGTERM).status == 75)
    }

    @Test func whatDoesNotPassEndsIt() throws {
        let office = try SyncedOffice(isPrepared: false)
        #expect(try office.run("sync", "--watch", "1m").status == 78, "the server is not prepared")
        for arguments in [["--watch", "30s"], ["--watch", "25h"], ["--watch", "15m", "--plan"], ["--watch", "15m", "--as-of", "2026-01-31T12:00:00Z"]] {
            #expect(try office.runs(["sync"] + arguments).status == 64, "\(arguments)")
        }
        try office.configure(environment: "PROD")
        #expect(try office.run("sync", "--watch", "1m").status == 64)
    }
}
