import Foundation
import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Determines which disk is full when SQLite reports a full disk: the replica's disk, or the disk
/// of the folder for large sorts and temporary tables.
struct FullDisk {
    /// A disk, and its number of bytes that are free for this user.
    struct Space: Equatable {
        var device: UInt
        var free: UInt64
    }

    var temporaryFolder: String? = FullDisk.folder(ProcessInfo.processInfo.environment)
    var space: (_ path: String) -> Space? = FullDisk.space

    func failure(ofReplica path: String) -> ReplicaFailure {
        let folder = (path as NSString).deletingLastPathComponent
        // A pack is tried in a replica among the temporary files.
        if (path as NSString).pathComponents.contains(where: { $0.hasPrefix("fichero-trial-") }) {
            return .temporaryFull(path: FileManager.default.temporaryDirectory.path)
        }
        guard let temporaryFolder, let there = space(temporaryFolder), let here = space(folder.isEmpty ? "." : folder),
            here.device != there.device,
            there.free < here.free
        else { return .full(path: path) }
        return .temporaryFull(path: temporaryFolder)
    }

    /// The folder that SQLite uses: the first writable one of the folders below (SQLite, "Temporary
    /// Files Used By SQLite", section 5).
    static func folder(_ environment: [String: String]) -> String? {
        let named = [environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp", "."]
            .compactMap(\.self)
        return named.first { path in
            var isFolder = ObjCBool(false)
            guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                return false
            }
            return unsafe access(path, W_OK | X_OK) == 0
        }
    }

    private static func space(_ path: String) -> Space? {
        var (disk, status) = (statvfs(), stat())
        guard unsafe statvfs(path, &disk) == 0, unsafe stat(path, &status) == 0 else { return nil }
        return Space(device: UInt(status.st_dev), free: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
    }
}
