import Foundation
import Testing
import Workbench

/// The program itself gives every exit code, with a message that names the code of the failure.
@Suite struct ExitCodeTests {
    @Test func doneIsZero() throws {
        let office = try Office.pits()
        #expect(try office.run("status").status == 0)
    }

    @Test func findingsAreOneAndTheThresholdDecides() throws {
        let office = try Office(system: "ingeplus", set: "broken/strata")
        #expect(try office.run("validate").status == 1)
        #expect(try office.run("validate", "--fail-on", "never").status == 0)
    }

    /// The exit code, then the arguments.
    private static let wrongUses = [
        "64 export", "64 no-such-command", "64 export no-such-export", "64 export calicatas --format docx",
        "64 export calicatas --from 31-01-2025", "64 export calicatas --where depth_m>", "64 export calicatas --where no_such_field=1",
        "64 export calicatas --state TERMINADO", "64 run no-such-job", "64 status --as-of yesterday", "64 status --time-zone Mars/Olympus",
        "64 status --lang qu", "64 sync --plan --prove", "66 import no-such-file.json", "66 describe no-such-file.xlsx", "64 import", "66 export calicatas --project NO-SUCH", "64 import . --entity nope",
        "78 status --templates /nowhere", "78 status --config no-such.yaml", "73 export calicatas -o /proc/nowhere",
    ]

    @Test func wrongUseHasItsCode() throws {
        let office = try Office.pits()
        for use in Self.wrongUses {
            let words = use.split(separator: " ").map(String.init)
            let result = try office.run(Array(words.dropFirst()))
            #expect(result.status == Int32(words[0]), "\(use): \(result.status) \(result.error)")
            #expect(!result.error.isEmpty, "\(use)")
        }
    }

    @Test func aMissingReplicaIs66() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let result = try office.run("status", "--replica", office.path("other.db"))
        #expect(result.status == 66)
        #expect(result.error.contains("REPLICA-MISSING"))
        #expect(!FileManager.default.fileExists(atPath: office.path("other.db")), "looking for a replica does not make one")
    }

    @Test func aDamagedReplicaIs65AndSaysSo() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: office.path("damaged.db")))
        let result = try office.run("status", "--replica", office.path("damaged.db"))
        #expect(result.status == 65)
        #expect(result.error.contains("REPLICA-DAMAGED"))
    }

    @Test func aNewerReplicaIsRefused() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try ProgramRun.program("/usr/bin/sqlite3", [office.replica, "PRAGMA user_version = 9999"])
        let result = try office.run("status")
        #expect(result.status == 78)
        #expect(result.error.contains("REPLICA-NEWER"))
    }

    @Test func aLockedReplicaIs75() throws {
        let office = try Office.pits()
        // Another process holds the lock, as a running export does.
        let holder = try ProgramRun.start(
            "/usr/bin/python3",
            ["-c", "import fcntl, sys, time; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); sys.stdin.read(); time.sleep(600)",
             office.replica + ".lock"], in: nil, environment: [:])
        defer { holder.process.terminate() }
        _ = holder.process.output.availableData
        let result = try office.run("export", "calicatas", "-o", "out", "--wait", "0")
        #expect(result.status == 75)
        #expect(result.error.contains("RUN-BUSY"))
        #expect(try office.files("out").isEmpty)
    }

    @Test func withoutAKnownActorItIs77() throws {
        let office = try Office.pits()
        for (actor, code) in [("", "ACTOR-MISSING"), ("nobody@example.pe", "ACTOR-UNKNOWN")] {
            var variables = office.variables
            variables["FICHERO_ACTOR"] = actor.isEmpty ? nil : actor
            let result = try ProgramRun.fichero(["export", "calicatas", "-o", "out"], in: office.folder, environment: variables)
            #expect(result.status == 77)
            #expect(result.error.contains(code))
            #expect(try office.files("out").isEmpty)
        }
    }

    @Test func profilesThatAreNotActiveValidatedAndAllowedAreRefused() throws {
        let office = try Office.pits()
        let cases = [
            ("SELECT email FROM profiles WHERE status <> 'ACTIVO' LIMIT 1", "ACTOR-INACTIVE"),
            ("SELECT email FROM profiles WHERE status = 'ACTIVO' AND cached_at IS NULL LIMIT 1", "ACTOR-NOT-VALIDATED"),
            ("SELECT email FROM profiles WHERE status = 'ACTIVO' AND cached_at IS NOT NULL AND role = 'LECTOR' LIMIT 1", "ACTOR-NOT-ALLOWED"),
        ]
        let waiting = try office.sql(cases[1].0)
        for (query, code) in cases {
            let email = try office.sql(query)
            #expect(!email.isEmpty, "the samples have such a profile: \(code)")
            let result = try office.run("export", "calicatas", "-o", "out", "--actor", email)
            #expect(result.status == 77)
            #expect(result.error.contains(code))
        }
        // Without a server an administrator vouches for somebody who came in with a file.
        let vouched = try office.run("users", "change", waiting, "--status", "ACTIVO", "--actor", Office.administrator)
        let now = try office.run("export", "calicatas", "-o", "out", "--actor", waiting)
        #expect(vouched.status == 0 && !now.error.contains("ACTOR-NOT-VALIDATED"), "\(vouched.error)\(now.error)")
    }

    @Test func aFullDiskIs74AndLeavesNothing() throws {
        let office = try Office.pits()
        // A limit on the size of files acts like a full disk and needs no mount.
        let script = "ulimit -f 8; exec \"$0\" \"$@\""
        for format in ["xlsx", "csv", "xml"] {
            let result = try ProgramRun.program(
                "/bin/bash", ["-c", script, ProgramRun.fichero, "export", "calicatas", "--format", format, "-o", "out-" + format, "--as-of", Office.asOf],
                in: office.folder, environment: office.variables)
            #expect([73, 74].contains(result.status), "\(format): \(result.status) \(result.error)")
            #expect(try office.files("out-" + format).isEmpty, "\(format)")
        }
        #expect(try office.run("export", "calicatas", "-o", "out").status == 0, "with room again, it works")
    }
}
