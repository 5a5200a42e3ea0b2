import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model

/// A workbook in memory: lines with semicolons, with merged cells, links and pictures beside them.
final class FormBook: PictureFile {
    static let kind = "forms"
    private(set) var tables: [ForeignTable] = []
    var contents: [String: [UInt8]] = [:]

    func add(_ name: String, _ text: String, isHidden: Bool = false, _ details: SheetDetails = SheetDetails()) {
        tables.append(ForeignTable(name: name, isHidden: isHidden, details: { details }) { FormLines(text) })
    }

    func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8] { contents[entry] ?? [] }
}

/// A text that is a number becomes a number cell, as in a workbook.
final class FormLines: ForeignRows {
    private var lines: [(Int, [String])]

    init(_ text: String) {
        lines = TableFolder.cells(text)
    }

    func fill(_ batch: inout ForeignBatch) {
        batch.removeAll()
        while !lines.isEmpty, !batch.isFull {
            let (number, cells) = lines.removeFirst()
            for cell in cells {
                if cell.isEmpty { batch.appendEmpty() } else { batch.append(Double(cell) == nil ? .text : .number, cell) }
            }
            batch.endRowUnlessBlank(number: number)
        }
    }
}

extension SheetDetails {
    /// Ranges are written as `A1:B2`.
    static func merged(_ ranges: String...) -> SheetDetails {
        var details = SheetDetails()
        details.mergedRanges = ranges.compactMap(CellAddress.range)
        return details
    }
}

/// Reads forms of test pits. `project` and `pit` come from their labels, and strata from a table.
struct FormScene {
    static let project = ImportMapping.Field("code", .column(["project"]), [.trim, .upper])

    static func form(
        _ names: [String] = [], every: ImportMapping.Distance = .init(), values: [ImportMapping.FormValue] = [],
        table: ImportMapping.FormTable? = nil, below: [String] = [], rows: [ImportMapping.FormTarget] = []
    ) -> ImportMapping.Form {
        let columns = ["project", "pit", "depth"]
        let standard: [ImportMapping.FormValue] = [
            .init("project", .label(["PROYECTO", "OBRA"], .right, within: [])), .init("pit", .label(["CALICATA N°"], .right, within: [])),
            .init("depth", .label(["Prof. (m)"], .right, within: []), isOptional: true),
        ].filter { value in !values.contains { $0.name == value.name } && columns.contains(value.name) }
        return ImportMapping.Form(
            names: names, every: every, present: ["pit"], values: standard + values, tables: table.map { [$0] } ?? [], picturesBelow: below,
            rows: [
                .init(.init(entity: "projects", key: ["code"], fields: [project], repeats: true)),
                .init(.init(
                    entity: "calicatas", key: ["project_id", "code"],
                    fields: [
                        .init("project_id", .parent(entity: "projects", by: [project])), .init("code", .column(["pit"]), [.trim]),
                        .init("depth_m", .column(["depth"]), [.decimalComma]),
                    ])),
            ] + rows)
    }

    /// Each stratum becomes a row of pits whose code has its values, because the test's pack has
    /// only few entities.
    static func strata(_ names: [String] = ["pit", "from", "to", "text"], of: ImportMapping.FormTarget.Of = .table("strata")) -> ImportMapping.FormTarget {
        .init(of: of, .init(entity: "calicatas", key: ["code"], fields: [.init("code", .join(names, separator: "|"))]))
    }

    static let down = ImportMapping.FormTable("strata", columns: [("from", ["De"]), ("to", ["A"]), ("text", ["Descripción"])])

    static func source(_ book: any TableFile, _ form: ImportMapping.Form) throws -> MappedSource {
        try MappedSource(book, path: "f.xlsx", mapping: ImportMapping(name: "form", forms: [form]), pack: EveryFieldPack.pack, keys: NoRecordKeys())
    }

    static func rows(_ source: MappedSource) throws -> [ReadRow] {
        try ReadRow.rows(of: source).filter { $0.entity == "calicatas" }
    }

    static func codes(_ rows: [ReadRow]) -> [String] {
        rows.filter { !$0.isFiltered && $0.findings.isEmpty }.compactMap { $0.value["code"]?.text }
    }

    /// The codes that come from one sheet with one form.
    static func codes(_ text: String, _ details: SheetDetails = SheetDetails(), _ form: ImportMapping.Form) throws -> [String] {
        let book = FormBook()
        book.add("Hoja", text, details)
        return try codes(rows(source(book, form)))
    }
}

@Suite struct FormTests {
    private typealias Value = ImportMapping.FormValue

    private func value(_ text: String, _ place: Value.Place, _ details: SheetDetails = SheetDetails()) throws -> JSONValue? {
        let book = FormBook()
        book.add("Hoja", "PROYECTO;P\nCALICATA N°;C-1\n" + text, details)
        let form = FormScene.form(values: [.init("depth", place, isOptional: true)])
        return try FormScene.rows(FormScene.source(book, form)).first { !$0.isFiltered }?.value["depth_m"].map { $0 == .null ? .null : .string($0.description) }
    }

    @Test(arguments: [
        ("Prof. (m);2,5", "2.5"), ("PROF (M) :;2.5", "2.5"), ("prof m: 2,5", "2.5"), ("prof (m) ....:;:;2.5", "2.5"), (";;Prof (m);3", "3"),
        ("Cota;9\n;x;PROF. (m);=;4", "4"), ("Prof. (m);2\nProf. (m);3", "2"),
    ])
    func aValueStandsBesideItsLabel(_ text: String, _ expected: String) throws {
        #expect(try value(text, .label(["PROF. (M)"], .right, within: [])) == .string(expected))
    }

    @Test func noOtherValueMovesIntoAnEmptyPlace() throws {
        #expect(try value("Prof. (m);;Cota;9", .label(["Prof. (m)"], .right, within: [])) == .null)
        // The next label is not a value, whether or not a value follows its colon.
        #expect(try value("Prof. (m);PROYECTO: X", .label(["Prof. (m)"], .right, within: [])) == .null)
        #expect(try value("Prof. (m);OBRA", .label(["Prof. (m)"], .right, within: [])) == .null)
        #expect(try value("Profundidad;3", .label(["Prof. (m)"], .right, within: [])) == .null)
    }

    @Test func placesOtherThanRight() throws {
        #expect(try value("Prof;x\n3", .label(["Prof"], .below, within: [])) == .string("3"))
        #expect(try value("Prof: 4;x", .label(["Prof"], .same, within: [])) == .string("4"))
        #expect(try value("Prof:;4", .label(["Prof"], .same, within: [])) == .null)
        #expect(try value("Prof;m;5", .label(["Prof"], .away(rows: 0, columns: 2), within: [])) == .string("5"))
        #expect(try value(";6", .cell(SheetCell("B3")!)) == .string("6"))
        #expect(try value("Prof;7", .label(["Hondura", "Prof*"], .right, within: [])) == .string("7"))
    }

    @Test func aLabelCountsWithinTheReachOfAnother() throws {
        let place = Value.Place.label(["N"], .right, within: ["COORDENADAS"])
        #expect(try value("N;1\nCOORDENADAS;;\nE;5;N;6", place) == .string("6"))
        #expect(try value("N;1\nCOORDENADAS;E;5;N;7", place) == .string("7"))
        #expect(try value("N;1\nCOORDENADAS\n\n\n\nx;x\nN;8", place) == .null)
        #expect(try value("N;1", place) == .null)
    }

    @Test func mergedCellsAreOne() throws {
        // A label covers two columns and two rows, and a value covers three columns.
        #expect(try value("Prof;;9,5;;", .label(["Prof"], .right, within: []), .merged("A3:B4", "C3:E3")) == .string("9.5"))
        #expect(try value("Prof;;\n;;\n8;;", .label(["Prof"], .below, within: []), .merged("A3:B4")) == .string("8"))
    }

    @Test func aMissingLabelIsReportedOnceWithItsSheets() throws {
        let book = FormBook()
        for name in ["C-1", "C-2", "C-3"] { book.add(name, "CALICATA N°;\(name)" + (name == "C-2" ? "\nOBRA;P" : "")) }
        let source = try FormScene.source(book, FormScene.form())
        #expect(source.findings.map(\.code) == ["IMPORT-NO-LABEL"])
        #expect(source.findings.first?.arguments["sheets"] == "C-1, C-3")
        let rows = try FormScene.rows(source)
        #expect(rows.map { $0.findings.map(\.code) } == [["IMPORT-NO-KEY"], [], ["IMPORT-NO-KEY"]] && FormScene.codes(rows) == ["C-2"])
        #expect(rows.map(\.sheet) == ["C-1", "C-2", "C-3"])
    }

    /// Forms with strata. The third lacks the name of its pit, and nobody filled in the fourth.
    private func lackingBook(_ third: String = "CALICATA N°;") -> FormBook {
        let book = FormBook()
        func form(_ pit: String, _ depth: String, _ rows: String...) -> String {
            "Registro;✓;----\nPROYECTO;P\n\(pit)\nPROF. (M);\(depth)\nN;De;A;Descripción\n" + rows.joined(separator: "\n")
        }
        book.add("C-1", form("CALICATA N°;C-1", "2", "1;0;1;arena", "2;1;2;limo"))
        book.add("C-2", form("CALICATA N°;C-2", "3", "1;0;3;grava", "2;;;"))
        book.add("C-3", form(third, "4", "1;0;3.5;arcilla", "2;;;"))
        book.add("C-4", form("CALICATA N°;", "", "1;;;", "2;;;"))
        return book
    }

    func strataForm(requires: [String] = ["from"]) -> ImportMapping.Form {
        var table = FormScene.down
        table.columns.insert((name: "number", headings: ["N"]), at: 0)
        var row = FormScene.strata()
        row.target.requires = requires
        return FormScene.form(table: table, rows: [row])
    }

    @Test func aFilledFormWithoutItsNameWaitsWithItsRows() throws {
        let source = try FormScene.source(lackingBook(), strataForm())
        #expect(source.findings.first?.code == "IMPORT-EMPTY-FORM")
        #expect(source.findings.first?.arguments["forms"] == "C-4")
        #expect(!source.findings.contains { $0.code == "IMPORT-UNMAPPED-TABLE" })
        let rows = try FormScene.rows(source)
        let faulty = rows.filter { !$0.findings.isEmpty }
        #expect(faulty.flatMap(\.findings).map(\.code) == ["IMPORT-NO-REQUIRED", "IMPORT-NO-REQUIRED"])
        #expect(faulty.map(\.sheet) == ["C-3", "C-3"])
        #expect(faulty.flatMap(\.findings).map(\.place.cell) == ["B3", "B3"])
        #expect(faulty.first?.findings.first?.arguments["cells"] == "B4, C6, D6")
        #expect(FormScene.codes(rows) == ["C-1", "C-1|0|1|arena", "C-1|1|2|limo", "C-2", "C-2|0|3|grava"])
        // One blank row is in the filled forms, and one is in the form that waits.
        #expect(rows.count(where: \.isFiltered) == 2)
    }

    @Test func aMissingOuterLabelIsReportedByItsOwnName() throws {
        let book = FormBook()
        for name in ["C-1", "C-2"] { book.add(name, "CALICATA N°;\(name)\n" + (name == "C-1" ? "DATOS\nOBRA;P" : "OBRA;P")) }
        var form = FormScene.form()
        form.values = form.values.map { $0.name == "project" ? .init("project", .label(["OBRA"], .right, within: ["DATOS"])) : $0 }
        let source = try FormScene.source(book, form)
        let told = source.findings.filter { $0.code == "IMPORT-NO-OUTER-LABEL" }
        #expect(told.count == 1 && told.first?.arguments["sheets"] == "C-2" && told.first?.arguments["labels"] == "DATOS", "\(source.findings)")
    }

    @Test func aLabelThatIsAnotherOnOneFormLosesNothing() throws {
        let source = try FormScene.source(lackingBook("Sondeo;S-1"), strataForm())
        #expect(source.findings.contains { $0.code == "IMPORT-NO-LABEL" && $0.arguments["sheets"] == "C-3" })
        #expect(try FormScene.rows(source).flatMap(\.findings).map(\.code) == ["IMPORT-NO-REQUIRED", "IMPORT-NO-REQUIRED"])
        // A sheet with another kind of form does not count as a form that lacks something.
        var other = strataForm()
        other.values = [.init("pit", .label(["Sondeo"], .right, within: [])), .init("project", .label(["PROYECTO"], .right, within: []))]
        let both = try MappedSource(
            lackingBook("Sondeo;S-1"), path: "f.xlsx", mapping: ImportMapping(name: "form", forms: [strataForm(), other]), pack: EveryFieldPack.pack,
            keys: NoRecordKeys())
        #expect(try FormScene.rows(both).flatMap(\.findings).isEmpty)
        #expect(try FormScene.codes(FormScene.rows(both)).contains("S-1"))
    }

    @Test func aFilledRowThatLacksWhatItNeedsWaits() throws {
        let book = lackingBook()
        book.add("C-5", "PROYECTO;P\nCALICATA N°;C-5\nPROF. (M);5\nN;De;A;Descripción\n1;0;3;turba\n2;;4;roca\n3;;;")
        let faulty = try FormScene.rows(FormScene.source(book, strataForm())).filter { $0.sheet == "C-5" && !$0.findings.isEmpty }
        #expect(faulty.flatMap(\.findings).map { [$0.code, $0.place.cell, $0.arguments["cells"]] } == [["IMPORT-NO-REQUIRED", "B6", "C6, D6"]])
        // A row that another target of the table takes is not lost.
        var form = strataForm()
        form.rows.append(FormScene.strata(["pit", "text"]))
        #expect(try FormScene.rows(FormScene.source(book, form)).filter { $0.sheet == "C-5" }.flatMap(\.findings).isEmpty)
    }

    @Test func ticksAreReportedAndDrawnLinesAreNot() throws {
        let source = try FormScene.source(lackingBook(), strataForm())
        let cells = try #require(source.findings.first { $0.code == "IMPORT-UNREAD-CELL" }?.arguments["cells"])
        #expect(cells == "C-1!A1 “Registro”, C-1!B1 “✓”, C-2!A1 “Registro”, C-2!B1 “✓”, C-3!A1 “Registro”, C-3!B1 “✓”")
        for text in ["✓", "☒", "●●", "x", "#", "%", "."] { #expect(FormLeftovers.says(text), "\(text)") }
        for text in [":", "-", "– –", "_____", "═══", " : ", "......", "…"] { #expect(!FormLeftovers.says(text), "\(text)") }
    }

    @Test func aKeyThatIsNotWholeNamesWhatItHas() throws {
        let book = FormBook()
        book.add("C-1", "PROYECTO;P\nCALICATA N°;\nPROF. (M);2")
        var form = FormScene.form()
        form.present = []
        let finding = try #require(try FormScene.rows(FormScene.source(book, form)).flatMap(\.findings).first)
        #expect(finding.code == "IMPORT-NO-KEY")
        #expect(finding.place.key == "P / —")
    }

    @Test func aProjectOfManySheetsComesInOnce() throws {
        let book = FormBook()
        for number in 1...3 { book.add("C-\(number)", "PROYECTO;p-1\nCALICATA Nº:;C-\(number)") }
        let source = try FormScene.source(book, FormScene.form(["C-*"]))
        for _ in 0..<2 {
            let target = RememberingTarget()
            let counts = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: FindingList()) { _ in }
            #expect(target.stored.map(\.entity) == ["projects", "calicatas", "calicatas", "calicatas"])
            #expect(counts.reduce(0) { $0 + $1.read } == target.stored.count + target.filtered)
        }
    }

    @Test func sheetsThatAreNoFormsAreReported() throws {
        let book = FormBook()
        book.add("Índice", "C-1;12")
        book.add("C-1", "PROYECTO;P\nCALICATA N°;C-1")
        book.add("C-2", "PROYECTO;\nCALICATA N°;")
        book.add("C-3", "PROYECTO;P\nCALICATA N°;C-3", isHidden: true)
        let source = try FormScene.source(book, FormScene.form())
        #expect(source.findings.map { $0.arguments["name"] ?? $0.arguments["forms"] } == ["C-2", "Índice", "C-3"])
        #expect(source.findings.map(\.code) == ["IMPORT-EMPTY-FORM", "IMPORT-UNMAPPED-TABLE", "IMPORT-UNMAPPED-TABLE"])
        #expect(try FormScene.codes(FormScene.rows(source)) == ["C-1"])
        var all = FormScene.form()
        all.takesHidden = true
        #expect(try FormScene.codes(FormScene.rows(FormScene.source(book, all))) == ["C-1", "C-3"])
        #expect(throws: ImportFailure.noTable(path: "f.xlsx", mapping: "form", wanted: ["Z*"], found: ["Índice", "C-1", "C-2", "C-3"])) {
            try FormScene.source(book, FormScene.form(["Z*"]))
        }
    }

    @Test func severalFormsStandAtAFixedDistance() throws {
        let one = { (code: String) in "PROYECTO;P;;\nCALICATA N°;\(code);;" }
        func beside(_ left: String, _ right: String) -> String {
            zip(left.split(separator: "\n"), right.split(separator: "\n")).map { "\($0)\($1)" }.joined(separator: "\n")
        }
        let text = beside(one("A"), one("B")) + "\n\n" + beside(one("C"), one("")) + "\n\n" + one("E") + "\n\n\n"
        let form = FormScene.form(every: .init(rows: 3, columns: 3))
        let book = FormBook()
        book.add("Hoja", text)
        let source = try FormScene.source(book, form)
        let rows = try FormScene.rows(source)
        #expect(FormScene.codes(rows) == ["A", "B", "C", "E"])
        #expect(rows.count(where: \.isFiltered) == 1, "the form that nobody filled in")
        #expect(source.findings.map(\.code) == ["IMPORT-EMPTY-FORM"])
        #expect(source.findings.first?.arguments["forms"] == "Hoja!D4")
        // As one form, only the first comes in, and this is reported.
        let single = try FormScene.source(book, FormScene.form())
        #expect(try FormScene.codes(FormScene.rows(single)) == ["A"])
        #expect(single.findings.map(\.code) == ["IMPORT-REPEATED-LABEL", "IMPORT-UNREAD-ROW", "IMPORT-UNREAD-CELL"])
        #expect(single.findings.first?.arguments["cells"] == "A2, D2, A5, D5, A8")
    }

    @Test func faultsNameTheCellAndRetryTakesTheCorrection() throws {
        let book = FormBook()
        book.add("C-1", "x\n;OBRA;P\n;CALICATA N°;;C-1\n\n;PROF. (M);hondo", .merged("B3:C3"))
        let form = FormScene.form()
        let row = try #require(try FormScene.rows(FormScene.source(book, form)).first)
        #expect(row.findings.first?.place.cell == "C5")
        #expect(row.findings.first?.place.sheet == "C-1")
        #expect(row.mapping == "form/form0/1")
        var pack = EveryFieldPack.pack
        pack.imports = [ImportMapping(name: "form", forms: [form])]
        let place = Place(file: "f.xlsx", sheet: "C-1", line: row.line, mapping: row.mapping)
        func retry(_ raw: String) throws -> RememberingTarget {
            let source = RejectSource(
                [.init(id: "1", entity: "calicatas", raw: raw, place: place)], pack: pack, keys: NoRecordKeys(),
                pictures: RejectPhotos(store: PhotoStore(beside: "/nonexistent/fichero.db"))) { _ in }
            let target = RememberingTarget()
            _ = try Importer(pack: pack).run(source, into: target, findings: FindingList()) { _ in }
            return target
        }
        let raw = try #require(row.raw)
        #expect(raw.contains(#""depth":"hondo""#))
        let still = try retry(raw).rejected.first?.findings.first
        #expect(still?.place.cell == nil && still?.arguments["cell"] == "depth_m")
        #expect(try retry(raw.replacingOccurrences(of: "hondo", with: "1,25")).stored.first?.values["depth_m"] == .real(1.25))
    }

    @Test func aSheetBeyondABoundIsRefused() throws {
        let book = FormBook()
        book.add("C-1", "PROYECTO;P\nCALICATA N°;C-1", .merged("D1:E2"))
        func reading(_ change: (inout FormLimits) -> Void) throws -> FormReader {
            var limits = FormLimits()
            change(&limits)
            return try FormReader(FormScene.form(every: .init(rows: 1)), of: book, path: "f.xlsx", limits: limits)
        }
        #expect(try reading { _ in }.sheets.count == 1)
        for (name, change) in [
            ("formCells 3", { $0.cells = 3 }), ("formBytes 5", { $0.bytes = 5 }), ("formsPerSheet 1", { $0.forms = 1 }),
        ] as [(String, (inout FormLimits) -> Void)] {
            #expect(throws: TableFailure.tooLarge(Place(file: "f.xlsx", sheet: "C-1"), kind: "form", limit: name)) { try reading(change) }
        }
        // A merged range over a whole sheet costs no more than its filled cells.
        let whole = FormBook()
        whole.add("C-1", "PROYECTO;P\nCALICATA N°;C-1\n;;;Z", .merged("D3:XFD1048576"))
        #expect(try FormReader(FormScene.form(), of: whole, path: "f.xlsx").sheets.count == 1)
    }

    @Test func whatLiesFarAwayCostsNothing() throws {
        var details = SheetDetails.merged("D3:XFD3")
        details.pictures = [.init(cell: SheetCell("XFD1048576")!, entry: "x"), .init(cell: SheetCell(row: .max, column: .max), entry: "y")]
        details.links = [SheetCell(row: 1_048_575, column: 5): "a.jpg"]
        let book = FormBook()
        let far = String(repeating: ";", count: 16_000)
        book.add("C-1", "PROYECTO;P\nCALICATA N°;C-1\n" + (0..<300).map { "\($0)\(far)x" }.joined(separator: "\n"), details)
        let form = FormScene.form(every: .init(rows: 1, columns: 4), table: nil)
        #expect(try FormScene.codes(FormScene.rows(FormScene.source(book, form))).isEmpty)
        let single = FormScene.form(table: FormScene.down, rows: [FormScene.strata()])
        #expect(throws: ImportFailure.self) { try FormScene.source(book, single) }
    }
}
