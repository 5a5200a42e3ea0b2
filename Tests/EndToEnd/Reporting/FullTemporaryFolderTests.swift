import Foundation
import Testing
import Workbench

/// Libraries keep temporary files in TMPDIR, and do not notice each failed write. A workbook that
/// lacks something for that reason gets no name and no registration.
@Suite struct FullTemporaryFolderTests {
    /// Runs a command with a TMPDIR that holds so many kilobytes, in a mount that only it sees.
    private static func run(_ arguments: [String], in office: Office, kilobytes: Int) throws -> ProgramRun {
        let script = """
            mount -t tmpfs -o size=\(kilobytes)k none small
            TMPDIR=$PWD/small
            export TMPDIR
            exec "$@"
            """
        return try ProgramRun.program(
            "/usr/bin/unshare",
            ["-rm", "/bin/sh", "-euc", script, "-", ProgramRun.fichero] + arguments + ["--as-of", Office.asOf],
            in: office.folder, environment: office.variables)
    }

    @Test(arguments: [
        ["report", "resumen-proyecto", "--project", "CHU-2025", "--format", "xlsx", "-o", "out"],
        ["export", "calicatas", "--project", "CHU-2025", "--format", "xlsx", "-o", "out"],
        ["validate", "--report", "out/findings.xlsx"],
    ])
    func aWorkbookIsWholeOrThereIsNone(_ command: [String]) throws {
        let office = try Office.pits()
        for folder in ["out", "small"] {
            try FileManager.default.createDirectory(atPath: office.path(folder), withIntermediateDirectories: true)
        }
        var refused = 0
        for kilobytes in [4, 8, 16, 32, 64, 128, 256, 4096] {
            let run = try Self.run(command, in: office, kilobytes: kilobytes)
            let files = try office.files("out")
            if run.status == 74 {
                refused += 1
                let isTold = run.error.contains("TMPDIR") || run.error.contains("OUTPUT-DISK-FULL")
                #expect(isTold, "\(kilobytes): \(run.error)")
                #expect(files.isEmpty, "\(kilobytes): \(files)")
                #expect(try office.sql("SELECT count(*) FROM exports") == "0")
                continue
            }
            #expect(run.status == 0 || run.status == 1, "\(kilobytes): \(run.status) \(run.error)")
            // From here on the same bytes are made with any room.
            try #require(files.count == 1, "\(files)")
            let told = try OtherProgram.python(
                """
                import sys, zipfile, xml.dom.minidom
                book = zipfile.ZipFile(sys.argv[1])
                parts = [name for name in book.namelist() if name.endswith((".xml", ".rels"))]
                print(all(xml.dom.minidom.parseString(book.read(name)) for name in parts))
                """, office.path("out/" + files[0]))
            #expect(told == "True", "\(kilobytes)")
            break
        }
        #expect(refused > 0)
    }
}
