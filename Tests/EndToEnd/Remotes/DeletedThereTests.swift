import Foundation
import Testing
import Workbench

/// A record with parts that the server deletes while it waits with a change of its own.
@Suite struct DeletedThereTests {
    private static let coordinator = "coordinadora@example.pe"

    private func run(_ office: SyncedOffice, _ arguments: String..., status: Int32 = 0) throws -> String {
        let done = try office.runs(arguments, as: Self.coordinator)
        #expect(done.status == status, "\(arguments): \(done.output)\(done.error)")
        return done.output + done.error
    }

    /// A pit with two strata, changed here, deleted there; the sync has told it.
    private func office(_ way: SyncedOffice.Way) throws -> SyncedOffice {
        let office = try SyncedOffice(way)
        let pit = try office.pit(1)
        try office.central(
            """
            INSERT INTO calicata_cortes (id, calicata_id, number, depth_from_m, depth_to_m, description)
            SELECT gen_random_uuid(), '\(pit)', n, n - 1, n, 'stratum ' || n FROM generate_series(1, 2) AS n
            """)
        try office.follow(as: Self.coordinator)
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "2")
        _ = try run(office, "edit", "C-01", "--set", "title=mine", "--fail-on", "never")
        try office.central("DELETE FROM calicatas")
        // A server without our SQL does not say whether a row is hidden or gone.
        let told = try run(office, "sync", "--json", status: way.isForeign ? 1 : 0)
        #expect(told.components(separatedBy: "\"code\" : \"SYNC-DELETED\"").count == 2, "the record is told, its parts wait with it: \(told)")
        #expect(try office.local("SELECT count(*) FROM calicata_cortes") == "2")
        return office
    }

    private static let strata = "SELECT (SELECT count(*) FROM calicatas), count(*), string_agg(description, ',' ORDER BY number) FROM calicata_cortes"

    @Test(arguments: SyncedOffice.Way.kinds) func aRecordThatIsKeptIsMadeAnewWithItsParts(_ way: SyncedOffice.Way) throws {
        let office = try office(way)
        #expect(try run(office, "conflicts", "show", "C-01").contains("with its parts"))
        _ = try run(office, "sync", "--prove")
        _ = try run(office, "conflicts", "keep", "C-01", "local")
        #expect(try office.local("SELECT count(*) FROM conflicts WHERE resolution_status = 'open'") == "0", "one decision for all")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central(Self.strata) == "1|2|stratum 1,stratum 2")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aRecordThatIsGivenUpGoesWithItsParts(_ way: SyncedOffice.Way) throws {
        let office = try office(way)
        _ = try run(office, "conflicts", "keep", "C-01", "theirs")
        #expect(try office.local("SELECT (SELECT count(*) FROM calicatas), count(*) FROM calicata_cortes") == "0|0")
        #expect(try office.local("SELECT count(*) FROM conflicts WHERE resolution_status = 'open'") == "0")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central(Self.strata) == "0|0|")
        #expect(try office.local("SELECT count(*) FROM sync_queue") == "0")
    }

    @Test func anUndoneDecisionIsOpenAgainForAll() throws {
        let office = try office(.postgres)
        let open = try office.local("SELECT group_concat(id) FROM (SELECT id FROM conflicts WHERE resolution_status = 'open' ORDER BY id)")
        _ = try run(office, "conflicts", "keep", "C-01", "local")
        _ = try run(office, "undo", "last")
        #expect(try office.local("SELECT group_concat(id) FROM (SELECT id FROM conflicts WHERE resolution_status = 'open' ORDER BY id)") == open)
        _ = try run(office, "conflicts", "keep", "C-01", "local")
        _ = try run(office, "sync", "--prove")
        #expect(try office.central(Self.strata) == "1|2|stratum 1,stratum 2")
    }
}
