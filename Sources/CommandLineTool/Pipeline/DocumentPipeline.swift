import Foundation
import Model
import Recording
import Replica
import Reporting
import Validating

/// One report of every project asked for: select → validate → lay out → record, in one read transaction.
struct DocumentPipeline {
    let scope: RunScope
    let request: DocumentRequest

    private var session: CommandSession { scope.session }
    private var context: RunContext { scope.context }

    func run() throws -> ExportOutcome {
        guard let kind = session.pack.record(request.definition.record) else {
            throw SettingFailure.unknownDocument(request.name, known: session.pack.reports.map(\.name))
        }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: context.actor, projects: request.selection.projects,
            timeZone: session.timeZone, asOf: session.asOf)
        if request.validates {
            session.progress.begin(session.text("word.validating"), total: nil)
            _ = try session.validator.validate(reading, into: reading.findings, progress: { session.progress.report($0.rows) })
            session.progress.end()
            if let limit = request.maximumErrors {
                let errors = try reading.findings.counts().filter { $0.severity == .error }.reduce(0) { $0 + $1.open }
                if errors > limit { throw SettingFailure.tooManyErrors(errors, limit: limit) }
            }
        }
        reading.findings.closeValidation()
        let projects = try reading.projects.map { try ProjectDocument(scope: scope, request: request, reading: reading, kind: kind).run($0) }
        return ExportOutcome(
            run: context.id, export: request.name, title: session.title(of: request.definition), environment: context.environment,
            actor: context.actor.email, asOf: Timestamp.format(context.asOf), findings: try session.countsWithExamples(reading.findings),
            projects: projects)
    }
}

extension CommandSession {
    func title(of report: ReportDefinition) -> String { text("report.\(report.name).title") }
}
