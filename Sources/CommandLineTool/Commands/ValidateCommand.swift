import ArgumentParser
import Foundation
import Model
import Replica
import Validating

/// `fichero validate`: judges what is in the replica under every field and rule of the pack.
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check what is in the replica.",
        discussion: """
            Every visible row of the projects is judged, whatever its state: field checks, family parameters, rules over rows \
            and tables. The exit code is 1 when something at or above --fail-on was found.

            --report writes the findings as a file too: .txt, .json, .sarif (2.1.0), .xlsx (summary, records, findings, and copies of \
            the data with the cells marked) or .html (one page that needs no network). What has that name is replaced.

            Examples:
              fichero validate --project CHU-2025 --fail-on warning
              fichero validate --report findings.html --report findings.xlsx
            """)

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: ArgumentHelp("Project, by the code that people know; may be repeated. All of the actor's by default.", valueName: "code"))
    var project: [String] = []

    @Option(name: .long, help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = .error

    @Option(name: .long, help: ArgumentHelp("How many findings of each code to show as text; --json shows all.", valueName: "n"))
    var limit: Int = 10

    @Option(name: .long, help: ArgumentHelp("Write a report of the findings; its ending says the kind: .txt .json .sarif .xlsx .html. May be repeated.", valueName: "file"))
    var report: [String] = []

    @Flag(name: .long, help: "Judge fields, parameters and rules of single rows only.")
    var rowsOnly = false

    @Option(name: .long, help: ArgumentHelp("Judge only this rule over tables; may be repeated.", valueName: "code"))
    var rule: [String] = []

    private func scope(_ session: CommandSession) throws -> Validator.Scope {
        for code in rule {
            guard let known = session.pack.rules.first(where: { $0.code == code }) else {
                throw SettingFailure.unknownRule(code, known: session.pack.rules.filter(\.isOverTables).map(\.code))
            }
            guard known.isOverTables else {
                throw SettingFailure.unknownRule(code, known: session.pack.rules.filter(\.isOverTables).map(\.code))
            }
        }
        if !rule.isEmpty { return .rules(Set(rule)) }
        return rowsOnly ? .rows : .everything
    }

    func run() throws {
        let requests = try ReportRequest.parse(report)
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .validate)
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: project, timeZone: session.timeZone)
        let store = reading.findings
        try ReportProduction.prepare(requests)
        session.progress.begin(session.text("word.validating"), total: nil)
        let summary = try Validator(pack: session.pack).validate(
            reading, into: store, scope: scope(session), progress: { session.progress.report($0.rows) })
        session.progress.end()
        let reports = try ReportProduction(session: session, actor: actor, reading: reading, summary: summary, limit: limit).write(requests)
        try ValidationOutput(session: session, store: store, reading: reading, summary: summary, limit: limit, reports: reports).show()
        let exitCode = failOn.exitCode(for: try store.counts().map(\.severity).max())
        if exitCode != .done { throw CommandExit(exitCode: exitCode) }
    }
}
