import Foundation
import Testing
import Workbench

/// `doctor` reports what a killed run leaves, and the next command that writes removes it.
@Suite struct LeftoverTests {
    private static let survey = ["import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator]

    /// An office with its own folder for temporary files.
    private static func office(set: String? = "survey") throws -> Office {
        var office = try Office(system: "ingeplus", set: set)
        try FileManager.default.createDirectory(atPath: office.path("tmp"), withIntermediateDirectories: false)
        office.environment["TMPDIR"] = office.path("tmp")
        return office
    }

    @Test func aNoteThatFindsNoRoomKeepsNobodyFromWriting() throws {
        let office = try Self.office()
        let report = ["validate", "--fail-on", "never", "--report", "faltas.html"]
        let full = BrokenCall(paths: office.folder + "/.fichero.db.growing-*", calls: "write")
        let run = try full.run(report, in: office, at: 1, .full)
        #expect(run.status == 0, "\(run.error)")
        #expect(FileManager.default.fileExists(atPath: office.path("faltas.html")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: office.folder).allSatisfy { !$0.contains("growing") && !$0.contains("partial") })
    }

    /// The journal of a run that was killed between its rename and its registration names the old
    /// folder.
    @Test func aReplacedFileInAFolderThatMoved() throws {
        let office = try Self.office()
        let export = ["export", "calicatas", "--project", "CHU-2025", "--format", "csv", "--zip", "-o", "out", "--output-name", "{export}.{format}"]
        #expect(try office.run(export).status == 0)
        let kept = { (office: Office) in try office.files("out").filter { $0.hasSuffix(".replaced") } }
        let renamed = BrokenCall(paths: office.folder + "/out", calls: "sync")
        #expect(try renamed.run(export + ["--again"], in: office, at: 1, .kill).status == 128 + SIGKILL)
        #expect(try kept(office).count == 1)
        let moved = try office.copy()
        // Where it was, the next run takes it back.
        #expect(try office.run("doctor").output.contains("✓ REPLICA-REPLACED"))
        #expect(try office.run(export).status == 0)
        #expect(try kept(office) == [])
        for _ in 1...2 {
            let doctor = try moved.run("doctor").output
            #expect(doctor.contains("! REPLICA-REPLACED") && doctor.contains("/out/.calicatas"), "\(doctor)")
            #expect(try moved.run("validate", "--fail-on", "never").status == 0)
        }
        for name in try kept(moved) { try FileManager.default.removeItem(atPath: moved.path("out/" + name)) }
        #expect(try moved.run("doctor").output.contains("✓ REPLICA-REPLACED"))
    }

    private struct Kill: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var set: String?
        var command: [String]
        /// A pattern below the office's folder.
        var paths: String
        var calls: String
        var number = 1
        /// The code by which `doctor` reports what was left.
        var code = "REPLICA-LEFTOVERS"
        /// The exit code of the same command afterwards.
        var again: Int32 = 0
    }

    private static let longName = "faltas-" + String(repeating: "ñ", count: 120)

    private static let kills = [
        Kill(testDescription: "photos that came in", set: nil, command: survey, paths: "fichero.db.files/*", calls: "rename", number: 9),
        Kill(testDescription: "photos that came in, all of them", set: nil, command: survey, paths: "fichero.db-wal", calls: "write", number: 12),
        Kill(testDescription: "photos half copied", set: nil, command: survey, paths: "fichero.db.files/*", calls: "write", number: 4),
        // The undo was complete but for the photos, so it cannot be done twice.
        Kill(
            testDescription: "photos of an undo", command: ["undo", "last", "--actor", Office.administrator], paths: "fichero.db.files/*/*", calls: "unlink",
            number: 4, again: 64),
        Kill(testDescription: "parts of a workbook", command: ["export", "calicatas", "-o", "out"], paths: "tmp/*", calls: "unlink", number: 2, again: 1),
        Kill(testDescription: "a trial", command: ["validate", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never"], paths: ".fichero.db.trial-*/*", calls: "write", number: 8),
        Kill(
            testDescription: "an account", set: nil, command: survey + ["--report", "cuenta.html"], paths: ".cuenta*.partial", calls: "write",
            code: "REPLICA-RUNS"),
        Kill(testDescription: "the note of photos that come in", set: nil, command: survey, paths: "fichero.db.files/.*", calls: "write"),
        Kill(testDescription: "a temporary file of SQLite", set: nil, command: survey, paths: "tmp/etilqs_*", calls: "unlink", code: "REPLICA-RUNS"),
        Kill(
            testDescription: "a list of findings", command: ["validate", "--fail-on", "never", "--report", "lejos/faltas.v1.xlsx"], paths: "lejos/*", calls: "write", number: 2),
        Kill(
            testDescription: "a list of findings with a name as long as names may be", command: ["validate", "--fail-on", "never", "--report", longName + ".html"],
            paths: ".faltas*", calls: "write"),
        Kill(testDescription: "a drawing", command: ["draw", "strip", "--project", "CHU-2025", "-o", "dibujos/"], paths: "dibujos/*", calls: "write", number: 3),
        Kill(
            testDescription: "parts of a package", command: ["report", "entrega", "--project", "CHU-2025", "-o", "out"],
            paths: "out/*.ficha-calicata.pdf.*", calls: "write", number: 3),
        Kill(testDescription: "a survey package", command: ["package", "--project", "CHU-2025", "-o", "chu"], paths: ".chu*", calls: "write", number: 3),
    ].map { kill in
        var kill = kill
        if kill.set == nil, !kill.command.contains("import") { kill.set = "survey" }
        return kill
    }

    @Test(arguments: kills)
    private func isTakenAwayByTheNextRun(_ kill: Kill) throws {
        let office = try Self.office(set: kill.set)
        let killed = try BrokenCall(paths: office.folder + "/" + kill.paths, calls: kill.calls).run(kill.command, in: office, at: kill.number, .kill)
        #expect(killed.status == 128 + SIGKILL, "\(killed.status) \(killed.error)")
        #expect(try office.run("doctor").output.contains("! " + kill.code))
        // Any command that writes removes what was left. This one has nothing to do with the killed
        // command.
        let next = try office.run("import", ProgramRun.root + "/Samples/ingeplus/broken/strata", "--fail-on", "never", "--actor", Office.administrator)
        #expect(next.status == 0, "\(next.error)")
        let doctor = try office.run("doctor").output
        #expect(doctor.contains("✓ REPLICA-LEFTOVERS") && doctor.contains("✓ REPLICA-RUNS"), "\(doctor)")
        let left = try office.files("").filter { name in
            (name.split(separator: "/").last ?? "").hasPrefix(".") || name.hasPrefix("tmp/") || name.contains(".trial-")
        }
        #expect(left.isEmpty, "\(left)")
        // The stored photos are exactly those that rows name.
        let named = Set(try office.sql("SELECT local_path FROM calicata_photos WHERE local_path LIKE 'fichero.db.files/%'").split(separator: "\n").map(String.init))
        #expect(Set(try office.files("fichero.db.files").map { "fichero.db.files/" + $0 }) == named)
        // The killed command then runs to its end.
        let again = try office.run(kill.command)
        #expect(again.status == kill.again, "\(again.status) \(again.error)")
        #expect(try office.sql("PRAGMA integrity_check") == "ok")
    }
}
