import Foundation
package import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The identity, size and modification times of a source before it is read: of a file, or of each
/// file in a folder. As long as these do not change, the digest describes the data that is read.
package struct SourceStamp: Equatable {
    private struct File: Equatable {
        var path: String
        var device: UInt64
        var number: UInt64
        var size: Int64
        /// Modification time of the content and change time of the file's entry, which no program
        /// can set back: seconds and nanoseconds.
        var changes: [Int]
    }

    private let files: [File]

    /// - Parameter own: files that do not belong to the source.
    package init(_ path: String, leavingOut own: ReplicaFiles) {
        var isDirectory: ObjCBool = false
        var paths = [path]
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            // A link to a folder would list nothing, so it is resolved first.
            let (root, isOwn) = (URL(fileURLWithPath: path).resolvingSymlinksInPath().path, own.filter(below: path))
            paths += ((try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []).filter { !isOwn($0) }.sorted()
                .map { root + "/" + $0 }
        }
        files = paths.compactMap { path in
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return File(
                path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
                changes: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
    }

    /// A text form that is the same for the same files, so that a later run recognises them.
    package var text: String {
        files.map { "\($0.path) \($0.device) \($0.number) \($0.size) \($0.changes)" }.joined(separator: "\n")
    }
}
