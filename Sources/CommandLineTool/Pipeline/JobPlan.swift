import Foundation
import Model
import Replica

/// Plans a job without writing anything: for each step and project, the number of records and the
/// files that the job would make.
struct JobPlan {
    let session: WorkSession
    let replica: Replica
    let context: RunContext
    let job: Job
    let requests: [any ProductRequest]

    struct Plan: Encodable {
        struct Project: Encodable {
            var code: String
            var selected: Int
            var leftOut: [String: Int]
            /// The names that the files get if anything has changed. A format that writes one file
            /// per table appends the table's name.
            var files: [String]
        }

        struct Step: Encodable {
            var export: String
            /// The display name of the export or report.
            var title: String
            var formats: [String]
            var policy: String
            var markExported: Bool
            var projects: [Project]
        }

        var job: String
        var environment: String
        var outputDirectory: String
        var pattern: String
        /// When the job syncs with the central database: `before`, `after`.
        var syncs: [String]
        var steps: [Step]
    }

    func make() throws -> Plan {
        var plan = Plan(
            job: job.name, environment: context.environment,
            outputDirectory: requests.first?.files.outputDirectory ?? ".",
            pattern: requests.first?.files.pattern ?? "", syncs: job.syncs.map(\.rawValue), steps: [])
        for step in requests {
            let request = step.files
            guard let kind = session.pack.record(step.record) else { continue }
            let reading = try ReadSession(
                path: session.replicaPath, pack: session.pack, actor: context.actor,
                projects: request.selection.projects,
                timeZone: session.timeZone, asOf: session.asOf)
            let projects = try reading.projects.map { project in
                let summary = try reading.select(
                    kind, in: project, request.selection, hasRemote: session.hasRemote, byDays: step.choosesByDays)
                let version =
                    try replica.lastVersion(projectID: project.id, line: request.line.name, exportName: request.name)
                    + 1
                return Plan.Project(
                    code: project.code, selected: summary.selected,
                    leftOut: Dictionary(uniqueKeysWithValues: summary.leftOut.map { ($0.key.rawValue, $0.value) }),
                    files: try request.formats.map {
                        try request.plannedStem($0, version: version, project: project, context: context) + "."
                            + $0.rawValue
                    })
            }
            plan.steps.append(
                Plan.Step(
                    export: request.name, title: step.title(session), formats: request.formats.map(\.rawValue),
                    policy: request.policy.rawValue,
                    markExported: request.markExported, projects: projects))
        }
        return plan
    }
}
