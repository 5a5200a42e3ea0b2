import Foundation
import Testing
import Workbench

/// A person or the system ends a run with a signal. The run takes everything back, notes and
/// reports its end, and the next run is like the first.
@Suite struct SignalTests {
    private static let survey = ["import", ProgramRun.root + "/Samples/ingeplus/survey", "--fail-on", "never", "--actor", Office.administrator]

    /// The program that started the tests may ignore a signal, as shells do for jobs in the
    /// background. Fichero would then ignore it as well, so the tests reset it.
    init() { for number in [SIGINT, SIGHUP] { signal(number, SIG_DFL) } }

    /// An office with its own folder for temporary files.
    private static func office(set: String?) throws -> Office {
        var office = try Office(system: "ingeplus", set: set)
        try FileManager.default.createDirectory(atPath: office.path("tmp"), withIntermediateDirectories: false)
        office.environment["TMPDIR"] = office.path("tmp")
        return office
    }

    /// The files of the office that a run should not leave behind.
    private static func leftovers(_ office: Office) throws -> [String] {
        try office.files("").filter { name in
            let last = name.split(separator: "/").last ?? ""
            return last.hasPrefix(".") || name.hasPrefix("tmp/") || name.hasPrefix("fichero.db.import/") || name.contains(".trial-")
        }
    }

    @Test(arguments: ["term", "int", "hup"])
    func aRunThatIsAskedToEndLeavesNothing(_ signal: String) throws {
        let how = try #require(BrokenCall.How(rawValue: signal))
        // Half of the calls of an import and of an undo come after their commit. A signal is then
        // too late.
        let commands: [(String?, [String], middle: Int32)] = [
            ("survey", ["export", "calicatas", "-o", "out"], 75), ("survey", ["report", "resumen-proyecto", "-o", "out"], 75), (nil, Self.survey, 0),
            ("survey", ["undo", "last", "--actor", Office.administrator], 0),
        ]
        for (set, command, middle) in signal == "term" ? commands : [commands[0]] {
            let calls = try { office in try BrokenCall.any(in: office).count(command, in: office) }(Self.office(set: set))
            // The signal comes at the beginning, in the middle and at the end of a run.
            let moments: [(Int, Int32)] = [(calls / 20, 75), (calls / 2, middle), (calls - 1, 0)]
            for (number, status) in signal == "term" ? moments : [moments[0]] {
                var office = try Self.office(set: set)
                office.environment["FICHERO_LANG"] = "es"
                let run = try BrokenCall.any(in: office).run(command, in: office, at: max(1, number), how)
                #expect(run.status == status, "\(command) \(number) of \(calls): \(run.status) \(run.error)")
                #expect(try Self.leftovers(office).isEmpty, "\(command) \(number)")
                #expect(try office.sql("SELECT count(*) FROM pipeline_runs WHERE state = 'running'") == "0")
                guard run.status == 75 else { continue }
                #expect(run.error.contains("RUN-STOPPED") && run.error.contains("se detuvo por SIG" + signal.uppercased()), "\(run.error)")
                #expect(try office.sql("SELECT state, exit_code FROM pipeline_runs ORDER BY rowid DESC LIMIT 1") == "interrupted|75")
                let next = try office.run(command)
                #expect(next.status == 0, "\(command) \(number): \(next.error)")
                #expect(try office.sql("PRAGMA integrity_check") == "ok")
            }
        }
    }

    @Test func aSecondSignalEndsTheRunAtOnce() throws {
        let office = try Self.office(set: "survey")
        let command = ["export", "calicatas", "-o", "out"]
        let run = try BrokenCall(paths: office.folder + "/out/*").runStopped(command, in: office) { process in
            kill(process, SIGTERM)
            kill(process, SIGINT)
        }
        #expect(run.status == 75 && run.error.contains("RUN-STOPPED") == false, "\(run.status) \(run.error)")
        #expect(try office.run(command).status == 0)
        #expect(try Self.leftovers(office).isEmpty)
    }

    @Test func programsThatWereStartedEndToo() throws {
        var office = try Self.office(set: nil)
        let bin = office.path("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: bin + "/prlimit", withDestinationPath: "/usr/bin/prlimit")
        // This reader of databases never ends. It writes its process number to a pipe, where the
        // test waits for it.
        let pipe = office.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try StandInProgram.install("mdb-tables", "echo $$ > '\(pipe)'\nexec /bin/sleep 1000\n", in: bin)
        office.environment["PATH"] = bin
        let arguments = ["import", ProgramRun.root + "/Samples/ingeplus/legacy/access/calicatas.mdb", "--actor", Office.administrator]
        let running = try ProgramRun.start(ProgramRun.fichero, arguments, in: office.folder, environment: office.variables)
        let said = try #require(FileHandle(forReadingAtPath: pipe)).readDataToEndOfFile()
        let number = try #require(Int32(String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(running.process.processIdentifier, SIGTERM)
        let ending = running.process.wait()
        #expect(!ending.isBySignal && ending.status == 75, "\(running.error)")
        #expect(kill(number, 0) != 0 && errno == ESRCH)
        #expect(try Self.leftovers(office).isEmpty)
    }

    /// If the reader of the output stops reading, the run still completes with its own exit code.
    @Test func aClosedPipeIsNoSignal() throws {
        let office = try Self.office(set: "survey")
        let run = try ProgramRun.program(
            "/bin/bash", ["-c", "\"$@\" | true; echo ${PIPESTATUS[0]}", "bash", ProgramRun.fichero, "describe"], in: office.folder, environment: office.variables)
        #expect(run.output == "0\n" && run.error.isEmpty, "\(run.output) \(run.error)")
    }

    /// If the output cannot be written, the run does not report success.
    @Test func aFullDiskUnderTheOutputIsReported() throws {
        let office = try Self.office(set: "survey")
        let run = try ProgramRun.program(
            "/bin/bash", ["-c", "\"$@\" > /dev/full", "bash", ProgramRun.fichero, "status"], in: office.folder, environment: office.variables)
        #expect(run.status == 74 && run.error.contains("OUTPUT-DISK-FULL"), "\(run.status) \(run.error)")
    }
}
