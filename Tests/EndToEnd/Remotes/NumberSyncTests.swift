import Foundation
import Testing
import Workbench

/// The server's numbers have more digits than a replica holds, and its columns may hold what is no
/// number at all. None of that is lost there because somebody edits another field here.
@Suite struct NumberSyncTests {
    private static let coordinator = "coordinadora@example.pe"

    /// Pits whose depths are what the test says, in a column that takes it.
    private func office(_ way: SyncedOffice.Way, _ depths: [String], column: String = "numeric") throws -> SyncedOffice {
        let office = try SyncedOffice(way)
        try office.central("ALTER TABLE calicatas ALTER depth_m TYPE \(column) USING depth_m::\(column)")
        for (index, depth) in depths.enumerated() {
            let pit = try office.pit(index + 1)
            try office.central("UPDATE calicatas SET depth_m = '\(depth)' WHERE id = '\(pit)'")
        }
        return office
    }

    private func depths(_ office: SyncedOffice) throws -> String { try office.central("SELECT string_agg(coalesce(depth_m::text, '-'), ' ' ORDER BY code) FROM calicatas") }

    @Test(arguments: SyncedOffice.Way.kinds) func digitsThatOnlyTheServerHasStayThere(_ way: SyncedOffice.Way) throws {
        let exact = ["1.2345678901234567891", "0.1000000000000000055", "2.50"]
        let office = try office(way, exact)
        try office.follow(as: Self.coordinator)
        #expect(try office.local("SELECT group_concat(depth_m, ' ') FROM (SELECT depth_m FROM calicatas ORDER BY code)") == "1.23456789012346 0.1 2.5")
        for number in 1...3 { try edit(office, "C-0\(number)", "title=new") }
        let synced = try office.run("sync", "--prove", as: Self.coordinator)
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try depths(office) == exact.joined(separator: " "))
        #expect(try office.central("SELECT string_agg(title, ' ') FROM calicatas") == "new new new")
        // The number itself is changed, and back, in one go.
        try edit(office, "C-01", "depth_m=3")
        try edit(office, "C-02", "depth_m=4")
        try edit(office, "C-02", "depth_m=0.1")
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        #expect(try office.central("SELECT string_agg(depth_m::float8::text, ' ' ORDER BY code) FROM calicatas") == "3 0.1 2.5")
        #expect(try office.local("SELECT count(*) FROM sync_queue UNION ALL SELECT count(*) FROM conflicts") == "0\n0")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func whatIsNoNumberIsToldAndStays(_ way: SyncedOffice.Way) throws {
        let odd = ["1.5", "NaN", "Infinity", "1e400"]
        let office = try office(way, odd)
        for step in [["sync"], ["offline", "PRUEBA-1", "--available"]] { #expect(try office.runs(step, as: Self.coordinator).status == 0) }
        let synced = try office.run("sync", "--json", as: Self.coordinator)
        #expect(synced.output.components(separatedBy: "\"SYNC-VALUE\"").count == 4 && synced.output.contains("PRUEBA-1 / C-02"), "\(synced.output)\(synced.error)")
        #expect(try office.local("SELECT count(*), count(depth_m) FROM calicatas") == "4|1")
        for number in 2...4 { try edit(office, "C-0\(number)", "title=new") }
        let again = try office.run("sync", "--prove", as: Self.coordinator)
        #expect(again.status == 0 && again.output.contains("Proven"), "\(again.output)\(again.error)")
        #expect(try office.central("SELECT string_agg(left(depth_m::text, 9), ' ' ORDER BY code) FROM calicatas") == "1.5 NaN \(odd[2]) 100000000")
        #expect(try office.central("SELECT count(title) FROM calicatas") == "3")
        // Whoever mends it here writes over it there.
        try edit(office, "C-02", "depth_m=2.25")
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        #expect(try office.central("SELECT depth_m FROM calicatas WHERE code = 'C-02'") == "2.25")
    }

    @Test(arguments: SyncedOffice.Way.kinds) func aTextInPlaceOfANumberIsToldWithItsRow(_ way: SyncedOffice.Way) throws {
        let office = try office(way, ["1.5", "two metres", "0x10"], column: "text")
        for step in [["sync"], ["offline", "PRUEBA-1", "--available"]] { #expect(try office.runs(step, as: Self.coordinator).status == 0) }
        let synced = try office.run("sync", as: Self.coordinator)
        #expect(synced.status == 0 && synced.output.contains("SYNC-VALUE") && synced.output.contains("C-02"), "\(synced.output)\(synced.error)")
        #expect(!synced.output.contains("two metres"), "what is in it may be for few")
        #expect(try office.local("SELECT group_concat(coalesce(depth_m, '-'), ' ') FROM (SELECT depth_m FROM calicatas ORDER BY code)") == "1.5 - -")
        try edit(office, "C-02", "title=new")
        #expect(try office.run("sync", as: Self.coordinator).status == 0)
        #expect(try depths(office) == "1.5 two metres 0x10")
    }

    /// Fichero's own mark: a delivered record has another state.
    @Test(arguments: SyncedOffice.Way.kinds) func aMarkOfAnExportLeavesTheServersValues(_ way: SyncedOffice.Way) throws {
        let exact = ["1.2345678901234567891", "0.1000000000000000055", "2.50"]
        let office = try office(way, exact)
        try office.central("ALTER TABLE calicatas ALTER altitude_m TYPE numeric; UPDATE calicatas SET status = 'APROBADO', altitude_m = 'NaN'")
        try office.follow(as: Self.coordinator)
        let exported = try office.run("export", "calicatas", "--project", "PRUEBA-1", "--format", "xlsx", "-o", "out", "--state", "APROBADO", "--no-validation", "--mark-exported", "--fail-on", "never", as: Self.coordinator)
        #expect(exported.status == 0, "\(exported.output)\(exported.error)")
        #expect(try office.local("SELECT count(*) FROM calicatas WHERE status = 'EXPORTADO' AND own_mark = 1") == "3")
        let synced = try office.run("sync", "--prove", as: Self.coordinator)
        #expect(synced.status == 0 && synced.output.contains("Proven"), "\(synced.output)\(synced.error)")
        #expect(try depths(office) == exact.joined(separator: " "))
        #expect(try office.central("SELECT string_agg(altitude_m::text, ' ') FROM calicatas") == "NaN NaN NaN")
        #expect(try office.central("SELECT string_agg(status, ' ') FROM calicatas") == "EXPORTADO EXPORTADO EXPORTADO")
        for table in ["own_bases", "row_bases", "sync_queue WHERE operation <> 'UPLOAD'"] { #expect(try office.local("SELECT count(*) FROM \(table)") == "0", "\(table)") }
    }

    private func edit(_ office: SyncedOffice, _ code: String, _ value: String) throws {
        let done = try office.run("edit", code, "--set", value, "--fail-on", "never", as: Self.coordinator)
        #expect(done.status == 0, "\(done.output)\(done.error)")
    }
}
