import Foundation
import Testing
import Workbench

/// Other programs write tables, and every cell is read back. `Scripts/random-tables` says what it
/// compares and how to repeat a seed.
@Suite struct RandomTableTests {
    private func compare(seed: String, count: Int, formats: String) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.program(
            "/usr/bin/python3",
            ["-B", ProgramRun.root + "/Scripts/random-tables", "--program", ProgramRun.fichero, "--count", String(count), "--seed", seed, "--formats", formats,
             "--keep", folder.file("faults")],
            in: folder.path, environment: ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates"])
        #expect(run.status == 0, "\(run.output.suffix(4_000)) \(run.error.suffix(4_000))")
        // A format may be left out only if the program says that it does not know this kind.
        print(run.output.split(separator: "\n").filter { $0.hasPrefix("NOT RUN") || $0.hasPrefix("all ") }.joined(separator: "\n"))
    }

    @Test func asTheyWereWritten() throws {
        try compare(seed: "1", count: 300, formats: "")
    }

    /// Every run has other tables. LibreOffice is not used, because it takes long to start.
    @Test func tablesThatNobodyHasSeen() throws {
        let seed = String(UInt64.random(in: 0..<1 << 48))
        print("seed of random tables: \(seed)")
        try compare(seed: seed, count: 200, formats: "xlsx-openpyxl,xlsx-xlsxwriter,xls-xlwt,ods-odfpy,csv,sqlite,dbf")
    }
}
