import Foundation
import Importing
import Model
import OutputFiles
import Replica

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What processes that were killed left beside a replica, among temporary files and of files that grew. (Documents that have their names, the
/// journal of runs knows; staged rows wait for the same import to go on.)
struct Leftovers {
    let replicaPath: String

    /// Takes all of it away and settles photos, for whoever holds the replica's lock.
    func remove(_ replica: Replica) throws {
        let store = PhotoStore(beside: replicaPath)
        try store.unsettled.settle(imports: replica.importCount, unnamed: replica.unnamedPhotos)
        store.removeDrafts()
        replica.removeForgottenStaging()
        for path in files { try? FileManager.default.removeItem(atPath: path) }
        GrowingFiles.removeForgotten(besideReplica: replicaPath)
        PrivateFolder.removeForgotten()
        for path in Self.unnamed { unsafe unlink(path) }
    }

    /// Of all this, what `doctor` tells of.
    var found: [String] {
        let photos = PhotoStore(beside: replicaPath).hasLeftovers ? [replicaPath + ".files"] : []
        return files + photos + GrowingFiles.forgotten(besideReplica: replicaPath) + PrivateFolder.forgotten()
    }

    /// SQLite takes the name away from a temporary file as soon as it is open. Whoever is killed between the two leaves an empty one; taking
    /// the name away for somebody who is about to do so harms nobody.
    private static var unnamed: [String] {
        let variables = ProcessInfo.processInfo.environment
        // In the order in which SQLite takes them.
        let folder = variables["SQLITE_TMPDIR"] ?? variables["TMPDIR"] ?? "/var/tmp"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("etilqs_") }.map { folder + "/" + $0 }.filter { path in
            var status = stat()
            return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0 && status.st_uid == geteuid()
        }
    }

    private var files: [String] {
        let file = URL(fileURLWithPath: replicaPath)
        return Trial.leftovers(of: replicaPath)
            + Self.ofDeadProcesses(in: file.deletingLastPathComponent(), prefix: file.lastPathComponent + ".new-")
    }

    /// Files and folders whose names begin so, followed by the number of a process that is gone.
    static func ofDeadProcesses(in folder: URL, prefix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in
            let process = name.hasPrefix(prefix) ? name.dropFirst(prefix.count).prefix { $0.isNumber } : ""
            return !process.isEmpty && !FileManager.default.fileExists(atPath: "/proc/\(process)")
        }.sorted().map { folder.appendingPathComponent($0).path }
    }
}
