import ArgumentParser
import Foundation
import Importing
import Logging
import Model
import Pipeline
import Replica
import Validating

/// `fichero validate`: checks the replica against every field definition and rule of the pack.
struct ValidateCommand: FicheroCommand {
    static let task = CommandTask.check
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check what is in the replica, or a file before it is imported.",
        discussion: """
            Every visible row of the projects is judged, whatever its state: field checks, family parameters, rules \
            over rows and tables. The exit code is 1 when something at or above --fail-on was found that nobody has \
            accepted. The replica keeps the findings of the last validations, so that --since can tell what is new \
            and what is mended.

            With files, nothing is changed: they are imported into a copy of the replica, and what would be found \
            because of them is shown.

            --report writes the findings as a file too: .txt, .json, .sarif (2.1.0), .xlsx (summary, records, \
            findings, and copies of the data with the cells marked) or .html (one page that needs no network). What \
            has that name is replaced.

            Examples:
              fichero validate --project CHU-2025 --fail-on warning
              fichero validate --since last
              fichero validate --report findings.html --report findings.xlsx
              fichero validate Samples/ingeplus/survey
              fichero validate plan.dxf --project "Scuola Pascoli"
              fichero validate registro.xlsx --mapping ./registro.yaml --project CSM-2025
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("Files or package folders to check before they are imported.", valueName: "file"))
    var files: [String] = []

    @OptionGroup var meaning: MeaningOptions

    @OptionGroup var given: GivenOptions

    @OptionGroup var reading: TextOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Project, by the code that people know; may be repeated. All of the actor's by default. With files: the \
            one that a floor plan belongs to, or rows that do not say it.
            """,
            valueName: "code"),
        completion: .names(of: .projects))
    var project: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = .error

    @Option(
        name: .long,
        help: ArgumentHelp("Bear as many findings of severity error; more give exit code 1.", valueName: "n"))
    var maxErrors: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare with an earlier validation: its run's id, the end of that id, or last.", valueName: "run"))
    var since: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            How many findings of each code to show as text, 10 by default; --json shows all. With a name, a bound on \
            what a file may make this machine do, e.g. cellBytes=64M; may be repeated.
            """,
            discussion: "fichero describe --limits lists the bounds.", valueName: "n|name=value"))
    var limit: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write a report of the findings; its ending says the kind: .txt .json .sarif .xlsx .html. May be repeated.",
            valueName: "file"))
    var report: [String] = []

    @Flag(name: .long, help: "Judge fields, parameters and rules of single rows only.")
    var rowsOnly = false

    @Flag(name: .long, help: "Judge everything again, also what has not changed since it was judged last.")
    var anew = false

    @Option(name: .long, help: ArgumentHelp("Judge only this rule over tables; may be repeated.", valueName: "code"))
    var rule: [String] = []

    func validate() throws {
        // Compared with an earlier validation, a partial one would count every finding outside its
        // checks as resolved.
        if since != nil, rowsOnly || !rule.isEmpty {
            throw ValidationError("--since needs a whole validation: leave out --rows-only and --rule.")
        }
        if !files.isEmpty, rowsOnly || !rule.isEmpty || since != nil || project.count > 1 || !report.isEmpty {
            throw ValidationError(
                """
                Files are judged whole, against the replica as it is: leave out --since, --rows-only, --rule and \
                --report.
                """
            )
        }
        if anew, rowsOnly || !rule.isEmpty || !files.isEmpty {
            throw ValidationError("--anew is about a whole validation of the replica.")
        }
        if let text = counts.first(where: { Int($0) == nil || $0.hasPrefix("-") }) {
            throw ValidationError("--limit takes a number of findings, or NAME=VALUE: \(text)")
        }
        if files.isEmpty, counts.count < limit.count { throw ValidationError("--limit NAME=VALUE belongs to a file.") }
        if reading.encoding != nil || reading.delimiter != nil, files.isEmpty {
            throw ValidationError("--encoding and --delimiter belong to a file.")
        }
        if meaning.mapping != nil, files.isEmpty { throw ValidationError("--mapping belongs to a file.") }
        if !given.pairs.isEmpty, files.isEmpty { throw ValidationError("--option belongs to a file.") }
        if meaning.entity != nil, files.isEmpty { throw ValidationError("--entity belongs to a file.") }
        if let maxErrors, maxErrors < 0 { throw ValidationError("--max-errors takes a number from 0.") }
    }

    private var counts: [String] { limit.filter { !$0.contains("=") } }

    /// The number of findings of each code that are shown.
    private var shown: Int { counts.last.flatMap { Int($0) } ?? 10 }

    private func scope(_ session: WorkSession) throws -> Validator.Scope {
        let known = session.pack.rules.filter(\.isOverTables).map(\.code)
        for code in rule where !known.contains(code) { throw SettingFailure.unknownRule(code, known: known) }
        if !rule.isEmpty { return .rules(Set(rule)) }
        return rowsOnly ? .rows : .everything
    }

    func run() throws {
        let start = Date()
        let requests = try FindingDocumentRequest.parse(report)
        let session = try WorkSession.existing(options, limits: limit.filter { $0.contains("=") })
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .validate)
        if !files.isEmpty { return try check(files, session, replica, actor) }
        let scope = try scope(session)
        let earlier = try since.map { try replica.keptValidation($0) }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: project, timeZone: session.timeZone,
            asOf: session.asOf)
        let store = reading.findings
        try FindingDocumentProduction.prepare(requests, sparing: session.replicaFiles)
        session.display.begin(session.text("word.validating"), total: nil)
        let summary = scope == .everything
            ? try session.validate(reading, keepingIn: replica, anew: anew)
            : try session.validator.validate(
                reading, into: store, scope: scope, progress: { session.display.show($0.rows) })
        session.display.end()
        let comparison = try earlier.map { try reading.compare(with: $0, summary) }
        let exitCode = FindingThresholds(failOn: failOn, maximumErrors: maxErrors)
            .exitCode(for: try store.counts().map { ($0.code, $0.severity, $0.open) })
        let reports = try FindingDocumentProduction(
            session: session, actor: actor, reading: reading, summary: summary, limit: shown
        ).write(requests)
        let context = session.context(actor)
        let isKept = scope == .everything && keep(context, reading, summary, exitCode, since: start, session, replica)
        try ValidationOutput(
            session: session, output: options.output, actor: actor, reading: reading, summary: summary, limit: shown,
            run: isKept ? context.id : nil, comparison: comparison,
            reports: reports
        ).show()
        if exitCode != .done { throw CommandExit(exitCode: exitCode) }
    }

    /// Reports the effect of files: imports them into a copy of the replica, validates the copy,
    /// and compares its findings with the replica's.
    private func check(_ files: [String], _ session: WorkSession, _ replica: Replica, _ actor: Model.Actor) throws {
        try actor.ensure(may: .import)
        let given = try given.values()
        let outcome = try TrialCopy.perform(session, replica) { trial in
            let options = try SourceArguments.options(session, actor, replica, files: files, project: project.first)
            let named = project.first.flatMap { code in options.projectID.map { (id: $0, code: code) } }
            var check = FileCheck(trial: trial, context: session.context(actor))
            (check.options, check.project, check.reading) = (options, named, reading.table(session.limits))
            return try check.run(
                files.map { .init(path: $0, entity: meaning.entity, mapping: meaning.mapping, given: given) })
        }
        let thresholds = FindingThresholds(failOn: failOn, maximumErrors: maxErrors)
        options.output.show(outcome, text: FileCheckText(session, limit: shown).text(outcome))
        let exitCode = thresholds.exitCode(for: outcome.counts)
        if exitCode != .done { throw CommandExit(exitCode: exitCode) }
    }

    /// Stores the findings for later comparison, and returns whether that succeeded; the findings
    /// are shown in any case.
    private func keep(
        _ context: RunContext, _ reading: ReadSession, _ summary: ValidationSummary, _ exitCode: Model.ExitCode,
        since start: Date,
        _ session: WorkSession, _ replica: Replica
    ) -> Bool {
        do {
            try replica.keepValidation(
                context, projects: reading.projects.map(\.id), findings: reading.findings,
                summary: JSONString.document(summary),
                exitCode: exitCode, startedAt: start, finishedAt: Date())
            session.log.info("the findings are kept", metadata: ["run": "\(context.id)"])
            return true
        } catch {
            let code = (error as? any Failure)?.code ?? "INTERNAL"
            session.log.warning("the findings are not kept for --since and accept", metadata: ["code": "\(code)"])
            return false
        }
    }
}

/// The options for the meaning of a file's rows, for commands that read external files.
struct MeaningOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The table that the rows of a JSON or NDJSON file belong to, or whose fields are the columns of a CSV file \
            or a sheet.
            """,
            valueName: "name"))
    var entity: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The mapping by which the tables of the files are read: one of the pack by its name, or a file; found \
            where only one of the pack fits.
            """,
            valueName: "name-or-file"))
    var mapping: String?
}

/// `--option NAME=VALUE`: a value that a mapping requires and the file lacks; the person who
/// imports or checks the file gives it.
struct GivenOptions: ParsableArguments {
    @Option(
        name: .customLong("option"),
        help: ArgumentHelp(
            "What the mapping asks for and the file does not say, e.g. year=2019; may be repeated.",
            discussion: "fichero describe lists the options of each mapping.", valueName: "name=value"))
    var pairs: [String] = []

    /// The values by name. Throws `OptionFailure.malformed`.
    func values() throws(OptionFailure) -> [String: String] {
        var values: [String: String] = [:]
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // A repeated name would hide one of its values.
            guard parts.count == 2, !parts[0].isEmpty, values.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw .malformed(pair)
            }
        }
        return values
    }
}

/// The options for reading tables in text files, if the detection from their bytes is wrong.
struct TextOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How the bytes of a table in a text file are characters; found from them by default.",
            discussion: TextEncoding.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "encoding"))
    var encoding: TextEncoding?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What separates the cells of a CSV file: one character, or tab; found from the file by default.",
            valueName: "character"))
    var delimiter: String?

    @Flag(name: .long, help: "Read tables of dBase and FoxPro whose memo file is missing, with empty memos.")
    var withoutMemos = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out what has such a name in a folder, * for any letters; may be repeated.", valueName: "pattern"))
    var exclude: [String] = []

    func validate() throws {
        guard let delimiter, separator == nil else { return }
        throw ValidationError(
            """
            --delimiter takes one character of ASCII that is no letter, digit, quote, point or line end, or the word \
            tab: not \(delimiter).
            """
        )
    }

    /// The separator as a byte. Letters, digits, quotes and points are refused, because they occur
    /// within values.
    private var separator: UInt8? {
        guard let delimiter else { return nil }
        if delimiter.lowercased() == "tab" { return 0x09 }
        guard let character = delimiter.first, delimiter.count == 1, let byte = character.asciiValue,
            byte == 0x09 || (0x20...0x7E).contains(byte),
            !character.isLetter, !character.isNumber, !"\"'.".contains(character)
        else { return nil }
        return byte
    }

    /// The table options with the limits of a run.
    ///
    /// - Parameter own: files of the replica, which are not part of a source folder.
    func table(_ limits: TableLimits, leavingOut own: ReplicaFiles = ReplicaFiles()) -> TableOptions {
        var options = TableOptions(limits: limits, encoding: encoding, separator: separator)
        (options.isWithoutMemos, options.own, options.excluded) = (withoutMemos, own, exclude)
        return options
    }
}

extension TextEncoding: ExpressibleByArgument {}
