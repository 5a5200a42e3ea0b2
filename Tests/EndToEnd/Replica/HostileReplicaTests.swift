import Foundation
import Testing
import Workbench

/// A replica, or the name of a replica, that somebody made in order to do harm.
@Suite struct HostileReplicaTests {
    @Test(arguments: [
        "CREATE TRIGGER grow AFTER INSERT ON calicatas BEGIN UPDATE profiles SET role = 'ADMINISTRADOR'; END",
        "CREATE VIEW all_people AS SELECT * FROM profiles",
    ])
    func codeInTheFileNeverRuns(_ statement: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        _ = try office.writableSQL(statement)
        for command in [["status"], ["import", ProgramRun.root + "/Samples/ingeplus/survey"], ["validate"]] {
            let run = try office.run(command + ["--actor", Office.administrator])
            #expect(run.status == 65 && run.error.contains("REPLICA-DAMAGED"), "\(command) \(run.status) \(run.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM calicatas") == "0")
    }

    @Test func aPipeIsNotWaitedFor() throws {
        let office = try Office(system: "ingeplus", set: nil)
        #expect(try ProgramRun.program("/usr/bin/mkfifo", [office.path("pipe.db")]).status == 0)
        let run = try office.run("status", "--replica", office.path("pipe.db"))
        #expect(run.status == 65 && run.error.contains("no regular file"), "\(run.status) \(run.error)")
    }

    /// A link is followed to the file of the replica. The lock and the photos lie beside that file.
    @Test func aLinkIsTheReplicaItself() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.createDirectory(atPath: office.path("elsewhere"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: office.path("elsewhere/link.db"), withDestinationPath: office.replica)
        let run = try office.run(
            "import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator, "--replica", office.path("elsewhere/link.db"))
        #expect(run.status == 0, "\(run.error)")
        #expect(try office.files("elsewhere") == ["link.db"])
        #expect(try !office.files("fichero.db.files").isEmpty)
    }

    /// Photos are as private as the replica, whatever file mode mask the process has.
    @Test func photosAreForTheirOwnerAlone() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let run = try ProgramRun.program(
            "/bin/sh", ["-c", "umask 0; exec \"$0\" \"$@\"", ProgramRun.fichero, "import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator],
            in: office.folder, environment: office.variables)
        #expect(run.status == 0, "\(run.error)")
        let open = try ProgramRun.program("/usr/bin/find", [office.path("fichero.db.files"), "-perm", "/077"]).output
        #expect(open == "")
    }

    /// A terminal obeys control characters. So those in the text of records are escaped before they
    /// are printed.
    @Test func controlCharactersOfRecordsAreShownNotObeyed() throws {
        let office = try Office.pits()
        _ = try office.writableSQL("UPDATE projects SET code = code || char(27) || '[31m' || char(155) || 'x' WHERE code = 'HYO-2025'")
        for command in [["status"], ["status", "--json"], ["history"], ["export", "calicatas", "-o", "out", "--fail-on", "never"], ["draw", "strip", "--record", "C-01", "-o", "x.svg"]] {
            let run = try office.run(command)
            let shown = run.output + run.error
            #expect(!shown.unicodeScalars.contains { $0.value == 27 || $0.value == 155 }, "\(command)")
            if command == ["status", "--json"] {
                #expect(try String(describing: Reading.json(run.output)).unicodeScalars.contains { $0.value == 155 }, "as a value of JSON it is what it was")
            }
        }
    }
}
