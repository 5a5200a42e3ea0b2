import Foundation
import Glibc
import Model
import OutputFiles
package import Postgres
import Recording
import Remotes

/// With whom a replica syncs, and how.
package struct SyncSetting {
    /// The central database; nil if there is none.
    package var remote: RemoteAddress?
    /// The folders of an exchange by packages. A central database has precedence over them.
    package var packages: PackageFolders?
    /// The policy for files.
    package var files = FilePolicy()
    /// The kind of network that the person states, if the machine cannot detect it.
    package var network: String?
    /// An access token to the central database from outside; it is not stored.
    package var token: String?

    package init() {}
}

/// The folders of an exchange by packages.
package struct PackageFolders: Sendable, Hashable {
    package var send: String
    package var receive: String

    package init(send: String, receive: String) { (self.send, self.receive) = (send, receive) }
}

/// The address of a central database.
package enum RemoteAddress {
    case postgres(PostgresSettings)
    case supabase(url: String, key: String?, authority: String?)

    /// The address, formatted for display.
    package var text: String {
        switch self {
        case .postgres(let settings): settings.address
        case .supabase(let url, _, _): url
        }
    }

    /// Whether the central database stores files, and not only rows.
    var keepsFiles: Bool {
        if case .postgres = self { return false }
        return true
    }

    /// Whether requests stay on this machine.
    var isOfThisMachine: Bool {
        if case .supabase(let url, _, _) = self { return SupabaseSettings.isOfThisMachine(url) }
        return false
    }

    /// Connects to the central database as the person with this e-mail.
    ///
    /// - Parameter wait: seconds to wait for another process that renews the same session.
    func connect(_ session: WorkSession, email: String, wait: Int) throws -> any CentralDatabase {
        switch self {
        case .postgres(let settings): return try PostgresRemote(settings, pack: session.pack, email: email)
        case .supabase(let url, let key, let authority):
            guard let key else { throw SettingFailure.noRemoteKey }
            let keeper = SessionFile(
                replica: session.replicaPath, token: session.syncing.token, url: url, email: email, wait: wait)
            return try SupabaseRemote(
                SupabaseSettings(url: url, key: key, authority: authority), pack: session.pack, email: email,
                keeper: keeper
            ) {
                session.display.password(session.text("cli.sync.password", ["email": email, "address": url]))
            }
        }
    }
}

/// The tokens of one person's session with a central database, in a file beside the replica that
/// only its owner can read. The file may also contain other people's tokens. A token from the
/// environment is used instead, and is not stored.
struct SessionFile: TokenKeeper {
    private let path: String
    private let url: String
    private let email: String
    private let given: AccessTokens?
    private let wait: Int

    /// - Parameters:
    ///   - token: an access token from the environment; nil if there is none.
    ///   - wait: seconds to wait for another process that uses the file.
    init(replica: String, token: String?, url: String, email: String, wait: Int) {
        (path, self.url, self.email, self.wait) = (replica + ".session", url, email, wait)
        given = token.map { AccessTokens(url: url, email: email, access: $0, refresh: nil, expires: .distantFuture) }
    }

    func read() -> AccessTokens? {
        given ?? all().first { $0.url == url && $0.email == email }
    }

    private func all() -> [AccessTokens] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // A session file that belongs to another user, or that others can read, is not trusted.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
            status.st_size < 1 << 20
        else { return [] }
        guard let data = try? FileHandle(fileDescriptor: descriptor).readToEnd() else { return [] }
        return (try? JSONDecoder().decode([AccessTokens].self, from: data)) ?? []
    }

    func save(_ tokens: AccessTokens) throws {
        let temporary = TemporaryName.path(beside: path)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: path) }
        defer { close(descriptor) }
        let others = all().filter { $0.url != url || $0.email != email }
        let bytes = Array(try JSONEncoder().encode(others + [tokens]))
        let error = unsafe bytes.withUnsafeBytes { unsafe OpenFile.write($0, to: descriptor, at: 0) }
        guard error == nil, fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
            let number = error ?? errno
            unsafe unlink(temporary)
            throw OutputFailure.system(number, path: path)
        }
    }

    func exclusively<T>(_ body: () throws -> T) throws -> T {
        let lock = try RunLock.acquire(
            path: RunLock.path(forReplica: path), wait: wait, since: Timestamp.format(Date()))
        return try withExtendedLifetime(lock) { try body() }
    }
}
