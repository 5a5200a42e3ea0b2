import Foundation
import Testing

@testable import Importing
@testable import Model

/// If the replica cannot hold all digits of a value, this is reported once for each column.
@Suite struct RoundedValuesTests {
    @Test(arguments: [
        ("500000.12345678901234", true), ("500000.123456789", false), ("0.30000000000000004", false), ("0.1", false), ("-9271120.5000000000000000", false),
        ("0.1000000000000000055511151231257827", false), ("0.1000000000000000055511151231257828", true), ("1e3", false),
        ("123456789012345678901234567890", true), ("1000000000000000000000000", false), ("0.12345678901234566", false), ("0.123456789012345678", true),
    ])
    func aDecimalIsRoundedWhereDigitsGo(_ text: String, _ isRounded: Bool) throws {
        let real = try #require(Double(text))
        #expect(RoundedValues.isRounded(text, .real(real), .decimal) == isRounded)
    }

    @Test(arguments: [
        ("2024-05-04T10:00:00.1234567Z", true), ("2024-05-04T10:00:00.123456Z", false), ("2024-05-04T10:00:00.1234560000Z", false),
        ("2024-05-04T10:00:00Z", false), ("2024-05-04T10:00:00.0000001-05:00", true),
    ])
    func anInstantIsCutAtMicroseconds(_ text: String, _ isRounded: Bool) {
        #expect(RoundedValues.isRounded(text, .text(Timestamp.normalized(text) ?? ""), .datetime) == isRounded)
    }

    @Test func aColumnIsReportedOnceWithItsFirstValue() throws {
        let folder = try Folder()
        let rows = (1...5).map { number in
            """
            {"id": "0198a000-0000-7000-8000-00000000000\(number)", "depth_m": \(number == 1 ? "1.5" : "1.234567890123456789"), \
            "seen_at": "2024-05-04T10:00:00.\(number == 3 ? "1234567" : "5")Z"}
            """
        }
        let run = try ImportRun(folder.write("calicatas.json", "[" + rows.joined(separator: ",\n") + "]"), entity: "calicatas")
        #expect(run.target.stored.count == 5)
        let told = run.findings.findings.filter { $0.code == "IMPORT-ROUNDED" }
        #expect(told.map(\.place.field) == ["depth_m", "seen_at"])
        #expect(told.map { $0.arguments["count"] } == ["4", "1"])
        #expect(told.first?.arguments["value"] == "1.234567890123456789" && told.first?.arguments["kept"] == "1.2345678901234567")
        #expect(told.first?.place.pointer == "/1" && told.first?.place.line == 2, "\(told)")
    }

    @Test func cellsOfTablesAreReportedToo() throws {
        let folder = try Folder()
        let path = try folder.write("r.csv", "Id;Prof;Pies\n\(EveryFieldPack.id);500000,12345678901234;1.0\n")
        func findings(_ heading: String, _ conversions: [CellConversion]) throws -> [Finding] {
            let mapping = ImportMapping(name: "m", tables: [.init(targets: [
                .init(entity: "calicatas", fields: [.init("id", .column(["Id"])), .init("depth_m", .column([heading]), conversions)]),
            ])])
            let source = try MappedSource(TableFiles.openFileOrFolder(path: path), path: path, mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys())
            let found = FindingList()
            _ = try Importer(pack: EveryFieldPack.pack).run(source, into: RememberingTarget(), findings: found) { _ in }
            return found.findings.filter { $0.code == "IMPORT-ROUNDED" }
        }
        let told = try findings("Prof", [.decimalComma])
        #expect(told.map { $0.arguments["kept"] } == ["500000.123456789"] && told.first?.place.line == 2)
        // A value that was converted from feet has more digits than the file.
        #expect(try findings("Prof", [.decimalComma, .feet]).isEmpty)
    }

    /// Rows of photos get more values during the import, and their roundings must stay.
    @Test func aBatchWithOtherValuesKeepsWhatIsReported() {
        var batch = ImportedBatch(entity: "projects", fields: [0], place: Place(), raw: RawCells(headings: [], isText: true))
        batch.rows.append(EveryFieldPack.id)
        batch.endRow(line: 1)
        let rounding = ImportedBatch.Rounding(count: 2, text: "1.00000000000000000001", kept: "1.0", line: 1, pointer: nil)
        batch.round(rounding, field: "depth_m")
        #expect(batch.replacing([0: [0: .text("x")]]).roundings == ["depth_m": rounding])
        var other = ImportedBatch(entity: "projects", fields: [0], place: Place(), raw: RawCells(headings: [], isText: true))
        other.takeRest(of: batch)
        #expect(other.roundings == ["depth_m": rounding])
    }
}
