import Testing
import Workbench

@testable import Importing
@testable import Model

/// Rows of forms that no part of the mapping reads.
@Suite struct UnreadRowTests {
    private static let head = "PROYECTO;P\nCALICATA N°;C-1\n"

    private func findings(
        _ sheets: [String], table: ImportMapping.FormTable = FormScene.down, ignores: [String] = []
    ) throws -> [Finding] {
        let book = FormBook()
        for (index, text) in sheets.enumerated() { book.add("C-\(index)", text) }
        var mapping = ImportMapping(name: "form", forms: [FormScene.form(table: table, rows: [FormScene.strata()])])
        mapping.ignores = ignores
        return try MappedSource(
            book, path: "f.xlsx", mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys()
        ).findings
    }

    private func rows(_ findings: [Finding]) -> String? {
        findings.first { $0.code == "IMPORT-UNREAD-ROW" }?.arguments["rows"]
    }

    /// The footer of a single form: fields that nothing reads, which are told and fail nothing.
    @Test(arguments: ["Inicio y fin:;12/03/2019;14/03/2019", "Elaborado por: J. Paz;12345;67890;Fecha: 12/03/2019"])
    func aFooterWithTwoValuesIsNoRow(_ footer: String) throws {
        let found = try findings([Self.head + "De;A;Descripción\n0;1;arena\n\n" + footer])
        #expect(found.map(\.code) == ["IMPORT-UNREAD-CELL"])
        let cells = found.first?.arguments["cells"] ?? ""
        #expect(cells.contains("12/03/2019") || cells.contains("67890"), "\(cells)")
        // Lines that look like each other are of a table all the same.
        let table = Self.head + "De;A;Descripción\n0;1;arena\n\nM-1:;0;1\nM-2:;1;2"
        #expect(try findings([table]).map(\.code) == ["IMPORT-UNREAD-ROW"])
    }

    @Test func rowsBeyondTheEndOfTheTableAreAnError() throws {
        let found = try findings([Self.head + "De;A;Descripción\n0;1;arena\n\n1;2;limo\n2;3;grava"])
        #expect(found.map(\.code) == ["IMPORT-UNREAD-ROW"])
        #expect(found.first?.severity == .error && found.first?.place.cell == "A6")
        #expect(found.first?.arguments["count"] == "2" && found.first?.arguments["cells"] == "6")
        #expect(rows(found) == "C-0!A6 “1, 2, limo”, C-0!A7 “2, 3, grava”")
    }

    @Test(
        "A table that the mapping does not have is an error",
        arguments: [
            (
                "Ensayo;Método;Grupo\nlímites;ASTM;uno\nproctor;ASTM;dos",
                "C-0!A6 “Ensayo, Método, Grupo”, C-0!A7 “límites, ASTM, uno”, C-0!A8 “proctor, ASTM, dos”"
            ),
            ("0,40 - 1,20;Arcilla", "C-0!A6 “0,40 - 1,20, Arcilla”"),
            ("Hasta;0.4;1.2;2", "C-0!A6 “Hasta, 0.4, 1.2, 2”"),
        ])
    func aTableThatTheMappingDoesNotHave(_ text: String, _ expected: String) throws {
        #expect(try rows(findings([Self.head + "De;A;Descripción\n0;1;arena\n\n" + text])) == expected)
    }

    @Test(
        "A label with its value is no row",
        arguments: [
            "Máquina;Retro 420", "Revisó;A. Ruiz;Fecha;12/03/2019", "Humedad;12,5;Peso;3,2",
            "Elaborado;Revisado;Aprobado", "Registro",
        ])
    func labelsWithValues(_ text: String) throws {
        let found = try findings([Self.head + "De;A;Descripción\n0;1;arena\n\n" + text])
        #expect(found.map(\.code) == ["IMPORT-UNREAD-CELL"])
    }

    @Test func whatIsPrintedOnMostSheetsIsNoRow() throws {
        let sheet = Self.head + "De;A;Descripción\n0;1;arena\n\n75;4.75;0.075"
        #expect(try findings([sheet, sheet, sheet]).map(\.code) == ["IMPORT-UNREAD-CELL"])
        #expect(try rows(findings([sheet, Self.head + "De;A;Descripción\n0;1;arena"])) != nil)
    }

    @Test func columnsOfATableThatIsReadAreNoRows() throws {
        let found = try findings([Self.head + "De;A;Descripción;Peso;Humedad\n0;1;arena;3.2;12"])
        #expect(found.map(\.code) == ["IMPORT-UNREAD-CELL"])
    }

    @Test func theMappingLeavesOutWhatItNames() throws {
        let text = Self.head + "De;A;Descripción\n0;1;arena\n\nTamiz 4;85.5;12\nMáquina;Retro"
        #expect(try rows(findings([text])) == "C-0!A6 “Tamiz 4, 85.5, 12”")
        let found = try findings([text], ignores: ["tamiz *"])
        #expect(found.map(\.code) == ["IMPORT-UNREAD-CELL"] && found.first?.arguments["count"] == "2")
        #expect(try findings([text], ignores: ["tamiz *", "máquina"]).isEmpty)
    }

    @Test func columnsOfAFormOnItsSideAreItsRows() throws {
        var table = FormScene.down
        table.isSideways = true
        let text = Self.head + "De;0;1;;2\nA;1;2;;3\nDescripción;arena;limo;;grava\nPeso;3;4;;5"
        #expect(try rows(findings([text], table: table)) == "C-0!E3 “2, 3, grava, 5”")
    }
}
