package import Foundation
import GRDB
package import Model

extension Replica {
    /// Imports rows: `body` hands them to the staging area; then one transaction applies them all. When
    /// `body` throws, when more rows are rejected than the request allows, or in a dry run, nothing stays. Memory does not grow with the rows.
    ///
    /// Findings about rows go to `findings` when they are applied; `photos` is told, in the order in which they were handed over, what
    /// became of each photo. Throws what `body` throws, `ActorFailure`, `ImportLimitFailure.tooMany` and `ReplicaFailure`.
    package func importRows(
        _ request: ImportRequest, findings: any FindingSink, finishedAt: () -> Date = { Date() },
        photos: (ImportedPhoto, PhotoAttachment) throws -> Void = { _, _ in }, _ body: (ImportStaging) throws -> Void
    ) throws -> ImportReport {
        try request.actor.ensure(may: request.permission)
        let file = try StagingFile(replica: path, key: request.resumeKey, state: request.resumeKey.flatMap { _ in request.state })
        let told = [
            "source": request.source, "started": Timestamp.format(request.startedAt), "pid": String(ProcessInfo.processInfo.processIdentifier),
        ]
        do {
            let staged = try ImportStaging.fill(file, pack: pack, request, told: told, body)
            defer { file.remove() }
            return try queue.writeWithoutTransaction { db in
                // SQLite would look up every reference of every row, queue item and log entry: those of new and changed rows are looked up by
                // statements over all of them (`removeDangling`), and those of items and entries were just read.
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
                let isQuiet = try staged >= QuietJournal.leastRows && QuietJournal.begin(db)
                return try apply(request, db, isQuiet: isQuiet) {
                    try attach(file, db)
                    let stored = try StoredImport(request, db)
                    if stored != nil { try db.execute(sql: "SAVEPOINT repeated") }
                    let application = try ImportApplication(db, pack: pack, request: request, findings: findings, stored: stored)
                    guard let stored else { return try application.run(photos: photos, finishedAt: finishedAt) }
                    return try complete(stored, application, photos, finishedAt)
                }
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    /// Does everything once more, which finds nothing to change and tells the same findings; only the account of what is in stays.
    private func complete(
        _ stored: StoredImport, _ application: ImportApplication, _ photos: (ImportedPhoto, PhotoAttachment) throws -> Void, _ finishedAt: () -> Date
    ) throws -> ImportReport {
        let report = try application.run(photos: photos, finishedAt: finishedAt)
        // What was changed since, other than by an import, is changed as ever.
        guard !report.changesSomething, report.photosAttached == 0, stored.isRepeated(by: report) else { return report }
        try application.db.execute(sql: "ROLLBACK TO repeated")
        return try stored.complete(report, photos: application.attachedBefore, run: application.request.runID, application.db)
    }

    private func attach(_ file: StagingFile, _ db: Database) throws {
        try db.execute(sql: "ATTACH DATABASE ? AS staging", arguments: [file.path])
        try db.execute(sql: "PRAGMA staging.cache_size = -8192")
    }

    /// One transaction, of which nothing stays in a dry run.
    private func apply(_ request: ImportRequest, _ db: Database, isQuiet: Bool, _ body: () throws -> ImportReport) throws -> ImportReport {
        defer {
            try? db.execute(sql: "DETACH DATABASE staging")
            try? db.execute(sql: "PRAGMA main.cache_size = -16384")
            if isQuiet { QuietJournal.end(db) }
        }
        // Large imports touch many indexes again and again.
        try db.execute(sql: "PRAGMA main.cache_size = -102400")
        var report: ImportReport?
        try db.inTransaction(.immediate) {
            // A transaction that was rolled back took its temporary tables with it; this is for whatever else there was.
            try ImportApplication.dropTemporary(db)
            report = try body()
            // A person's words that change nothing leave nothing behind.
            return request.isDryRun || (request.origin == .person && report?.changesSomething == false) ? .rollback : .commit
        }
        // It is in: what cannot be tidied up now goes with the connection.
        if !request.isDryRun { try? ImportApplication.dropTemporary(db) }
        guard let report else { throw ReplicaFailure.internal(path: path, code: "no report") }
        return report
    }
}
