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
        let content = try FileDigest.sha256(of: try photo.open())
        return place(photo, sha256: content.sha256, bytes: content.bytes)
    }

    private func place(_ photo: SourcePhoto, sha256: String, bytes: Int64) -> Place {
        let ending = URL(fileURLWithPath: photo.name).pathExtension.lowercased()
        let file = sha256 + (ending.isEmpty ? "" : "." + ending)
        return Place(relativePath: "\(name)/\(sha256.prefix(2))/\(file)", sha256: sha256, bytes: bytes)
    }

    /// Copies a photo in: written and summed in one pass under a name of its own, flushed, then renamed to its content's name. One that
    /// is there already is left as it is.
    package func keep(_ photo: SourcePhoto) throws -> Place {
        let source = try photo.open()
        let folder = URL(fileURLWithPath: root + "/" + name)
        // One import at a time holds the replica's lock: what a killed one left here is written over.
        let temporary = folder.appendingPathComponent(".incoming.partial")
        var handle: FileHandle?
        var isDone = false
        defer {
            if !isDone {
                try? handle?.close()
                try? FileManager.default.removeItem(at: temporary)
            }
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else { throw ImportFailure.photoStore(path: folder.path) }
            handle = try FileHandle(forWritingTo: temporary)
        } catch {
            throw ImportFailure.photoStore(path: folder.path)
        }
        let content = try FileDigest.sha256(of: source) { piece in
            do {
                try handle?.write(contentsOf: Data(piece))
            } catch {
                throw ImportFailure.photoStore(path: folder.path)
            }
        }
        let place = place(photo, sha256: content.sha256, bytes: content.bytes)
        let final = URL(fileURLWithPath: root + "/" + place.relativePath)
        guard !FileManager.default.fileExists(atPath: final.path) else { return place }
        do {
            try FileManager.default.createDirectory(at: final.deletingLastPathComponent(), withIntermediateDirectories: true)
            try handle?.synchronize()
            try handle?.close()
            handle = nil
            try FileManager.default.moveItem(at: temporary, to: final)
        } catch {
            throw ImportFailure.photoStore(path: final.deletingLastPathComponent().path)
        }
        isDone = true
        return place
    }
}
