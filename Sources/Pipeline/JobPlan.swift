import Foundation
package import Model
package import Replica

/// Plans a job without writing anything: for each step and project, the number of records and the
/// files that the job would make.
package struct JobPlan {
    package let session: WorkSession
    package let replica: Replica
    package let context: RunContext
    package let job: Job
    package let requests: [any ProductRequest]

    package init(
        session: WorkSession, replica: Replica, context: RunContext, job: Job, requests: [any ProductRequest]
    ) {
        (self.session, self.replica, self.context) = (session, replica, context)
        (self.job, self.requests) = (job, requests)
    }

    package struct Plan: Encodable {
        package struct Project: Encodable {
            package var code: String
            package var selected: Int
            package var leftOut: [String: Int]
            /// The names that the files get if anything has changed. A format that writes one file
            /// per table appends the table's name.
            package var files: [String]
        }

        package struct Step: Encodable {
            package var export: String
            /// The display name of the export or report.
            package var title: String
            package var formats: [String]
            package var policy: String
            package var markExported: Bool
            package var projects: [Project]
        }

        package var job: String
        package var environment: String
        package var outputDirectory: String
        package var pattern: String
        /// When the job syncs with the central database: `before`, `after`.
        package var syncs: [String]
        package var steps: [Step]
    }

    package func make() throws -> Plan {
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
