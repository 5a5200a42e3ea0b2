import Foundation
import Glibc
import Model
import OutputFiles
import Recording
import Remotes

/// The tokens of one person's session with a central database, in a file beside the replica that
/// only its owner can read; it may hold those of others, too. A token that the environment gives is
/// used instead, and not kept.
struct SessionFile: TokenKeeper {
    private let path: String
    private let url: String
    private let email: String
    private let given: AccessTokens?
    private let wait: Int

    /// - Parameters:
    ///   - token: an access token of the environment.
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
        // Somebody else's file, or one that others can read, is not trusted.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_size < 1 << 20 else { return [] }
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
        let lock = try RunLock.acquire(path: RunLock.path(forReplica: path), wait: wait, since: Timestamp.format(Date()))
        return try withExtendedLifetime(lock) { try body() }
    }
}
