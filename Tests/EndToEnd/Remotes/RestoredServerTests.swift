import Foundation
import Testing
import Workbench

/// A central database that was restored from a backup, or copied to another server, has lost what it
/// had confirmed, and its transactions have other numbers.
@Suite struct RestoredServerTests {
    private static let coordinator = "coordinadora@example.pe"

    private func run(_ office: SyncedOffice, _ arguments: String..., status: Int32 = 0) throws -> String {
        let done = try office.runs(arguments, as: Self.coordinator)
        #expect(done.status == status, "\(arguments): \(done.output)\(done.error)")
        return done.output + done.error
    }

    /// To the replica, the server's next transaction has had its number already.
    private func putCursorsAhead(_ office: SyncedOffice) throws {
        try office.change("UPDATE sync_cursors SET snapshot = '99999999:99999999:'")
    }

    @Test func whatItLostStaysHereAndGoesAgain() throws {
        let office = try SyncedOffice()
        _ = try (office.pit(1), office.pit(2), office.pit(3))
        try office.follow(as: Self.coordinator)
        for (code, title) in [("C-01", "one"), ("C-02", "two")] { _ = try run(office, "edit", code, "--set", "title=\(title)", "--fail-on", "never") }
        _ = try run(office, "sync")
        let logs = try office.central("SELECT count(*) FROM activity_logs")
        // A backup of the day before: one record is not there yet, another one is as it was, and the log is empty.
        try office.central(
            """
            SET session_replication_role = replica;
            DELETE FROM calicatas WHERE code = 'C-01'; DELETE FROM activity_logs;
            UPDATE calicatas SET title = NULL, updated_at = updated_at - interval '1 day' WHERE code = 'C-02';
            SET session_replication_role = origin;
            UPDATE calicatas SET title = 'theirs' WHERE code = 'C-03'
            """)
        try putCursorsAhead(office)
        let told = try run(office, "sync", status: 1)
        #expect(told.components(separatedBy: "SYNC-LOST").count > 1 && told.contains("PRUEBA-1 / C-01") && told.contains("PRUEBA-1 / C-02"), "\(told)")
        #expect(try office.local("SELECT code, title FROM calicatas ORDER BY code") == "C-01|one\nC-02|two\nC-03|theirs", "what is new there comes")
        #expect(try run(office, "conflicts").contains("C-01"))
        for code in ["C-01", "C-02"] { _ = try run(office, "conflicts", "keep", code, "local", "--fail-on", "never") }
        _ = try run(office, "sync", "--prove")
        #expect(try office.central("SELECT code, title FROM calicatas ORDER BY code") == "C-01|one\nC-02|two\nC-03|theirs")
        #expect(try Int(office.central("SELECT count(*) FROM activity_logs")) ?? 0 >= Int(logs) ?? .max, "the log went up again")
    }

    /// What a server that was restored says of removals holds; and once a person has followed it, what
    /// others followed before it was restored makes no loss of a removal.
    @Test func aRemovalIsNoLoss() throws {
        let office = try SyncedOffice()
        for number in 1...3 { _ = try office.pit(number) }
        try office.follow()
        try office.follow(as: Self.coordinator)
        try office.central("DELETE FROM calicatas WHERE code = 'C-01'")
        try putCursorsAhead(office)
        #expect(try !run(office, "sync").contains("SYNC-LOST"))
        #expect(try office.local("SELECT group_concat(code) FROM (SELECT code FROM calicatas ORDER BY code)") == "C-02,C-03")
        // The other person's cursors are of before.
        #expect(try office.local("SELECT count(*) > 0 FROM sync_cursors WHERE snapshot LIKE '99999999%'") == "1")
        try office.central("DELETE FROM calicatas WHERE code = 'C-02'")
        #expect(try !run(office, "sync", "--prove").contains("SYNC-LOST"))
        #expect(try office.local("SELECT code FROM calicatas") == "C-03" && office.local("SELECT count(*) FROM conflicts") == "0")
        let other = try office.run("sync", "--prove")
        #expect(other.status == 0 && !other.output.contains("SYNC-LOST"), "\(other.output)\(other.error)")
    }

    /// Rows with numbers of another cluster would never be seen.
    @Test func aCopyOnAnotherServerIsNotFollowedUntilItIsMended() throws {
        let office = try SyncedOffice()
        _ = try (office.pit(1), office.pit(2))
        try office.follow(as: Self.coordinator)
        try office.central("SET session_replication_role = replica; UPDATE calicatas SET sync_xid = '99999999', title = 'later' WHERE code = 'C-01'")
        let refused = try run(office, "sync", "--prove", status: 65)
        #expect(refused.contains("copied from another server") && refused.contains("describe"), "\(refused)")
        #expect(try office.local("SELECT count(*) FROM calicatas") == "2")
        let sql = try ProgramRun.fichero(["describe", "ingeplus", "--sql", "postgres", "--templates", ProgramRun.root + "/Templates"], in: office.folder).output
        try office.central(sql)
        _ = try run(office, "sync", "--prove")
        #expect(try office.local("SELECT title FROM calicatas WHERE code = 'C-01'") == "later")
    }

    /// A version that is no time cannot rise.
    @Test func aVersionWithoutEndIsMendedByTheNextChange() throws {
        let office = try SyncedOffice()
        _ = try office.pit(1)
        try office.central("SET session_replication_role = replica; UPDATE calicatas SET updated_at = 'infinity'")
        try office.follow(as: Self.coordinator)
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        _ = try run(office, "sync")
        #expect(try office.central("SELECT title, isfinite(updated_at) FROM calicatas") == "mine|t")
    }
}
