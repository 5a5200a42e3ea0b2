import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps the photos that come in, in a folder beside the replica, named by their content: the same photo is kept once, nothing is ever
/// replaced, and the package that it came in can be thrown away.
package struct PhotoStore: Sendable {
    /// Where a photo lies (relative to the replica's folder) and what it is.
    package struct Place: Sendable, Hashable {
        package var relativePath: String
        package var sha256: String
        package var bytes: Int64
    }

    private let root: String
    private let name: String

    package init(beside replica: String) {
        let url = URL(fileURLWithPath: replica)
        root = url.deletingLastPathComponent().path
        name = url.lastPathComponent + ".files"
    }

    /// Where a photo would lie; nothing is written.
    package func place(of photo: SourcePhoto) throws -> Place {
        let content = try FileDigest.sha256(of: try photo.open())
        return place(photo, sha256: content.sha256, bytes: content.bytes)
    }

    /// The file with this content (a SHA-256 in lowercase), if it was ever kept.
    func path(ofContent sha256: String) -> String? {
        guard sha256.utf8.count == 64, sha256.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) }) else { return nil }
        let folder = "\(root)/\(name)/\(sha256.prefix(2))"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().first { $0 == sha256 || $0.hasPrefix(sha256 + ".") }.map { folder + "/" + $0 }
    }

    func place(_ photo: SourcePhoto, sha256: String, bytes: Int64) -> Place {
        let ending = URL(fileURLWithPath: photo.name).pathExtension.lowercased()
        let file = sha256 + (ending.isEmpty ? "" : "." + ending)
        return Place(relativePath: "\(name)/\(sha256.prefix(2))/\(file)", sha256: sha256, bytes: bytes)
    }

    /// Takes away photos that no row names any more, by the paths that rows had; what is not in this store is left alone.
    package func forget(_ paths: [String]) {
        for path in paths where path.hasPrefix(name + "/") && !path.split(separator: "/").contains("..") {
            let file = URL(fileURLWithPath: root + "/" + path)
            try? FileManager.default.removeItem(at: file)
            unsafe rmdir(file.deletingLastPathComponent().path)
        }
    }

    /// Begins to bring photos in.
    package func intake() throws -> PhotoIntake { try PhotoIntake(folder: root + "/" + name, name: name) }
}
