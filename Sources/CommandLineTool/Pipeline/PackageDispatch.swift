import Exporting
import Foundation
import Model
import OutputFiles
import Recording
import Replica

/// Writes the files of changes that a sync has put together: each is complete under another name
/// before it gets its own, and the same changes give the same bytes. So a run that was killed
/// writes the file again, and nothing is there twice.
struct PackageDispatch {
    let scope: RunScope
    let folder: String
    let findings: any FindingSink

    private var session: CommandSession { scope.session }

    /// Returns what is there now.
    func write(_ batches: [SentBatch]) throws -> [SentBatch] { try batches.map(write) }

    private func write(_ batch: SentBatch) throws -> SentBatch {
        let naming = session.pack.project, final = folder + "/" + batch.file
        let code = try scope.replica.texts(of: naming.entity, fields: [naming.code]).first { $0.id == batch.projectID }?.values[0]
        let files = StoredPhotos(session)
        let written = try scope.replica.reading(batch, for: folder, as: scope.context.actor) { tables, nextPhoto in
            let content = PackageContent(
                pack: session.pack.name, packVersion: session.pack.version, createdAt: batch.madeAt, project: code ?? batch.projectID,
                tables: tables.map { PackageTable(entity: $0.entity, fields: $0.fields, open: $0.open) })
            return try PackageWriter().write(
                content, nextPhoto: { try nextPhoto().map(files.packaged) }, finalPath: final, findings: findings,
                progress: session.progress.show)
        }
        try Interruption.check()
        try OutputCommit.publish(temporary: written.temporaryPath, final: final, replacing: .anything(but: session.replicaFiles))
        try scope.replica.noteWritten(
            batch, for: folder, rows: written.rows, photos: written.photos, by: scope.context.actor, in: scope.context.environment, at: scope.context.asOf)
        var done = batch
        done.sentAt = Timestamp.format(scope.context.asOf)
        return done
    }
}
