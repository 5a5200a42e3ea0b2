import Foundation
import Model
import OutputFiles
import Recording
import Replica

/// Writes and registers the proof of a sync: one document for each offline project,
/// `CODE/sync-proof-DAY-vN.json`. It declares that the replica equalled the server's rows, as this
/// person saw them, at one moment.
struct SyncProofProduction {
    let scope: RunScope
    let folder: String

    /// The registered name of the document, and of its line.
    private static let name = "sync-proof"

    private struct Document: Encodable {
        struct Table: Encodable {
            var entity: String
            var rows: Int
            /// Digest of the rows (`RowsProof`).
            var digest: String
            /// Rows whose values differ from the server's because a local change waits.
            var waiting: Int
        }

        var format = "fichero-sync-proof"
        var formatVersion = 1
        var project: String
        var server: String
        var environment: String
        /// The person's id and role.
        var actor: String
        var role: String
        var provenAt: String
        /// Whether all values were compared with the server's, and not only ids and versions of
        /// rows.
        var comparesValues: Bool
        var position: RemotePosition
        var tables: [Table]
    }

    private struct Project {
        var id: String
        var code: String
        var name: String
        var organisationID: String?
    }

    private var session: WorkSession { scope.session }

    /// Writes the documents and returns their paths. A project that is not proven gets none; its
    /// findings show why.
    func write(_ proof: [SyncResult.Proof], of server: String, at position: RemotePosition, comparingValues: Bool)
        throws -> [String]
    {
        try projects().compactMap { project in
            let lines = proof.filter { $0.project == project.code }
            guard !lines.isEmpty, lines.allSatisfy(\.isEqual) else { return nil }
            let document = Document(
                project: project.code, server: server, environment: scope.context.environment,
                actor: scope.context.actor.id, role: scope.context.actor.role.name,
                provenAt: Timestamp.format(scope.context.asOf), comparesValues: comparingValues, position: position,
                tables: lines.map {
                    .init(entity: $0.entity, rows: $0.there.rows, digest: $0.there.digest, waiting: $0.waiting)
                })
            return try write(document, of: project)
        }
    }

    /// The projects that the person has offline. An administrator may have one without being a
    /// member.
    private func projects() throws -> [Project] {
        let naming = session.pack.project, kept = Set(try scope.replica.offlineProjects(of: scope.context.actor.id))
        let fields = [naming.code, naming.name] + (naming.organisation.map { [$0] } ?? [])
        return try scope.replica.texts(of: naming.entity, fields: fields).filter { kept.contains($0.id) }.map {
            id, values in
            let code = values[0] ?? id
            return Project(
                id: id, code: code, name: values[1] ?? code, organisationID: values.dropFirst(2).first ?? nil)
        }.sorted { ($0.code, $0.id) < ($1.code, $1.id) }
    }

    private func write(_ document: Document, of project: Project) throws -> String {
        let (context, replica) = (scope.context, scope.replica)
        let line = DeliveryLine.named(Self.name)
        let version = try replica.lastVersion(projectID: project.id, line: line.name, exportName: Self.name) + 1
        let stem = try OutputName(pattern: FileRequest.defaultPattern).stem(
            OutputName.Values(
                export: Self.name, project: project.code, name: project.name,
                date: OfficeDay.text(of: context.asOf, in: session.timeZone),
                version: version, format: "json", line: "", period: nil))
        let final = URL(fileURLWithPath: folder).standardizedFileURL.path + "/" + stem + ".json"
        try OutputCommit.makeDirectory(for: final)
        try OutputCommit.check(final: final, replacing: .nothing)
        try replica.plan([RunOutput(step: 0, temporaryPath: "", finalPath: final)], run: context.id)
        let text = try TextFile(finalPath: final)
        try text.write(JSONString.document(document) + "\n")
        let file = try text.close(rows: document.tables.reduce(0) { $0 + $1.rows })
        let output = RunOutput(step: 0, temporaryPath: file.temporaryPath, finalPath: final, state: .written)
        try replica.plan([output], run: context.id)
        try OutputCommit.publish(temporary: file.temporaryPath, final: final, replacing: .nothing)
        try replica.mark([output], as: .renamed, run: context.id)
        _ = try replica.register(
            ExportRegistration(
                runID: context.id, projectID: project.id,
                storageFolder: StoragePath(
                    organisation: project.organisationID ?? session.organisation, project: project.id
                ).folder,
                exportName: Self.name, line: line.name, dialect: nil, selection: "{}", environment: context.environment,
                actor: context.actor, asOf: context.asOf,
                startedAt: scope.startedAt, finishedAt: Date(), findings: "[]", fingerprint: file.sha256,
                isDraft: false,
                files: [
                    ExportRegistration.File(
                        format: "json", document: Self.name + ".json",
                        fileName: URL(fileURLWithPath: final).lastPathComponent, localPath: final, rows: file.rows,
                        bytes: file.bytes, sha256: file.sha256, expectedVersion: version)
                ]))
        return final
    }
}
