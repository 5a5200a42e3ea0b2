import Foundation
import JSONReading
import Model
import Testing
import Workbench

@testable import Importing

/// Tables as offices have them: values that stand once for several rows, cells that no heading stands above, columns that are missing.
@Suite struct TableAsItStandsTests {
    /// Imports a text as a file of tables; as a mapping of the office's own.
    private func read(
        _ text: String, _ table: ImportMapping.Table, file: String = "r.csv", isOfOffice: Bool = true
    ) throws -> (target: RememberingTarget, findings: [Finding], source: MappedSource) {
        let folder = try Folder()
        let path = try folder.write(file, text)
        var mapping = ImportMapping(name: "register", tables: [table])
        if isOfOffice { mapping.file = .init(path: "/m.yaml", sha256: "0") }
        let source = try MappedSource(TableFiles.openFileOrFolder(path: path), path: path, mapping: mapping, pack: PitPack.pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(), FindingList())
        _ = try Importer(pack: PitPack.pack).run(source, into: target, findings: findings) { _ in }
        return (target, findings.findings, source)
    }

    private static let pits = ImportMapping.Table(
        requires: ["Pozo"],
        targets: [
            .init(
                entity: "calicatas", key: ["code"],
                fields: [.init("code", .column(["Pozo"])), .init("depth_m", .column(["Prof"]), [.decimalComma]), .init("day", .column(["Fecha"]))],
                repeats: true)
        ])

    // MARK: Values that stand once for the rows below

    private static let strata = ImportMapping.Table(
        requires: ["Pozo"],
        targets: [
            .init(
                entity: "calicatas", key: ["code", "number"],
                fields: [
                    .init("code", .column(["Pozo"])), .init("number", .column(["N"])), .init("depth_m", .column(["Prof"])), .init("day", .column(["Fecha"])),
                ], requires: ["N"])
        ])
    private static let once = "Registro;;;\nPozo;N;Prof;Fecha\nC-1;1;0.5;2024-05-03\n;2;1.5;\n;;;\n;3;2.5;\nC-2;1;0.7;\n;2;1.7\n"

    @Test func aValueIsGivenToTheRowsBelowItAndNotToTheNextRecord() throws {
        var table = Self.strata
        table.down = ["Pozo", "Fecha"]
        let (target, findings, source) = try read(Self.once, table)
        let day = MemoryRows.Value.text("2024-05-03")
        #expect(target.stored.map { $0.values["code"] } == [.text("C-1"), .text("C-1"), .text("C-1"), .text("C-2"), .text("C-2")])
        #expect(target.stored.map { $0.values["number"] } == [.integer(1), .integer(2), .integer(3), .integer(1), .integer(2)])
        #expect(target.stored.map { $0.values["day"] } == [day, day, day, .null, .null])
        #expect(findings.isEmpty && target.rejected.isEmpty, "\(findings)")
        // Cells that the file does not have are not among those that were read.
        #expect(source.uses.first?.columns.map(\.read) == [2, 5, 5, 1], "\(source.uses.first?.columns ?? [])")
    }

    @Test func aRejectedRowKeepsTheValueFromAboveIt() throws {
        var table = Self.strata
        table.down = ["Pozo"]
        let target = try read("Pozo;N;Prof;Fecha\nC-1;1;0.5;\n;2;hondo;\n", table).target
        #expect(target.rejected.map(\.raw) == [#"{"Pozo":"C-1","N":"2","Prof":"hondo","Fecha":null}"#])
    }

    @Test func rowsThatAreLeftOutAndLookLikeRecordsAreAnError() throws {
        let (target, findings, _) = try read(Self.once, Self.strata)
        #expect(target.stored.count == 2)
        let finding = try #require(findings.first { $0.code == "IMPORT-LEFT-OUT-RECORD" })
        #expect(finding.severity == .error && findings.count == 1, "\(findings)")
        #expect(finding.arguments == ["name": "r", "count": "3", "target": "calicatas", "columns": "Pozo", "lines": "4, 6, 8"])
    }

    @Test func sumsAndNotesThatAreLeftOutAreNone() throws {
        #expect(try read("Pozo;N;Prof;Fecha\nC-1;1;0.5;\n;;0.5;\n;;;Elaborado por X\n", Self.strata).findings.isEmpty)
    }

    @Test func theSuggestionFillsDown() throws {
        let suggestion = try Suggesting.suggest("""
            Calicata;Progresiva;N° Estrato;De;A;Clasif. SUCS;Descripción
            C-101;12+345.67;1;0;0.4;GP;Grava
            ;;2;0.4;1.1;SM;Arena
            ;;3;1.1;2.15;CL;Arcilla
            C-102;12+500;1;0;0.3;ML;Limo
            ;;2;0.3;1.5;CL;Arcilla gris
            """)
        #expect(suggestion.tables.map(\.down) == [["Calicata"]])
        let yaml = SuggestedYAML.text(of: suggestion, pack: try #require(Suggesting.pits), language: .english)
        #expect(yaml.contains("down: [Calicata]  #"), "\(yaml)")
        #expect(suggestion.mapping.tables.first?.down == ["Calicata"])
        let whole = try Suggesting.suggest("Calicata;N° Estrato;De;A;SUCS\nC-101;1;0;0.4;GP\nC-101;2;0.4;1;SM\nTOTAL;;;1;\n")
        #expect(whole.tables.map(\.down) == [[]])
    }

    // MARK: Cells beyond the headings

    @Test func aLineWithMoreCellsThanHeadingsIsRejected() throws {
        let (target, findings, _) = try read("Pozo,Prof,Fecha\nC-1,1,50,2024-05-03\nC-2,2,2024-05-03\nC-3,2,2024-05-03,,\n", Self.pits)
        #expect(target.stored.map { $0.values["code"] } == [.text("C-2"), .text("C-3")] && findings.isEmpty)
        let finding = try #require(target.rejected.first?.findings.first)
        #expect(target.rejected.count == 1 && finding.code == "IMPORT-MORE-CELLS" && finding.place.line == 2)
        #expect(finding.arguments == ["count": "4", "expected": "3"])
    }

    @Test func suchALineIsStillNoneWhenItIsTriedAgain() throws {
        let folder = try Folder()
        let path = try folder.write("r.csv", "Pozo,Prof,Fecha\nC-1,1,50,2024-05-03\n")
        var pack = PitPack.pack
        pack.imports = [ImportMapping(name: "register", tables: [Self.pits])]
        let source = try MappedSource(TableFiles.open(path: path), path: path, mapping: pack.imports[0], pack: pack, keys: NoRecordKeys())
        let rejected = try #require(try ReadRow.rows(of: source, pack: pack).first)
        func retried(_ raw: String) throws -> [ReadRow] {
            let place = Place(file: path, line: 2, mapping: "register/0/0")
            let rejects = RejectSource(
                [.init(id: "1", entity: "calicatas", raw: raw, place: place)], pack: pack, keys: NoRecordKeys(), 
                pictures: RejectPhotos(store: PhotoStore(beside: "/nonexistent/fichero.db"))) { _ in }
            return try ReadRow.rows(of: rejects, pack: pack)
        }
        let raw = try #require(rejected.raw)
        #expect(raw == #"{"Pozo":"C-1","Prof":"1","Fecha":"50","D":"2024-05-03"}"#)
        #expect(try retried(raw).flatMap(\.findings).map(\.code) == ["IMPORT-MORE-CELLS"])
        let mended = try retried(#"{"Pozo":"C-1","Prof":"1,50","Fecha":"2024-05-03"}"#)
        #expect(mended.count == 1 && mended[0].findings.isEmpty && mended[0].value["depth_m"] == .number("1.5"), "\(mended)")
    }

    @Test func columnsWithoutAHeadingAreNamedByTheirLetters() throws {
        let folder = try TableFolder()
        let path = try folder.workbook("""
            <worksheet><sheetData>
            <row r="1"><c r="E1" t="str"><v>Registro</v></c></row>
            <row r="2"><c r="A2" t="str"><v>Pozo</v></c><c r="B2" t="str"><v>Prof</v></c><c r="D2" t="str"><v>Fecha</v></c></row>
            <row r="3"><c r="A3" t="str"><v>C-1</v></c><c r="B3"><v>1</v></c><c r="C3" t="str"><v>ojo</v></c><c r="H3" t="str"><v>revisar</v></c></row>
            </sheetData></worksheet>
            """)
        let source = try MappedSource(
            TableFiles.openFileOrFolder(path: path), path: path, mapping: ImportMapping(name: "r", tables: [Self.pits]), pack: PitPack.pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(), FindingList())
        _ = try Importer(pack: PitPack.pack).run(source, into: target, findings: findings) { _ in }
        #expect(target.stored.count == 1)
        #expect(findings.findings.map(\.code) == ["IMPORT-UNUSED-COLUMN"])
        #expect(findings.findings.first?.arguments == ["name": "S", "columns": "C, H"])
    }

    @Test func theSuggestionNamesColumnsWithoutAHeading() throws {
        let suggestion = try Suggesting.suggest("Calicata;Este;Norte;Prof. (m)\nC-1;594001;9437001;1.5\nC-2;594002;9437002;1.6;ojo: derrumbe\n")
        #expect(suggestion.tables.first?.unused.map(\.heading) == ["E"] && suggestion.tables.first?.unused.first?.reason == .noHeading)
    }

    // MARK: Columns that are missing

    @Test func aColumnThatTheTableLacksIsToldWithTheNearest() throws {
        let text = "Pozo;Prof (m);Nota\nC-1;1;x\n"
        let findings = try read(text, Self.pits).findings
        #expect(findings.map(\.code) == ["IMPORT-NO-COLUMN", "IMPORT-NO-COLUMN", "IMPORT-UNUSED-COLUMN"])
        #expect(findings.first?.arguments == ["name": "r", "columns": "Prof", "target": "calicatas.depth_m", "nearest": " ≈ “Prof (m)”."])
        #expect(findings.dropFirst().first?.arguments["nearest"] == "")
        // A mapping for many files may name more than each has.
        #expect(try read(text, Self.pits, isOfOffice: false).findings.map(\.code) == ["IMPORT-NO-COLUMN", "IMPORT-UNUSED-COLUMN"])
    }
}
