import Exporting
import Foundation
package import Model
import OutputFiles
import Recording
package import Replica

/// Writes and registers a survey package of one project, from one consistent state of the
/// replica.
package struct PackageProduction {
    package struct Result: Encodable {
        package var state = ExportOutcome.State.written
        package var path: String
        package var project: String
        package var rows: Int
        package var photos: Int
        package var bytes: Int64
        package var sha256: String
        package var findings: [Finding]

        package var exitCode: Model.ExitCode { findings.contains { $0.severity == .error } ? .findings : .done }
    }

    package let scope: RunScope
    let projectCode: String?
    package let output: String
    package let hasPhotos: Bool

    private var session: WorkSession { scope.session }
    private var isArchive: Bool { output.lowercased().hasSuffix(".zip") }

    package func run() throws -> Result {
        let context = scope.context
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: context.actor,
            projects: projectCode.map { [$0] } ?? [],
            timeZone: session.timeZone, asOf: session.asOf)
        guard reading.projects.count == 1, let project = reading.projects.first else {
            throw SettingFailure.projectNeeded(known: reading.projects.map(\.code))
        }
        let final = URL(fileURLWithPath: output).standardizedFileURL.path
        try OutputCommit.makeDirectory(for: final)
        let known = Set(try scope.replica.registeredFiles(projectID: project.id).map(\.sha256))
        // A folder is never replaced; an archive only if it was registered.
        let replacing: OutputCommit.Replacing = isArchive ? .registered(known) : .nothing
        try OutputCommit.check(final: final, replacing: replacing)
        try scope.replica.plan([RunOutput(step: 0, temporaryPath: "", finalPath: final)], run: context.id)
        let findings = FindingList()
        let content = PackageContent(
            pack: session.pack.name, packVersion: session.pack.version, createdAt: Timestamp.format(context.asOf),
            project: project.code,
            tables: reading.packagedTables.map { PackageTable(entity: $0.entity, fields: $0.fields, open: $0.open) })
        session.display.begin(URL(fileURLWithPath: final).lastPathComponent, total: nil)
        defer { session.display.end() }
        let written = try PackageWriter().write(
            content, nextPhoto: try photos(reading), finalPath: final, findings: findings,
            progress: session.display.show)
        if isArchive, let there = try alreadyMade(written, project) {
            try OutputCommit.removeLeftovers([written.temporaryPath])
            try scope.replica.forgetOpenOutputs(ofRun: context.id)
            return Result(
                state: .unchanged, path: final, project: project.code, rows: there.rows, photos: written.photos,
                bytes: there.bytes, sha256: there.sha256,
                findings: findings.findings)
        }
        try publish(written, project, replacing)
        return Result(
            path: final, project: project.code, rows: written.rows, photos: written.photos, bytes: written.bytes,
            sha256: written.sha256,
            findings: findings.findings)
    }

    /// The package that is registered already, if it has the same content and its file is still as
    /// registered.
    private func alreadyMade(_ written: WrittenPackage, _ project: ReadSession.Project) throws -> RegisteredExport? {
        try scope.replica.lastExport(
            projectID: project.id, line: DeliveryLine.package.name, exportName: "package", fingerprint: written.content
        ).first { export in
            export.localPath == written.finalPath && (try? FileChecksum(of: export.localPath))?.sha256 == export.sha256
        }
    }

    private func photos(_ reading: ReadSession) throws -> () throws -> PackagePhoto? {
        guard hasPhotos else { return { nil } }
        let files = StoredPhotos(session), next = try reading.packagedPhotos()
        return { try next().map(files.packaged) }
    }

    private func publish(_ written: WrittenPackage, _ project: ReadSession.Project, _ replacing: OutputCommit.Replacing)
        throws
    {
        let context = scope.context
        let output = RunOutput(
            step: 0, temporaryPath: written.temporaryPath, finalPath: written.finalPath, state: .written)
        try scope.replica.plan([output], run: context.id)
        guard isArchive else {
            try OutputCommit.publishFolder(temporary: written.temporaryPath, final: written.finalPath)
            return try scope.replica.notePackage(
                path: written.finalPath, sha256: written.sha256, rows: written.rows, photos: written.photos,
                projectID: project.id, run: context.id,
                actor: context.actor, environment: context.environment, at: context.asOf)
        }
        try OutputCommit.publish(temporary: written.temporaryPath, final: written.finalPath, replacing: replacing)
        try scope.replica.mark([output], as: .renamed, run: context.id)
        _ = try scope.replica.register(
            ExportRegistration(
                runID: context.id, projectID: project.id,
                storageFolder: StoragePath(
                    organisation: project.organisationID ?? session.organisation, project: project.id
                ).folder,
                exportName: "package", line: DeliveryLine.package.name, dialect: nil, selection: "{}",
                environment: context.environment, actor: context.actor, asOf: context.asOf,
                startedAt: scope.startedAt, finishedAt: Date(), findings: "[]", fingerprint: written.content,
                isDraft: false,
                files: [
                    ExportRegistration.File(
                        format: "zip", document: "package.zip",
                        fileName: URL(fileURLWithPath: written.finalPath).lastPathComponent,
                        localPath: written.finalPath, rows: written.rows, bytes: written.bytes, sha256: written.sha256)
                ]))
    }
}

extension WorkSession {
    /// Writes a survey package of a project; nil: the actor's only one.
    ///
    /// - Parameter wait: seconds to wait for another run.
    package func writePackage(
        of project: String?, to output: String, hasPhotos: Bool, by actor: Actor, in replica: Replica, wait: Int
    ) throws -> PackageProduction.Result {
        try RunScope.perform(self, replica, context(actor), command: "package", waitSeconds: wait) { scope in
            let result = try PackageProduction(
                scope: scope, projectCode: project, output: output, hasPhotos: hasPhotos
            ).run()
            return (result, result.exitCode, JSONString.document(result))
        }
    }
}
