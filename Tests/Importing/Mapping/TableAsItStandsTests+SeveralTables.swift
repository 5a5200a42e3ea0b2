import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model
@testable import Suggesting

/// Several tables on one sheet, below and beside each other.
extension TableAsItStandsTests {
    /// The pits come first, and the strata follow after a blank row. Another list stands beside
    /// both.
    private static let several = """
        REGISTRO DE CALICATAS;;;;;;;
        Pozo;Prof;Fecha;;Ensayo;Precio;Moneda
        C-1;1.5;2024-05-03;;Límites;20;PEN
        C-2;2.5;;;Proctor;30;PEN
        ;;;;;;
        Pozo;N;Prof;Fecha;;;
        C-1;1;0.5;;;;
        C-1;2;1.5;;;;
        C-2;1;2.5;;;;
        Fin;;;;;;
        ;;;;;;
        Nota;;;;;;
        """

    @Test("A mapping names each of several tables on a sheet by its headings")
    func tablesOfOneSheet() throws {
        var (pits, strata) = (Self.pits, Self.strata)
        (pits.isBlock, strata.isBlock) = (true, true)
        (pits.header, pits.targets[0].repeats) = (.auto, false)
        strata.targets[0].requires = ["N"]
        let folder = try Folder()
        let path = try folder.write("r.csv", Self.several)
        let source = try MappedSource(
            TableFiles.open(path: path), path: path, mapping: ImportMapping(name: "r", tables: [pits, strata]), pack: EveryFieldPack.pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(), FindingList())
        _ = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: findings) { _ in }
        #expect(target.stored.map { $0.values["code"] } == ["C-1", "C-2", "C-1", "C-1", "C-2"].map { .text($0) })
        #expect(target.stored.map { $0.values["number"] } == [nil, nil, .integer(1), .integer(2), .integer(1)])
        #expect(target.rejected.isEmpty, "\(target.rejected)")
        // Cells that neither table reads are reported. Each table accounts for every cell of the
        // sheet.
        #expect(findings.findings.map(\.code) == ["IMPORT-UNREAD-TABLE"], "\(findings.findings)")
        #expect(findings.findings.first?.arguments["range"] == "E2:G4")
        let held = Self.several.split(whereSeparator: { $0 == "\n" || $0 == ";" }).count
        #expect(source.uses.map { $0.columns.reduce(0) { $0 + $1.all } } == [held, held])
        #expect(source.uses.map { $0.columns.reduce(0) { $0 + $1.read } } == [5, 9])
    }

    @Test("A table begins below its heading, ends at a blank row, and has no cells that stand beside it")
    func whereATableEnds() throws {
        var heading = TableBlock(Heading(row: 3, names: ["", "A", "B", "", ""]))
        #expect(heading.columns == 1..<3)
        #expect(!heading.takes(2) { _ in true })
        #expect(heading.takes(4) { $0 == 2 })
        #expect(!heading.takes(5) { $0 == 0 || $0 == 3 })
        #expect(!heading.takes(6) { _ in true } && heading.rows == 3..<5)
        var jumping = TableBlock(Heading(row: 3, names: ["A"]))
        #expect(!jumping.takes(5) { _ in true }, "a row that is not there is a blank one")
        #expect(TableBlock.names(["Pozo", "", "Pozo", "Prof"], wanting: ["pozo", "prof"]).names == ["", "", "Pozo", "Prof"])
    }

    @Test("A suggestion has one part for each of several tables on a sheet")
    func suggestedTablesOfOneSheet() throws {
        let text = """
            CARRETERA SUR;;;;;;
            Calicata;Progresiva;Este;Norte;Prof. (m);;Tarifa
            C-1;0+100;512345.5;9012345.2;1.80;;20
            C-2;0+600;512845.5;9012845.2;2.10;;30
            C-3;1+100;513345.5;9013345.2;1.50;;
            ;;;;;;
            ESTRATOS;;;;;;
            Calicata;Estrato;Desde (m);Hasta (m);SUCS;Descripción;
            C-1;1;0.00;0.60;GP;Grava mal graduada;
            C-1;2;0.60;1.80;SM;Arena limosa;
            C-2;1;0.00;2.10;CL;Arcilla;
            C-3;1;0.00;1.50;ML;Limo;
            """
        let pack = try #require(PitSuggestions.pits)
        let suggestion = try PitSuggestions.suggest(text)
        #expect(suggestion.tables.map { $0.targets.last?.entity.name } == ["calicatas", "calicata_cortes"])
        #expect(suggestion.tables.map(\.isBlock) == [true, true])
        #expect(suggestion.unusedTables.isEmpty)
        let yaml = SuggestedYAML.text(of: suggestion, pack: pack, language: .english)
        #expect(yaml.components(separatedBy: "block: true").count == 3, "\(yaml)")
        let folder = try Folder()
        let path = try folder.write("r.csv", text)
        var mapping = suggestion.mapping
        mapping.tables[0].targets[0].key = ["code"]
        let source = try MappedSource(TableFiles.open(path: path), path: path, mapping: mapping, pack: pack, keys: NoRecordKeys())
        let rows = try ReadRow.rows(of: source, pack: pack).filter { !$0.isFiltered }
        #expect(rows.filter { $0.entity == "calicatas" }.compactMap { $0.value["code"]?.text } == ["C-1", "C-2", "C-3"])
        #expect(rows.filter { $0.entity == "calicata_cortes" }.compactMap { $0.value["sucs"]?.text } == ["GP", "SM", "CL", "ML"])
    }
}
