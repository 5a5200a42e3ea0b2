import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Stores imported photos in a folder beside the replica, named by their content. The same photo is
/// stored once, nothing is ever replaced, and the imported package can be deleted.
package struct PhotoStore: Sendable {
    /// Path of a photo (relative to the replica's folder), with its checksum and size.
    package struct Place: Sendable, Hashable {
        package var relativePath: String
        package var sha256: String
        package var bytes: Int64
    }

    private let root: String
    private let name: String
    /// Name of the store's folder, which is beside the replica.
    package var folderName: String { name }
    /// The folder of the photos.
    var folder: String { root + "/" + name }

    package init(beside replica: String) {
        let url = URL(fileURLWithPath: replica)
        root = url.deletingLastPathComponent().path
        name = url.lastPathComponent + ".files"
    }

    /// The place that a photo would get; nothing is written.
    package func place(of photo: SourcePhoto) throws -> Place {
        let content = try FileDigest.sha256(of: try photo.open())
        return place(photo, sha256: content.sha256, bytes: content.bytes)
    }

    /// The file with this content (a SHA-256 in lower case), if it was ever stored.
    func path(ofContent sha256: String) -> String? {
        guard sha256.utf8.count == 64, sha256.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) })
        else { return nil }
        let folder = "\(root)/\(name)/\(sha256.prefix(2))"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().first { $0 == sha256 || $0.hasPrefix(sha256 + ".") }.map { folder + "/" + $0 }
    }

    func place(_ photo: SourcePhoto, sha256: String, bytes: Int64) -> Place {
        place(ofFile: photo.name, sha256: sha256, bytes: bytes)
    }

    /// The place of a file with this name and content.
    package func place(ofFile given: String, sha256: String, bytes: Int64) -> Place {
        let ending = URL(fileURLWithPath: given).pathExtension.lowercased()
        let file = sha256 + (ending.isEmpty ? "" : "." + ending)
        return Place(relativePath: "\(name)/\(sha256.prefix(2))/\(file)", sha256: sha256, bytes: bytes)
    }

    /// Removes photos, by the paths that rows had, to which no row refers any more. Ignores paths
    /// outside this store.
    ///
    /// - Returns: whether all of them are gone.
    package func forget(_ paths: [String]) -> Bool {
        var areGone = true
        for path in paths where path.hasPrefix(name + "/") && !path.split(separator: "/").contains("..") {
            let file = URL(fileURLWithPath: root + "/" + path)
            if unsafe unlink(file.path) != 0, errno != ENOENT { areGone = false }
            unsafe rmdir(file.deletingLastPathComponent().path)
        }
        return areGone
    }

    /// Removes leftovers of an interrupted intake. The caller must hold the replica's lock.
    package func removeDrafts() {
        try? FileManager.default.removeItem(atPath: folder + "/" + PhotoIntake.drafts)
        unsafe rmdir(folder)
    }

    /// Whether a run ended while photos were being added or removed.
    package var hasLeftovers: Bool {
        pending.exists || FileManager.default.fileExists(atPath: folder + "/" + PhotoIntake.drafts)
    }

    package var pending: PendingPhotos { PendingPhotos(self) }

    /// Begins to add photos.
    ///
    /// - Parameter importsBefore: the number of imports in the replica so far.
    package func intake(importsBefore: Int) throws -> PhotoIntake {
        try PhotoIntake(folder: folder, name: name) { [pending] in
            try pending.note($0, .arriving(importsBefore: importsBefore))
        }
    }
}
