import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model

/// Tables inside forms, pictures and links.
@Suite struct FormTableTests {
    private static let head = "OBRA;P\nCALICATA N°;C\n"

    private func strata(_ text: String, _ details: SheetDetails = SheetDetails(), _ table: ImportMapping.FormTable = FormScene.down) throws -> [String] {
        let form = FormScene.form(table: table, rows: [FormScene.strata()])
        return try FormScene.codes(Self.head + text, details, form).filter { $0 != "C" }
    }

    @Test func rowsFollowTheirHeadingUntilABlankOne() throws {
        #expect(try strata("De;A;Descripción\n0;1;arena\n1;2;\n\n9;9;otra cosa") == ["C|0|1|arena", "C|1|2"])
        // A blank row stands between the heading and the strata. The columns are in another order
        // and further to the right.
        #expect(try strata("x\n;DESCRIPCION:;x;a;de\n\n;arena;;1;0") == ["C|0|1|arena"])
    }

    @Test func aLabelEndsTheTable() throws {
        var table = FormScene.down
        #expect(try strata("De;A;Descripción\n0;1;arena\nOBRA;P;\n1;2;no", .init(), table) == ["C|0|1|arena"])
        table.until = ["OBSERV*", "TOTAL"]
        #expect(try strata("De;A;Descripción\n0;1;arena\n\n1;2;limo\n;;Observaciones: nada\n9;9;no", .init(), table) == ["C|0|1|arena", "C|1|2|limo"])
    }

    @Test func aHeadingOfTwoRowsHasTheNamesOfBoth() throws {
        let text = "PROFUNDIDAD;;SUELO;\nDe;A;;\n0;1;arena;\n1;2;limo;"
        let table = ImportMapping.FormTable(
            "strata", columns: [("from", ["PROFUNDIDAD De"]), ("to", ["A"]), ("text", ["Suelo"])])
        #expect(try strata(text, .merged("A3:B3", "C3:D4"), table) == ["C|0|1|arena", "C|1|2|limo"])
        // If a file has no merged cells, the mapping must say how many rows the heading has.
        var told = table
        told.headingRows = 2
        told.columns[0].headings = ["PROFUNDIDAD De"]
        #expect(try strata(text, .init(), told) == ["C|0|1|arena", "C|1|2|limo"])
    }

    @Test func mergedCellsGiveOneRowAndStandForEachOfTheirRows() throws {
        let text = "De;A;Descripción\n0;1;arena\n;;\n1;2;limo\n2;3;"
        #expect(try strata(text, .merged("A4:A5", "B4:B5", "C4:C5", "C6:C7")) == ["C|0|1|arena", "C|1|2|limo", "C|2|3|limo"])
    }

    @Test func aTableOnItsSideHasAColumnForEachRow() throws {
        var table = FormScene.down
        table.isSideways = true
        let text = ";De;0;1;;5\n;A;1;2;;6\n;Descripción;arena;limo;;no\nOBSERVACIONES;x;y"
        #expect(try strata(text, .init(), table) == ["C|0|1|arena", "C|1|2|limo"])
    }

    @Test func faultsOfATableNameTheirOwnCell() throws {
        var form = FormScene.form(table: FormScene.down)
        form.rows.append(.init(of: .table("strata"), .init(
            entity: "calicatas", key: ["code"], fields: [.init("code", .join(["pit", "from"], separator: "-")), .init("depth_m", .column(["to"]), [.decimalComma])])))
        let book = FormBook()
        book.add("C", Self.head + "x\n;De;A;Descripción\n;0;1;\n;1;dos;")
        let faulty = try FormScene.rows(FormScene.source(book, form)).filter { !$0.findings.isEmpty }
        #expect(faulty.count == 1)
        #expect(faulty.first?.findings.first?.place.cell == "C6")
        #expect(faulty.first?.line == 6)
        #expect(faulty.first?.raw?.contains(#""pit":"C""#) == true)
        form.tables[0].isSideways = true
        let side = FormBook()
        side.add("C", Self.head + "De;0;1\nA;1;dos\nDescripción;;")
        #expect(try FormScene.rows(FormScene.source(side, form)).flatMap(\.findings).map(\.place.cell) == ["C4"])
    }

    @Test func aFormWithoutItsTableIsReported() throws {
        let book = FormBook()
        book.add("C-1", Self.head + "De;A;Descripción\n0;1;arena")
        book.add("C-2", "OBRA;P\nCALICATA N°;C-2\nDesde;Hasta;Suelo\n0;1;arena")
        let form = FormScene.form(table: FormScene.down, rows: [FormScene.strata()])
        let source = try FormScene.source(book, form)
        #expect(source.findings.map(\.code) == ["IMPORT-NO-FORM-TABLE", "IMPORT-UNREAD-ROW"])
        #expect(source.findings.first?.place.sheet == "C-2")
        #expect(source.findings.first?.severity == .error)
        // If no form has the table, they are forms of another kind.
        let other = FormBook()
        other.add("C-2", "OBRA;P\nCALICATA N°;C-2\nDesde;Hasta;Suelo\n0;1;arena")
        #expect(throws: ImportFailure.missingColumns(path: "f.xlsx", table: "strata", columns: ["De", "A", "Descripción"])) {
            try FormScene.source(other, form)
        }
    }

    @Test func aRegisterIsNoForm() throws {
        let book = FormBook()
        book.add("Registro", "PROYECTO;CALICATA N°;N°;De;A;Descripción\nP;C-1;1;0;1;arena\nP;C-1;2;1;2;limo")
        #expect(throws: ImportFailure.noTable(path: "f.xlsx", mapping: "form", wanted: [], found: ["Registro"])) {
            try FormScene.source(book, FormScene.form(table: FormScene.down, rows: [FormScene.strata()]))
        }
        // A word of the heading does not count as a label. The label itself stands elsewhere.
        var table = FormScene.down
        table.columns.append((name: "pits", headings: ["Prof. (m)"]))
        let form = FormScene.form(table: table)
        let below = FormBook()
        below.add("C", Self.head + "Prof. (m);De;A;Descripción\n7;0;1;arena\n\n;Prof. (m);2,5")
        #expect(try FormScene.rows(FormScene.source(below, form)).first?.value["depth_m"] == .number("2.5"))
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    private func book() throws -> FormBook {
        let book = FormBook()
        book.contents = ["xl/media/1.jpeg": Self.jpeg, "xl/media/2.jpeg": [0x42, 0x4D, 9], "xl/media/3.bin": Self.jpeg]
        var details = SheetDetails()
        details.pictures = try [("A1", "1.jpeg"), ("B5", "1.jpeg"), ("C5", "2.jpeg"), ("B6", "3.bin")].map { cell, entry in
            SheetDetails.Picture(cell: try #require(SheetCell(cell)), entry: "xl/media/" + entry)
        }
        for (cell, target) in [("A4", "fotos/C%201.JPG"), ("B4", "https://example.pe/a.jpg"), ("C4", "#Hoja!A1")] {
            details.links[try #require(SheetCell(cell))] = target
        }
        book.add("C", Self.head + "PANEL\nver;mapa;hoja\n;Vista", details)
        return book
    }

    @Test func picturesAreKnownByTheirContent() throws {
        let row = FormScene.strata(["pit", "cell", "type", "text", "bytes"], of: .pictures)
        let source = try FormScene.source(book(), FormScene.form(below: ["Panel"], rows: [row]))
        let codes = try FormScene.codes(FormScene.rows(source))
        #expect(codes == ["C", "C|B5|image/jpeg|Vista|7", "C|C5", "C|B6|image/jpeg|7"])
        #expect(source.findings.map { [$0.code, $0.arguments["cell"]] } == [["IMPORT-NO-PICTURE", "C5"], ["IMPORT-UNREAD-CELL", nil]])
        // Without a label, the picture in the letterhead is taken too. A missing label is reported.
        let all = try FormScene.source(book(), FormScene.form(rows: [row]))
        #expect(try FormScene.codes(FormScene.rows(all)).contains("C|A1|image/jpeg|OBRA|7"))
        let none = try FormScene.source(book(), FormScene.form(below: ["FOTOS"], rows: [row]))
        #expect(none.findings.map(\.code) == ["IMPORT-NO-LABEL", "IMPORT-UNREAD-CELL"])
    }

    @Test func picturesThatRowsTakeLieInAFileForTheImport() throws {
        var row = FormScene.strata(["pit", "name"], of: .pictures)
        row.target.requires = ["type"]
        row.target.repeats = true
        row.target.photo = .init(headings: ["path"])
        var path = ""
        do {
            let source = try FormScene.source(book(), FormScene.form(below: ["Panel"], rows: [row]))
            let rows = try FormScene.rows(source)
            #expect(FormScene.codes(rows).count == 2, "the same picture twice is one")
            #expect(rows.count(where: \.isFiltered) == 2)
            path = try #require(source.photos.first?.path)
            #expect(source.photos.count == 1)
            #expect(FileManager.default.contents(atPath: path) == Data(Self.jpeg))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func linksToFilesHaveAPathAndOthersNone() throws {
        let row = FormScene.strata(["cell", "path", "name", "type"], of: .links)
        let codes = try FormScene.codes(FormScene.rows(FormScene.source(book(), FormScene.form(rows: [row]))))
        #expect(codes == ["C", "A4|fotos/C 1.JPG|C 1.JPG|image/jpeg", "B4", "C4"])
        #expect(FormPhotos.path(of: "file:///C:/fotos/a.jpg") == "C:/fotos/a.jpg")
        #expect(FormPhotos.path(of: "C:\\fotos\\a.jpg") == "C:\\fotos\\a.jpg")
        #expect(FormPhotos.path(of: "mailto:x@example.pe") == nil)
    }

    @Test func aPictureBeyondItsBoundOrNotThereIsRefused() throws {
        let path = ProjectFolder.root.path
            + "/Samples/ingeplus/legacy/fichas/fichas-calicatas.xlsx"
        let book = try XLSXFile(path: path)
        let picture = try #require(try book.tables.compactMap { try $0.details?().pictures.last }.first)
        let bytes = try book.picture(picture.entry, atMost: 1 << 20)
        #expect(bytes.starts(with: [0x89, 0x50]) || bytes.starts(with: [0xFF, 0xD8]))
        #expect(throws: TableFailure.self) { try book.picture(picture.entry, atMost: UInt64(bytes.count - 1)) }
        #expect(throws: TableFailure.self) { try book.picture("xl/media/none.jpeg", atMost: 1 << 20) }
        var limits = FormLimits()
        limits.allPictureBytes = bytes.count - 1
        let store = FormPictures(book, limits: limits)
        #expect(try store.facts(of: picture.entry) != nil)
        #expect(throws: TableFailure.self) { try store.path(of: picture.entry) }
    }
}
