package import Foundation
import GRDB
import GRDBSQLite
package import Model
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Replica {
    /// Creates a replica if the path does not exist. The file gets its name only when it is
    /// complete, and only its owner can read it.
    package static func create(at path: String, pack: Pack, source: PackSource = .program, now: Date)
        throws(ReplicaFailure)
    {
        guard !FileManager.default.fileExists(atPath: path) else { throw .exists(path: path) }
        try refuseNetworkDrive(path)
        let draft = path + ".new-\(ProcessInfo.processInfo.processIdentifier)"
        removeDatabase(draft)
        defer { removeDatabase(draft) }
        let descriptor = unsafe Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: systemError()) }
        Glibc.close(descriptor)
        try failures(at: path) { try build(draft, pack: pack, source, now: now) }
        // Creates a second name (hard link) for the finished file. Unlike a rename, a link never
        // replaces a file that another process created meanwhile.
        if unsafe link(draft, path) != 0 {
            let code = errno
            guard code != EEXIST else { throw .exists(path: path) }
            guard unsafe rename(draft, path) == 0 else { throw .cannotCreate(path: path, reason: systemError()) }
        }
    }

    private static func build(_ draft: String, pack: Pack, _ source: PackSource, now: Date) throws {
        let queue = try DatabaseQueue(path: draft, configuration: configuration(busyTimeout: 0))
        try queue.writeWithoutTransaction { db in
            // A queue item contains a whole row: with pages of the usual size, five items would
            // fill a page and leave a sixth of it empty.
            try db.execute(sql: "PRAGMA page_size = 8192")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.inTransaction(.immediate) {
                let schema = ReplicaSchema(pack: pack)
                try schema.create(db)
                try describe(pack, schema: schema, db)
                _ = try PinnedPack.pin(pack, from: source, at: Timestamp.format(now), db)
                try ReplicaKey.set(.stamp, to: "0", db)
                try ReplicaKey.set(.createdAt, to: Timestamp.format(now), db)
                try db.execute(sql: "PRAGMA application_id = \(ProgramTables.applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(ProgramTables.version)")
                return .commit
            }
            try ForeignWrites.watch(db, pack: pack)
        }
        // Closing the only connection checkpoints the log into the file.
        try queue.close()
    }

    static func describe(_ pack: Pack, schema: ReplicaSchema, _ db: Database) throws {
        try ReplicaKey.set(.packName, to: pack.name, db)
        try ReplicaKey.set(.packVersion, to: pack.version, db)
        try ReplicaKey.set(.schema, to: schema.json, db)
    }

    /// Opens a replica for reading and writing. `busyTimeout` is the time in seconds for which a
    /// write waits for another process's write.
    ///
    /// Damage to single pages is found when they are read, or by `doctor`: checking a large replica
    /// at each start would take longer than most commands.
    package static func open(
        at path: String, pack: Pack, source: PackSource = .program, busyTimeout: Double = 5
    ) throws(ReplicaFailure) -> Replica {
        let queue = try openAnyPack(at: path, busyTimeout: busyTimeout)
        try failures(at: path) {
            try queue.read { db in
                let found = try ReplicaKey.value(of: .packName, db) ?? ""
                guard found == pack.name else {
                    throw ReplicaFailure.otherPack(path: path, found: found, expected: pack.name)
                }
                if let older = try olderPack(pack, db, path: path) { throw older }
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard version == ProgramTables.version,
                    try ReplicaKey.value(of: .schema, db) == ReplicaSchema(pack: pack).json
                else {
                    throw ReplicaFailure.packChanged(path: path, pack: pack.name)
                }
            }
            try queue.writeWithoutTransaction { db in
                try RollbackJournal.endForgotten(db)
                try TouchedRows.watch(db, pack: pack)
                try ForeignWrites.watch(db, pack: pack)
                try watchLog(db, pack, source, path: path)
            }
        }
        return Replica(path: path, pack: pack, queue: queue)
    }

    /// Opens a replica, whichever pack it uses.
    static func openAnyPack(at path: String, busyTimeout: Double) throws(ReplicaFailure) -> DatabaseQueue {
        let header = try FileInspection.header(at: path)
        try refuseNetworkDrive(path)
        // While a new replica's first pages are still in the log, the file's header does not
        // contain the application id yet. In that case the id from SQLite is checked further below.
        if header.applicationID != ProgramTables.applicationID && header.applicationID != 0 {
            throw .foreign(path: path)
        }
        try refuseReadOnly(path)
        _ = SQLiteSetup.isDone
        let queue = try failures(at: path) {
            try DatabaseQueue(path: path, configuration: configuration(busyTimeout: busyTimeout))
        }
        try failures(at: path) {
            try queue.writeWithoutTransaction { db in
                guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == ProgramTables.applicationID else {
                    throw ReplicaFailure.foreign(path: path)
                }
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard version <= ProgramTables.version else {
                    throw ReplicaFailure.newer(path: path, found: version, known: ProgramTables.version)
                }
                guard try db.tableExists("fichero_replica") else {
                    throw ReplicaFailure.damaged(path: path, reason: "its own tables are missing")
                }
                if let foreign = try ForeignWrites.foreignCode(db) {
                    throw ReplicaFailure.damaged(path: path, reason: "it holds a \(foreign), which is not Fichero's")
                }
                // SQLite falls back to read-only if writing is not permitted. That is better
                // reported now than in the middle of a run.
                guard unsafe sqlite3_db_readonly(db.sqliteConnection, "main") == 0 else {
                    throw ReplicaFailure.readOnly(path: path)
                }
            }
        }
        return queue
    }

    /// Checked before SQLite opens the file. SQLite would create the log's files beside it with the
    /// same missing permission, and they would remain after the permission is corrected.
    private static func refuseReadOnly(_ path: String) throws(ReplicaFailure) {
        for file in [path, path + "-wal", path + "-shm"] {
            guard unsafe access(file, F_OK) == 0, unsafe access(file, W_OK) != 0 else { continue }
            throw .readOnly(path: file)
        }
    }

    static func configuration(busyTimeout: Double) -> Configuration {
        var configuration = Configuration()
        configuration.label = "replica"
        configuration.foreignKeysEnabled = true
        let wait = BusyWait(seconds: busyTimeout)
        configuration.busyMode = busyTimeout > 0 ? .callback { wait.wait(attempts: $0) } : .immediateError
        // Arguments are people's data and must not appear in error messages.
        configuration.publicStatementArguments = false
        configuration.prepareDatabase { db in
            unsafe try SQLiteSetup.forbidForeignCode(db.sqliteConnection)
            unsafe SQLiteSetup.stopWhenAsked(db.sqliteConnection)
            // A registered export must be on disk before it counts as registered.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
            // An import may have more temporary rows than fit in memory. Changing this setting
            // later would drop the temporary triggers that record changes.
            try db.execute(sql: "PRAGMA temp_store = FILE")
            // In KiB: an import uses the pages of many indexes, and with SQLite's 2 MiB it would
            // write and read them repeatedly.
            try db.execute(sql: "PRAGMA cache_size = -16384")
        }
        return configuration
    }

    /// Starts the log chain under the replica's accepted pack; if the pack is a new release,
    /// accepts it.
    private static func watchLog(_ db: Database, _ pack: Pack, _ source: PackSource, path: String) throws {
        guard let ruling = try PinnedPack.current(db) else {
            throw ReplicaFailure.packChanged(path: path, pack: pack.name)
        }
        guard ruling.fingerprint != pack.ruling.whole else {
            return try LogChain.watch(db, pack: pack.ruling.whole, number: ruling.number)
        }
        guard ruling.isRelease(pack, from: source) else { throw ruling.refusal(of: pack, path: path) }
        try db.inTransaction(.immediate) {
            // Another run may have accepted the release meanwhile.
            if let latest = try PinnedPack.current(db), latest.fingerprint == pack.ruling.whole {
                try LogChain.watch(db, pack: pack.ruling.whole, number: latest.number)
            } else {
                _ = try ruling.take(pack, from: source, by: nil, path: path, db)
                try ReplicaKey.set(.packVersion, to: pack.version, db)
            }
            return .commit
        }
    }

    static func refuseNetworkDrive(_ path: String) throws(ReplicaFailure) {
        if let fileSystem = FileInspection.networkFileSystem(at: path) {
            throw .networkDrive(path: path, fileSystem: fileSystem)
        }
    }

    /// Runs a body that may fail in SQLite; translates its errors into failures of this replica.
    static func failures<T>(at path: String, _ body: () throws -> T) throws(ReplicaFailure) -> T {
        do {
            return try body()
        } catch let failure as ReplicaFailure {
            throw failure
        } catch let error as DatabaseError {
            throw ReplicaFailure(error, path: path)
        } catch {
            throw .internal(path: path, code: String(describing: type(of: error)))
        }
    }

    private static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            unsafe unlink(path + suffix)
        }
    }

    private static func systemError() -> String {
        unsafe String(cString: strerror(errno))
    }
}

extension Replica {
    /// The name of the pack that a replica uses, read before any pack is loaded.
    package static func packName(at path: String, waiting seconds: Double = 5) throws(ReplicaFailure) -> String {
        let queue = try openAnyPack(at: path, busyTimeout: seconds)
        return try failures(at: path) {
            try queue.read { db in try ReplicaKey.value(of: .packName, db) ?? "" }
        }
    }
}

/// Waits for another program's lock for the time that `--wait` sets. After one failed wait there
/// are no further waits, so a failing run ends at once. A signal ends the wait.
final class BusyWait: Sendable {
    private let patience: Duration
    /// Whether a wait has failed, after which there are no others.
    private let isOver = Atomic<Bool>(false)
    private let began = Mutex(ContinuousClock.now)

    init(seconds: Double) { patience = .milliseconds(Int(max(0, seconds) * 1000)) }

    /// Whether to retry the lock; SQLite calls this after each attempt, counted from 0.
    func wait(attempts: Int) -> Bool {
        let now = ContinuousClock.now
        let first = began.withLock { began in
            if attempts == 0 { began = now }
            return began
        }
        guard !isOver.load(ordering: .relaxed), !Interruption.isRequested else { return false }
        guard now - first < patience else {
            isOver.store(true, ordering: .relaxed)
            return false
        }
        // Short pauses at first, since most locks are short.
        usleep(UInt32(min(1 << min(attempts, 7), 100)) * 1000)
        return true
    }
}
