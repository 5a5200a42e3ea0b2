package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of this process alone, below the temporary directory; deleted with this object.
///
/// A killed process leaves its folder behind. A folder in use is locked, and the kernel releases
/// the lock however the process ends. The next process that makes a folder, or begins a run,
/// removes the folders without a lock.
package final class PrivateFolder: Sendable {
    package let url: URL
    private let descriptor: Int32

    private static let prefix = "fichero-"

    /// - Parameter directory: the parent directory of the folder.
    package init(in directory: URL = FileManager.default.temporaryDirectory) throws {
        Self.removeForgotten(in: directory)
        while true {
            let url = directory.appendingPathComponent("\(Self.prefix)\(getpid())-\(UUID().uuidString)")
            guard unsafe mkdir(url.path, 0o700) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            // Another process may have removed the folder before it was locked.
            guard let descriptor = Self.lock(url.path) else { continue }
            (self.url, self.descriptor) = (url, descriptor)
            return
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        close(descriptor)
    }

    /// Folders whose process has ended.
    package static func forgotten(in directory: URL = FileManager.default.temporaryDirectory) -> [String] {
        var paths: [String] = []
        forEachForgotten(in: directory) { paths.append($0) }
        return paths.sorted()
    }

    package static func removeForgotten(in directory: URL = FileManager.default.temporaryDirectory) {
        forEachForgotten(in: directory) { try? FileManager.default.removeItem(atPath: $0) }
    }

    private static func forEachForgotten(in directory: URL, _ body: (String) -> Void) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
            guard parts.count == 2, UUID(uuidString: String(parts[1])) != nil, pid_t(parts[0]) != nil else { continue }
            let path = directory.appendingPathComponent(name).path
            guard let descriptor = lock(path) else { continue }
            body(path)
            close(descriptor)
        }
    }

    /// Locks the folder, if it is a folder of this user, still exists, and has no lock. Links and
    /// other users' folders are never touched.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (held, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &held) == 0, held.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            unsafe lstat(path, &named) == 0, named.st_ino == held.st_ino, named.st_dev == held.st_dev
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
