import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the file system says of a source before it is read: of a file, or of each file in a folder, which one it is, its size and when it
/// was changed. While these stay the same, what is read is what its digest says.
package struct SourceStamp: Equatable {
    private struct File: Equatable {
        var path: String
        var device: UInt64
        var number: UInt64
        var size: Int64
        /// Of content and of the file's own entry, which no program can set back: seconds and nanoseconds.
        var changes: [Int]
    }

    private let files: [File]

    /// - Parameter own: files that are no part of the source.
    package init(_ path: String, leavingOut own: ReplicaFiles) {
        var isDirectory: ObjCBool = false
        var paths = [path]
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            // Of a link to a folder nothing would be listed.
            let (root, isOwn) = (URL(fileURLWithPath: path).resolvingSymlinksInPath().path, own.filter(below: path))
            paths += ((try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []).filter { !isOwn($0) }.sorted().map { root + "/" + $0 }
        }
        files = paths.compactMap { path in
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return File(
                path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
                changes: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
    }

    /// The same for the same files, by which a later run knows them.
    package var text: String {
        files.map { "\($0.path) \($0.device) \($0.number) \($0.size) \($0.changes)" }.joined(separator: "\n")
    }
}
