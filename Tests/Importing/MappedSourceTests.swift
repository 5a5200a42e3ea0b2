import JSONReading
import Model
import Testing

@testable import Importing

/// A file of lines with semicolons, held in memory.
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
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            (index + 1, line.split(separator: ";", omittingEmptySubsequences: false).map(String.init))
        }
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

    private func read(_ text: String = register) throws -> (rows: [String: [SourceRow]], source: MappedSource) {
        let file = Lines([("Calicatas", text), ("Otra", "x")])
        let source = MappedSource(file, path: "r.csv", mapping: Self.mapping, pack: "pits")
        var rows: [String: [SourceRow]] = [:]
        for table in source.tables {
            try table.forEachRow { if !$0.isFiltered { rows[table.name, default: []].append($0) } }
        }
        return (rows, source)
    }

    @Test func oneRowMakesAProjectOnceAndItsPit() throws {
        let (rows, source) = try read()
        let project = try #require(rows["projects"]?.first)
        #expect(rows["projects"]?.filter { $0.fault == nil }.count == 1)
        #expect(project.value["code"] == .string("PE-01"))
        let pits = try #require(rows["calicatas"])
        let sound = pits.filter { $0.fault == nil }
        #expect(sound.map(\.line) == [4, 5])
        #expect(sound.allSatisfy { $0.value["project_id"] == project.value["id"] })
        let first = try #require(sound.first).value
        #expect(first["code"] == .string("C-1"))
        #expect(first["depth_m"] == .string("2.50"))
        #expect(first["day"] == .string("2024-05-03"))
        #expect(first["moisture"] == .string("moist"))
        #expect(first["extra"] == .string("gris, fétido"))
        #expect(first["dry"] == .string("true"))
        #expect(sound.last?.value["depth_m"] == .string("1002.5"))
        #expect(sound.last?.value["moisture"] == .null)
        #expect(source.unmapped == ["Otra"])
    }

    @Test func faultsKeepTheRowAndItsCell() throws {
        let (rows, _) = try read()
        let faulty = (rows["calicatas"] ?? []).filter { $0.fault != nil }
        #expect(faulty.map(\.line) == [8, 9, 10])
        #expect(faulty.first?.fault == "Calicatas!C8: the value is no number")
        #expect(faulty.first?.value["PROF."] == .string("hondo"))
        #expect(faulty.dropFirst().first?.fault == "Calicatas!C9: #REF!")
        #expect(faulty.last?.fault == "row 10: project_id is empty")
    }

    @Test func everyRowIsAccountedFor() throws {
        let (rows, source) = try read()
        #expect(source.counts.count == 2)
        for count in source.counts {
            #expect(count.read == 7)
            #expect(count.read == count.handed + count.faulty + count.repeated + count.filtered + count.blank)
            #expect(rows[count.entity]?.count == count.handed + count.faulty)
            #expect((count.blank, count.filtered) == (1, 1))
        }
    }

    @Test func aSecondReadingMeetsTheSameRows() throws {
        let first = try read()
        // The order of rows and columns, and what was mended, do not matter.
        let second = try read("Calicata;Proyecto;Prof\nC-2;PE-01;9,9\nC-1;PE-01;8,8")
        func ids(_ rows: [SourceRow]?) -> Set<String> { Set((rows ?? []).compactMap { $0.fault == nil ? $0.value["id"]?.description : nil }) }
        #expect(ids(first.rows["calicatas"]) == ids(second.rows["calicatas"]))
        #expect(ids(first.rows["calicatas"]).count == 2)
        #expect(second.rows["calicatas"]?.first?.value["day"] == nil)
    }

    @Test func theReplicasOwnIdIsTaken() throws {
        let file = Lines([("CALICATAS", "Proyecto;Calicata\nPE-01;C-1")])
        let source = MappedSource(file, path: "r.csv", mapping: Self.mapping, pack: "pits") { entity, key in
            entity == "projects" && key == ["PE-01"] ? PitPack.id : nil
        }
        let target = RememberingTarget()
        let findings = FindingList()
        _ = try Importer(pack: PitPack.pack).run(source, into: target, findings: findings) { _ in }
        #expect(target.stored.map(\.entity) == ["projects", "calicatas"])
        #expect(target.stored.first?.values["id"] == .text(PitPack.id))
        #expect(target.stored.last?.values["project_id"] == .text(PitPack.id))
        #expect(target.rejected.isEmpty)
    }

    @Test func aHeadingThatIsNotThereLosesNoRow() throws {
        let (rows, source) = try read("a;b\nc;d")
        #expect(rows.isEmpty)
        #expect(source.counts.allSatisfy { $0.filtered == 2 && $0.read == 2 })
    }
}
