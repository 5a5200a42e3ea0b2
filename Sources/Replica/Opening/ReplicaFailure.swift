import CSQLiteSetup
internal import Databases
internal import GRDB
import GRDBSQLite
package import Model
import Synchronization

/// Reason why a replica cannot be used. Messages never quote SQL values; the only detail is
/// SQLite's result code.
package typealias ReplicaFailure = DeclaredFailure<Replica>

extension ReplicaFailure {
    package static func missing(path: String) -> Self { Self("REPLICA-MISSING", .noInput, file: path) }
    package static func exists(path: String) -> Self { Self("REPLICA-EXISTS", .cannotCreateOutput, file: path) }
    package static func cannotCreate(path: String, reason: String) -> Self {
        Self("REPLICA-CANNOT-CREATE", .cannotCreateOutput, file: path, ["reason": reason])
    }
    /// The file is not an SQLite database or is truncated, or SQLite finds its pages malformed.
    package static func damaged(path: String, reason: String) -> Self {
        Self("REPLICA-DAMAGED", .badInput, file: path, ["reason": reason])
    }
    var isDamage: Bool { code == "REPLICA-DAMAGED" }
    /// A valid SQLite database that Fichero did not create.
    package static func foreign(path: String) -> Self { Self("REPLICA-FOREIGN", .badInput, file: path) }
    package static func newer(path: String, found: Int, known: Int) -> Self {
        Self("REPLICA-NEWER", .badConfiguration, file: path, ["found": found, "known": known])
    }
    package static func otherPack(path: String, found: String, expected: String) -> Self {
        Self("REPLICA-OTHER-PACK", .badConfiguration, file: path, ["found": found, "expected": expected])
    }
    /// The pack needs tables, columns or indexes that the replica does not have yet.
    package static func packChanged(path: String, pack: String) -> Self {
        Self("REPLICA-PACK-CHANGED", .badConfiguration, file: path, ["pack": pack])
    }
    /// A newer version of the pack has already updated the replica.
    package static func packOlder(path: String, pack: String, found: String, version: String) -> Self {
        Self("REPLICA-PACK-OLDER", .badConfiguration, file: path, ["pack": pack, "found": found, "version": version])
    }
    /// The pack's content differs from the accepted one, and no administrator accepted it.
    package static func packRefused(path: String, pack: String, pinned: String, found: String, roles: String) -> Self {
        Self(
            "REPLICA-PACK-REFUSED", .notPermitted, file: path,
            ["pack": pack, "pinned": pinned, "found": found, "roles": roles])
    }
    /// The migration would have to change existing data, as listed; nothing was changed.
    package static func migration(path: String, obstacles: [String]) -> Self {
        Self("REPLICA-MIGRATION", .badConfiguration, file: path, ["obstacles": obstacles.joined(separator: "; ")])
    }
    package static func networkDrive(path: String, fileSystem: String) -> Self {
        Self("REPLICA-NETWORK", .badConfiguration, file: path, ["fileSystem": fileSystem])
    }
    package static func busy(path: String) -> Self { Self("REPLICA-BUSY", .busy, file: path) }
    package static func readOnly(path: String) -> Self { Self("REPLICA-READ-ONLY", .inputOutput, file: path) }
    package static func full(path: String) -> Self { Self("REPLICA-FULL", .inputOutput, file: path) }
    /// The disk of the folder for temporary files is full.
    package static func temporaryFull(path: String) -> Self { Self("REPLICA-TEMPORARY-FULL", .inputOutput, file: path) }
    package static func inputOutput(path: String, code: String) -> Self {
        Self("REPLICA-IO", .inputOutput, file: path, ["code": code])
    }
    package static func `internal`(path: String, code: String) -> Self {
        Self("REPLICA-INTERNAL", .internalError, file: path, ["code": code])
    }
    var isInternal: Bool { code == "REPLICA-INTERNAL" }
    /// Whether SQLite reported this result code.
    func reports(_ result: CInt) -> Bool { arguments["code"]?.hasPrefix("SQLite \(result):") == true }
}

extension ReplicaFailure {
    /// Translates SQLite's errors into failures of the replica; returns other errors unchanged.
    static func translated(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return ReplicaFailure(error, path: path)
    }

    static var malformed: String { "database disk image is malformed" }

    init(_ error: DatabaseError, path: String) {
        // The description of a result code is SQLite's fixed text, without names or values.
        let code = "SQLite \(error.extendedResultCode.rawValue): \(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .damaged(path: path, reason: "file is not a database")
        case .SQLITE_CORRUPT: self = .damaged(path: path, reason: Self.malformed)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_FULL: self = FullDisk().failure(ofReplica: path)
        // On an almost full disk the last bytes are too few for the index of the write-ahead log.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            self = FullDisk().failure(ofReplica: path)
        // SQLite takes a transaction back by itself after a fault of the disk; GRDB then knows only that it is gone.
        case .SQLITE_ABORT: self = .inputOutput(path: path, code: code)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOLFS, .SQLITE_AUTH, .SQLITE_PROTOCOL:
            self = .inputOutput(path: path, code: code)
        default: self = .internal(path: path, code: code)
        }
    }
}

/// Settings of SQLite that this process makes once, before its first use of SQLite. Later changes
/// have no effect.
enum SQLiteSetup {
    /// Whether SQLite accepted the settings. The first read applies them.
    static let isDone: Bool = {
        let bytes = bound.load(ordering: .relaxed)
        // Without a limit, memory need not be counted.
        guard bytes > 0 else { return csqlite_without_memory_counts() == SQLITE_OK }
        return sqlite3_hard_heap_limit64(bytes) >= 0
    }()
    /// Number of bytes that SQLite may use; 0: no limit.
    private static let bound = Atomic<Int64>(0)

    static func boundMemory(to bytes: Int64) { bound.store(bytes, ordering: .relaxed) }

    /// Ends statements when a signal stops the process. SQLite checks this several hundred times a
    /// second, at no measurable cost.
    static func stopWhenAsked(_ connection: OpaquePointer?) {
        unsafe sqlite3_progress_handler(connection, 20_000, { _ in Interruption.isRequested ? 1 : 0 }, nil)
    }

    /// Files with another program's triggers and views are refused when opened. This setting
    /// prevents SQLite from running triggers and views that are added later.
    static func forbidForeignCode(_ connection: OpaquePointer?) throws {
        guard unsafe csqlite_without_foreign_code(connection) == SQLITE_OK else {
            throw ReplicaFailure.internal(path: "", code: "SQLITE_DBCONFIG")
        }
    }
}

extension PreparedStatement {
    /// Prepares a statement on one of GRDB's connections, whose arguments are bound without GRDB's
    /// value types. The statement must only be used within one transaction of the connection.
    convenience init(_ db: Database, _ sql: String) throws {
        var statement: OpaquePointer?
        guard let connection = unsafe db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "closed")
        }
        // The error contains no message, since SQLite's messages may quote names of triggers or
        // parts of SQL; the code suffices.
        let failure = { (_: CInt) in
            unsafe DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)))
        }
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let prepared = unsafe statement else { throw failure(code) }
        unsafe self.init(prepared, failure: failure)
    }
}
