import Foundation
import Importing
import Model
import OutputFiles
package import Replica

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that killed processes left beside a replica: temporary and growing files. (Documents under
/// their final names are in the journal of runs; staged rows stay until the same import is
/// resumed.)
package struct Leftovers {
    package let replicaPath: String

    package init(replicaPath: String) { self.replicaPath = replicaPath }

    /// Removes all leftovers and cleans up photos; the caller must hold the replica's lock.
    package func remove(_ replica: Replica) throws {
        let store = PhotoStore(beside: replicaPath)
        try store.pending.resolve(imports: replica.importCount, unnamed: replica.unnamedPhotos)
        store.removeDrafts()
        replica.removeForgottenStaging()
        for path in files { try? FileManager.default.removeItem(atPath: path) }
        UnfinishedFiles.removeForgotten(besideReplica: replicaPath)
        PrivateFolder.removeForgotten()
        for path in Self.unnamed { unsafe unlink(path) }
    }

    /// The leftovers that `doctor` reports.
    package var found: [String] {
        let photos = PhotoStore(beside: replicaPath).hasLeftovers ? [replicaPath + ".files"] : []
        return files + photos + UnfinishedFiles.forgotten(besideReplica: replicaPath) + PrivateFolder.forgotten()
    }

    /// SQLite's temporary files that are still linked. SQLite unlinks such a file directly after
    /// opening it; a process killed in between leaves an empty file. Unlinking the file of a living
    /// process does no harm.
    private static var unnamed: [String] {
        let variables = ProcessInfo.processInfo.environment
        // The variables in the order in which SQLite reads them.
        let folder = variables["SQLITE_TMPDIR"] ?? variables["TMPDIR"] ?? "/var/tmp"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("etilqs_") }.map { folder + "/" + $0 }.filter { path in
            var status = stat()
            return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
                && status.st_uid == geteuid()
        }
    }

    private var files: [String] {
        let file = URL(fileURLWithPath: replicaPath)
        return TrialCopy.leftovers(of: replicaPath)
            + Self.ofDeadProcesses(in: file.deletingLastPathComponent(), prefix: file.lastPathComponent + ".new-")
    }

    /// Files and folders with this prefix, followed by the number of a dead process.
    static func ofDeadProcesses(in folder: URL, prefix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in
            let process = name.hasPrefix(prefix) ? name.dropFirst(prefix.count).prefix { $0.isNumber } : ""
            return !process.isEmpty && !FileManager.default.fileExists(atPath: "/proc/\(process)")
        }.sorted().map { folder.appendingPathComponent($0).path }
    }
}
