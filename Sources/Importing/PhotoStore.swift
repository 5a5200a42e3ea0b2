import Foundation

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
        let sha256 = try FileDigest.sha256(ofFile: photo.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: photo.path)
        let ending = URL(fileURLWithPath: photo.name).pathExtension.lowercased()
        let file = sha256 + (ending.isEmpty ? "" : "." + ending)
        return Place(relativePath: "\(name)/\(sha256.prefix(2))/\(file)", sha256: sha256, bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0)
    }

    /// Copies a photo in: beside its final name, flushed, then renamed. One that is there already is left as it is.
    package func keep(_ photo: SourcePhoto) throws -> Place {
        let place = try place(of: photo)
        let final = URL(fileURLWithPath: root + "/" + place.relativePath)
        guard !FileManager.default.fileExists(atPath: final.path) else { return place }
        do {
            try FileManager.default.createDirectory(at: final.deletingLastPathComponent(), withIntermediateDirectories: true)
            let temporary = final.deletingLastPathComponent().appendingPathComponent("." + final.lastPathComponent + ".partial")
            try? FileManager.default.removeItem(at: temporary)
            try FileManager.default.copyItem(atPath: photo.path, toPath: temporary.path)
            let handle = try FileHandle(forUpdating: temporary)
            try handle.synchronize()
            try handle.close()
            try FileManager.default.moveItem(at: temporary, to: final)
        } catch {
            throw ImportFailure.photoStore(path: final.deletingLastPathComponent().path)
        }
        return place
    }
}
