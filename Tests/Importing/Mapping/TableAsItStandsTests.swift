import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model
@testable import Suggesting

/// Tables as offices have them. A value is written once for several rows, cells have no heading
/// above them, and columns are missing.
@Suite struct TableAsItStandsTests {
    /// Imports a text as a file of tables, with a mapping of the office's own.
    private func read(
        _ text: String, _ table: ImportMapping.Table, file: String = "r.csv", isOfOffice: Bool = true
    ) throws -> (target: RememberingTarget, findings: [Finding], source: MappedSource) {
        let folder = try Folder()
        let path = try folder.write(file, text)
        var mapping = ImportMapping(name: "register", tables: [table])
        if isOfOffice { mapping.file = .init(path: "/m.yaml", sha256: "0") }
        let source = try MappedSource(TableFiles.openFileOrFolder(path: path), path: path, mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(), FindingList())
        _ = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: findings) { _ in }
        return (target, findings.findings, source)
    }

    static let pits = ImportMapping.Table(
        requires: ["Pozo"],
        targets: [
            .init(
                entity: "calicatas", key: ["code"],
                fields: [.init("code", .column(["Pozo"])), .init("depth_m", .column(["Prof"]), [.decimalComma]), .init("day", .column(["Fecha"]))],
                repeats: true)
        ])

    // MARK: Values that stand once for the rows below

    static let strata = ImportMapping.Table(
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
        // A cell that the file does not have does not count as read.
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
        let suggestion = try PitSuggestions.suggest("""
            Calicata;Progresiva;N° Estrato;De;A;Clasif. SUCS;Descripción
            C-101;12+345.67;1;0;0.4;GP;Grava
            ;;2;0.4;1.1;SM;Arena
            ;;3;1.1;2.15;CL;Arcilla
            C-102;12+500;1;0;0.3;ML;Limo
            ;;2;0.3;1.5;CL;Arcilla gris
            """)
        #expect(suggestion.tables.map(\.down) == [["Calicata"]])
        let yaml = SuggestedYAML.text(of: suggestion, pack: try #require(PitSuggestions.pits), language: .english)
        #expect(yaml.contains("down: [Calicata]  #"), "\(yaml)")
        #expect(suggestion.mapping.tables.first?.down == ["Calicata"])
        let whole = try PitSuggestions.suggest("Calicata;N° Estrato;De;A;SUCS\nC-101;1;0;0.4;GP\nC-101;2;0.4;1;SM\nTOTAL;;;1;\n")
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
        var pack = EveryFieldPack.pack
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
            TableFiles.openFileOrFolder(path: path), path: path, mapping: ImportMapping(name: "r", tables: [Self.pits]), pack: EveryFieldPack.pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(), FindingList())
        _ = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: findings) { _ in }
        #expect(target.stored.count == 1)
        #expect(findings.findings.map(\.code) == ["IMPORT-UNUSED-COLUMN"])
        #expect(findings.findings.first?.arguments == ["name": "S", "columns": "C, H"])
    }

    @Test func theSuggestionNamesColumnsWithoutAHeading() throws {
        let suggestion = try PitSuggestions.suggest("Calicata;Este;Norte;Prof. (m)\nC-1;594001;9437001;1.5\nC-2;594002;9437002;1.6;ojo: derrumbe\n")
        #expect(suggestion.tables.first?.unused.map(\.heading) == ["E"] && suggestion.tables.first?.unused.first?.reason == .noHeading)
    }

    // MARK: Columns that are missing

    @Test func aColumnThatTheTableLacksIsReportedWithTheNearest() throws {
        let text = "Pozo;Prof (m);Nota\nC-1;1;x\n"
        let findings = try read(text, Self.pits).findings
        #expect(findings.map(\.code) == ["IMPORT-NO-COLUMN", "IMPORT-NO-COLUMN", "IMPORT-UNUSED-COLUMN"])
        #expect(findings.first?.arguments == ["name": "r", "columns": "Prof", "target": "calicatas.depth_m", "nearest": " ≈ “Prof (m)”."])
        #expect(findings.dropFirst().first?.arguments["nearest"] == "")
        // Their values would be empty in silence, unless the mapping says that files may lack them.
        #expect(findings.first?.severity == .error)
        var part = Self.pits
        for index in part.targets[0].fields.indices { part.targets[0].fields[index].isOptional = true }
        #expect(try read(text, part).findings.map(\.code) == ["IMPORT-UNUSED-COLUMN"])
        // A mapping for many files may name columns that some files do not have.
        #expect(try read(text, Self.pits, isOfOffice: false).findings.map(\.code) == ["IMPORT-NO-COLUMN", "IMPORT-UNUSED-COLUMN"])
    }

    // MARK: What a workbook says beside its values

    /// Reads the only sheet of a workbook. It has styles for a number, for a percentage of Excel's
    /// own, and for one of the office's.
    private func readSheet(_ rows: String, _ part: ImportMapping.Table, _ pack: Pack = EveryFieldPack.pack) throws -> (target: RememberingTarget, findings: [Finding]) {
        let folder = try TableFolder()
        let styles = """
            <styleSheet><numFmts><numFmt numFmtId='164' formatCode='0.00" "%'/></numFmts>
            <cellXfs><xf numFmtId='0'/><xf numFmtId='10'/><xf numFmtId='164'/></cellXfs></styleSheet>
            """
        let path = try folder.workbook("<worksheet><sheetData>\(rows)</sheetData></worksheet>", extra: ["xl/styles.xml": styles])
        let source = try MappedSource(
            TableFiles.open(path: path), path: path, mapping: ImportMapping(name: "r", tables: [part]), pack: pack, keys: NoRecordKeys())
        let (target, findings) = (RememberingTarget(pack: pack), FindingList())
        _ = try Importer(pack: pack).run(source, into: target, findings: findings) { _ in }
        return (target, findings.findings)
    }

    @Test func aPercentageIsAHundredTimesItsNumberWhereTheFieldIsPerCent() throws {
        var pack = EveryFieldPack.pack
        pack.entities[1].fields.append(Field(name: "fines", type: .decimal, unit: "%"))
        let part = ImportMapping.Table(targets: [
            .init(
                entity: "calicatas", key: ["code"],
                fields: [
                    .init("code", .column(["Pozo"])), .init("depth_m", .column(["Finos"]), [.unit(["%"]), .decimalComma]),
                    .init("fines", .column(["Finos"]), [.unit(["%"]), .decimalComma]),
                ])
        ])
        let target = try readSheet("""
            <row r="1"><c r="A1" t="str"><v>Pozo</v></c><c r="B1" t="str"><v>Finos</v></c></row>
            <row r="2"><c r="A2" t="str"><v>C-1</v></c><c r="B2" s="1"><v>0.123</v></c></row>
            <row r="3"><c r="A3" t="str"><v>C-2</v></c><c r="B3" s="2"><v>5e-3</v></c></row>
            <row r="4"><c r="A4" t="str"><v>C-3</v></c><c r="B4"><v>5.2</v></c></row>
            <row r="5"><c r="A5" t="str"><v>C-4</v></c><c r="B5" s="1" t="str"><v>8,4%</v></c></row>
            """, part, pack).target
        #expect(target.stored.map { $0.values["fines"] } == [.real(12.3), .real(0.5), .real(5.2), .real(8.4)])
        #expect(target.stored.map { $0.values["depth_m"] } == [.real(0.123), .real(0.005), .real(5.2), .real(8.4)])
    }

    @Test func formulasWithoutASavedValueAreReported() throws {
        let rows = """
            <row r="1"><c r="A1" t="str"><v>Pozo</v></c><c r="B1" t="str"><v>Prof</v></c><c r="C1" t="str"><v>Fecha</v></c><c r="D1" t="str"><v>x</v></c></row>
            <row r="2"><c r="A2" t="str"><v>C-1</v></c><c r="B2"><v>1</v></c><c r="D2"><f>1+1</f></c></row>
            <row r="3"><c r="A3" t="str"><v>C-2</v></c><c r="B3"><f>B2+1</f><v></v></c><c r="C3" t="str"><f>""</f><v></v></c><c r="D3"><f>1+1</f><v>2</v></c></row>
            """
        let finding = try #require(try readSheet(rows, Self.pits).findings.first { $0.code == "IMPORT-NO-RESULT" })
        #expect(finding.severity == .error && finding.arguments == ["name": "S", "count": "2", "cell": "B3"])
        // If no field reads the cell, nothing is lost.
        let other = try readSheet(rows.replacingOccurrences(of: "<f>B2+1</f><v></v>", with: "<v>2</v>"), Self.pits).findings
        #expect(other.map(\.code).contains("IMPORT-UNREAD-RESULT") && !other.map(\.code).contains("IMPORT-NO-RESULT"))
        #expect(try readSheet(rows.replacingOccurrences(of: "<f>1+1</f></c>", with: "</c>").replacingOccurrences(of: "<f>B2+1</f><v>", with: "<v>"), Self.pits)
            .findings.allSatisfy { !$0.code.hasSuffix("-RESULT") })
    }

    @Test(arguments: [("12+345,67", "12+345.67"), ("Km. 12+400", "12+400"), ("Prog.: 0+020", "0+020"), ("12+400 km", "12+400"), ("km 3", "0+003")])
    func chainagesAsPeopleWriteThem(text: String, expected: String) throws {
        #expect(try CellConversion.chainage.apply(text, words: ConversionWords(lookups: [:])) == expected)
        #expect(throws: CellConversion.Misfit.self) { try CellConversion.chainage.apply("12,5+400", words: ConversionWords(lookups: [:])) }
    }

    // MARK: What a suggestion is not certain of

    private func choice(_ text: String, _ field: String) throws -> MappingSuggestion.Choice? {
        try PitSuggestions.suggest(text).tables.flatMap(\.targets).flatMap(\.fields).first { $0.field.name == field }
    }

    @Test func pointsThatMayBeThousandsAreMarked() throws {
        let text = "Calicata;Este;Norte;Cota;Prof. (m)\nC-1;594.007;9.437.013;3.241;1,1\nC-2;594.014;9.437.026;3.242;1,2\nC-3;594.021;9.437.039;3.243;1,3\n"
        #expect(try choice(text, "altitude_m")?.isUncertain == true && choice(text, "easting")?.isUncertain == false)
        let yaml = try SuggestedYAML.text(of: PitSuggestions.suggest(text), pack: #require(PitSuggestions.pits), language: .english)
        #expect(yaml.contains("points may stand for thousands"))
        #expect(try choice(text.replacingOccurrences(of: "3.242", with: "3.24"), "altitude_m")?.isUncertain == false)
    }

    @Test func aSingleDateWithTheMonthFirstLeavesTheOthersUncertain() throws {
        func table(_ dates: [String]) -> String {
            "Calicata;Este;Norte;Prof. (m);Fecha\n" + dates.enumerated().map { "C-\($0);594007;9437013;1.5;\($1)" }.joined(separator: "\n")
        }
        let few = ["05/03/2025", "06/03/2025", "07/03/2025", "03/14/2025"]
        #expect(try choice(table(few), "end_date")?.isUncertain == true)
        #expect(try choice(table(few + ["03/15/2025"]), "end_date")?.isUncertain == false)
        #expect(try choice(table(few + ["03/15/2025", "16/03/2025"]), "end_date")?.isUncertain == true)
        #expect(try choice(table(["05/03/2025", "13/03/2025"]), "end_date")?.isUncertain == false)
    }

    // MARK: Values that do not fit, and what stands around a table

    private static let coded = "Progresiva;Este;Norte;Prof. (m);Fecha\n"

    @Test(arguments: [["1", "2", "3"], ["C - 01", "C - 02", "C - 03"], ["Calicata 01", "Calicata 02", "Calicata 03"]])
    func codesOfAnotherFormAreSuggestedByTheirHeading(codes: [String]) throws {
        let rows = codes.enumerated().map { "\($1);0+\($0)00;59400\($0);943700\($0);1.5;\(13 + $0)/03/2025" }
        let suggestion = try PitSuggestions.suggest("Calicata;" + Self.coded + rows.joined(separator: "\n"))
        #expect(PitSuggestions.fed(suggestion)["Calicata"] == "calicatas.code" && PitSuggestions.fed(suggestion)["Prof. (m)"] == "calicatas.depth_m")
        let yaml = SuggestedYAML.text(of: suggestion, pack: try #require(PitSuggestions.pits), language: .english)
        #expect(yaml.contains("# these values do not fit: " + codes.joined(separator: " | ")), "\(yaml)")
    }

    @Test func valuesThatAreNoneOfTheirFieldHideNoOther() throws {
        let suggestion = try PitSuggestions.suggest("""
            Calicata;Prof. (m);N.F.;Cota;Observaciones
            C-801;>2.00;NF=1.2;100;a
            C-802;2.0-2.5;No se encontró;101;b
            C-803;1.5.0;seco;102;c
            """)
        #expect(PitSuggestions.fed(suggestion)["Calicata"] == "calicatas.code" && PitSuggestions.fed(suggestion)["Cota"] == "calicatas.altitude_m")
        let depth = suggestion.tables.flatMap(\.targets).flatMap(\.fields).first { $0.field.name == "depth_m" }
        #expect(depth?.misfits == [">2.00", "2.0-2.5", "1.5.0"] && depth?.share == 0)
    }

    @Test func whatBlocksASuggestionIsNamed() throws {
        #expect(throws: ImportFailure.self) { try PitSuggestions.suggest("Título;Fecha\nActa 1;2024-01-01\nActa 2;2024-01-02\n") }
        do {
            _ = try PitSuggestions.suggest("Calicata;Prof. (m)\nuno;hondo\ndos;hondo\n")
            Issue.record("a table of two columns that fit nothing is no register")
        } catch let failure as ImportFailure {
            #expect(failure.arguments["columns"] == "Calicata ≠ calicatas.code, Prof. (m) ≠ calicatas.depth_m")
        }
    }

    @Test func aFileOfEmptySheetsIsEmpty() throws {
        let folder = try TableFolder()
        let path = try folder.workbook("<worksheet><sheetData/></worksheet>")
        let suggester = MappingSuggester(pack: try #require(PitSuggestions.pits))
        #expect(throws: ImportFailure.empty(path: path)) { try suggester.suggest(try TableFiles.open(path: path), path: path, name: "r") }
    }

    private static let summed = """
        Calicata;Progresiva;Este;Norte;Prof. (m);Fecha
        C-601;0+100;594001;9437001;1.5;13/03/2025
        C-602;0+200;594101;9437101;1.6;14/03/2025
        C-603;0+300;594201;9437201;1.7;15/03/2025
        TOTAL;;;;4.8;
        Elaborado por: X;;;;;
        """

    @Test func sumsAndNotesBelowATableAreLeftOutByTheSuggestion() throws {
        let suggestion = try PitSuggestions.suggest(Self.summed)
        let yaml = SuggestedYAML.text(of: suggestion, pack: try #require(PitSuggestions.pits), language: .english)
        #expect(yaml.contains("where: \"code not in ('TOTAL', 'Elaborado por: X')\""), "\(yaml)")
        let folder = try Folder()
        let path = try folder.write("r.csv", Self.summed)
        let pack = try #require(PitSuggestions.pits)
        var mapping = suggestion.mapping
        mapping.tables[0].targets[0].key = ["code"]
        let source = try MappedSource(TableFiles.open(path: path), path: path, mapping: mapping, pack: pack, keys: NoRecordKeys())
        let rows = try ReadRow.rows(of: source, pack: pack)
        #expect(rows.compactMap { $0.value["code"]?.text } == ["C-601", "C-602", "C-603"] && rows.count(where: \.isFiltered) == 2)
        #expect(source.lastFindings.isEmpty)
    }

    @Test func aKeyThatLooksLikeNoneIsReported() throws {
        var pack = EveryFieldPack.pack
        pack.entities[1].fields[2] = Field(name: "code", type: .text, pattern: "[A-Z]-[0-9]+")
        let folder = try Folder()
        let path = try folder.write("r.csv", "Pozo;Prof;Fecha\nC-1;1;\nTOTAL;1;\nTOTAL;1;\n")
        let source = try MappedSource(
            TableFiles.open(path: path), path: path, mapping: ImportMapping(name: "r", tables: [Self.pits]), pack: pack, keys: NoRecordKeys())
        let target = RememberingTarget(pack: pack)
        _ = try Importer(pack: pack).run(source, into: target, findings: FindingList()) { _ in }
        #expect(target.stored.count == 2 && target.notes.map(\.code) == ["FIELD-PATTERN"])
        let finding = try #require(target.notes.first)
        #expect(finding.severity == .error && finding.arguments == ["value": "TOTAL", "pattern": "[A-Z]-[0-9]+"])
        #expect(finding.place.cell == "A3" && finding.place.line == 3 && finding.place.field == "code")
    }

    @Test func aTableAboveTheOneThatIsReadIsReported() throws {
        let text = "RESUMEN;;;\nLargo;Ancho;Área;\n1;2;2;\n2;2;4;\n;;;\nElaborado;el;13/03/2025;\nPozo;Prof;Fecha;\nC-1;1;;\n"
        let finding = try #require(try read(text, Self.pits).findings.first { $0.code == "IMPORT-UNREAD-TABLE" })
        #expect(finding.arguments == ["name": "r", "range": "A2:C4", "columns": "Largo, Ancho, Área", "count": "2"])
        let titles = "REGISTRO;;\nFecha de emisión:;13/03/2025;Responsable\nUno;Dos;Tres\nPozo;Prof;Fecha\nC-1;1;\n"
        #expect(try read(titles, Self.pits).findings.isEmpty)
    }

    @Test func aRowOfUnitsBelowTheHeadingIsNoRecord() throws {
        #expect(try read("Pozo;N;Prof;Fecha\n;-;(m);(d)\nC-1;1;0.5;\n", Self.strata).findings.isEmpty)
    }

    @Test func aValueOfAnotherTypeIsReportedWithItsCell() throws {
        var table = Self.strata
        table.targets[0].requires = []
        let findings = try read("Pozo;N;Prof;Fecha\nC-1;uno;hondo;\n", table).target.rejected.flatMap(\.findings)
        #expect(findings.map(\.code) == ["FIELD-TYPE", "FIELD-TYPE"])
        #expect(Dictionary(uniqueKeysWithValues: findings.map { ($0.place.cell, $0.arguments["value"]) }) == ["B2": "uno", "C2": "hondo"])
    }

    // MARK: Files of another kind

    @Test func anArchiveAndJSONAreSaidToBeWhatTheyAre() throws {
        let folder = try TableFolder()
        try folder.python("import zipfile; zipfile.ZipFile('t.zip', 'w').writestr('r.csv', 'Pozo;Prof')")
        let path = folder.path("t.zip")
        #expect(throws: ImportFailure.archive(path: path)) { try TableFiles.open(path: path) }
        let json = try folder.write(#"{"Pozo": "C-1", "Prof": 1.5}"# + "\n" + #"{"Pozo": "C-2", "Prof": 2}"#, "r.json")
        let mapping = ImportMapping(name: "r", tables: [Self.pits])
        #expect(throws: ImportFailure.mappingJSON(path: json, mapping: "r")) { try MappingChoice(pack: EveryFieldPack.pack, keys: NoRecordKeys()).open(json, mapping: mapping) }
    }
}
