import Foundation
import Testing
import Workbench

/// A person who was erased here and is on the server still.
@Suite struct EraseSyncTests {
    private static let administrator = "admin@example.co"
    private static let (person, post, other) = ("40000000-0000-4000-8000-000000000001", "40000000-0000-4000-8000-000000000002", "40000000-0000-4000-8000-000000000003")

    private func office() throws -> SyncedOffice {
        let office = try SyncedOffice(system: "yaquedamos", isPrepared: false)
        let sql = try ProgramRun.fichero(["describe", "yaquedamos", "--sql", "postgres", "--templates", ProgramRun.root + "/Templates"], in: office.folder).output
        try office.central(sql)
        try office.central(
            """
            INSERT INTO profiles (id, email, full_name, role, status) VALUES ('00000000-0000-4000-8000-000000000001', '\(Self.administrator)', 'Administración', 'ADMINISTRACION', 'ACTIVO');
            INSERT INTO communities (id, code, name) VALUES ('\(SyncedOffice.project)', 'BARRIO-1', 'Barrio');
            INSERT INTO users (id, community_id, full_name, email) VALUES ('\(Self.person)', '\(SyncedOffice.project)', 'Zoraida Canary', 'zz.canary@example.co'), ('\(Self.other)', '\(SyncedOffice.project)', 'Otra Persona', 'otra@example.co');
            INSERT INTO posts (id, community_id, author_id, caption, posted_at) VALUES ('\(Self.post)', '\(SyncedOffice.project)', '\(Self.person)', 'canarycaption', now())
            """)
        for step in [["sync"], ["offline", "BARRIO-1", "--available"], ["sync", "--prove"]] {
            let done = try office.runs(step, as: Self.administrator)
            try #require(done.status == 0, "\(done.output)\(done.error)")
        }
        return office
    }

    @Test func thePersonDoesNotComeBackAndTheProofKnowsIt() throws {
        let office = try office()
        #expect(try office.local("SELECT count(*) FROM posts") == "1")
        let erased = try office.runs(["erase", "--subject", "zz.canary@example.co", "--confirm", "zz.canary@example.co", "--forever"], as: Self.administrator)
        #expect(erased.status == 0, "\(erased.output)\(erased.error)")
        for arguments in [["sync", "--prove"], ["sync", "--prove", "--deep"]] {
            let synced = try office.runs(arguments, as: Self.administrator)
            #expect(synced.output.contains("Proven") && synced.status == 0, "\(arguments): \(synced.output)\(synced.error)")
        }
        // What is new there of the person does not come either; what is others' does.
        try office.central("UPDATE users SET bio = 'canarybio' WHERE id = '\(Self.person)'; UPDATE users SET bio = 'nueva' WHERE id = '\(Self.other)'")
        let synced = try office.runs(["sync", "--prove"], as: Self.administrator)
        #expect(synced.status == 0 && synced.output.contains("ERASED-PERSON") && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT id, bio FROM users") == "\(Self.other)|nueva" && office.local("SELECT count(*) FROM posts") == "0")
        let found = try ProgramRun.program("/usr/bin/grep", ["-rlaiF", "canary", "."], in: office.folder).output
        #expect(found.isEmpty, "\(found)")
        // A real difference is found all the same.
        try office.change("DELETE FROM users")
        #expect(try office.runs(["sync", "--prove"], as: Self.administrator).status == 1)
    }
}
