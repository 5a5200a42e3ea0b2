package import Foundation
import GRDB
package import Model

extension Replica {
    /// Imports rows: `body` passes them to the staging area; then one transaction applies them all.
    /// Nothing is stored in a dry run, if `body` throws, or if more rows are rejected than the
    /// request allows. Memory does not grow with the number of rows.
    ///
    /// Findings about rows are added to `findings` when the rows are applied; `photos` is called
    /// with the outcome of each photo, in the order of the photos. Throws what `body` throws,
    /// `ActorFailure`, `ImportLimitFailure.tooMany` and `ReplicaFailure`.
    package func importRows(
        _ request: ImportRequest, findings: any FindingSink, finishedAt: () -> Date = { Date() },
        photos: (ImportedPhoto, PhotoAttachment) throws -> Void = { _, _ in }, _ body: (ImportStaging) throws -> Void
    ) throws -> ImportAccount {
        try request.actor.ensure(may: request.permission)
        let file = try StagingFile(
            replica: path, key: request.resumeKey, state: request.resumeKey.flatMap { _ in request.state })
        let noted = [
            "source": request.source, "started": Timestamp.format(request.startedAt),
            "pid": String(ProcessInfo.processInfo.processIdentifier),
        ]
        do {
            let staged = try ImportStaging.fill(file, pack: pack, request, noted: noted, body)
            defer { file.remove() }
            return try queue.writeWithoutTransaction { db in
                // SQLite would check every reference of every row, queue item and log entry one by
                // one. Instead, statements over all rows (`DanglingRows`) check the references of
                // new and changed rows. Queue items and log entries refer to rows that were just
                // read.
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
                // A person's change may be read before the commit, which needs the write-ahead log.
                let isQuiet =
                    try request.origin == .file && staged >= RollbackJournal.leastRows && RollbackJournal.begin(db)
                return try apply(request, db, isQuiet: isQuiet) {
                    try attach(file, db)
                    let stored = try StoredImport(request, db)
                    if stored != nil { try db.execute(sql: "SAVEPOINT repeated") }
                    let application = try ImportApplication(
                        db, pack: pack, request: request, findings: findings, stored: stored)
                    guard let stored else { return try application.run(photos: photos, finishedAt: finishedAt) }
                    return try complete(stored, application, photos, finishedAt)
                }
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    /// Repeats a stored import, which finds nothing to change and reports the same findings. Only
    /// the stored import's report is returned.
    private func complete(
        _ stored: StoredImport, _ application: ImportApplication,
        _ photos: (ImportedPhoto, PhotoAttachment) throws -> Void, _ finishedAt: () -> Date
    ) throws -> ImportAccount {
        let report = try application.run(photos: photos, finishedAt: finishedAt)
        // If the repetition changed something, because rows were changed since, it counts as a
        // separate import.
        guard !report.changesSomething, report.photosAttached == 0, stored.isRepeated(by: report) else { return report }
        try application.db.execute(sql: "ROLLBACK TO repeated")
        return try stored.complete(
            report, photos: application.attachedBefore, run: application.request.runID, application.db)
    }

    private func attach(_ file: StagingFile, _ db: Database) throws {
        try db.execute(sql: "ATTACH DATABASE ? AS staging", arguments: [file.path])
        try db.execute(sql: "PRAGMA staging.cache_size = -8192")
    }

    /// Runs the body in one transaction, which is rolled back in a dry run.
    private func apply(_ request: ImportRequest, _ db: Database, isQuiet: Bool, _ body: () throws -> ImportAccount)
        throws -> ImportAccount
    {
        defer {
            try? db.execute(sql: "DETACH DATABASE staging")
            try? db.execute(sql: "PRAGMA main.cache_size = -16384")
            if isQuiet { RollbackJournal.end(db) }
        }
        // A large cache, because large imports use the pages of many indexes repeatedly.
        try db.execute(sql: "PRAGMA main.cache_size = -102400")
        var report: ImportAccount?
        try db.inTransaction(.immediate) {
            // A transaction that was rolled back removed its temporary tables; this removes any
            // that remain.
            try ImportApplication.dropTemporary(db)
            report = try body()
            // A person's change that changes nothing is rolled back.
            return request.isDryRun || (request.origin == .person && report?.changesSomething == false)
                ? .rollback : .commit
        }
        // The import is committed: remaining temporary tables disappear with the connection.
        if !request.isDryRun { try? ImportApplication.dropTemporary(db) }
        guard let report else { throw ReplicaFailure.internal(path: path, code: "no report") }
        return report
    }
}
