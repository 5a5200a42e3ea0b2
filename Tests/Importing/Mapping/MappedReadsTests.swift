import Foundation
import Testing
import Workbench

@testable import Importing
@testable import Model

/// What is reported of a file when all its rows have been read: records with different values, and
/// tables of which no row comes in.
@Suite struct MappedReadsTests {
    private static let project = ImportMapping.Field("code", .column(["Obra"]), [.trim, .upper])
    private static func mapping(
        requires: [String] = ["Pozo"], filter: Model.Expression? = nil, columns: [ImportMapping.Column] = []
    ) -> ImportMapping {
        ImportMapping(
            name: "register",
            tables: [
                .init(
                    columns: columns, requires: requires, filter: filter,
                    targets: [
                        .init(entity: "projects", key: ["code"], fields: [project], repeats: true),
                        .init(
                            entity: "calicatas", key: ["project_id", "code"],
                            fields: [
                                .init("project_id", .parent(entity: "projects", by: [project])), .init("code", .column(["Pozo"]), [.trim, .upper]),
                                .init("depth_m", .column(["Prof"]), [.decimalComma]), .init("day", .column(["Fecha"])),
                                .init("phone", .column(["Tel"])),
                            ], repeats: true),
                    ])
            ])
    }

    /// Imports a text as a file with semicolons.
    private func read(_ text: String, _ mapping: ImportMapping = mapping(), as name: String = "r.csv") throws -> (target: RememberingTarget, findings: [Finding]) {
        let folder = try Folder()
        let path = try folder.write(name, text)
        let source = try MappedSource(TableFiles.openFileOrFolder(path: path), path: path, mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(), FindingList())
        _ = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: findings) { _ in }
        return (target, findings.findings)
    }

    @Test func aLaterRowThatSaysSomethingElseIsReported() throws {
        let (target, findings) = try read("""
            Obra;Pozo;Prof;Fecha;Tel
            PE-01;C-1;1,5;2024-05-03;111
            PE-01;C-1;1,50;;111
            PE-01;C-1;2,5;2024-05-04;222
            PE-01;C-1;3,5;;
            PE-01;C-2;;;
            PE-01;C-2;4;;
            """)
        #expect(target.stored.filter { $0.entity == "calicatas" }.map { $0.values["depth_m"] } == [.real(1.5), .null])
        #expect(findings.map(\.code) == ["IMPORT-DIFFERENT-REPEAT", "IMPORT-DIFFERENT-REPEAT"])
        // The first row of the second pit has no depth, and the depth of a later row is not taken.
        #expect(findings.last?.arguments["name"] == "PE-01 / C-2" && findings.last?.arguments["values"] == "depth_m: — ≠ 4.0")
        let finding = try #require(findings.first)
        #expect(finding.severity == .warning)
        #expect(finding.arguments == [
            "name": "PE-01 / C-1", "first": "2", "line": "4", "values": "depth_m: 1.5 ≠ 2.5; day: 2024-05-03 ≠ 2024-05-04; phone",
        ])
        #expect([finding.place.table, finding.place.key, finding.place.field] == ["calicatas", "PE-01 / C-1", "depth_m"] && finding.place.line == 4)
    }

    @Test func aHundredRecordsAreNamedAndTheOthersCounted() throws {
        let rows = (1...130).flatMap { ["PE-01;C-\($0);1;;", "PE-01;C-\($0);2;;", "PE-01;C-\($0);3;;"] }
        let findings = try read((["Obra;Pozo;Prof;Fecha;Tel"] + rows).joined(separator: "\n")).findings
        #expect(findings.count == 101 && findings.last?.code == "IMPORT-MORE-REPEATS" && findings.last?.arguments == ["count": "30"])
    }

    @Test func aTableOfWhichEveryRowIsLeftOutIsAnError() throws {
        let text = "Obra;Pozo;Prof;Fecha;Tel\nPE-01;;1;;\nPE-02;;2;;\n;;;;\n"
        let (target, findings) = try read(text)
        #expect(target.stored.isEmpty && target.filtered == 4, "\(target.filtered)")
        #expect(findings.map(\.code) == ["IMPORT-ALL-LEFT-OUT"] && findings.first?.severity == .error)
        #expect(findings.first?.arguments == ["name": "r", "count": "2", "condition": "requires: Pozo"])
        // If one row comes in or is rejected, the other rows are only counted.
        #expect(try read(text + "PE-03;C-1;1;;").findings.isEmpty)
        let rejected = try read(text + "PE-03;C-1;hondo;;")
        #expect(rejected.target.rejected.count == 1 && rejected.findings.isEmpty)
    }

    @Test func aConditionThatTakesEveryRowIsNamed() throws {
        let mapping = Self.mapping(
            requires: [], filter: .binary(.equal, .field(FieldPath("clase")), .text("x")), columns: [.init(name: "clase", headings: ["Tel"])])
        let findings = try read("Obra;Pozo;Prof;Fecha;Tel\nPE-01;C-1;1;;y\n", mapping).findings
        #expect(findings.map(\.code) == ["IMPORT-ALL-LEFT-OUT"])
        #expect(findings.first?.arguments["condition"]?.hasPrefix("where: clase = ") == true, "\(findings)")
    }

    /// A server that has nothing answers so; it is no file that lost its rows.
    @Test func anEmptyListIsNoError() throws {
        #expect(try read("[]", as: "r.json").findings.map(\.code) == [])
    }

    @Test func aFileWithoutARowIsAnError() throws {
        let findings = try read("Obra;Pozo;Prof;Fecha;Tel\n;;;;\n").findings
        #expect(findings.map(\.code) == ["IMPORT-NO-ROWS"] && findings.first?.severity == .error)
        #expect(findings.first?.arguments == ["names": "r"])
    }
}
