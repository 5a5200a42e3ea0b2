import Databases
import Foundation
import GRDB
import GRDBSQLite
package import Model

/// The staging area that receives the rows of one import, within `Replica.importRows`. It has a
/// table of converted rows for each entity, a table of unconverted rows, and the position reached
/// in each table of the source. Each batch is committed, so a later run need not read a killed
/// run's batches anew.
///
/// The file is not synced to disk. It remains valid if the process crashes. After a crash of the
/// machine, which a new boot id reveals, the file is created anew.
package final class ImportStaging: ImportTarget {
    /// Rows in a batch.
    static let batchSize = 10_000
    /// Raise this when the tables below change.
    private static let format = "7"

    private let db: Database
    /// Whether the file contains rows of a killed run.
    package private(set) var isResumed = false
    /// Number of rows that could not be converted; `mostRejected` is the number allowed.
    private var rejected = 0
    private let mostRejected: Int?
    private var tables: [String: StagedEntity] = [:]
    /// Number of staged rows, by table of the source.
    private var taken: [Int: Int] = [:]
    private var table = 0
    /// Number of rows since the last commit.
    private var inBatch = 0
    private var next: Int64 = 1
    private let progress: PreparedStatement
    private let fault: PreparedStatement
    private let filtered: PreparedStatement
    private let deletion: PreparedStatement
    private let note: PreparedStatement
    /// Counts committed batches; after a kill, the number shows the import's progress.
    private let countBatch: PreparedStatement
    private let commit: PreparedStatement
    private let begin: PreparedStatement
    /// Queue to the thread that writes stretches into the file; nil before the first stretch.
    private var jobs: BoundedQueue<Job>?
    /// An emptied stretch, usually for rows of the same table, whose memory is reused.
    private var spare = Job()
    private let pack: Pack
    private let places: StagedPlaces

    /// Rows of one table of the source.
    private struct Job {
        var stretch = ImportedStretch([])
        var table = 0
    }

    /// The work of the writing thread. From `store` until `drain` returns, only that thread uses it
    /// and everything that it refers to.
    private struct Work: @unchecked Sendable {
        let put: (borrowing Job) throws -> Void
    }

    /// Maximum number of waiting stretches; more would only use memory.
    private static let depth = 4

    static let creation = [
        "CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE progress (tbl INTEGER PRIMARY KEY, taken INTEGER NOT NULL) STRICT",
        // The part of a place that several rows share, as JSON; line and pointer are stored with
        // the row.
        """
        CREATE TABLE places (number INTEGER PRIMARY KEY, file TEXT, sheet TEXT, place TEXT NOT NULL, is_repeat \
        INTEGER NOT NULL, is_lenient INTEGER NOT NULL) STRICT
        """,
        // Names of the columns of raw rows.
        "CREATE TABLE headings (place INTEGER PRIMARY KEY, names TEXT NOT NULL) STRICT",
        """
        CREATE TABLE shapes (number INTEGER PRIMARY KEY, entity TEXT NOT NULL, fields TEXT NOT NULL, UNIQUE (entity, \
        fields)) STRICT
        """,
        """
        CREATE TABLE entities (entity TEXT PRIMARY KEY, n INTEGER NOT NULL, rows INTEGER NOT NULL) STRICT, \
        WITHOUT ROWID
        """,
        """
        CREATE TABLE faults (n INTEGER PRIMARY KEY, entity TEXT, raw TEXT NOT NULL, place TEXT NOT NULL, findings \
        TEXT NOT NULL, around TEXT) STRICT
        """,
        "CREATE TABLE notes (n INTEGER PRIMARY KEY, finding TEXT NOT NULL) STRICT",
        "CREATE TABLE filtered (entity TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE deletions (n INTEGER PRIMARY KEY, entity TEXT NOT NULL, id TEXT NOT NULL, remote TEXT NOT NULL, \
        place TEXT NOT NULL) STRICT
        """,
        "CREATE TABLE retried (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE photos (n INTEGER PRIMARY KEY, entity TEXT NOT NULL, id TEXT NOT NULL, path TEXT NOT NULL, \
        sha256 TEXT NOT NULL, bytes INTEGER NOT NULL) STRICT
        """,
    ]

    private init(_ db: Database, pack: Pack, identity: String, mostRejected: Int?, noted: [String: String]) throws {
        (self.db, self.pack, self.mostRejected) = (db, pack, mostRejected)
        // Nobody observes this file. GRDB's commit hooks would forbid commits on another thread,
        // though only one thread at a time uses the file.
        unsafe sqlite3_commit_hook(db.sqliteConnection, nil, nil)
        unsafe sqlite3_rollback_hook(db.sqliteConnection, nil, nil)
        let found = try? String.fetchOne(db, sql: "SELECT value FROM journal WHERE key = 'identity'")
        if found == identity {
            isResumed = true
        } else {
            for statement in Self.creation { try db.execute(sql: statement) }
            try db.execute(sql: "INSERT INTO journal (key, value) VALUES ('identity', ?)", arguments: [identity])
        }
        for (key, value) in noted.sorted(by: { $0.key < $1.key }) {
            try db.execute(sql: "INSERT OR REPLACE INTO journal (key, value) VALUES (?, ?)", arguments: [key, value])
        }
        progress = try PreparedStatement(
            db, "INSERT INTO progress (tbl, taken) VALUES (?1, ?2) ON CONFLICT (tbl) DO UPDATE SET taken = ?2")
        places = try StagedPlaces(db)
        fault = try PreparedStatement(
            db, "INSERT INTO faults (n, entity, raw, place, findings, around) VALUES (?, ?, ?, ?, ?, ?)")
        deletion = try PreparedStatement(db, "INSERT INTO deletions (entity, id, remote, place) VALUES (?, ?, ?, ?)")
        note = try PreparedStatement(db, "INSERT INTO notes (finding) VALUES (?)")
        countBatch = try PreparedStatement(
            db,
            """
            INSERT INTO journal (key, value) VALUES ('batches', '1') ON CONFLICT (key) DO UPDATE \
            SET value = CAST(value + 1 AS TEXT)
            """
        )
        commit = try PreparedStatement(db, "COMMIT")
        begin = try PreparedStatement(db, "BEGIN IMMEDIATE")
        filtered = try PreparedStatement(
            db,
            "INSERT INTO filtered (entity, count) VALUES (?1, ?2) ON CONFLICT (entity) DO UPDATE SET count = count + ?2"
        )
    }

    /// Opens the staging area and lets `body` fill it. If `body` throws, the file is deleted; only
    /// a killed process leaves it for a later run.
    ///
    /// - Parameter noted: details of the import that `UnfinishedImport` reports if the import is
    ///   killed.
    /// - Returns: the number of the source's rows that are staged.
    static func fill(
        _ file: StagingFile, pack: Pack, _ request: ImportRequest, noted: [String: String] = [:],
        _ body: (ImportStaging) throws -> Void
    ) throws -> Int {
        let identity = [format, request.resumeKey ?? "", pack.fingerprint, bootID].joined(separator: " ")
        do {
            return try file.open(identity: identity).writeWithoutTransaction { db in
                let staging = try ImportStaging(
                    db, pack: pack, identity: identity, mostRejected: request.maximumErrors, noted: noted)
                if staging.isResumed { try staging.resume() }
                try db.execute(sql: "BEGIN IMMEDIATE")
                defer { staging.stop() }
                do {
                    try body(staging)
                    try staging.drain()
                    try staging.journal()
                    try db.execute(sql: "COMMIT")
                    return staging.taken.values.reduce(0, +)
                } catch {
                    staging.stop()
                    if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
                    throw error
                }
            }
        } catch {
            file.remove()
            throw ReplicaFailure.translated(error, path: file.path)
        }
    }

    private static let bootID =
        ((try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? "")
        .trimmingCharacters(in: .whitespacesAndNewlines)

    // MARK: Reading

    /// Begins a table of the source; returns how many of its rows are staged already.
    package func begin(table: Int) -> Int {
        // A failure is thrown by the next call.
        try? drain()
        self.table = table
        return taken[table] ?? 0
    }

    /// Waits until all stored stretches are in the file. Must be called before anything else uses
    /// the file.
    private func drain() throws { try jobs?.drain() }

    /// Accepts all rows of a stretch; another thread writes them into the file while the next
    /// stretch is read. The stretch is empty afterwards.
    package func store(_ stretch: inout ImportedStretch) throws {
        for batch in stretch.batches { rejected += batch.rejects.count }
        if !spare.stretch.isLike(stretch) { spare.stretch = ImportedStretch(stretch.batches.map(\.emptied)) }
        spare.table = table
        swap(&spare.stretch, &stretch)
        _ = try (jobs ?? beginJobs()).give(&spare)
        try ensureFew()
    }

    private func beginJobs() -> BoundedQueue<Job> {
        let jobs = BoundedQueue([Job](repeating: Job(), count: Self.depth))
        self.jobs = jobs
        let work = Work { [unowned self] job in try put(job) }
        let thread = Thread {
            do {
                var job = Job()
                while try jobs.take(&job) {
                    try work.put(job)
                    job.stretch.removeAll()
                }
            } catch {
                jobs.fail(error)
            }
        }
        thread.name = "fichero.staging"
        thread.start()
        return jobs
    }

    private func ensureFew() throws {
        if let mostRejected, rejected > mostRejected {
            throw ImportLimitFailure.tooMany(count: rejected, limit: mostRejected)
        }
    }

    private func put(_ job: borrowing Job) throws {
        for batch in job.stretch.batches {
            if batch.rows.rowCount > 0, let entity = pack.entity(batch.entity) {
                let staged = try staged(entity)
                try staged.insert(batch, from: next, place: places.number(of: batch))
                if batch.operation == .replace {
                    try leaveOut(staged.replace(byRow: next, match: batch.match), of: batch.entity)
                }
                next += Int64(batch.rows.rowCount)
            }
            try putRest(of: batch)
        }
        try count(job.stretch.read, of: job.table)
    }

    /// Stores the rows that could not be converted, and the findings.
    private func putRest(of batch: borrowing ImportedBatch) throws {
        try leaveOut(batch.filtered, of: batch.entity)
        let known = pack.entity(batch.entity) == nil ? nil : batch.entity
        for reject in batch.rejects {
            try fault.bind(.integer(next), at: 1)
            try fault.bind(known, at: 2)
            try fault.bind(reject.raw, at: 3)
            try fault.bind(Quarantine.json(reject.place), at: 4)
            try fault.bind(Quarantine.json(reject.findings), at: 5)
            try fault.bind(reject.around, at: 6)
            try fault.run()
            next += 1
        }
        for deletion in batch.deletions {
            if batch.operation == .delete, let entity = pack.entity(deletion.entity) {
                try leaveOut(staged(entity).delete(deletion.id), of: batch.entity)
            }
            for (index, text) in [deletion.entity, deletion.id, deletion.remote, try Quarantine.json(deletion.place)]
                .enumerated()
            {
                try self.deletion.bind(text, at: index + 1)
            }
            try self.deletion.run()
        }
        for finding in batch.notes {
            try note.bind(Quarantine.json(finding), at: 1)
            try note.run()
        }
    }

    /// Counts rows that were read but left out, or that later rows replaced.
    private func leaveOut(_ count: Int, of entity: String) throws {
        guard count > 0 else { return }
        try filtered.bind(entity, at: 1)
        try filtered.bind(Int64(count), at: 2)
        try filtered.run()
    }

    /// Discards the stretches that still wait.
    private func stop() { jobs?.cancel() }

    /// Closes a rejected row, because it is retried in this import; if it is rejected a second
    /// time, the quarantine stores a new row.
    package func closeReject(_ id: String) throws {
        try drain()
        try db.execute(sql: "INSERT OR IGNORE INTO retried (id) VALUES (?)", arguments: [id])
    }

    /// Stages a photo's path, hash and size, to be set in those columns that its entity has and
    /// that are empty.
    package func attachPhoto(_ photo: ImportedPhoto) throws {
        try drain()
        try db.execute(
            sql: "INSERT INTO photos (entity, id, path, sha256, bytes) VALUES (?, ?, ?, ?, ?)",
            arguments: [photo.entity, photo.id, photo.localPath, photo.sha256, photo.bytes])
    }

    private func count(_ rows: Int, of table: Int) throws {
        taken[table, default: 0] += rows
        inBatch += rows
        guard inBatch >= Self.batchSize else { return }
        try journal()
        try countBatch.run()
        try commit.run()
        try begin.run()
    }

    private func journal() throws {
        inBatch = 0
        for (table, rows) in taken {
            try progress.bind(.integer(Int64(table)), at: 1)
            try progress.bind(.integer(Int64(rows)), at: 2)
            try progress.run()
        }
    }

    private func resume() throws {
        // A resumed run passes its photos once more.
        try db.execute(sql: "DELETE FROM photos")
        rejected = try Int.fetchOne(db, sql: "SELECT count(*) FROM faults") ?? 0
        try ensureFew()
        for row in try Row.fetchAll(db, sql: "SELECT tbl, taken FROM progress") { taken[row[0]] = row[1] }
        try places.resume()
        next = try Int64.fetchOne(db, sql: "SELECT coalesce(max(n), 0) FROM faults") ?? 0
        for name in try String.fetchAll(db, sql: "SELECT entity FROM entities") {
            guard let entity = pack.entity(name) else { continue }
            let staged = try staged(entity)
            next = max(next, try Int64.fetchOne(db, sql: "SELECT coalesce(max(n), 0) FROM \(staged.table)") ?? 0)
        }
        next += 1
    }

    private func staged(_ entity: Entity) throws -> StagedEntity {
        if let known = tables[entity.name] { return known }
        let made = try StagedEntity(db, entity, n: next)
        tables[entity.name] = made
        return made
    }
}

extension ImportedStretch {
    /// Whether both contain rows of the same table.
    fileprivate func isLike(_ other: borrowing ImportedStretch) -> Bool {
        batches.count == other.batches.count
            && batches.indices.allSatisfy { index in
                let (own, others) = (batches[index], other.batches[index])
                return own.entity == others.entity && own.fields == others.fields && own.place == others.place
                    && own.operation == others.operation && own.match == others.match
            }
    }
}

extension ImportedBatch {
    /// An empty batch for rows of the same table.
    fileprivate var emptied: ImportedBatch {
        var batch = ImportedBatch(
            entity: entity, fields: fields, place: place, raw: RawCells(headings: raw.headings, isText: raw.isText))
        (batch.operation, batch.match) = (operation, match)
        return batch
    }
}
