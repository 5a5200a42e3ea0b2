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

    /// - Parameter replica: the file into which it is imported. It may lie in the folder, and what lies beside it (log, lock, staged rows, photos)
    ///   changes with the import itself.
    package init(_ path: String, into replica: String) {
        let own = URL(fileURLWithPath: replica).standardizedFileURL.path
        var isDirectory: ObjCBool = false
        var paths = [path]
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            paths += ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted().map { path + "/" + $0 }
        }
        files = paths.compactMap { path in
            let file = URL(fileURLWithPath: path).standardizedFileURL.path
            guard file != own, !file.hasPrefix(own + "-"), !file.hasPrefix(own + ".") else { return nil }
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return File(
                path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
                changes: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
    }
}
