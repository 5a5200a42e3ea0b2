import Foundation
import Testing

/// `fichero describe FILE`, for which no replica is needed.
@Suite struct DescribeFileTests {
    private func describe(_ bytes: [UInt8], _ options: String..., name: String = "datos.xls") throws -> ProgramRun {
        let folder = NSTemporaryDirectory() + "fichero-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        return try ProgramRun.fichero(
            ["describe", folder + "/" + name] + options, in: folder, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_LANG": "es"])
    }

    private let page = Array("<table><tr><th>código<th>prof<tr><td>C-1<td>1,5<tr><td>C-2<td></table>".utf8)

    @Test func showsTablesColumnsAndSamples() throws {
        let result = try describe(page)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("Tabla «datos»: 2 filas, 2 columnas"))
        #expect(result.output.contains("Nombres en la fila 1"))
        #expect(result.output.contains("código  texto      100 %  C-1 | C-2"))
        #expect(result.output.contains("prof    número      50 %  1,5"))
        // What would steer a terminal is not shown.
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

    /// Old tables do not always say theirs: what is asked for holds for them as for text.
    @Test func anEncodingCanBeStatedForADatabase() throws {
        let table = ProgramRun.root + "/Samples/ingeplus/legacy/foxpro/OBRA.DBF"
        func describe(_ encoding: String) throws -> ProgramRun {
            try ProgramRun.fichero(["describe", table, "--json", "--encoding", encoding], in: "/", environment: ["FICHERO_LANG": "es"])
        }
        #expect(try describe("cp850").output.contains("Rehabilitación"))
        let other = try describe("windows-1252")
        #expect(other.status == 0 && other.output.contains("Rehabilitaci¢n"), "\(other.output)")
    }

    @Test func aBrokenFileIsBadInput() throws {
        let result = try describe(Array("<?xml version='1.0'?>\n<a><b></a>".utf8), name: "datos.csv")
        #expect(result.status == 65)
        #expect(result.error.contains("TABLE-DAMAGED") && result.error.contains("datos.csv:2"))
        let unknown = try describe([0, 1, 2, 3, 4])
        #expect(unknown.status == 65 && unknown.error.contains("IMPORT-KIND"))
    }
}
