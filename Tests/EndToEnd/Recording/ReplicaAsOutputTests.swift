import Foundation
import Testing

/// A document never takes the place of the records, whatever name somebody gives it.
@Suite struct ReplicaAsOutputTests {
    @Test func noCommandWritesADocumentOverTheReplica() throws {
        let office = try Office.pits()
        let before = try office.sql("SELECT count(*), max(updated_at) FROM calicatas")
        for name in ["fichero.db", "fichero.db-wal", "fichero.db.lock"] {
            for arguments in [
                ["query", "SELECT 1 AS n", "-o", office.path(name)],
                ["draw", "strip", "--record", "C-01", "--project", "CHU-2025", "--format", "svg", "-o", office.path(name)],
                ["rejects", "export", "-o", office.path(name)],
            ] {
                let run = try office.run(arguments)
                #expect(run.status == 73 && run.error.contains("OUTPUT-OF-REPLICA"), "\(arguments): \(run.status) \(run.error)")
            }
        }
        #expect(try office.sql("SELECT count(*), max(updated_at) FROM calicatas") == before)
    }

    /// The endings of these documents say what they are, so only a replica with such a name is in
    /// danger.
    @Test func accountsAndFindingsSpareAReplicaOfAnyName() throws {
        let office = try Office.pits()
        try FileManager.default.copyItem(atPath: office.replica, toPath: office.path("obra.xlsx"))
        let size = try Data(contentsOf: URL(fileURLWithPath: office.path("obra.xlsx"))).count
        try "project_id;code\n".write(toFile: office.path("calicatas.csv"), atomically: true, encoding: .utf8)
        for arguments in [
            ["validate", "--report", office.path("obra.xlsx")],
            ["import", office.path("calicatas.csv"), "--dry-run", "--report", office.path("obra.xlsx")],
        ] {
            let run = try office.run(arguments + ["--replica", office.path("obra.xlsx")])
            #expect(run.status == 73 && run.error.contains("OUTPUT-OF-REPLICA"), "\(arguments): \(run.status) \(run.error)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path("obra.xlsx"))).count == size)
    }
}
