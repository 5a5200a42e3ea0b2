import Foundation
import Testing
import Workbench

/// An error while pages are drawn ends the run with the code of this error. Two threads work there,
/// and neither may wait for ever.
@Suite struct DrawingFaultTests {
    private static let report = ["report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--no-validation"]

    @Test func withoutFontsNothingIsDrawnAndTheRunSaysSo() throws {
        var office = try Office.pits()
        // Without a configuration of its own, fontconfig would look into the system's folders.
        let fonts = office.path("fonts.conf")
        try "<fontconfig><dir>\(office.path("fonts"))</dir><cachedir>\(office.path("cache"))</cachedir></fontconfig>\n".write(toFile: fonts, atomically: true, encoding: .utf8)
        office.environment["FONTCONFIG_FILE"] = fonts
        for format in ["pdf", "xlsx"] {
            let run = try office.run(Self.report.map { $0 == "pdf" ? format : $0 })
            #expect(run.status == 78 && run.error.contains("REPORT-FONTS"), "\(run.status) \(run.error)")
            // Libraries complain of what is given back twice.
            #expect(!run.error.contains("CRITICAL"), "\(run.error)")
        }
        #expect(try office.run("draw", "strip", "--record", "C-01", "--project", "CHU-2025", "-o", "strip.svg").status == 78)
        #expect(try office.sql("SELECT count(*) FROM pipeline_runs WHERE state = 'running'") == "0")
        office.environment["FONTCONFIG_FILE"] = nil
        #expect(try office.run(Self.report).status == 0)
        #expect(try office.files("out").count == 1)
    }

    @Test func aFullDiskWhilePagesAreDrawnIsAnErrorOfThatFile() throws {
        let counted = try Office.pits()
        let writes = try BrokenCall(paths: counted.folder + "/out/*", calls: "write").count(Self.report, in: counted)
        for part in [1, 5, 9] {
            let office = try Office.pits()
            let pages = BrokenCall(paths: office.folder + "/out/*", calls: "write")
            let full = try pages.run(Self.report, in: office, at: max(1, writes * part / 10), .full)
            #expect(full.status == 74 && full.error.contains("DISK-FULL"), "\(full.status) \(full.error)")
            #expect(try office.files("out").isEmpty)
            #expect(try office.sql("SELECT count(*) FROM pipeline_runs WHERE state = 'running'") == "0")
            #expect(try office.run(Self.report).status == 0)
            #expect(try office.files("out").count == 1)
        }
    }

    @Test func aLogoBeyondAllBoundsIsRefused() throws {
        let office = try Office.pits()
        // A picture of 30,000 × 30,000 pixels of one colour is a small file.
        let made = try ProgramRun.program("/usr/bin/python3", ["-c", """
            import struct, sys, zlib
            part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            rows = zlib.compress(bytes(3751) * 30000, 9)
            open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + part(b"IHDR", struct.pack(">IIBBBBB", 30000, 30000, 1, 0, 0, 0, 0)) + part(b"IDAT", rows) + part(b"IEND", b""))
            """, office.path("logo.png")])
        try #require(made.status == 0, "\(made.error)")
        try "name: Consultora\nlogo: logo.png\n".write(toFile: office.path("brand.yaml"), atomically: true, encoding: .utf8)
        let run = try office.run(Self.report + ["--brand", office.path("brand.yaml")])
        #expect(run.status == 78 && run.error.contains("REPORT-BRAND") && run.error.contains("8000"), "\(run.status) \(run.error)")
    }
}
