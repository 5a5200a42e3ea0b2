import Foundation
import Testing

/// A replica from a device gives a state to each of its rows. The state is used, or the row is
/// rejected. It is never replaced without a message.
@Suite struct RowStateTests {
    private static let mapping = MappedFolder.pits(
        "sync_state: {column: Estado, convert: [{lookup: states}]}", "local_version: Version", "remote_updated_at: Remoto")

    private func bringIn(_ states: String) throws -> (run: ProgramRun, folder: MappedFolder) {
        let folder = try MappedFolder(Self.mapping)
        try folder.write("Pozos", "Proyecto;Pozo;Estado;Version;Remoto", "P-1;C-1;\(states)")
        return (try folder.bringIn("--json"), folder)
    }

    /// A time without a time zone is a time of the office.
    @Test(arguments: ["2025-03-01T15:00:00Z", "2025-03-01T10:00:00"]) func goodStatesAreTaken(remote: String) throws {
        let (run, folder) = try bringIn("S;7;" + remote)
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try folder.pits("sync_state, local_version, remote_updated_at").hasPrefix("C-1 synced 7 2025-03-01T15:00:00"))
    }

    @Test(arguments: [("X;7;2025-03-01T10:00:00Z", "IMPORT-NOT-IN-LOOKUP"), ("S;siete;", "IMPORT-STATE"), ("S;7;ayer", "IMPORT-STATE"), ("S;-1;", "IMPORT-STATE")])
    func aBadStateIsAFaultOfItsRow(states: String, code: String) throws {
        let (run, folder) = try bringIn(states)
        #expect(run.status == 1, "\(run.output)\(run.error)")
        #expect(try MappedFolder.findings(run).map(\.code) == [code])
        #expect(try folder.office.sql("SELECT count(*) FROM calicatas") == "0")
        #expect(try folder.office.sql("SELECT count(*) FROM rejects WHERE state = 'open' AND entity = 'calicatas'") == "1")
    }

    @Test(arguments: [("syncStatus", "\"nunca\""), ("remoteUpdatedAt", "\"ayer\""), ("localVersion", "\"siete\"")])
    func ofJSONToo(name: String, value: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        let row = #"{"id":"019e0000-0000-7000-8000-0000000000a1","code":"P-1","name":"Uno","status":"ACTIVO","\#(name)":\#(value)}"#
        try Data((row + "\n").utf8).write(to: URL(fileURLWithPath: office.path("projects.ndjson")))
        let run = try office.run("import", "projects.ndjson", "--json", "--actor", Office.administrator)
        #expect(run.status == 1, "\(run.output)\(run.error)")
        let found = try MappedFolder.findings(run)
        #expect(found.map(\.code) == ["IMPORT-STATE"] && found.first?.arguments["name"] == name, "\(found)")
        #expect(try office.sql("SELECT count(*) FROM projects") == "0")
        let edited = try office.run("rejects", "edit", office.sql("SELECT id FROM rejects"), "--set", name + "=", "--actor", Office.administrator)
        #expect(edited.status == 0, "\(edited.error)")
        #expect(try office.run("rejects", "retry", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM projects") == "1")
    }
}
