import Foundation
import Testing
import Workbench

/// `fichero describe FILE` works without a replica.
@Suite struct DescribeFileTests {
    private func describe(_ bytes: [UInt8], _ options: String..., name: String = "datos.xls") throws -> ProgramRun {
        let folder = try TemporaryFolder()
        return try ProgramRun.fichero(
            ["describe", folder.write(bytes, to: name)] + options, in: folder.path, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_LANG": "es"])
    }

    private let page = Array("<table><tr><th>código<th>prof<tr><td>C-1<td>1,5<tr><td>C-2<td></table>".utf8)

    @Test func showsTablesColumnsAndSamples() throws {
        let result = try describe(page)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("Tabla «datos»: 2 filas, 2 columnas"))
        #expect(result.output.contains("Nombres en la fila 1"))
        #expect(result.output.contains("código  texto      100 %  C-1 | C-2"))
        #expect(result.output.contains("prof    número      50 %  1,5"))
        // Characters that would steer a terminal are not printed.
        #expect(try !describe(Array("a;b\n\u{1B}[31mx;1\n".utf8)).output.contains("\u{1B}"))
    }

    @Test func givesTheSameAsJSON() throws {
        let result = try describe(page, "--json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(document["kind"] as? String == "html")
        let table = try #require((document["tables"] as? [[String: Any]])?.first)
        #expect(table["rows"] as? Int == 2 && table["headerRow"] as? Int == 1 && table["hidden"] as? Bool == false)
        #expect((table["columns"] as? [[String: Any]])?.map { $0["type"] as? String } == ["text", "number"])
    }

    @Test func anEncodingCanBeStated() throws {
        let result = try describe([0x61, 0x3B, 0xA4, 0x0A, 0x31, 0x3B, 0x32, 0x0A], "--encoding", "cp850")
        #expect(result.output.contains("ñ"))
        #expect(try describe([0x61], "--encoding", "klingon").status == 64)
    }

    /// Old tables do not always state their code page. The option `--encoding` works for them as it
    /// does for text.
    @Test func anEncodingCanBeStatedForADatabase() throws {
        let table = ProgramRun.root + "/Samples/ingeplus/legacy/foxpro/OBRA.DBF"
        func describe(_ encoding: String) throws -> ProgramRun {
            try ProgramRun.fichero(["describe", table, "--json", "--encoding", encoding], in: "/", environment: ["FICHERO_LANG": "es"])
        }
        #expect(try describe("cp850").output.contains("Rehabilitación"))
        let other = try describe("windows-1252")
        #expect(other.status == 0 && other.output.contains("Rehabilitaci¢n"), "\(other.output)")
    }

    /// Files that `import` takes without a mapping are described by their own kind.
    @Test(arguments: [
        ("anagrafica/survey/data/levels.json", "json", ["levels 4 11"]), ("anagrafica/survey/data/events.ndjson", "json", ["events 1547 11"]),
        ("anagrafica/plans/school.dxf", "dxf", ["levels 2 9", "rooms 5 10"]),
        ("anagrafica/app-folder/", "app-folder", ["projects 1 4", "schema_versions 1 6", "families 2 7", "levels 2 8", "rooms 3 10"]),
        ("ingeplus/broken/depths/", "package", ["profiles 5 12", "projects 1 17", "project_members 1 5", "calicatas 3 37", "calicata_cortes 11 36", "calicata_photos 3 26"]),
    ])
    func whatNeedsNoMappingIsDescribedToo(file: String, kind: String, tables: [String]) throws {
        let run = try ProgramRun.fichero(
            ["describe", ProgramRun.root + "/Samples/" + file, "--json"], in: "/", environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates"])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(document["kind"] as? String == kind)
        let found = (document["tables"] as? [[String: Any]] ?? []).map { table in
            "\(table["name"] ?? "") \(table["rows"] ?? "") \((table["columns"] as? [Any])?.count ?? 0)"
        }
        #expect(found == tables)
    }

    @Test func valuesOfJSONHaveTheirTypes() throws {
        let rows = #"[{"a":1,"b":"2020-01-02","c":[1]},{"a":2.5,"b":"x","d":true},{"a":null,"b":"","c":{},"d":false}]"#
        let document = try #require(try JSONSerialization.jsonObject(with: Data(describe(Array(rows.utf8), "--json").output.utf8)) as? [String: Any])
        let table = try #require((document["tables"] as? [[String: Any]])?.first)
        let columns = try #require(table["columns"] as? [[String: Any]])
        #expect(columns.map { "\($0["name"] ?? "") \($0["type"] ?? "") \($0["filled"] ?? "")" } == ["a number 2", "b mixed 2", "c text 2", "d boolean 2"])
        let bounded = try describe(Array(rows.utf8), "--limit", "columns=3")
        #expect(bounded.status == 65 && bounded.error.contains("columns") && bounded.error.contains("TABLE-TOO-LARGE"), "\(bounded.error)")
    }

    /// The program does not open a pipe, because it would wait for ever for a writer.
    @Test func aNamedPipeIsRefused() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder.file("datos.csv"), 0o600) == 0)
        let run = try ProgramRun.fichero(["describe", folder.file("datos.csv")], in: folder.path, environment: ["FICHERO_LANG": "en"])
        #expect(run.status == 74, "\(run.status)")
        #expect(run.error.contains("IMPORT-FILE-UNREADABLE"), "\(run.error)")
    }

    @Test func aMessageNamesSheetAndCell() throws {
        let book = ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-legado.xlsx"
        let run = try ProgramRun.fichero(["describe", book, "--limit", "columns=2"], in: "/", environment: ["FICHERO_LANG": "en"])
        #expect(run.status == 65 && run.error.contains("registro-legado.xlsx · Calicatas · C4: "), "\(run.error)")
    }

    @Test func aBrokenFileIsBadInput() throws {
        let result = try describe(Array("<?xml version='1.0'?>\n<a><b></a>".utf8), name: "datos.csv")
        #expect(result.status == 65)
        #expect(result.error.contains("TABLE-DAMAGED") && result.error.contains("datos.csv:2"))
        let unknown = try describe([0, 1, 2, 3, 4])
        #expect(unknown.status == 65 && unknown.error.contains("IMPORT-KIND"))
    }
}
