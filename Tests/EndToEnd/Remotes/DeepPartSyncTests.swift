import Foundation
import Testing
import Workbench

/// Parts two steps below their root go up and come down with their record, and with row security.
/// The wells have a column that is called as a parameter of the server's functions (`most`).
@Suite struct DeepPartSyncTests {
    private let server: PostgresServer
    private let database: String
    private let here: Borings
    private let there: Borings

    init() throws {
        server = try PostgresServer.shared.get()
        database = try server.makeDatabase()
        let remote = "postgres: {host: '\(server.host)', database: \(database), user: \(server.user)}"
        (here, there) = (try Borings(remote, withRows: false), try Borings(remote, withRows: false))
        let sql = try ProgramRun.fichero(["describe", "borings", "--sql", "postgres"], in: here.place.path).output
        try central(
            sql + """

                INSERT INTO profiles (id, email, full_name, role, status) VALUES
                  ('\(Self.office)', 'office@example.org', 'Office', 'OFFICE', 'ACTIVO'), ('\(Self.field)', 'field@example.org', 'Field', 'FIELD', 'ACTIVO');
                INSERT INTO projects (id, code, name) VALUES ('\(Borings.project)', 'P-1', 'Uno');
                INSERT INTO project_members (id, project_id, profile_id) SELECT gen_random_uuid(), '\(Borings.project)', id FROM profiles WHERE email LIKE '%example.org';
                INSERT INTO wells (id, project_id, code, most, state) VALUES ('\(Self.well)', '\(Borings.project)', 'W-1', 2, 'OPEN');
                INSERT INTO inspections (id, well_id, number) VALUES ('\(Self.inspection)', '\(Self.well)', 1);
                INSERT INTO spare_parts (id, inspection_id, name, cost) VALUES
                  (gen_random_uuid(), '\(Self.inspection)', 'rope', 20), (gen_random_uuid(), '\(Self.inspection)', 'pump', 60);
                """)
        for office in [here, there] {
            for step in [["sync"], ["offline", "P-1", "--available"], ["sync"]] { try run(office, step) }
        }
    }

    private static let (office, field) = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002")
    private static let (well, inspection) = ("20000000-0000-4000-8000-000000000001", "30000000-0000-4000-8000-000000000001")
    private static let all = "SELECT (SELECT count(*) FROM wells), (SELECT count(*) FROM inspections), count(*), string_agg(name || ' ' || trim_scale(cost), ',' ORDER BY name) FROM spare_parts"

    @discardableResult
    private func central(_ sql: String, as person: String? = nil) throws -> String {
        let run = try server.run(sql, in: database, as: person)
        guard run.status == 0 else { throw Borings.Trouble(description: run.text) }
        return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult
    private func run(_ office: Borings, _ arguments: [String], status: Int32 = 0) throws -> String {
        let done = try ProgramRun.fichero(arguments + ["--actor", Borings.office], in: office.place.path)
        guard done.status == status else { throw Borings.Trouble(description: "\(arguments): \(done.status)\n\(done.output)\(done.error)") }
        return done.output + done.error
    }

    private func counts(_ office: Borings) throws -> String { try office.sql("SELECT (SELECT count(*) FROM wells), (SELECT count(*) FROM inspections), count(*) FROM spare_parts") }

    @Test func changesGoBothWays() throws {
        #expect(try here.parts() == "pump 60,rope 20")
        try run(here, ["edit", "rope", "--set", "cost=25"])
        try run(here, ["add", "spare_parts", "--in", "W-1/1", "--set", "name=seal", "--set", "cost=5", "--fail-on", "never"])
        try run(here, ["sync", "--prove"])
        #expect(try central(Self.all) == "1|1|3|pump 60,rope 25,seal 5")
        try run(there, ["sync", "--prove"])
        #expect(try there.parts() == here.parts())
        // Rules about the record are asked before its part goes up.
        try run(there, ["edit", "seal", "--set", "cost=2000", "--fail-on", "never"])
        #expect(try run(there, ["sync", "--json"], status: 0).contains("SYNC-UNSOUND"))
    }

    @Test func aRecordGoesWithItsPartsHereAndThere() throws {
        try run(here, ["delete", "W-1"])
        #expect(try counts(here) == "0|0|0")
        try run(here, ["sync", "--prove"])
        #expect(try central(Self.all) == "0|0|0|")
        try run(there, ["sync", "--prove"])
        #expect(try counts(there) == "0|0|0")
        #expect(try there.sql("SELECT count(*) FROM conflicts") == "0")
    }

    /// A change of a part here, and the record deleted there: all of it waits, and one decision
    /// brings all back.
    @Test(arguments: ["local", "theirs"]) func aRecordThatIsDeletedThereIsOneDecision(_ side: String) throws {
        try run(here, ["edit", "W-1", "--set", "most=9"])
        try central("DELETE FROM wells")
        #expect(try run(here, ["sync", "--json"]).components(separatedBy: "\"code\" : \"SYNC-DELETED\"").count == 2)
        #expect(try counts(here) == "1|1|2", "its parts wait with it")
        try run(here, ["conflicts", "keep", "W-1", side])
        try run(here, ["sync", "--prove"])
        #expect(try central(Self.all) == (side == "local" ? "1|1|2|pump 60,rope 20" : "0|0|0|"))
        #expect(try counts(here) == (side == "local" ? "1|1|2" : "0|0|0"))
        #expect(try here.sql("SELECT count(*) FROM sync_queue") == "0")
    }

    /// A change of a part alone is not lost in silence either.
    @Test func aChangedPartOfARecordThatIsDeletedThereIsTold() throws {
        try run(here, ["edit", "rope", "--set", "cost=25"])
        try central("DELETE FROM wells")
        let told = try run(here, ["sync", "--json"])
        #expect(told.contains("SYNC-DELETED") && told.contains("rope"), "\(told)")
        #expect(try here.parts() == "pump 60,rope 25" && counts(here) == "1|1|2")
        try run(here, ["conflicts", "keep", "W-1", "local"])
        try run(here, ["sync", "--prove"])
        #expect(try central(Self.all) == "1|1|2|pump 60,rope 25")
    }

    /// The server holds people to the same: who is no member sees nothing, and nobody deletes a part
    /// of a closed record.
    @Test func theServerAsksTheRecordToo() throws {
        #expect(try central("WITH gone AS (DELETE FROM spare_parts WHERE name = 'rope' RETURNING 1) SELECT count(*) FROM gone", as: Self.field) == "1")
        try central("UPDATE wells SET state = 'CLOSED'")
        #expect(try central("WITH gone AS (DELETE FROM spare_parts RETURNING 1) SELECT count(*) FROM gone", as: Self.field) == "0")
        try central("DELETE FROM project_members")
        #expect(try central("SELECT count(*) FROM spare_parts", as: Self.field) == "0")
    }
}
