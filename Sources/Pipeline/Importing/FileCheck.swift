import Foundation
package import Importing
package import Model
package import Replica
package import Validating

/// Checks files before they are imported, by importing them into a copy of the replica. It reports
/// the findings of that import, and the new findings of a validation after it.
package struct FileCheck {
    package struct Outcome: Encodable {
        package var imports: [ImportResult]
        /// Findings that the import would add to the replica, most serious first.
        package var findings: [Finding]
        /// Number of earlier findings that the import would remove.
        package var mended: Int

        package var all: [Finding] { imports.flatMap(\.findings) + findings }

        package var counts: [(code: String, severity: Severity, open: Int)] {
            Dictionary(grouping: all.filter { $0.acceptance == nil }) { [$0.code, $0.severity.rawValue] }
                .map { (code: $0.value[0].code, severity: $0.value[0].severity, open: $0.value.count) }
        }
    }

    package let trial: TrialCopy
    package let context: RunContext
    package var options = SourceOptions()
    /// The project for rows without one.
    package var project: (id: String, code: String)?
    /// The options for tables in text files.
    package var reading = TableOptions()

    package init(trial: TrialCopy, context: RunContext) { (self.trial, self.context) = (trial, context) }

    private var session: WorkSession { trial.session }

    /// A file with the settings for reading it.
    package struct Input {
        package var path: String
        package var entity: String?
        package var mapping: String?
        /// The values of the mapping's options.
        package var given: [String: String]

        package init(path: String, entity: String? = nil, mapping: String? = nil, given: [String: String] = [:]) {
            (self.path, self.entity, self.mapping, self.given) = (path, entity, mapping, given)
        }
    }

    package func run(_ files: [Input]) throws -> Outcome {
        let before = try judge()
        try trial.replica.keepValidation(
            context, projects: before.reading.projects.map(\.id), findings: before.reading.findings, summary: "{}",
            exitCode: .done,
            startedAt: context.asOf, finishedAt: context.asOf)
        var importing = context
        importing.id = UUIDv7.make(at: Date())
        let imports = try RunScope.perform(session, trial.replica, importing, command: "import", waitSeconds: 0) {
            scope in
            var run = ImportRun(scope: scope, policy: .conflict)
            (run.options, run.reading) = (options, reading)
            run.project = project
            // The checking user must see all of a file's rows: in the copy the actor becomes a
            // member of the file's new projects.
            run.joins = true
            let results = try files.map { file in
                run.given = file.given
                return try run.importSource(
                    file.path, entity: file.entity, mapping: file.mapping, state: trial.replica.contentState())
            }
            return (results, .done, "{}")
        }
        let after = try judge()
        var earlier = try trial.replica.keptValidation(context.id)
        // Projects from the files had no findings before, because they did not exist.
        earlier.projects.formUnion(after.reading.projects.map(\.id))
        let comparison = try after.reading.compare(with: earlier, after.summary)
        var findings: [Finding] = []
        try after.reading.findings.forEach(status: .new) { findings.append($0) }
        return Outcome(imports: imports, findings: findings, mended: comparison.mended)
    }

    private func judge() throws -> (reading: ReadSession, summary: ValidationSummary) {
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: context.actor, projects: [],
            timeZone: session.timeZone, asOf: session.asOf)
        session.display.begin(session.text("word.validating"), total: nil)
        defer { session.display.end() }
        return (reading, try session.validate(reading, keepingIn: trial.replica))
    }
}

extension ReadSession {
    /// Compares these findings with those of an earlier validation, for the checks that both made.
    package func compare(with earlier: KeptValidation, _ summary: ValidationSummary) throws -> FindingComparison {
        // `FIELD-UNIQUE calicatas.code` is a check that timed out, so nothing is known about its
        // code.
        let unjudged = summary.hidden + summary.timedOut.map { String($0.prefix { $0 != " " }) }
        return try findings.compare(
            with: earlier, projects: projects.map(\.id), unjudged: Set(unjudged), hidden: hiddenFields)
    }
}
