import Foundation
import Testing

/// The bounds of the readers: set by option or configuration, refused by name, listed, documented.
@Suite struct LimitTests {
    private func describe(_ bytes: [UInt8], name: String, _ arguments: String..., configuration: String? = nil) throws -> ProgramRun {
        let folder = NSTemporaryDirectory() + "fichero-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        if let configuration { try configuration.write(toFile: folder + "/fichero.yaml", atomically: true, encoding: .utf8) }
        return try ProgramRun.fichero(
            ["describe", name] + arguments, in: folder, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_LANG": "en"])
    }

    @Test(arguments: [
        ("columns=2", "a,b,c\n1,2,3\n", "d.csv"), ("rows=2", "a,b\n1,2\n3,4\n5,6\n", "d.csv"),
        ("rows=1", "<table><tr><td>1<tr><td>2</table>", "d.html"), ("columns=1", "<table><tr><td>1<td>2</table>", "d.html"),
        ("tables=1", "<table><tr><td>1</table><table><tr><td>2</table>", "d.html"),
        ("depth=3", "<?xml version='1.0'?><a><b><c><d>1</d></c></b></a>", "d.xml"),
        ("rows=1", "<?xml version='1.0'?><a><p><n>1</n></p><p><n>2</n></p></a>", "d.xml"),
        ("cellBytes=3", "<?xml version='1.0'?><a><b>12345</b><b>2</b></a>", "d.xml"),
    ])
    func aFileBeyondABoundIsRefusedByName(limit: String, text: String, name: String) throws {
        #expect(try describe(Array(text.utf8), name: name).status == 0)
        let run = try describe(Array(text.utf8), name: name, "--limit", limit)
        let bound = String(limit.prefix { $0 != "=" })
        #expect(run.status == 65 && run.error.contains("TABLE-TOO-LARGE"), "\(run.error)")
        #expect(run.error.contains("the bound \(bound)") && run.error.contains("--limit \(bound)=VALUE"), "\(run.error)")
    }

    @Test(arguments: [("CALICATA.DBF", "dbfRecords=1"), ("../device.db", "sqliteTables=1")])
    func soAreTheOldFilesOfTheOffice(name: String, limit: String) throws {
        let file = ProgramRun.root + "/Samples/ingeplus/legacy/foxpro/" + name
        let run = try ProgramRun.fichero(["describe", file, "--limit", limit], in: "/", environment: ["FICHERO_LANG": "es"])
        #expect(run.status == 65 && run.error.contains("pasa el límite " + limit.prefix { $0 != "=" }), "\(run.error)")
    }

    @Test(arguments: [
        ("jsonDepth=2", #"[{"code":"C","a":[[1]]}]"#), ("jsonTextBytes=4", #"[{"code":"C-12345"}]"#), ("jsonRowBytes=8", #"{"code":"C-12345"}"# + "\n"),
        ("jsonNumberLength=3", #"[{"depth_m":1.2345}]"#),
    ])
    func anImportBeyondABoundChangesNothing(limit: String, text: String) throws {
        let office = try Office.pits()
        defer { office.remove() }
        try text.write(toFile: office.path("calicatas.json"), atomically: true, encoding: .utf8)
        let before = try office.sql("SELECT count(*) FROM calicatas")
        for command in ["import", "validate"] {
            let run = try office.run(command, office.path("calicatas.json"), "--limit", limit)
            #expect(run.status == 65 && run.error.contains("TABLE-TOO-LARGE") && run.error.contains(String(limit.prefix { $0 != "=" })), "\(run.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM calicatas") == before)
    }

    @Test func aManifestHasItsBound() throws {
        let office = try Office(system: "ingeplus", set: nil)
        defer { office.remove() }
        let run = try office.run(
            "import", ProgramRun.root + "/Samples/ingeplus/survey", "--limit", "documentBytes=1K", "--actor", Office.administrator)
        #expect(run.status == 65 && run.error.contains("documentBytes") && run.error.contains("1024"), "\(run.error)")
    }

    @Test func theConfigurationSetsBoundsAndTheOptionGoesBefore() throws {
        let table = Array("a,b,c\n1,2,3\n".utf8)
        #expect(try describe(table, name: "d.csv", configuration: "limits:\n  columns: 2\n").status == 65)
        #expect(try describe(table, name: "d.csv", "--limit", "columns=3", configuration: "limits:\n  columns: 2\n").status == 0)
    }

    @Test(arguments: ["limits:\n  colums: 2\n", "limits:\n  columns: many\n", "limits:\n  columns: 0\n", "limits:\n  columns: [1]\n", "limits:\n  columns: 99999999999G\n"])
    func aMistakeInTheConfigurationHasItsLine(configuration: String) throws {
        let run = try describe(Array("a,b\n1,2\n".utf8), name: "d.csv", configuration: configuration)
        #expect(run.status == 78 && run.error.contains("fichero.yaml:2") && run.error.contains("colum"), "\(run.error)")
    }

    @Test(arguments: ["colums=2", "columns", "columns=", "columns=-1", "columns=1.5", "columns=2T", "depth=1G"])
    func aMistakeInTheOptionIsOneOfUsage(limit: String) throws {
        let run = try describe(Array("a,b\n1,2\n".utf8), name: "d.csv", "--limit", limit)
        #expect(run.status == 64 && run.error.contains("LIMIT-"), "\(run.error)")
    }

    /// To bring the table up to date: `fichero describe --limits --form markdown --lang en`.
    @Test func theyAreListedInThreeLanguagesAndTheDocumentSaysTheSame() throws {
        for language in ["es", "en", "it"] {
            let run = try ProgramRun.fichero(["describe", "--limits", "--form", "markdown", "--lang", language], in: "/")
            #expect(run.status == 0 && run.output.contains("`sqliteSteps`") && !run.output.contains("bound."), "\(run.output)")
            guard language == "en" else { continue }
            #expect(try String(contentsOfFile: ProgramRun.root + "/Docs/import.md", encoding: .utf8).contains(run.output), "\(run.output)")
        }
        let run = try ProgramRun.fichero(["describe", "--limits", "--limit", "cellBytes=64M", "--json"], in: "/")
        let bounds = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(bounds.first { $0["name"] as? String == "cellBytes" }?["value"] as? Int == 64 << 20)
    }
}
