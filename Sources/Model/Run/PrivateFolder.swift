package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of this process alone, below the temporary directory; it goes with the object.
///
/// A process that is killed leaves its folder behind: whoever makes the next one removes those whose process is gone and that nobody has
/// touched for an hour. (Containers may share the directory and not know each other's processes.)
package final class PrivateFolder: Sendable {
    package let url: URL

    /// How long a folder of a process that is gone is left, in seconds.
    private static let patience: TimeInterval = 3600
    private static let prefix = "fichero-"

    /// - Parameter directory: in which it is made.
    package init(in directory: URL = FileManager.default.temporaryDirectory) throws {
        Self.removeForgotten(in: directory)
        url = directory.appendingPathComponent("\(Self.prefix)\(getpid())-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static func removeForgotten(in directory: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
            guard parts.count == 2, UUID(uuidString: String(parts[1])) != nil, let process = pid_t(parts[0]), process > 0, !isAlive(process) else { continue }
            let folder = directory.appendingPathComponent(name)
            var status = stat()
            // Neither a link nor somebody else's.
            guard unsafe lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > patience
            else { continue }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    private static func isAlive(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}
