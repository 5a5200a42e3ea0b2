import CSQLiteSetup
internal import Databases
internal import GRDB
import GRDBSQLite
package import Model
import Synchronization

/// Reason why a replica cannot be used. Messages never quote SQL values; the only detail is
/// SQLite's result code.
package enum ReplicaFailure: Failure, Equatable {
    case missing(path: String)
    case exists(path: String)
    case cannotCreate(path: String, reason: String)
    /// The file is not an SQLite database or is truncated, or SQLite finds its pages malformed.
    case damaged(path: String, reason: String)
    /// A valid SQLite database that Fichero did not create.
    case foreign(path: String)
    case newer(path: String, found: Int, known: Int)
    case otherPack(path: String, found: String, expected: String)
    /// The pack needs tables, columns or indexes that the replica does not have yet.
    case packChanged(path: String, pack: String)
    /// A newer version of the pack has already updated the replica.
    case packOlder(path: String, pack: String, found: String, version: String)
    /// The pack's content differs from the accepted one, and no administrator accepted it.
    case packRefused(path: String, pack: String, pinned: String, found: String, roles: String)
    /// The migration would have to change existing data, as listed; nothing was changed.
    case migration(path: String, obstacles: [String])
    case networkDrive(path: String, fileSystem: String)
    case busy(path: String)
    case readOnly(path: String)
    case full(path: String)
    /// The disk of the folder for temporary files is full.
    case temporaryFull(path: String)
    case inputOutput(path: String, code: String)
    case `internal`(path: String, code: String)

    package var code: String {
        switch self {
        case .missing: "REPLICA-MISSING"
        case .exists: "REPLICA-EXISTS"
        case .cannotCreate: "REPLICA-CANNOT-CREATE"
        case .damaged: "REPLICA-DAMAGED"
        case .foreign: "REPLICA-FOREIGN"
        case .newer: "REPLICA-NEWER"
        case .otherPack: "REPLICA-OTHER-PACK"
        case .packChanged: "REPLICA-PACK-CHANGED"
        case .packOlder: "REPLICA-PACK-OLDER"
        case .packRefused: "REPLICA-PACK-REFUSED"
        case .migration: "REPLICA-MIGRATION"
        case .networkDrive: "REPLICA-NETWORK"
        case .busy: "REPLICA-BUSY"
        case .readOnly: "REPLICA-READ-ONLY"
        case .full: "REPLICA-FULL"
        case .temporaryFull: "REPLICA-TEMPORARY-FULL"
        case .inputOutput: "REPLICA-IO"
        case .internal: "REPLICA-INTERNAL"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .missing: .noInput
        case .exists, .cannotCreate: .cannotCreateOutput
        case .damaged, .foreign: .badInput
        case .newer, .otherPack, .packChanged, .packOlder, .migration, .networkDrive: .badConfiguration
        case .packRefused: .notPermitted
        case .busy: .busy
        case .readOnly, .full, .temporaryFull, .inputOutput: .inputOutput
        case .internal: .internalError
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .missing(let path), .exists(let path), .foreign(let path), .busy(let path), .readOnly(let path),
            .full(let path),
            .temporaryFull(let path):
            ["path": path]
        case .cannotCreate(let path, let reason), .damaged(let path, let reason): ["path": path, "reason": reason]
        case .newer(let path, let found, let known): ["path": path, "found": String(found), "known": String(known)]
        case .otherPack(let path, let found, let expected): ["path": path, "found": found, "expected": expected]
        case .packChanged(let path, let pack): ["path": path, "pack": pack]
        case .packOlder(let path, let pack, let found, let version):
            ["path": path, "pack": pack, "found": found, "version": version]
        case .packRefused(let path, let pack, let pinned, let found, let roles):
            ["path": path, "pack": pack, "pinned": pinned, "found": found, "roles": roles]
        case .migration(let path, let obstacles): ["path": path, "obstacles": obstacles.joined(separator: "; ")]
        case .networkDrive(let path, let fileSystem): ["path": path, "fileSystem": fileSystem]
        case .inputOutput(let path, let code), .internal(let path, let code): ["path": path, "code": code]
        }
    }

    package var place: Place? {
        switch self {
        case .missing(let path), .exists(let path), .foreign(let path), .busy(let path), .readOnly(let path),
            .full(let path), .temporaryFull(let path),
            .cannotCreate(let path, _), .damaged(let path, _), .newer(let path, _, _), .otherPack(let path, _, _),
            .packChanged(let path, _), .packOlder(let path, _, _, _), .packRefused(let path, _, _, _, _),
            .migration(let path, _), .networkDrive(let path, _), .inputOutput(let path, _),
            .internal(let path, _):
            Place(file: path)
        }
    }
}

extension ReplicaFailure {
    /// Translates SQLite's errors into failures of the replica; returns other errors unchanged.
    static func translated(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return ReplicaFailure(error, path: path)
    }

    static let malformed = "database disk image is malformed"

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
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOLFS, .SQLITE_AUTH, .SQLITE_PROTOCOL:
            self = .inputOutput(path: path, code: code)
        default: self = .internal(path: path, code: code)
        }
    }
}

/// Settings of SQLite that this process makes once, before its first use of SQLite. Later changes
/// have no effect.
enum SQLiteSetup {
    /// Whether SQLite accepted the settings; reading this makes them.
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
