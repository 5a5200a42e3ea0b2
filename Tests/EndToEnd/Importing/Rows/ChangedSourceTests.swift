import Foundation
import Testing
import Workbench

/// If somebody writes to a file while it is read, its content does not agree with its digest. Then
/// nothing of it is stored.
@Suite struct ChangedSourceTests {
    /// The program is stopped at its first write of staged rows, and the file is changed then. So
    /// the change always lies between the digest and the end of the reading.
    @Test(arguments: ["append", "replace"])
    func nothingOfItGoesIn(_ how: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        let project = "0198a000-0000-7000-8000-0000000000aa"
        try "{\"id\":\"\(project)\",\"code\":\"CH-1\"}\n".write(toFile: office.path("projects.ndjson"), atomically: true, encoding: .utf8)
        #expect(try office.run("import", "projects.ndjson", "--actor", Office.administrator).status == 0)
        func rows(_ numbers: Range<Int>) -> String {
            numbers.map { "{\"id\":\"0198b000-0000-7000-8000-\(String(format: "%012x", $0))\",\"project_id\":\"\(project)\",\"code\":\"C-\($0)\"}\n" }.joined()
        }
        let file = office.path("calicatas.ndjson")
        try rows(0..<12_000).write(toFile: file, atomically: true, encoding: .utf8)
        let before = try office.sql("SELECT count(*) FROM imports")
        // The program is stopped at its first write to the staging file. The file is changed, and
        // the program continues.
        let arguments = ["import", "calicatas.ndjson", "--actor", Office.administrator, "--as-of", Office.asOf]
        let run = try BrokenCall(paths: office.replica + ".import/*", calls: "write").runStopped(arguments, in: office) { _ in
            if how == "append" {
                let handle = try #require(FileHandle(forWritingAtPath: file))
                try handle.seekToEnd()
                try handle.write(contentsOf: Data(rows(12_000..<12_003).utf8))
                try handle.close()
            } else {
                try rows(0..<12_000).replacing("C-11999", with: "C-11998x").write(toFile: file, atomically: true, encoding: .utf8)
            }
        }
        #expect(run.status == 75 && run.error.contains("IMPORT-CHANGED"), "\(run.status) \(run.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "0" && office.sql("SELECT count(*) FROM imports") == before)
        #expect(try office.run(arguments).status == 0)
        #expect(try Int(office.sql("SELECT count(*) FROM calicatas")) ?? 0 >= 12_000)
    }

    /// An interrupted run of several files staged rows of a later file. The next run uses these
    /// rows.
    @Test func aLaterFileIsGoneOnWith() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let project = "0198a000-0000-7000-8000-0000000000aa"
        try "{\"id\":\"\(project)\",\"code\":\"CH-1\"}\n".write(toFile: office.path("projects.ndjson"), atomically: true, encoding: .utf8)
        let rows = (0..<24_000).map { "{\"id\":\"0198b000-0000-7000-8000-\(String(format: "%012x", $0))\",\"project_id\":\"\(project)\",\"code\":\"C-\($0)\"}\n" }
        try rows.joined().write(toFile: office.path("calicatas.ndjson"), atomically: true, encoding: .utf8)
        let arguments = ["import", "projects.ndjson", "calicatas.ndjson", "--actor", Office.administrator]
        let counted = try Office(system: "ingeplus", set: nil)
        for name in ["projects", "calicatas"] { try FileManager.default.copyItem(atPath: office.path(name + ".ndjson"), toPath: counted.path(name + ".ndjson")) }
        let writes = try BrokenCall(paths: counted.replica + ".import/*", calls: "write").count(arguments, in: counted)
        let killed = try BrokenCall(paths: office.replica + ".import/*", calls: "write").run(arguments, in: office, at: writes * 9 / 10, .kill)
        #expect(killed.status == 128 + SIGKILL)
        #expect(try office.sql("SELECT count(*) FROM projects") == "1" && office.sql("SELECT count(*) FROM calicatas") == "0")
        let next = try office.run(arguments)
        #expect(next.status == 0 && next.error.contains("goes on with what an interrupted import had staged"), "\(next.error)")
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "24000")
        #expect(!FileManager.default.fileExists(atPath: office.replica + ".import"))
    }

    /// A replica may lie in the folder that is imported. What the import itself writes there is not
    /// a change of the source.
    @Test func theReplicasOwnFilesAreNoSource() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let source = ProgramRun.root + "/Samples/ingeplus/survey"
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FileManager.default.copyItem(atPath: source + "/" + name, toPath: office.path(name))
        }
        let run = try office.run("import", ".", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.status) \(run.error)")
        #expect(try Int(office.sql("SELECT count(*) FROM calicata_cortes")) ?? 0 > 250)
    }
}
