import Foundation
import Testing
import Workbench

/// Cron mails what a command prints. A quiet command prints one line if it does not succeed, in the
/// language that the office configured.
@Suite struct QuietTests {
    /// An office whose language stands only in its configuration.
    private static func office(_ language: String, set: String? = "broken/strata") throws -> Office {
        let office = try Office(system: "ingeplus", set: set)
        try "language: \(language)\n".write(toFile: office.path("fichero.yaml"), atomically: true, encoding: .utf8)
        return office
    }

    private func run(_ office: Office, _ arguments: [String]) throws -> ProgramRun {
        var variables = office.variables
        variables["FICHERO_LANG"] = nil
        return try ProgramRun.fichero(arguments, in: office.folder, environment: variables)
    }

    @Test(arguments: [("ingeplus", "No existe la opción"), ("anagrafica", "L'opzione")])
    func whoConfiguredNothingIsReportedWhatWentWrongInThePacksLanguage(system: String, usage: String) throws {
        let office = try Office(system: system, set: nil)
        let project = try run(office, ["validate", "--project", "NADA", "--actor", Office.administrator])
        #expect(project.status == 66, "\(project.error)")
        let wrong = try run(office, ["status", "--nada"])
        #expect(wrong.status == 64 && wrong.error.contains(usage), "\(wrong.error)")
        // The same failure, with the pack's language given by option.
        let said = try run(office, ["validate", "--project", "NADA", "--actor", Office.administrator, "--lang", system == "ingeplus" ? "es" : "it"])
        #expect(project.error == said.error)
        let english = try run(office, ["validate", "--project", "NADA", "--actor", Office.administrator, "--lang", "en"])
        #expect(project.error != english.error)
    }

    @Test func oneLineWheneverTheEndIsNotSuccess() throws {
        let office = try Self.office("es")
        for (code, command) in [
            (1, ["validate"]), (1, ["export", "calicatas", "-o", "out"]), (64, ["export", "nada"]), (64, ["export"]), (64, ["status", "--nada"]), (64, ["nada"]),
            (66, ["import", "nada.csv", "--actor", Office.administrator]), (66, ["validate", "--project", "NADA"]), (77, ["validate", "--actor", "nadie@example.pe"]),
            (78, ["status", "--config", "nada.yaml"]), (78, ["status", "--templates", "/nada"]), (64, ["status", "--lang", "qu"]),
        ] as [(Int32, [String])] {
            for option in ["--quiet", "-q"] {
                let run = try run(office, command + [option])
                #expect(run.status == code, "\(command) \(run.status) \(run.error)")
                #expect(run.output.isEmpty && run.error.hasSuffix("\n") && run.error.split(separator: "\n").count == 1, "\(command): \(run.output)\(run.error)")
                #expect(run.error.hasPrefix("fichero"), "\(command): \(run.error)")
            }
        }
        let fine = try run(office, ["status", "--quiet"])
        #expect(fine.status == 0 && fine.output.isEmpty && fine.error.isEmpty)
    }

    @Test(arguments: [
        ("es", "export", "Falta el argumento"), ("es", "status --nada", "No existe la opción «--nada»"),
        ("it", "status --nada", "L'opzione «--nada» non esiste"), ("it", "status --as-of ieri", "ieri"), ("it", "validate --fail-on forse", "non vale per"),
    ])
    func errorsSpeakTheConfiguredLanguage(_ language: String, _ command: String, _ words: String) throws {
        let run = try run(Self.office(language, set: nil), command.split(separator: " ").map(String.init))
        #expect(run.status == 64 && run.error.contains(words), "\(run.error)")
    }

    /// This also holds if the configuration itself is wrong.
    @Test func aWrongConfigurationIsReportedInItsOwnLanguage() throws {
        let office = try Self.office("it", set: nil)
        try "language: it\nlingua: it\n".write(toFile: office.path("fichero.yaml"), atomically: true, encoding: .utf8)
        let run = try run(office, ["status"])
        #expect(run.status == 78 && run.error.contains("La configurazione"), "\(run.error)")
    }

    /// Runs a command whose standard error is a terminal.
    private static let onTerminal = """
        import os, pty, subprocess, sys
        reader, terminal = pty.openpty()
        run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
        os.write(terminal, b"end\\n")
        shown = b""
        while not shown.endswith(b"end\\r\\n"): shown += os.read(reader, 4096)
        sys.stdout.write(shown.decode())
        sys.exit(run.returncode)
        """

    @Test(arguments: [([], 0), (["--log-format", "text"], 2), (["--log-format", "json"], 2), (["--quiet", "--log-format", "text"], 0)] as [([String], Int)])
    func aTerminalShowsTheLogOnlyIfAsked(options: [String], lines: Int) throws {
        let office = try Office.pits()
        let command = ["export", "calicatas", "-o", "out", "--progress", "never", "--fail-on", "never"] + options
        let run = try ProgramRun.program(
            "/usr/bin/python3", ["-c", Self.onTerminal, ProgramRun.fichero] + command, in: office.folder, environment: office.variables)
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(run.output.split(whereSeparator: \.isNewline).count == lines + 1, "\(run.output)")
        // A scheduled job has no terminal and keeps its log.
        let scheduled = try office.run(command + ["--again"])
        #expect(scheduled.error.contains("run begins") != options.contains("--quiet"), "\(scheduled.error)")
    }
}
