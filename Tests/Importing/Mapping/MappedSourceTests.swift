import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model

/// A file in memory, whose lines have semicolons.
private final class Lines: TableFile {
    static let kind = "lines"
    let tables: [ForeignTable]

    init(_ sheets: [(name: String, text: String)]) {
        tables = sheets.map { sheet in
            ForeignTable(name: sheet.name) { LineRows(sheet.text) }
        }
    }
}

private final class LineRows: ForeignRows {
    private var lines: [(Int, [String])]

    init(_ text: String) {
        lines = TableFolder.cells(text)
    }

    func fill(_ batch: inout ForeignBatch) {
        batch.removeAll()
        while !lines.isEmpty, !batch.isFull {
            let (number, cells) = lines.removeFirst()
            for cell in cells {
                if cell.isEmpty { batch.appendEmpty() } else { batch.append(cell.hasPrefix("#") ? .error : .text, cell) }
            }
            batch.endRow(number: number)
        }
    }
}

@Suite struct MappedSourceTests {
    private static let project = ImportMapping.Field("code", .column(["Proyecto"]), [.trim, .upper])
    private static let mapping = ImportMapping(
        name: "register", lookups: ["words": ["húmedo": "moist"]],
        tables: [
            .init(
                names: ["CALICATAS"], requires: ["Calicata"],
                targets: [
                    .init(entity: "projects", key: ["code"], fields: [project], repeats: true),
                    .init(
                        entity: "calicatas", key: ["project_id", "code"],
                        fields: [
                            .init("project_id", .parent(entity: "projects", by: [project])),
                            .init("code", .column(["N° CALICATA", "POZO", "calicata"]), [.trim, .upper]),
                            .init("depth_m", .column(["Prof"]), [.decimalComma]), .init("day", .column(["Fecha"]), [.date(["dd/MM/yyyy"])]),
                            .init("moisture", .column(["Humedad"]), [.lookup("words")]),
                            .init("extra", .join(["Color", "Olor"], separator: ", ")), .init("dry", .constant("true")),
                        ]),
                ])
        ])

    private static let register = """
        REGISTRO DE CALICATAS;;;
        ;;;
        PROYECTO;Calicata;PROF.;FECHA;HÚMEDAD;color;olor
        pe-01;c-1 ;2,50;3/5/2024;HUMEDO;gris;fétido
        pe-01;c-2;1.002,5;2024-05-04;;;fétido
        ;;;
        pe-01;;3,0;;;;
        pe-01;c-3;hondo;;;;
        pe-01;c-4;#REF!;;;;
        ;c-5;1;;;;
        """

    /// A replica that has some rows.
    private final class Known: RecordKeys {
        var rows: [String: KeyMatch] = [:]
        func match(_ entity: String, _ key: [(field: String, value: String)]) -> KeyMatch {
            rows[([entity] + key.map(\.value)).joined(separator: " ")] ?? .none
        }
    }

    private func source(_ sheets: [(name: String, text: String)], _ mapping: ImportMapping = mapping, keys: any RecordKeys = NoRecordKeys()) throws -> MappedSource {
        try MappedSource(Lines(sheets), path: "r.csv", mapping: mapping, pack: EveryFieldPack.pack, keys: keys)
    }

    private func rows(_ source: MappedSource) throws -> [String: [ReadRow]] {
        Dictionary(grouping: try ReadRow.rows(of: source), by: \.entity)
    }

    private func read(_ text: String = register) throws -> [String: [ReadRow]] {
        try rows(source([("Calicatas", text)]))
    }

    private func sound(_ rows: [ReadRow]?) -> [ReadRow] { (rows ?? []).filter { !$0.isFiltered && $0.findings.isEmpty } }

    @Test func oneRowMakesAProjectOnceAndItsPit() throws {
        let rows = try read()
        let project = try #require(sound(rows["projects"]).first)
        #expect(sound(rows["projects"]).count == 1)
        #expect(project.value["code"] == .string("PE-01"))
        let pits = sound(rows["calicatas"])
        #expect(pits.map(\.line) == [4, 5])
        #expect(pits.allSatisfy { $0.value["project_id"] == project.value["id"] })
        let first = try #require(pits.first).value
        #expect(first["code"] == .string("C-1"))
        #expect(first["depth_m"] == .number("2.5"))
        #expect(first["day"] == .string("2024-05-03"))
        #expect(first["moisture"] == .string("moist"))
        #expect(first["extra"] == .string("gris, fétido"))
        #expect(first["dry"] == .number("1"))
        #expect(pits.last?.value["depth_m"] == .number("1002.5"))
        #expect(pits.last?.value["moisture"] == .null)
    }

    @Test func faultsKeepTheRowAndItsCell() throws {
        let faulty = try (read()["calicatas"] ?? []).filter { !$0.findings.isEmpty }
        #expect(faulty.map(\.line) == [8, 9, 10])
        #expect(faulty.map { $0.findings[0].code } == ["IMPORT-NO-NUMBER", "IMPORT-ERROR-CELL", "IMPORT-NO-KEY"])
        #expect(faulty[0].findings[0].place.cell == "C8")
        #expect(faulty[0].findings[0].arguments["value"] == "hondo")
        #expect(faulty[0].raw?.contains("\"PROF.\":\"hondo\"") == true)
        #expect(faulty[0].mapping == "register/0/1")
    }

    @Test func everyRowIsAccountedFor() throws {
        let rows = try read()
        #expect(rows["projects"]?.count == 7)
        #expect(rows["calicatas"]?.count == 7)
        // One row is blank, and one has no pit. For the project, the rows that repeat it are left
        // out as well.
        #expect(rows["calicatas"]?.count(where: \.isFiltered) == 2)
        #expect(rows["projects"]?.count(where: \.isFiltered) == 5)
    }

    @Test func tablesAndColumnsThatNobodyReadsAreReported() throws {
        let found = try source([("Calicatas", Self.register + "\n"), ("Otra", "x")]).findings
        #expect(found.map(\.code) == ["IMPORT-UNMAPPED-TABLE"])
        let unused = try source([("Calicatas", "Proyecto;Calicata;Cota\nPE-01;C-1;3")]).findings
        #expect(unused.map(\.code) == ["IMPORT-UNUSED-COLUMN"])
        #expect(unused.first?.arguments["columns"] == "Cota")
    }

    @Test func aSecondReadingMeetsTheSameRows() throws {
        let first = try read()
        // The order of rows and columns does not matter, nor do corrected values.
        let second = try read("Calicata;Proyecto;Prof\nC-2;PE-01;9,9\nC-1;PE-01;8,8")
        func ids(_ rows: [ReadRow]?) -> Set<String> { Set(sound(rows).compactMap { $0.value["id"]?.description }) }
        #expect(ids(first["calicatas"]) == ids(second["calicatas"]))
        #expect(ids(first["calicatas"]).count == 2)
        #expect(second["calicatas"]?.first?.value["day"] == nil)
    }

    @Test func theReplicasOwnIdIsTaken() throws {
        let keys = Known()
        keys.rows["projects PE-01"] = .one(id: EveryFieldPack.id)
        let source = try source([("CALICATAS", "Proyecto;Calicata\nPE-01;C-1")], keys: keys)
        let target = RememberingTarget()
        _ = try Importer(pack: EveryFieldPack.pack).run(source, into: target, findings: FindingList()) { _ in }
        #expect(target.stored.map(\.entity) == ["projects", "calicatas"])
        #expect(target.stored.first?.values["id"] == .text(EveryFieldPack.id))
        #expect(target.stored.last?.values["project_id"] == .text(EveryFieldPack.id))
        #expect(target.rejected.isEmpty)
    }

    @Test func aParentByAnotherFieldIsAnotherParent() throws {
        let mapping = ImportMapping(
            name: "two",
            tables: [
                .init(targets: [
                    .init(
                        entity: "calicatas", key: ["code"],
                        fields: [
                            .init("code", .column(["Pozo"])), .init("project_id", .parent(entity: "projects", by: [.init("code", .column(["A"]))])),
                            .init("extra", .parent(entity: "projects", by: [.init("name", .column(["B"]))])),
                        ])
                ])
            ])
        final class ByField: RecordKeys {
            func match(_ entity: String, _ key: [(field: String, value: String)]) -> KeyMatch {
                .one(id: EveryFieldPack.id.dropLast() + (key[0].field == "code" ? "c" : "d"))
            }
        }
        let row = try sound(rows(source([("Hoja", "Pozo;A;B\nC-1;same;same")], mapping, keys: ByField()))["calicatas"]).first
        #expect(row?.value["project_id"]?.text?.last == "c")
        #expect(row?.value["extra"]?.text?.last == "d")
    }

    @Test func aKeyOfSeveralRecordsIsNotGuessed() throws {
        let keys = Known()
        keys.rows["projects PE-01"] = .several
        let rows = try rows(source([("CALICATAS", "Proyecto;Calicata\nPE-01;C-1")], keys: keys))
        #expect(rows["projects"]?.first?.findings.map(\.code) == ["IMPORT-AMBIGUOUS"])
        #expect(rows["calicatas"]?.first?.findings.map(\.code) == ["IMPORT-AMBIGUOUS"])
    }

    @Test func aTableWithoutItsKeysColumnIsRefusedAsAWhole() {
        #expect(throws: ImportFailure.missingColumns(path: "r.csv", table: "Calicatas", columns: ["Calicata", "Proyecto"])) {
            try source([("Calicatas", "a;b\nc;d")])
        }
        #expect(throws: ImportFailure.noTable(path: "r.csv", mapping: "register", wanted: ["CALICATAS"], found: ["Hoja1"])) {
            try source([("Hoja1", Self.register)])
        }
    }

    private static func wide() throws -> ImportMapping {
        try ImportMapping(
            name: "wide",
            tables: [
                .init(
                    header: .row(2), columns: [.init(name: "depth", type: .decimal, headings: ["Prof"], conversions: [.decimalComma])],
                    filter: ExpressionParser.parse("depth > 1"),
                    targets: [
                        .init(
                            entity: "calicatas", key: ["code"],
                            fields: [
                                .init("code", .join(["Pozo", "E{n}"], separator: "-")), .init("depth_m", .expression(ExpressionParser.parse("depth * 2"))),
                                .init("number", .constant("{n}")),
                            ], requires: ["E{n}"], each: 1...3)
                    ])
            ])
    }

    @Test func oneRowGivesSeveralAndAConditionLeavesOut() throws {
        let text = "E1;E2\nPozo;Prof;E1;E3;E2\nA;1,5;x;;y\nB;0,5;x;y;z\nC;3;;;"
        let rows = try rows(source([("Hoja", text)], Self.wide()))
        let pits = sound(rows["calicatas"])
        #expect(pits.map { $0.value["code"]?.description } == ["\"A-x\"", "\"A-y\""])
        #expect(pits.map { $0.value["depth_m"] } == [.number("3"), .number("3")])
        #expect(pits.map { $0.value["number"] } == [.number("1"), .number("2")])
        #expect(rows["calicatas"]?.count(where: \.isFiltered) == 2)
    }

    private static func looking(_ content: ImportMapping.Other.Content) -> ImportMapping {
        ImportMapping(
            name: "other",
            tables: [
                .init(
                    names: ["Pozos"],
                    targets: [
                        .init(
                            entity: "calicatas", key: ["code"],
                            fields: [
                                .init("code", .column(["Pozo"])), .init("number", .ordinal(["Tramo"])),
                                .init("extra", .other(.init(table: "Datos", key: ["De"], by: ["Pozo"], only: ["Clase": "si"], content: content))),
                            ])
                    ])
            ])
    }

    @Test(arguments: [
        (ImportMapping.Other.Content.value(headings: ["Valor"], .first, separator: ""), "1.5"), (.value(headings: ["Valor"], .last, separator: ""), "rojo"),
        (.value(headings: ["Valor"], .join, separator: "; "), "1.5; rojo"), (.value(headings: ["Valor"], .count, separator: ""), "2"),
        (.members(name: ["Nombre"], value: ["Valor"]), #"{"peso":1.5,"color":"rojo"}"#),
    ])
    func severalRowsOfAnotherTableMakeAValue(_ content: ImportMapping.Other.Content, _ expected: String) throws {
        let source = try source(
            [
                ("Pozos", "Pozo;Tramo\nA;1\nB;1\nC;2"), ("Datos", "De;Clase;Nombre;Valor\nA;sí;peso;1.5\nA;no;talla;9\nA;SI;color;rojo\nB;no;x;y"),
            ], Self.looking(content))
        let pits = try sound(rows(source)["calicatas"])
        #expect(try pits.map { $0.value["extra"] } == [expected.hasPrefix("{") ? JSONValue.parse(expected) : .string(expected), .null, .null])
        #expect(pits.map { $0.value["number"] } == [.number("1"), .number("2"), .number("1")])
        #expect(source.findings.isEmpty)
    }

    @Test func aRejectedRowIsTriedAgainAsItStoodInItsFile() throws {
        var pack = EveryFieldPack.pack
        pack.imports = [Self.mapping]
        let faulty = try #require(try read()["calicatas"]?.first { !$0.findings.isEmpty })
        let place = Place(file: "r.csv", sheet: nil, line: faulty.line, mapping: faulty.mapping)
        let raw = try #require(faulty.raw).replacingOccurrences(of: "hondo", with: "3,10")
        var begun: [String] = []
        let source = RejectSource(
            [.init(id: "1", entity: "calicatas", raw: raw, place: place)], pack: pack, keys: NoRecordKeys(),
            pictures: RejectPhotos(store: PhotoStore(beside: "/nonexistent/fichero.db"))) { begun.append($0) }
        let target = RememberingTarget()
        _ = try Importer(pack: pack).run(source, into: target, findings: FindingList()) { _ in }
        #expect(begun == ["1"])
        #expect(target.stored.first?.values["depth_m"] == .real(3.1))
        #expect(target.stored.first?.values["code"] == .text("C-3"))
    }
}
