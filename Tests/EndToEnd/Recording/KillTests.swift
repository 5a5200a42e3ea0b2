import Foundation
import Testing

/// Processes are killed at many moments. They leave no incomplete file, and the next run ends in
/// the same state as an undisturbed one.
@Suite struct KillTests {
    @Test func aKilledExportLeavesNoTornFileAndARerunCompletes() throws {
        let undisturbed = try Office.pits()
        let arguments = ["export", "calicatas", "-o", "out"]
        let calls = try BrokenCall.any(in: undisturbed).count(arguments, in: undisturbed)
        let expected = try undisturbed.files("out")

        // The moments of the kill are spread over all writes of a run.
        for part in 1...8 {
            let office = try Office.pits()
            let killed = try BrokenCall.any(in: office).run(arguments, in: office, at: max(1, calls * part / 9), .kill)
            #expect(killed.status == 128 + SIGKILL)
            for file in try office.files("out") where !file.split(separator: "/").last!.hasPrefix(".") {
                #expect(FileManager.default.contentsEqual(
                    atPath: office.path("out/" + file), andPath: undisturbed.path("out/" + file)), "\(file) is whole")
            }
            #expect(try office.run("export", "calicatas", "-o", "out").status == 0)
            #expect(try office.files("out") == expected, "no leftovers, nothing missing, no further version")
            #expect(try office.sql("SELECT count(*) FROM exports") == undisturbed.sql("SELECT count(*) FROM exports"))
            #expect(try office.run("verify", "-o", "out").status == 0)
        }
    }

    @Test func aKilledImportHasHappenedAsAWholeOrNotAtAll() throws {
        let arguments = ["import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator]
        let undisturbed = try Office(system: "ingeplus", set: nil)
        let calls = try BrokenCall.any(in: undisturbed).count(arguments, in: undisturbed)
        let rows = "SELECT (SELECT count(*) FROM calicata_cortes), (SELECT count(*) FROM calicata_photos), (SELECT count(*) FROM rejects)"
        let expected = try undisturbed.sql(rows)
        for part in 1...6 {
            let office = try Office(system: "ingeplus", set: nil)
            #expect(try BrokenCall.any(in: office).run(arguments, in: office, at: calls * part / 7, .kill).status == 128 + SIGKILL)
            // The last of these calls comes after the commit, which keeps all or nothing.
            #expect(try office.sql(rows) == (part == 6 ? expected : "0|0|0"), "call \(calls * part / 7) of \(calls)")
            #expect(try office.run(arguments).status == 0)
            #expect(try office.sql(rows) == expected)
            #expect(try office.files("fichero.db.files") == undisturbed.files("fichero.db.files"))
            #expect(try office.sql("PRAGMA integrity_check") == "ok")
        }
    }

    @Test func twoExportsAtOnceBothEndWellAndMakeOneVersion() throws {
        let office = try Office.pits()
        let arguments = ["export", "calicatas", "-o", "out", "--as-of", Office.asOf, "--wait", "120"]
        let runs = try (0..<2).map { _ in
            try ProgramRun.start(ProgramRun.fichero, arguments, in: office.folder, environment: office.variables)
        }
        for run in runs {
            let ended = run.finish()
            #expect(ended.status == 0, "\(ended.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM exports WHERE status = 'superseded'") == "0")
        #expect(try office.files("out").allSatisfy { $0.contains("-v1") })
        #expect(try office.run("verify", "-o", "out").status == 0)
    }
}
