import Testing
import Workbench

@testable import Importing
@testable import Model

/// Times that state no zone are those of the pack, unless the mapping says otherwise.
@Suite struct ZonedTimeTests {
    private func seen(_ zone: String?, _ time: String) throws -> MemoryRows.Value? {
        var field = ImportMapping.Field("seen_at", .column(["Vista"]))
        field.zone = zone
        let mapping = ImportMapping(
            name: "times", tables: [.init(targets: [.init(entity: "calicatas", key: ["code"], fields: [.init("code", .column(["Pozo"])), field])])])
        let folder = try Folder()
        let path = try folder.write("t.csv", "Pozo;Vista\nC-1;\(time)\n")
        let source = try MappedSource(TableFiles.openFileOrFolder(path: path), path: path, mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys())
        let target = RememberingTarget()
        _ = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: FindingList()) { _ in }
        return target.stored.first?.values["seen_at"]
    }

    @Test(arguments: [
        (nil, "2024-05-03 10:00:00", "2024-05-03T15:00:00Z"), ("UTC", "2024-05-03 10:00:00", "2024-05-03T10:00:00Z"),
        ("Europe/Rome", "2024-05-03 10:00:00", "2024-05-03T08:00:00Z"), ("Europe/Rome", "2024-01-03 10:00:00", "2024-01-03T09:00:00Z"),
        // A zone of its own counts more than that of the mapping.
        ("Europe/Rome", "2024-05-03T10:00:00-03:00", "2024-05-03T13:00:00Z"),
    ] as [(String?, String, String)])
    func zones(zone: String?, time: String, instant: String) throws {
        #expect(try seen(zone, time) == .text(instant))
    }
}
