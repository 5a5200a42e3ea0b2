import CLinuxCalls
import Digests
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Copies many photos into a store: each is read once, hashed on the way and written under a
/// temporary name. Only when a whole batch is on disk do the photos get their final names, so that
/// a file with a final name is always a complete photo.
///
/// Call `finish` before anything refers to the photos.
package final class PhotoIntake {
    /// Size of a batch that is flushed to disk together, in photos and in bytes.
    private static let batch = (photos: 1024, bytes: Int64(256 << 20))
    private static let pieceSize = 1 << 20

    private let folder: String
    private let name: String
    private let drafts: String
    /// Receives the paths of new photos, as rows will store them, before the photos get their final
    /// names.
    private let note: ([String]) throws -> Void
    /// The folder of photos that have no final name yet.
    static let drafts = ".partial"
    private var buffer = [UInt8](repeating: 0, count: pieceSize)
    /// Photos of the current batch: their temporary paths and their final ones.
    private var waiting: [(draft: String, final: String)] = []
    private var waitingBytes: Int64 = 0
    private var number = 0
    /// Existing subfolders, by the two digits of their name.
    private var subfolders: Set<String> = []

    init(folder: String, name: String, note: @escaping ([String]) throws -> Void) throws {
        self.folder = folder
        self.name = name
        self.note = note
        drafts = folder + "/" + Self.drafts
        do {
            // Removes temporary files of a killed run; the importing process holds the replica's
            // lock.
            try? FileManager.default.removeItem(atPath: drafts)
            // Photos show people and places: they are as private as the replica.
            try FileManager.default.createDirectory(
                atPath: drafts, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ImportFailure.photoStore(path: folder)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: drafts)
    }

    /// Copies one photo into the store. A photo that exists already is not changed.
    package func keep(_ photo: SourcePhoto) throws -> PhotoStore.Place {
        number += 1
        let draft = "\(drafts)/\(number)"
        let (sha256, bytes) = try copy(photo.open(), to: draft)
        let ending = URL(fileURLWithPath: photo.name).pathExtension.lowercased()
        let file = sha256 + (ending.isEmpty ? "" : "." + ending)
        let place = PhotoStore.Place(relativePath: "\(name)/\(sha256.prefix(2))/\(file)", sha256: sha256, bytes: bytes)
        let final = "\(folder)/\(sha256.prefix(2))/\(file)"
        if unsafe access(final, F_OK) == 0 {
            unsafe unlink(draft)
            return place
        }
        waiting.append((draft, final))
        waitingBytes += bytes
        if waiting.count >= Self.batch.photos || waitingBytes >= Self.batch.bytes { try storeWaiting() }
        return place
    }

    /// Waits until every photo is on disk under its final name.
    package func finish() throws {
        defer { try? FileManager.default.removeItem(atPath: drafts) }
        guard number > 0 else { return }
        try storeWaiting()
        try flush()
    }

    private func copy(_ source: any ByteSource, to draft: String) throws -> (sha256: String, bytes: Int64) {
        let output = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw failure }
        defer { close(output) }
        var hash = SHA256()
        var total: Int64 = 0
        while true {
            let count = try source.read(into: &buffer, from: 0)
            guard count > 0 else { break }
            hash.update(buffer.span.extracting(..<count))
            try unsafe buffer.withUnsafeBytes { bytes in
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
                var written = 0
                while written < count {
                    let step = unsafe write(
                        output, UnsafeRawBufferPointer(rebasing: piece[written...]).baseAddress, count - written)
                    if step < 0, errno == EINTR { continue }
                    guard step > 0 else { throw failure }
                    written += step
                }
            }
            total += Int64(count)
        }
        return (hash.digest().hexadecimal, total)
    }

    /// Flushes the waiting photos to disk, then renames them.
    private func storeWaiting() throws {
        guard !waiting.isEmpty else { return }
        try note(waiting.map { name + $0.final.dropFirst(folder.count) })
        try flush()
        for (draft, final) in waiting {
            let subfolder = (final as NSString).deletingLastPathComponent
            if subfolders.insert(subfolder).inserted, unsafe mkdir(subfolder, 0o700) != 0, errno != EEXIST {
                throw failure
            }
            guard unsafe rename(draft, final) == 0 else { throw failure }
        }
        waiting.removeAll()
        waitingBytes = 0
    }

    private func flush() throws {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw failure }
    }

    private var failure: ImportFailure { .photoStore(path: folder) }
}
