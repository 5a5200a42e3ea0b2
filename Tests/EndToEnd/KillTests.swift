import Foundation
import Testing

/// Real kills at many moments: no torn file, and a rerun ends in the same state as an undisturbed run.
@Suite struct KillTests {
    @Test func aKilledExportLeavesNoTornFileAndARerunCompletes() throws {
        let undisturbed = try Office.pits()
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try undisturbed.run("export", "calicatas", "-o", "out").status == 0)
        let whole = start.duration(to: clock.now)
        let expected = try undisturbed.files("out")

        for part in 1...8 {
            let office = try Office.pits()
            let running = try ProgramRun.start(
                ProgramRun.fichero, ["export", "calicatas", "-o", "out", "--as-of", Office.asOf], in: office.folder, environment: office.variables)
            // The moment of the kill is spread over the run's length; which step it hits differs from run to run, by intention.
            usleep(UInt32(Double(part) / 9 * Double(whole.components.attoseconds / 1_000_000_000_000) + Double(part) / 9 * Double(whole.components.seconds) * 1e6))
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
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

    @Test func aKilledImportHasNotHappened() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let running = try ProgramRun.start(
            ProgramRun.fichero, ["import", ProgramRun.root + "/Samples/ingeplus/survey", "--actor", Office.administrator], in: office.folder, environment: office.variables)
        usleep(60_000)
        kill(running.process.processIdentifier, SIGKILL)
        running.process.waitUntilExit()
        let rows = try office.sql("SELECT count(*) FROM calicata_cortes")
        if running.process.terminationReason == .uncaughtSignal {
            #expect(rows == "0")
        }
        #expect(try office.run("import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator).status == 0)
        #expect(Int(try office.sql("SELECT count(*) FROM calicata_cortes"))! >= 250)
        #expect(try office.sql("PRAGMA integrity_check") == "ok")
    }

    @Test func twoExportsAtOnceBothEndWellAndMakeOneVersion() throws {
        let office = try Office.pits()
        let arguments = ["export", "calicatas", "-o", "out", "--as-of", Office.asOf, "--wait", "120"]
        let runs = try (0..<2).map { _ in
            try ProgramRun.start(ProgramRun.fichero, arguments, in: office.folder, environment: office.variables)
        }
        for run in runs {
            _ = run.output.fileHandleForReading.readDataToEndOfFile()
            run.process.waitUntilExit()
            #expect(run.process.terminationStatus == 0, "\(run.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM exports WHERE status = 'superseded'") == "0")
        #expect(try office.files("out").allSatisfy { $0.contains("-v1") })
        #expect(try office.run("verify", "-o", "out").status == 0)
    }
}
