import Foundation
import Testing

/// Faults of a table in which values are looked up are reported. No wrong value is made of them.
@Suite struct LookupFindingTests {
    private func bringIn(_ field: String, _ other: String..., pits: [String] = ["P-1;C-1;7"]) throws -> (run: ProgramRun, folder: MappedFolder) {
        let folder = try MappedFolder(MappedFolder.pits(field))
        try folder.write((["Proyecto;Pozo;IdLugar"] + pits).joined(separator: "\n") + "\n", to: "viejo/Pozos.csv")
        try folder.write(other.joined(separator: "\n") + "\n", to: "viejo/Lugares.csv")
        return (try folder.bringIn("--json"), folder)
    }

    private static func depth(_ taking: String, _ convert: String = "decimal-comma") -> String {
        "depth_m: {from: Lugares, key: [Id], by: [IdLugar], take: Valor, as: \(taking), convert: [\(convert)]}"
    }

    private static let place = "location: {from: Lugares, key: [Id], by: [IdLugar], take: Valor}"

    @Test func numbersAreAddedAsTheFieldReadsThem() throws {
        let (run, folder) = try bringIn(Self.depth("sum"), "Id;Valor", "7;1,5", "7;0,7")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try folder.pits("depth_m") == "C-1 2.2")
    }

    @Test(arguments: ["sum", "rank", "min", "max"]) func whatIsNoNumberGivesNoValue(taking: String) throws {
        let (run, folder) = try bringIn(Self.depth(taking), "Id;Valor", "7;1", "7;2 m")
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-LOOKUP-NUMBER" }
        #expect(run.status == 1 && found.count == 1, "\(run.output)\(run.error)")
        #expect(found.first?.arguments["value"] == "2 m" && found.first?.arguments["line"] == "3")
        #expect(try folder.pits("depth_m") == "C-1")
    }

    @Test func leastAndGreatestAreOfNumbersAsTheFieldReadsThem() throws {
        let (run, folder) = try bringIn(Self.depth("max"), "Id;Valor", "7;9,5", "7;10,25")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try folder.pits("depth_m") == "C-1 10.25")
    }

    @Test func aKeyWithTwoValuesIsReported() throws {
        let (run, folder) = try bringIn(Self.place, "Id;Valor", "7;Norte", "7;Sur", "7;Norte", "8;Este", "8;Este")
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-LOOKUP-TWICE" }
        #expect(found.count == 1 && found.first?.arguments["count"] == "1", "\(run.output)\(run.error)")
        #expect(found.first?.arguments["values"]?.contains("Norte (2) ≠ Sur (3)") == true, "\(found)")
        #expect(try folder.pits("location") == "C-1 Norte")
    }

    @Test func aKeyThatDanglesIsReported() throws {
        let (run, folder) = try bringIn(Self.place, "Id;Valor", "7;Norte", "8;", pits: ["P-1;C-1;7", "P-1;C-2;9", "P-1;C-3;9", "P-1;C-4;", "P-1;C-5;8"])
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-LOOKUP-NOWHERE" }
        #expect(found.count == 1 && found.first?.arguments["count"] == "1" && found.first?.arguments["keys"] == "9", "\(run.output)\(run.error)")
        #expect(try folder.pits("location") == "C-1 Norte|C-2|C-3|C-4|C-5")
    }

    @Test func aKeyThatCannotBeReadIsReported() throws {
        let (run, folder) = try bringIn(
            "location: {from: Lugares, key: [{column: Id, convert: [decimal-comma]}], by: [{column: IdLugar, convert: [decimal-comma]}], take: Valor}",
            "Id;Valor", "siete;Norte", "7;Sur")
        let found = try MappedFolder.findings(run).filter { $0.code == "IMPORT-LOOKUP-KEY" }
        #expect(found.count == 1 && found.first?.arguments["line"] == "2", "\(run.output)\(run.error)")
        #expect(try folder.pits("location") == "C-1 Sur")
    }

    @Test func theAccountHasWhatWasOnlyLookedUp() throws {
        let (run, _) = try bringIn(Self.place, "Id;Valor;Nota", "7;Norte;x")
        let evidence = try MappedFolder.result(run)["evidence"] as? [String: Any]
        let tables = evidence?["tables"] as? [[String: Any]] ?? []
        let columns = tables.first { $0["table"] as? String == "Lugares" }?["columns"] as? [[String: Any]] ?? []
        #expect(columns.map { "\($0["name"] ?? "") \($0["there"] ?? "") \($0["read"] ?? "") \($0["left"] ?? "")" } == ["Id 2 1 1", "Valor 2 1 1", "Nota 2 0 2"], "\(run.output)\(run.error)")
    }
}
