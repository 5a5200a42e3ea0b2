import Exporting
import Foundation
import Model
import Recording
import Replica
import Validating

/// One export of every project asked for: select → validate → write → record. The stages know nothing of each other;
/// this is where they meet.
///
/// Everything is read in one transaction, so that counts, findings and rows are of one state. Files are written under temporary
/// names, renamed, and registered project by project in one transaction each.
struct ExportPipeline {
    let scope: RunScope
    let request: ExportRequest

    private var session: CommandSession { scope.session }
    private var context: RunContext { scope.context }

    func run() throws -> ExportOutcome {
        guard let kind = session.pack.record(request.definition.record) else {
            throw SettingFailure.unknownExport(request.definition.name, known: session.pack.exports.map(\.name))
        }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: context.actor, projects: request.selection.projects,
            timeZone: session.timeZone, asOf: session.asOf)
        if request.validates {
            session.progress.begin(session.text("word.validating"), total: nil)
            _ = try session.validator.validate(reading, into: reading.findings, progress: { session.progress.report($0.rows) })
            session.progress.end()
            try checkErrors(reading)
        }
        reading.findings.closeValidation()
        let projects = try reading.projects.map { try ProjectExport(scope: scope, request: request, reading: reading, kind: kind).run($0) }
        return ExportOutcome(
            run: context.id, export: request.name, title: session.text("export." + request.name), environment: context.environment, actor: context.actor.email,
            asOf: Timestamp.format(context.asOf), findings: try session.countsWithExamples(reading.findings), projects: projects)
    }

    private func checkErrors(_ reading: ReadSession) throws {
        guard let limit = request.maximumErrors else { return }
        let errors = try reading.findings.counts().filter { $0.severity == .error }.reduce(0) { $0 + $1.open }
        if errors > limit { throw SettingFailure.tooManyErrors(errors, limit: limit) }
    }
}

extension CommandSession {
    /// Counts of all findings, each with the message of the first.
    func countsWithExamples(_ store: FindingStore) throws -> [FindingCount] {
        var first: [String: String] = [:]
        try store.forEach(limit: 1) { first[$0.code] = findingText.message(of: $0) }
        return counts(try store.counts()).map { count in
            var count = count
            count.example = first[count.code]
            return count
        }
    }

    /// How often something was found, and how many of these somebody accepted.
    func shownCount(of finding: FindingCount) -> String {
        guard finding.accepted > 0 else { return String(finding.count) }
        return text("cover.count_accepted", ["count": String(finding.count), "accepted": String(finding.accepted)])
    }

    /// Counts of findings with the title that people read.
    func counts(_ counts: [FindingStore.Count]) -> [FindingCount] {
        counts.map { count in
            let title = pack.texts.textIfAny("finding." + count.code, in: language) ?? pack.texts.text("rule." + count.code, in: language)
            return FindingCount(code: count.code, severity: count.severity, count: count.count, accepted: count.accepted, title: title)
        }
    }
}
