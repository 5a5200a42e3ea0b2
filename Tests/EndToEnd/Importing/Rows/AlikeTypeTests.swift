import Foundation
import Testing

/// A type that is very similar to one in the replica is reported when it is imported. A decision by
/// a person can merge the two.
@Suite struct AlikeTypeTests {
    private let office: Office
    private let type: (id: String, name: String, family: String)

    init() throws {
        office = try Office.assets()
        let row = try office.sql("SELECT id || '|' || name || '|' || family_id FROM types WHERE parameters IS NULL OR parameters = '{}' ORDER BY id LIMIT 1")
        let known = row.isEmpty ? try office.sql("SELECT id || '|' || name || '|' || family_id FROM types ORDER BY id LIMIT 1") : row
        let parts = known.split(separator: "|").map(String.init)
        type = (parts[0], parts[1], parts[2])
        let parameters = try office.sql("SELECT coalesce(parameters, '{}') FROM types WHERE id = '\(type.id)'")
        let instance = try office.sql("SELECT json_object('room', room_id) FROM instances LIMIT 1")
        #expect(instance.contains("room"))
        let room = try office.sql("SELECT room_id FROM instances LIMIT 1")
        try "[{\"id\": \"\(Self.new)\", \"family_id\": \"\(type.family)\", \"name\": \"\(type.name).\", \"parameters\": \(parameters)}]"
            .write(toFile: office.path("types.json"), atomically: true, encoding: .utf8)
        try "[{\"id\": \"\(Self.asset)\", \"type_id\": \"\(Self.new)\", \"room_id\": \"\(room)\", \"parameters\": {}}]"
            .write(toFile: office.path("instances.json"), atomically: true, encoding: .utf8)
    }

    private static let new = "019e0000-0000-7000-8000-0000000000a1"
    private static let asset = "019e0000-0000-7000-8000-0000000000a2"

    @Test func itIsReportedAndComesInAllTheSame() throws {
        let run = try office.run("import", "types.json", "--actor", Office.administrator)
        #expect(run.status == 0 && run.output.contains("IMPORT-ALIKE") && run.output.contains(type.name), "\(run.output) \(run.error)")
        #expect(try office.sql("SELECT count(*) FROM types WHERE id = '\(Self.new)'") == "1")
    }

    @Test func aDecisionKeepsItApart() throws {
        try "entity,new,existing\ntypes,\(Self.new),keep\n".write(toFile: office.path("d.csv"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "types.json", "--decisions", "d.csv", "--actor", Office.administrator)
        #expect(run.status == 0 && !run.output.contains("IMPORT-ALIKE"))
    }

    @Test func aDecisionMergesIt() throws {
        try "entity,new,existing\ntypes,\(Self.new),\(type.id)\n".write(toFile: office.path("d.csv"), atomically: true, encoding: .utf8)
        let run = try office.run("import", "types.json", "--decisions", "d.csv", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)")
        #expect(try office.sql("SELECT count(*) FROM types WHERE id = '\(Self.new)'") == "0")
        let bad = try office.run("import", "types.json", "--decisions", "types.json", "--actor", Office.administrator)
        #expect(bad.status == 65 && bad.error.contains("IMPORT-"), "\(bad.error)")
    }
}
