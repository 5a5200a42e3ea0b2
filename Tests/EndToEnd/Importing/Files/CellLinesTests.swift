import Foundation
import Testing
import Workbench

/// `fichero describe FILE --cells` prints what a reader sees, for people who want to check it and
/// for programs that compare it.
@Suite struct CellLinesTests {
    private func cells(_ arguments: [String], in folder: TemporaryFolder) throws -> ProgramRun {
        try ProgramRun.fichero(
            ["describe"] + arguments, in: folder.path, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_LANG": "en"])
    }

    @Test func everyRowOfEveryFileIsALine() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("a;\"x \"\"y\"\"\\\n\tz\u{7F}\"\n\n;ñ😀\n".utf8), to: "uno.csv")
        _ = try folder.write(Array("<table><tr><td>1</table>".utf8), to: "dos.xls")
        let run = try cells(["uno.csv", "--cells", "dos.xls"], in: folder)
        #expect(run.status == 0, "\(run.error)")
        #expect(
            run.output == #"""
                {"file":"uno.csv","hidden":false,"kind":"csv","table":"uno"}
                {"row":1,"cells":[["text","a"],["text","x \"y\"\\\u000a\u0009z\u007f"]]}
                {"row":4,"cells":[null,["text","ñ😀"]]}
                {"file":"dos.xls","hidden":false,"kind":"html","table":"dos"}
                {"row":1,"cells":[["text","1"]]}

                """#)
    }

    @Test func kindsAndColumnsAreReportedAsTheFileHasThem() throws {
        let folder = try TemporaryFolder()
        _ = try OtherProgram.run("/usr/bin/sqlite3", [folder.file("a.db"), "CREATE TABLE t(x, y); INSERT INTO t VALUES (1.50, ''), (NULL, x'0A')"])
        let lines = try cells([folder.file("a.db"), "--cells"], in: folder).output.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"{"columns":["x","y"],"#) == true)
        #expect(lines.dropFirst() == [#"{"row":1,"cells":[["number","1.5"],["text",""]]}"#, #"{"row":2,"cells":[null,["error","0x0A"]]}"#])
    }

    /// The cells before the unreadable place are printed, and then the command fails.
    @Test func whatCannotBeReadEndsTheLines() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array((String(repeating: "a;b\n", count: 300) + "\"c;d\n").utf8), to: "a.csv")
        let run = try cells(["a.csv", "--cells"], in: folder)
        #expect(run.status == 65 && run.error.contains("TABLE-DAMAGED"))
        #expect(run.output.split(separator: "\n").count > 200)
    }

    @Test func whatHasNoCellsIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("{\"a\": 1}\n{\"a\": 2}\n".utf8), to: "a.ndjson")
        let run = try cells(["a.ndjson", "--cells"], in: folder)
        #expect(run.status == 65 && run.error.contains("IMPORT-KIND"), "\(run.status) \(run.output)")
        #expect(try cells(["--cells"], in: folder).status == 64)
        #expect(try cells(["a.ndjson", "a.ndjson"], in: folder).status == 64)
    }
}
