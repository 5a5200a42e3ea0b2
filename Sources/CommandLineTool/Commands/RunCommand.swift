import ArgumentParser
import Blocks
import Foundation
import Model
import Packs
import Pipeline
import Replica

/// `fichero run`: runs a job of the pack or of the office: several exports and reports, one lock,
/// one policy, one exit code.
struct RunCommand: FicheroCommand {
    static let task = CommandTask.handOver
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a job: select → validate → export and report → record, as its YAML says.",
        discussion: """
            Meant for cron and schedulers: no progress without a terminal, a log on standard error, exit codes that \
            tell what to do.

            Examples:
              fichero run monthly -o out
              fichero run monthly --plan
            """)

    @OptionGroup var options: CommonOptions

    @Argument(
        help: ArgumentHelp("A job of the pack, or the path of a job file.", valueName: "job"),
        completion: .names(of: .jobs))
    var job: String

    @Flag(name: .long, help: "Say what would be done, write nothing.")
    var plan = false

    @Option(name: [.short, .long], help: ArgumentHelp("Where the files go.", valueName: "dir"))
    var outputDir: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Seconds to wait for another run, instead of the job's own.", valueName: "seconds"))
    var wait: Int?

    @Flag(name: .long, help: "Make and register the files anew although nothing has changed.")
    var again = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The days that the delivery is for, instead of the job's own: last-month, 2026-11, 2026-W48.",
            valueName: "period"))
    var period: String?

    private struct Result: Encodable {
        var job: String
        var syncBefore: SyncResult?
        var steps: [ExportOutcome] = []
        /// Steps that made nothing because of a mistake in the pack.
        var broken: [BrokenStep] = []
        var syncAfter: SyncResult?

        func text(_ session: WorkSession) -> String {
            let parts =
                [syncBefore.map(SyncText(session).text)] + steps.map(ExportText(session).text) + [
                    syncAfter.map(SyncText(session).text)
                ]
            return parts.compactMap(\.self).joined(separator: "\n\n")
        }
    }

    private struct BrokenStep: Encodable {
        var name: String
        /// Each mistake with file and line, and its remedy.
        var message: String

        init(_ step: Job.Step, _ failure: any Failure, _ session: WorkSession) {
            name = step.product.name
            message = FailureText(failure, texts: session.pack.texts, language: session.language).text
        }
    }

    private struct RequestedSteps {
        var steps: [(step: Job.Step, request: any ProductRequest)] = []
        var broken: [BrokenStep] = []
    }

    private struct MadeSteps {
        var outcomes: [ExportOutcome] = []
        /// Also those that were broken before the run began.
        var broken: [BrokenStep]
    }

    func run() throws {
        let session = try WorkSession.existing(options)
        var job = try findJob(session)
        try setPeriod(of: &job, session)
        let requested = try requests(of: job, session)
        // A job whose sync is not allowed must not begin.
        if !plan, !job.syncs.isEmpty, !job.meansProduction, session.environment == "PROD" {
            throw SettingFailure.productionUnconfirmed
        }
        var result = Result(job: job.name)
        result.syncBefore = try sync(job, .before, session)
        // If the replica differs from the server's data, nothing is delivered.
        if result.syncBefore?.isProven == false { return try end(result, session, .findings) }
        let replica = try session.openReplica(waiting: wait ?? job.waitSeconds)
        let actor = try session.actor(in: replica, to: .run)
        try ensure(actor, may: job)
        let context = session.context(actor)
        if plan {
            let plan = try JobPlan(
                session: session, replica: replica, context: context, job: job,
                requests: requested.steps.map(\.request)
            ).make()
            options.output.show(plan, text: plan.text(session))
            return try report(requested.broken, session)
        }
        let made = try make(requested, of: job, in: replica, context, session)
        (result.steps, result.broken) = (made.outcomes, made.broken)
        do {
            result.syncAfter = try sync(job, .after, session)
        } catch {
            // The files are made and registered; they are uploaded with the next sync.
            options.output.show(result, text: result.text(session))
            throw error
        }
        try end(result, session, job.exitCode(for: result.steps))
    }

    /// The requests of the steps. One mistake in the pack must not keep the other steps from being made.
    private func requests(of job: Job, _ session: WorkSession) throws -> RequestedSteps {
        var requested = RequestedSteps()
        for (number, step) in job.steps.enumerated() {
            do {
                let request = try request(step, number: number, of: job, session)
                requested.steps.append((step, request))
            } catch let failure as PackFailure {
                requested.broken.append(BrokenStep(step, failure, session))
                // If every step is broken, nothing can be made.
                if requested.broken.count == job.steps.count { throw failure }
            }
        }
        return requested
    }

    /// Throws before the run begins if the actor lacks a permission that any step needs.
    private func ensure(_ actor: Actor, may job: Job) throws {
        if job.steps.contains(where: { $0.product.isExport }) { try actor.ensure(may: .export) }
        if job.steps.contains(where: { !$0.product.isExport }) { try actor.ensure(may: .report) }
        if job.steps.contains(where: \.markExported) { try actor.ensure(may: .mark) }
    }

    /// Makes all steps in one run, so that no other run changes the data between them.
    private func make(
        _ requested: RequestedSteps, of job: Job, in replica: Replica, _ context: RunContext, _ session: WorkSession
    ) throws -> MadeSteps {
        try RunScope.perform(
            session, replica, context, command: "run", job: job.name, waitSeconds: wait ?? job.waitSeconds,
            selection: JSONString.document(job.steps.map(\.selection))
        ) { scope in
            var made = MadeSteps(broken: requested.broken)
            for (step, request) in requested.steps {
                do {
                    made.outcomes.append(try FilePipeline(scope: scope, request: request).run())
                } catch let failure as any Failure where Self.isOfTemplate(failure) {
                    scope.takeBackUnregistered()
                    made.broken.append(BrokenStep(step, failure, session))
                }
            }
            return (
                made, made.broken.isEmpty ? job.exitCode(for: made.outcomes) : .badConfiguration,
                JSONString.document(made.outcomes.map(\.summary))
            )
        }
    }

    private func sync(_ job: Job, _ moment: Job.SyncMoment, _ session: WorkSession) throws -> SyncResult? {
        guard !plan, job.syncs.contains(moment) else { return nil }
        let sync = try session.sync(wait: wait ?? job.waitSeconds)
        var request = SyncRequest()
        request.isProving = moment == .before && sync.canProve
        return try sync.perform(request)
    }

    /// Whether the failure concerns only this step's template; the job's other steps can still be
    /// made.
    private static func isOfTemplate(_ failure: any Failure) -> Bool {
        failure is PackFailure || failure is ReportQueryFailure
            || (failure as? ReportFailure)?.exitCode == .badConfiguration
    }

    /// Reports the broken steps, after all other steps were made. Throws the exit code.
    private func report(_ broken: [BrokenStep], _ session: WorkSession) throws {
        guard !broken.isEmpty else { return }
        for step in broken {
            StandardError.write(
                session.text(
                    "cli.run.broken",
                    [
                        "step": step.name,
                        "mistake": options.output.isQuiet ? ErrorOutput.inOneLine(step.message) : step.message,
                    ]) + "\n")
        }
        throw CommandExit(exitCode: .badConfiguration)
    }

    private func end(_ result: Result, _ session: WorkSession, _ exitCode: Model.ExitCode) throws {
        options.output.show(result, text: result.text(session))
        try report(result.broken, session)
        let empty = result.steps.filter(\.isEmpty).map(\.export)
        if !empty.isEmpty, !options.output.isJSON {
            throw SelectionFailure.nothingSelected(empty.joined(separator: ", "))
        }
        let worst =
            [exitCode, result.syncBefore?.exitCode, result.syncAfter?.exitCode].first { $0 ?? .done != .done } ?? nil
        if let worst { throw CommandExit(exitCode: worst) }
    }

    private func findJob(_ session: WorkSession) throws -> Job {
        if let job = session.pack.job(job) { return job }
        try session.ensureSound(.job, job)
        guard FileManager.default.fileExists(atPath: job) else {
            throw SettingFailure.unknownJob(job, known: session.pack.jobs.map(\.name))
        }
        return try PackLoader.loadJob(at: URL(fileURLWithPath: job), for: session.pack, without: session.broken)
    }

    /// Sets every step's selection to the period of the command line or of the job.
    private func setPeriod(of job: inout Job, _ session: WorkSession) throws {
        guard let stated = period ?? job.period else { return }
        job = job.of(try session.period(stated), in: session.pack)
    }

    private func request(_ step: Job.Step, number: Int, of job: Job, _ session: WorkSession) throws
        -> any ProductRequest
    {
        func files(_ name: String, _ handover: DeliveryConditions, formats: [ExportFormat], policy: FindingsPolicy)
            throws -> FileRequest
        {
            var request = FileRequest(
                name: name, formats: step.formats.isEmpty ? formats : step.formats,
                selection: try handover.selection(step.selection, session), policy: step.policy ?? policy,
                outputDirectory: outputDir ?? session.outputFolder ?? ".",
                pattern: job.output ?? FileRequest.defaultPattern, line: job.line(ofStep: number))
            (request.again, request.markExported, request.allowsEmpty) = (again, step.markExported, step.allowsEmpty)
            (request.maximumErrors, request.step) = (job.maximumErrors, number)
            return request
        }
        switch step.product {
        case .export(let name):
            try session.ensureSound(.export, name)
            guard let definition = session.pack.export(name) else {
                throw SettingFailure.unknownExport(name, known: session.pack.exports.map(\.name))
            }
            let files = try files(
                name, DeliveryConditions(definition, marks: step.markExported), formats: definition.formats,
                policy: definition.policy)
            return ExportRequest(
                definition: definition, files: files, dialect: step.dialect ?? session.dialect, zipped: step.zipped)
        case .report(let name):
            try session.ensureSound(.report, name)
            guard let definition = session.pack.report(name) else {
                throw SettingFailure.unknownDocument(name, known: session.pack.reports.map(\.name))
            }
            let files = try files(
                name, DeliveryConditions(definition, marks: step.markExported), formats: definition.formats,
                policy: definition.policy)
            return DocumentRequest(definition: definition, files: files, brand: try session.brand(option: nil))
        }
    }
}

extension Job {
    /// The delivery line of a step. Two steps that make the same product are distinguished by their
    /// order.
    fileprivate func line(ofStep number: Int) -> DeliveryLine {
        let step = steps[number]
        return .job(
            name, occurrence: steps[..<number].count { $0.product == step.product }, selection: step.selection,
            namesFiles: output != nil)
    }

    /// The worst exit code of the steps: each step counts separately, since steps may cover the
    /// same rows.
    fileprivate func exitCode(for outcomes: [ExportOutcome]) -> Model.ExitCode {
        if outcomes.contains(where: \.isEmpty) { return .noInput }
        let thresholds = FindingThresholds(failOn: failOn, allowed: allowed)
        return outcomes.contains { thresholds.exitCode(for: $0.open) != .done } ? .findings : .done
    }
}
