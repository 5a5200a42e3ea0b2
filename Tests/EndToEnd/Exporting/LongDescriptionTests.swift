import Foundation
import Testing

/// Descriptions of strata may be so long that a batch of rows is full in the middle of a row. Every
/// cell comes in, in its own column.
@Suite struct LongDescriptionTests {
    private static let pits = 240

    private static func description(_ pit: Int, _ layer: Int) -> String {
        "Estrato \(pit).\(layer): " + String(repeating: "arena limosa, beige; ", count: 60 + (pit * 7 + layer * 13) % 90) + "fin"
    }

    private static let write = """
        import json, openpyxl
        rows = json.load(open('rows.json'))
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet('registro')
        for row in rows: sheet.append(row)
        book.save('registro.xlsx')
        """

    @Test(arguments: ["registro.csv", "registro.xlsx"])
    func everyCellComesIn(_ file: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        var rows = [["Proyecto", "Nombre del proyecto", "Calicata", "Estrato", "Desde", "Hasta", "SUCS", "Descripción", "Color"]]
        for pit in 0..<Self.pits {
            for layer in 0..<5 {
                rows.append([
                    "LARGO-1", "Descripciones largas", "C-\(pit)", String(layer + 1), "\(layer),5", "\(layer + 1),5", "SM", Self.description(pit, layer), "beige",
                ])
            }
        }
        if file.hasSuffix("csv") {
            try rows.map { $0.map { "\"\($0)\"" }.joined(separator: ";") }.joined(separator: "\n")
                .write(toFile: office.path(file), atomically: true, encoding: .utf8)
        } else {
            try JSONEncoder().encode(rows).write(to: URL(fileURLWithPath: office.path("rows.json")))
            let run = try ProgramRun.program("/usr/bin/python3", ["-c", Self.write], in: office.folder)
            #expect(run.status == 0, "\(run.error)")
        }
        let run = try office.run("import", file, "--mapping", "registro-plano", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(try office.sql("SELECT count(*) FROM projects; SELECT count(*) FROM calicatas; SELECT count(*) FROM rejects") == "1\n\(Self.pits)\n0")
        let found = try office.sql("""
            SELECT group_concat(t, '|') FROM (
              SELECT k.code || ' ' || c.number || ' ' || c.depth_from_m || ' ' || c.depth_to_m || ' ' || c.sucs || ' ' || c.color || ' ' || c.description AS t
              FROM calicata_cortes AS c JOIN calicatas AS k ON k.id = c.calicata_id ORDER BY CAST(substr(k.code, 3) AS INTEGER), c.number)
            """).split(separator: "|").map(String.init)
        let expected = (0..<Self.pits).flatMap { pit in
            (0..<5).map { "C-\(pit) \($0 + 1) \($0).5 \($0 + 1).5 SM beige \(Self.description(pit, $0))" }
        }
        #expect(found.count == expected.count)
        #expect(zip(found, expected).filter { $0 != $1 }.map { $0.0.prefix(80) + " … \($0.0.utf8.count)" } == [])
    }
}
