import Foundation
import GRDB
import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file that stores an import's rows until one transaction applies them. It is an SQLite file
/// in a private folder beside the replica.
///
/// If the source is identified by its digest, the file is named after the digest, so that the next
/// run resumes where a killed run stopped. Any other source has a file that is named after its
/// process, and deleted when the process ends.
struct StagingFile {
    let path: String
    /// Whether another process may resume the import from it.
    let isResumable: Bool

    /// Seconds after which an unfinished import is discarded if nobody resumes it.
    static let patience: TimeInterval = 7 * 86_400

    static func folder(ofReplica path: String) -> String { path + ".import" }

    /// - Parameters:
    ///   - key: hexadecimal digits that identify the source and how it is read; nil if the source
    ///     cannot be recognised by a later run.
    ///   - state: the state of the replica's content; a run resumes only in that state.
    init(replica: String, key: String?, state: String? = nil) throws(ReplicaFailure) {
        let folder = Self.folder(ofReplica: replica)
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder) }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0 else { throw Self.failure(folder) }
        // With a link, or a folder that another user owns, other users could read the rows.
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), unsafe chmod(folder, 0o700) == 0 else {
            throw .cannotCreate(path: folder, reason: "not a private folder")
        }
        isResumable = key != nil
        path =
            folder + "/"
            + (key.map { $0.prefix(32) + (state.map { "_" + $0 } ?? "") } ?? "\(getpid())-\(UUID().uuidString)") + ".db"
        Self.removeForgotten(in: folder, but: path)
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        Glibc.close(descriptor)
    }

    /// Creates the same file anew after it was removed.
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

    /// Opens the file. A file that belongs to another source, or is damaged, is created anew.
    func open(identity: String) throws -> DatabaseQueue {
        if let queue = try? connect() {
            let found = try? queue.read {
                try String.fetchOne($0, sql: "SELECT value FROM journal WHERE key = 'identity'")
            }
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
            // Only affects a file that this connection creates: rows are written once and read
            // sequentially, so larger pages need fewer calls.
            try db.execute(sql: "PRAGMA page_size = 32768")
            try db.execute(sql: "PRAGMA journal_mode = TRUNCATE")
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "PRAGMA cache_size = -8192")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Deletes the file, and the folder if it is empty.
    func remove() {
        for suffix in ["", "-journal"] { unsafe unlink(path + suffix) }
        unsafe rmdir((path as NSString).deletingLastPathComponent)
    }

    /// Deletes the files of dead processes that nobody can or will resume.
    ///
    /// - Parameter state: the state of the replica's content; rows that were staged in another
    ///   state are useless.
    static func removeForgotten(in folder: String, but path: String? = nil, state: String? = nil) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let file = folder + "/" + name
            // A journal without its file is useless.
            if name.hasSuffix(".db-journal"),
                !FileManager.default.fileExists(atPath: String(file.dropLast("-journal".count)))
            {
                unsafe unlink(file)
            }
            guard name.hasSuffix(".db"), file != path else { continue }
            let process = name.split(separator: "-").first.flatMap { Int($0) }
            let isForgotten: Bool
            if name.contains("-"), let process {
                isForgotten = !RunProcess.isAlive(process)
            } else {
                let changed = (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
                let own = name.dropLast(".db".count).split(separator: "_").dropFirst().first
                isForgotten =
                    (state != nil && own != nil && own.map(String.init) != state)
                    || changed.map { $0.timeIntervalSinceNow < -patience } ?? false
            }
            guard isForgotten else { continue }
            for suffix in ["", "-journal"] { unsafe unlink(file + suffix) }
        }
    }
}
