import Foundation
import JSONReading
import Model
import Testing
import Workbench

@testable import Importing

/// Several forms on one sheet, at varying distances.
extension FormTests {
    @Test("A form begins where the first label occurs again, and a value above all forms belongs to each of them")
    func formsOfSeveralHeights() throws {
        func form(_ pit: String, _ strata: String...) -> String {
            "REGISTRO\nCALICATA N°;\(pit)\nPROF. (M);2\nN;De;A;Descripción\n" + strata.joined(separator: "\n") + "\n\nRevisó: X\n\n"
        }
        let text = "PROYECTO;P\n\n" + form("C-1", "1;0;1;arena", "2;1;2;limo") + form("C-2", "1;0;2;grava") + "\n" + form("C-3", "1;0;1;roca", "2;1;1.5;limo", "3;1.5;2;arena")
        let book = FormBook()
        book.add("Hoja", text)
        let source = try FormScene.source(book, strataForm())
        #expect(source.findings.map(\.code) == ["IMPORT-UNREAD-CELL"], "titles and signatures")
        let rows = try FormScene.rows(source)
        #expect(rows.flatMap(\.findings).isEmpty)
        #expect(FormScene.codes(rows) == [
            "C-1", "C-2", "C-3", "C-1|0|1|arena", "C-1|1|2|limo", "C-2|0|2|grava", "C-3|0|1|roca", "C-3|1|1.5|limo", "C-3|1.5|2|arena",
        ])
        let projects = try ReadRow.rows(of: source).filter { $0.entity == "projects" && !$0.isFiltered }
        #expect(projects.map { $0.value["code"]?.text } == ["P"])
    }

    @Test("Forms stand side by side in columns of different widths")
    func formsOfSeveralWidths() throws {
        let text = "PROYECTO;P;;;;\nCALICATA N°;C-1;;;CALICATA N°;C-2\nPROF. (M);2;;;PROF. (M);3\n"
        #expect(try FormScene.codes(text, SheetDetails(), FormScene.form()) == ["C-1", "C-2"])
    }

    @Test("If labels leave a doubt about where a form ends, the sheet is one form, and this is reported", arguments: [
        // A label that not every form has stands right above the next form.
        ("PROYECTO;P\nCALICATA N°;C-1\nPROF. (M);1\nFECHA;x\nPROYECTO;P\nCALICATA N°;C-2\nPROF. (M);1\n\nPROYECTO;P\nCALICATA N°;C-3\nPROF. (M);1\nFECHA;x", "IMPORT-UNREAD-FORM"),
        // One form has its pit twice.
        ("PROYECTO;P\nCALICATA N°;C-1\nPROF. (M);1\n\nCALICATA N°;C-1", "IMPORT-UNREAD-CELL"),
        // The forms stand neither below nor beside each other.
        ("PROYECTO;P\nCALICATA N°;C-1\nPROF. (M);1\n\n;PROYECTO;P\n;CALICATA N°;C-2\n;PROF. (M);1", "IMPORT-UNREAD-FORM"),
        // A label of both forms stands between them.
        ("PROYECTO;P\nCALICATA N°;C-1\nPROF. (M);1\nPROF. (M);2\nPROYECTO;P\nCALICATA N°;C-2", "IMPORT-UNREAD-FORM"),
    ])
    func doubtfulEnds(_ text: String, _ unread: String) throws {
        let book = FormBook()
        book.add("Hoja", text)
        var form = FormScene.form()
        form.values.append(.init("date", .label(["FECHA"], .right, within: []), isOptional: true))
        let source = try FormScene.source(book, form)
        #expect(try FormScene.codes(FormScene.rows(source)) == ["C-1"])
        #expect(source.findings.map(\.code) == ["IMPORT-REPEATED-LABEL", unread])
    }
}
