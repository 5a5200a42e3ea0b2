import Foundation
import Testing

@testable import ServerSchema

/// What a sync asks the server: each change comes exactly once, also when it was committed late.
@Suite struct SyncFunctionsTests {
    private typealias Scene = CentralDatabase

    private func snapshot(_ database: CentralDatabase) throws -> String { try database.run("SELECT snapshot FROM fichero.snapshot();", as: .coordinator) }

    /// Codes of the pits that changed between two snapshots.
    private func changed(_ database: CentralDatabase, _ since: String?, _ until: String, project: String? = nil, as person: Scene.Person = .coordinator) throws -> String {
        let texts = [project, since, until].map { $0.map { "'\($0)'" } ?? "NULL" }
        return try database.run(
            "SELECT coalesce(string_agg(code, ',' ORDER BY code), '') FROM fichero.changed_calicatas(\(texts.joined(separator: ", ")));", as: person)
    }

    @Test func theSnapshotNamesTheServer() throws {
        let database = try Scene()
        let facts = try database.run("SELECT snapshot, system, timeline FROM fichero.snapshot();", as: .field).split(separator: "|")
        #expect(facts.count == 3 && facts[0].contains(":") && facts[1].count > 10 && facts[2] == "1")
    }

    @Test func whatWasCommittedLateComesOnce() throws {
        let database = try Scene()
        let first = try snapshot(database)
        #expect(try changed(database, nil, first) == "C-01,C-02")
        // A transaction that stays open while two others come and go.
        try database.run(
            """
            BEGIN; INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(Scene.north)', 'C-LATE', 'BORRADOR');
            PREPARE TRANSACTION '\(database.name)';
            """)
        try database.run("INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(Scene.north)', 'C-EARLY', 'BORRADOR');")
        let second = try snapshot(database)
        #expect(try changed(database, first, second) == "C-EARLY")
        try database.run("COMMIT PREPARED '\(database.name)';")
        let third = try snapshot(database)
        #expect(try changed(database, second, third) == "C-LATE")
        #expect(try changed(database, third, try snapshot(database)) == "")
    }

    @Test func whatChangesBetweenTwoPagesComesWithTheNextSync() throws {
        let database = try Scene()
        let until = try snapshot(database)
        try database.run("UPDATE calicatas SET title = 'later' WHERE code = 'C-02';")
        #expect(try changed(database, nil, until) == "C-01")
        #expect(try changed(database, until, try snapshot(database)) == "C-02")
    }

    @Test func pagesFollowEachOtherById() throws {
        let database = try Scene()
        let until = try snapshot(database)
        func page(_ after: String) throws -> String { try database.run("SELECT id FROM fichero.changed_calicatas(NULL, NULL, '\(until)', \(after), 1);", as: .coordinator) }
        #expect(try page("NULL") == Scene.pit(1))
        #expect(try page("'\(Scene.pit(1))'") == Scene.pit(2))
        #expect(try page("'\(Scene.pit(2))'") == "")
    }

    @Test func aSyncIsOfOneProjectAndOfOnePerson() throws {
        let database = try Scene()
        let until = try snapshot(database)
        #expect(try changed(database, nil, until, project: Scene.south) == "C-02")
        #expect(try changed(database, nil, until, as: .field) == "C-01")
        #expect(try changed(database, nil, until, project: Scene.south, as: .field) == "")
        #expect(try changed(database, nil, until, as: .former) == "")
    }

    @Test func everyChangeHasALaterVersion() throws {
        let database = try Scene()
        let rises = """
            BEGIN;
            CREATE TEMP TABLE seen AS SELECT updated_at FROM calicatas WHERE code = 'C-01';
            UPDATE calicatas SET title = 'a' WHERE code = 'C-01'; INSERT INTO seen SELECT updated_at FROM calicatas WHERE code = 'C-01';
            UPDATE calicatas SET title = 'b', updated_at = '2001-01-01' WHERE code = 'C-01'; INSERT INTO seen SELECT updated_at FROM calicatas WHERE code = 'C-01';
            SELECT count(DISTINCT updated_at), max(updated_at) = (SELECT updated_at FROM calicatas WHERE code = 'C-01') FROM seen;
            """
        #expect(try database.run(rises) == "3|t")
    }

    @Test func aPitThatMovesTakesItsStrataAlongAndLeavesATrace() throws {
        let database = try Scene()
        let before = try snapshot(database)
        try database.run("UPDATE calicatas SET project_id = '\(Scene.south)' WHERE code = 'C-01';")
        let after = try snapshot(database)
        #expect(try changed(database, before, after, project: Scene.south) == "C-01")
        let strata = "SELECT id FROM fichero.changed_calicata_cortes('\(Scene.south)', '\(before)', '\(after)');"
        #expect(try database.run(strata, as: .coordinator) == Scene.stratum(1))
        // Whoever works in the north alone learns that the pit is gone from there.
        let removed = "SELECT entity, row_id, is_move FROM fichero.removed('\(before)', '\(after)');"
        #expect(try database.run(removed, as: .field) == "calicatas|\(Scene.pit(1))|t")
    }

    @Test func aDeletedRowLeavesATombstoneForItsProject() throws {
        let database = try Scene()
        let before = try snapshot(database)
        try database.run("DELETE FROM calicata_cortes WHERE id = '\(Scene.stratum(2))'; DELETE FROM calicatas WHERE code = 'C-02';")
        let after = try snapshot(database)
        let removed = "SELECT entity FROM fichero.removed('\(before)', '\(after)');"
        #expect(try database.run(removed, as: .coordinator) == "calicata_cortes\ncalicatas")
        #expect(try database.run(removed, as: .field) == "")
        #expect(try database.run("SELECT count(*) FROM fichero.removed('\(after)', '\(after)');", as: .coordinator) == "0")
    }

    @Test func theProofIsWhatAnybodyCanCount() throws {
        let database = try Scene()
        let until = try snapshot(database)
        let rows = try database.run("SELECT id, (extract(epoch FROM updated_at) * 1000000)::bigint - 946684800000000 FROM calicatas ORDER BY id;").split(separator: "\n")
        let sums = try OtherDigest.sum(rows.map { String($0.replacing("|", with: " ")) })
        #expect(try database.run("SELECT rows, digest, later FROM fichero.proof_calicatas(NULL, '\(until)');", as: .coordinator) == "2|\(sums)|{}")
        // A row that changed since is named, and is not in the sum.
        try database.run("UPDATE calicatas SET title = 'later' WHERE code = 'C-01';")
        let one = try OtherDigest.sum([String(rows[1].replacing("|", with: " "))])
        #expect(try database.run("SELECT rows, digest, later FROM fichero.proof_calicatas(NULL, '\(until)');", as: .coordinator) == "1|\(one)|{\(Scene.pit(1))}")
        #expect(try database.run("SELECT rows FROM fichero.proof_calicatas(NULL, '\(until)');", as: .former) == "0")
    }
}
