import Foundation
import GRDB
import GRDBSQLite
import Model

/// The staging area of one import: converted rows in a table for each entity, what could not be converted, and a journal of how far each
/// table of the source was read. Batches are committed whole, so that whatever a killed run committed need not be read again.
///
/// It is not synced to disk: after a crash of the machine it is begun anew (the boot id tells), after one of the process it is sound.
final class ImportStaging {
    /// Rows in a batch.
    static let batchSize = 10_000
    /// Grows when the tables below change.
    private static let format = "5"

    let file: StagingFile
    let db: Database
    /// Whether rows of an earlier run were found.
    private(set) var isResumed = false
    private var tables: [String: StagedEntity] = [:]
    private var taken: [Int: Int] = [:]
    private var table = 0
    private var inBatch = 0
    private var next: Int64 = 1
    private let progress: PreparedStatement
    private let place: PreparedStatement
    private let fault: PreparedStatement
    private let filtered: PreparedStatement
    private let headings: PreparedStatement
    private let deletion: PreparedStatement
    private let note: PreparedStatement
    /// Counts the batch that is done: whoever finds the file after a kill can say how far it came.
    private let countBatch: PreparedStatement
    private let commit: PreparedStatement
    private let begin: PreparedStatement
    private var lane: StagingLane?
    private let used = UsedStretches()
    private let pack: Pack
    private var headed: Set<Int64> = []
    private var places: [PlaceKey: Int64] = [:]
    private var lastPlace: (key: PlaceKey, number: Int64)?

    /// What rows of one file and sheet have in common.
    struct PlaceKey: Hashable {
        var place: Place
        var sheet: String?
    }

    static let creation = [
        "CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE progress (tbl INTEGER PRIMARY KEY, taken INTEGER NOT NULL) STRICT",
        // What places of rows have in common, as JSON; line and pointer stand with the row.
        "CREATE TABLE places (number INTEGER PRIMARY KEY, file TEXT, sheet TEXT, place TEXT NOT NULL) STRICT",
        // Names of the columns of raw rows.
        "CREATE TABLE headings (place INTEGER PRIMARY KEY, names TEXT NOT NULL) STRICT",
        "CREATE TABLE shapes (number INTEGER PRIMARY KEY, entity TEXT NOT NULL, fields TEXT NOT NULL, UNIQUE (entity, fields)) STRICT",
        "CREATE TABLE entities (entity TEXT PRIMARY KEY, n INTEGER NOT NULL, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE faults (n INTEGER PRIMARY KEY, entity TEXT, raw TEXT NOT NULL, place TEXT NOT NULL, findings TEXT NOT NULL, around TEXT) STRICT",
        "CREATE TABLE notes (n INTEGER PRIMARY KEY, finding TEXT NOT NULL) STRICT",
        "CREATE TABLE filtered (entity TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE deletions (n INTEGER PRIMARY KEY, entity TEXT NOT NULL, id TEXT NOT NULL, remote TEXT NOT NULL, place TEXT NOT NULL) STRICT",
        "CREATE TABLE retried (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
        "CREATE TABLE photos (n INTEGER PRIMARY KEY, entity TEXT NOT NULL, id TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL) STRICT",
    ]

    private init(_ db: Database, file: StagingFile, pack: Pack, identity: String, told: [String: String]) throws {
        (self.db, self.pack) = (db, pack)
        self.file = file
        // Nobody observes this file, and GRDB's hook would not have another thread commit, though only one at a time works on it.
        unsafe sqlite3_commit_hook(db.sqliteConnection, nil, nil)
        unsafe sqlite3_rollback_hook(db.sqliteConnection, nil, nil)
        let found = try? String.fetchOne(db, sql: "SELECT value FROM journal WHERE key = 'identity'")
        if found == identity {
            isResumed = true
        } else {
            for statement in Self.creation { try db.execute(sql: statement) }
            try db.execute(sql: "INSERT INTO journal (key, value) VALUES ('identity', ?)", arguments: [identity])
        }
        for (key, value) in told.sorted(by: { $0.key < $1.key }) {
            try db.execute(sql: "INSERT OR REPLACE INTO journal (key, value) VALUES (?, ?)", arguments: [key, value])
        }
        progress = try PreparedStatement(
            db, "INSERT INTO progress (tbl, taken) VALUES (?1, ?2) ON CONFLICT (tbl) DO UPDATE SET taken = ?2")
        place = try PreparedStatement(db, "INSERT INTO places (number, file, sheet, place) VALUES (?, ?, ?, ?)")
        fault = try PreparedStatement(db, "INSERT INTO faults (n, entity, raw, place, findings, around) VALUES (?, ?, ?, ?, ?, ?)")
        deletion = try PreparedStatement(db, "INSERT INTO deletions (entity, id, remote, place) VALUES (?, ?, ?, ?)")
        note = try PreparedStatement(db, "INSERT INTO notes (finding) VALUES (?)")
        headings = try PreparedStatement(db, "INSERT OR IGNORE INTO headings (place, names) VALUES (?, ?)")
        countBatch = try PreparedStatement(
            db, "INSERT INTO journal (key, value) VALUES ('batches', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value + 1 AS TEXT)")
        commit = try PreparedStatement(db, "COMMIT")
        begin = try PreparedStatement(db, "BEGIN IMMEDIATE")
        filtered = try PreparedStatement(
            db, "INSERT INTO filtered (entity, count) VALUES (?1, ?2) ON CONFLICT (entity) DO UPDATE SET count = count + ?2")
    }

    /// Opens the staging area and lets a body fill it; what the body did not come to an end with, though it was not killed, goes.
    ///
    /// - Parameter told: what a look at an unfinished import is to say of it (`UnfinishedImport`).
    static func fill<T>(
        _ file: StagingFile, pack: Pack, key: String?, told: [String: String] = [:], _ body: (ImportStaging) throws -> T
    ) throws -> T {
        let identity = [format, key ?? "", pack.fingerprint, bootID].joined(separator: " ")
        do {
            return try open(file, identity: identity).writeWithoutTransaction { db in
                let staging = try ImportStaging(db, file: file, pack: pack, identity: identity, told: told)
                if staging.isResumed { try staging.resume() }
                try db.execute(sql: "BEGIN IMMEDIATE")
                defer { staging.stop() }
                do {
                    let result = try body(staging)
                    try staging.settle()
                    try staging.journal()
                    try db.execute(sql: "COMMIT")
                    return result
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

    /// A file that belongs to another source, or is damaged, is begun anew.
    private static func open(_ file: StagingFile, identity: String) throws -> DatabaseQueue {
        if let queue = try? connect(file) {
            let found = try? queue.read { try String.fetchOne($0, sql: "SELECT value FROM journal WHERE key = 'identity'") }
            if found == identity { return queue }
            try queue.close()
        }
        file.remove()
        return try connect(StagingFile(reopening: file))
    }

    private static func connect(_ file: StagingFile) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "staging"
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.publicStatementArguments = false
        configuration.prepareDatabase { db in
            // Of a file that is made here: rows are written once and read from end to end, by fewer and longer calls.
            try db.execute(sql: "PRAGMA page_size = 32768")
            try db.execute(sql: "PRAGMA journal_mode = TRUNCATE")
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "PRAGMA cache_size = -8192")
        }
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    private static let bootID = ((try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? "")
        .trimmingCharacters(in: .whitespacesAndNewlines)

    // MARK: Reading

    /// Begins a table of the source; how many of its rows are here already.
    func begin(table: Int) -> Int {
        // What failed is thrown by the next call.
        try? settle()
        self.table = table
        return taken[table] ?? 0
    }

    /// Waits until everything that was handed over is in the file. Whatever else touches it comes after that.
    private func settle() throws { try lane?.settle() }

    /// Takes all that a stretch holds; another thread puts it into the file while the next one is read. The stretch is empty afterwards.
    func store(_ stretch: inout ImportedStretch) throws {
        let lane = lane ?? StagingLane(used: used) { [unowned self] job in try put(job) }
        self.lane = lane
        var empty = used.empty(like: stretch)
        swap(&empty, &stretch)
        try lane.take(StagingLane.Job(stretch: empty, table: table))
    }

    private func put(_ job: borrowing StagingLane.Job) throws {
        for batch in job.stretch.batches {
            if batch.rows.rowCount > 0, let entity = pack.entity(batch.entity) {
                // All rows of a table stand in one list.
                let number = try placeNumber(batch.place, pointer: batch.pointer(of: 0))
                if !batch.raw.isText, headed.insert(number).inserted {
                    try headings.bind(.integer(number), at: 1)
                    try headings.bind(Quarantine.json(batch.raw.headings), at: 2)
                    try headings.run()
                }
                try staged(entity).insert(batch, from: next, place: number)
                next += Int64(batch.rows.rowCount)
            }
            try putRest(of: batch)
        }
        try count(job.stretch.read, of: job.table)
    }

    /// What came of rows that are none, and what is to be told.
    private func putRest(of batch: borrowing ImportedBatch) throws {
        if batch.filtered > 0 {
            try filtered.bind(batch.entity, at: 1)
            try filtered.bind(Int64(batch.filtered), at: 2)
            try filtered.run()
        }
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
            for (index, text) in [deletion.entity, deletion.id, deletion.remote, try Quarantine.json(deletion.place)].enumerated() {
                try self.deletion.bind(text, at: index + 1)
            }
            try self.deletion.run()
        }
        for finding in batch.notes {
            try note.bind(Quarantine.json(finding), at: 1)
            try note.run()
        }
    }

    private func stop() { lane?.stop() }

    func retried(_ id: String) throws {
        try settle()
        try db.execute(sql: "INSERT OR IGNORE INTO retried (id) VALUES (?)", arguments: [id])
    }

    func photo(_ photo: ImportedPhoto) throws {
        try settle()
        try db.execute(
            sql: "INSERT INTO photos (entity, id, path, sha256, bytes) VALUES (?, ?, ?, ?, ?)",
            arguments: [photo.entity, photo.id, photo.localPath, photo.sha256, photo.bytes])
    }

    /// Photos are handed over again by a run that goes on.
    func forgetPhotos() throws {
        try db.execute(sql: "DELETE FROM photos")
    }

    /// How many rows of the source are here.
    func takenRows() throws -> Int {
        try settle()
        return taken.values.reduce(0, +)
    }

    var faultCount: Int {
        get throws { try Int.fetchOne(db, sql: "SELECT count(*) FROM faults") ?? 0 }
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
        for row in try Row.fetchAll(db, sql: "SELECT tbl, taken FROM progress") { taken[row[0]] = row[1] }
        for row in try Row.fetchAll(db, sql: "SELECT number, sheet, place FROM places") {
            places[PlaceKey(place: try Quarantine.place(row[2]), sheet: row[1])] = row[0]
        }
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

    private func placeNumber(_ place: Place, pointer: String?) throws -> Int64 {
        let key = PlaceKey(place: place, sheet: place.sheet ?? pointer.flatMap(Self.sheet))
        if let lastPlace, lastPlace.key == key { return lastPlace.number }
        let number: Int64
        if let known = places[key] {
            number = known
        } else {
            number = Int64(places.count + 1)
            try self.place.bind(.integer(number), at: 1)
            try self.place.bind(place.file, at: 2)
            try self.place.bind(key.sheet, at: 3)
            try self.place.bind(Quarantine.json(place), at: 4)
            try self.place.run()
            places[key] = number
        }
        lastPlace = (key, number)
        return number
    }

    /// `Hoja 1!A12` → `Hoja 1`; `/calicatas/17` → `/calicatas`; nil where the pointer names but the row.
    private static func sheet(_ pointer: String) -> String? {
        guard let end = pointer.utf8.lastIndex(where: { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "/") }) else { return nil }
        return end == pointer.utf8.startIndex ? nil : String(pointer[..<end])
    }
}
