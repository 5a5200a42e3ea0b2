import Foundation
import Testing

/// `fichero sync` with folders for packages in place of a server: what is sent waits for its
/// acknowledgement. Python reads and writes the packages, and sqlite3 the replica.
@Suite struct PackageSyncTests {
    @Test func whatIsSentWaitsUntilItIsAcknowledged() throws {
        let exchange = try Exchange()
        let waiting = try exchange.office.sql("SELECT count(*) FROM events WHERE sync_state <> 'synced'")
        #expect(try exchange.sync("--plan").output.contains("events"))
        #expect(try exchange.sent().isEmpty, "a plan changes nothing")
        let first = try exchange.sync()
        #expect(first.status == 0, "\(first.output) \(first.error)")
        let files = try exchange.sent()
        #expect(files.count == 1, "one file for the project: \(files)")
        #expect(try exchange.office.sql("SELECT count(*) FROM events WHERE sync_state = 'synced'") == exchange.office.sql("SELECT count(*) FROM events WHERE synced = 1"))
        // Another program counts what is in the file.
        let counted = try exchange.count(files[0])
        let unsynced = try exchange.office.sql("SELECT count(*) FROM events WHERE sync_state = 'local_only'")
        #expect(counted["events"] == Int(unsynced), "\(counted) \(waiting)")
        #expect(counted["events"] != 0 && counted["photos"] == counted["files"])
        #expect(try exchange.office.run("status").output.contains(files[0]))
        // What is on its way is not sent again.
        #expect(try exchange.sync().status == 0)
        #expect(try exchange.sent() == files)

        try exchange.acknowledge(files[0], as: "answer.zip")
        let answered = try exchange.sync("--json")
        #expect(answered.status == 0, "\(answered.output) \(answered.error)")
        try exchange.expectAllSynced()
        // An answer twice, and under another name, changes nothing.
        try exchange.acknowledge(files[0], as: "again.zip")
        let stamp = try exchange.office.sql("SELECT value FROM fichero_replica WHERE key = 'stamp'")
        #expect(try exchange.sync().output.contains("Nothing to send, nothing to read."))
        #expect(try exchange.office.sql("SELECT value FROM fichero_replica WHERE key = 'stamp'") == stamp)
        #expect(try exchange.office.run("doctor").status == 0)
    }
}
