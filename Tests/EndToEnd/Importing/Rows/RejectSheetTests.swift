import Foundation
import Testing

/// Rejected rows are corrected in a workbook, and come in from it.
@Suite struct RejectSheetTests {
    private static let register = ProgramRun.root + "/Samples/ingeplus/legacy/registros/registro-plano.csv"

    private let office: Office

    init() throws {
        office = try Office(system: "ingeplus", set: nil)
        let run = try office.run("import", Self.register, "--actor", Office.administrator)
        #expect(run.status == 1)
        try office.run("rejects", "export", "-o", "r.xlsx", "--actor", Office.administrator)
    }

    private func retry(_ name: String) throws -> ProgramRun {
        try office.run("rejects", "retry", "--from", name, "--actor", Office.administrator)
    }

    private func python(_ lines: String) throws {
        let script = "import openpyxl\nw = openpyxl.load_workbook('\(office.path("r.xlsx"))')\n" + lines + "\nw.save('\(office.path("r2.xlsx"))')\n"
        let run = try Reading.python(script)
        try #require(run.status == 0, "\(run.error)")
    }

    private var open: String { get throws { try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") } }

    @Test func aCorrectedCellBringsItsRowIn() throws {
        // A person replaces a word with a number, in every sheet that shows it.
        try python(
            """
            for s in w:
                head = [c.value for c in s[1]]
                assert head[0] == 'reject' and 'Profundidad' in head, head
                for r in s.iter_rows(min_row=2):
                    r[head.index('Profundidad')].value = 1.8
            """)
        let run = try retry("r2.xlsx")
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(try open == "0")
        #expect(try office.sql("SELECT depth_m || ' ' || progresiva || ' ' || easting FROM calicatas WHERE code = 'C-07'") == "1.8 3+150 614200.1")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'reject_edited'") == "1", "its stratum waits for it")
        // When the same workbook is used again, no row waits any more.
        #expect(try retry("r2.xlsx").status == 0)
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "7")
    }

    @Test func whatIsNotCorrectedWaitsOnAsItWas() throws {
        let before = try office.sql("SELECT group_concat(raw) FROM rejects")
        #expect(try retry("r.xlsx").status == 1)
        #expect(try open == "2")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'reject_edited'") == "0")
        #expect(try office.sql("SELECT group_concat(raw) FROM rejects WHERE state = 'open'") == before)
    }

    @Test func otherFilesAreRefused() throws {
        #expect(try retry("nothing.xlsx").status == 66)
        try "a,b\n1,2\n".write(toFile: office.path("x.csv"), atomically: true, encoding: .utf8)
        let run = try retry("x.csv")
        #expect(run.status == 65 && run.error.contains("REJECT-NO-SHEET"))
        try "reject,a\n0198a000-0000-7000-8000-00000000dead,2\n".write(toFile: office.path("y.csv"), atomically: true, encoding: .utf8)
        #expect(try retry("y.csv").error.contains("REJECT-UNKNOWN"))
        #expect(try open == "2")
    }
}
