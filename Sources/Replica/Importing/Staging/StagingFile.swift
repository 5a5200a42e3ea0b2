import Foundation
import GRDB
import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the rows of an import lie between their reading and the one transaction that applies them: an SQLite file in a folder beside
/// the replica that nobody else may enter.
///
/// A source that can be known again (by its digest) has a file of that name, so that the next run goes on where a killed one stopped;
/// any other has one of its process, which goes with it.
struct StagingFile {
    let path: String
    /// Whether another process may go on with it.
    let isResumable: Bool

    /// How long an unfinished import that nobody goes on with is kept, in seconds.
    static let patience: TimeInterval = 7 * 86_400

    static func folder(ofReplica path: String) -> String { path + ".import" }

    /// - Parameters:
    ///   - key: hexadecimal digits that stand for the source and for how it is read; nil: it cannot be known again.
    ///   - state: of the replica's content, in which alone it can be gone on with.
    init(replica: String, key: String?, state: String? = nil) throws(ReplicaFailure) {
        let folder = Self.folder(ofReplica: replica)
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder) }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0 else { throw Self.failure(folder) }
        // A link, or a folder of somebody else, would show the rows to others.
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), unsafe chmod(folder, 0o700) == 0 else {
            throw .cannotCreate(path: folder, reason: "not a private folder")
        }
        isResumable = key != nil
        path = folder + "/" + (key.map { $0.prefix(32) + (state.map { "_" + $0 } ?? "") } ?? "\(getpid())-\(UUID().uuidString)") + ".db"
        Self.removeForgotten(in: folder, but: path)
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        Glibc.close(descriptor)
    }

    /// The same file anew, after it was removed.
    init(reopening file: StagingFile) throws(ReplicaFailure) {
        path = file.path
        isResumable = file.isResumable
        let folder = (path as NSString).deletingLastPathComponent
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder) }
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        Glibc.close(descriptor)
    }

    private static func failure(_ path: String) -> ReplicaFailure {
        switch errno {
        case ENOSPC, EDQUOT: .full(path: path)
        case EROFS: .readOnly(path: path)
        default: .cannotCreate(path: path, reason: unsafe String(cString: strerror(errno)))
        }
    }

    /// A file that belongs to another source, or is damaged, is begun anew.
    func open(identity: String) throws -> DatabaseQueue {
        if let queue = try? connect() {
            let found = try? queue.read { try String.fetchOne($0, sql: "SELECT value FROM journal WHERE key = 'identity'") }
            if found == identity { return queue }
            try queue.close()
        }
        remove()
        return try StagingFile(reopening: self).connect()
    }

    private func connect() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "staging"
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.publicStatementArguments = false
        configuration.prepareDatabase { db in
            unsafe SQLiteSetup.stopWhenAsked(db.sqliteConnection)
            // Of a file that is made here: rows are written once and read from end to end, by fewer and longer calls.
            try db.execute(sql: "PRAGMA page_size = 32768")
            try db.execute(sql: "PRAGMA journal_mode = TRUNCATE")
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "PRAGMA cache_size = -8192")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Takes the file away, and the folder when it is empty.
    func remove() {
        for suffix in ["", "-journal"] { unsafe unlink(path + suffix) }
        unsafe rmdir((path as NSString).deletingLastPathComponent)
    }

    /// What processes that are gone left, where nobody can or will go on with it.
    ///
    /// - Parameter state: of the replica's content; rows that were staged in another are of no use.
    static func removeForgotten(in folder: String, but path: String? = nil, state: String? = nil) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let file = folder + "/" + name
            // A journal whose file is gone is of no use to anybody.
            if name.hasSuffix(".db-journal"), !FileManager.default.fileExists(atPath: String(file.dropLast("-journal".count))) { unsafe unlink(file) }
            guard name.hasSuffix(".db"), file != path else { continue }
            let process = name.split(separator: "-").first.flatMap { Int($0) }
            let isForgotten: Bool
            if name.contains("-"), let process {
                isForgotten = !RunProcess.isAlive(process)
            } else {
                let changed = (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
                let own = name.dropLast(".db".count).split(separator: "_").dropFirst().first
                isForgotten = (state != nil && own != nil && own.map(String.init) != state) || changed.map { $0.timeIntervalSinceNow < -patience } ?? false
            }
            guard isForgotten else { continue }
            for suffix in ["", "-journal"] { unsafe unlink(file + suffix) }
        }
    }
}
