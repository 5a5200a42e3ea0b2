import Digests
import Foundation
import Glibc
import Importing
package import Model
import OutputFiles
import Remotes

/// A file that a person attaches to a row: it is stored beside the replica, named by its content;
/// the row contains its path and its facts. A sync sends it after its row.
package struct AttachedFile {
    private let path: String
    private let entity: Entity

    /// Throws `ChangeStatementFailure` for rows that have no files.
    package init(_ path: String, of entity: Entity) throws {
        guard entity.file[.path] != nil else { throw ChangeStatementFailure.noFile(entity.name) }
        let ending = { (text: String) in URL(fileURLWithPath: text).pathExtension.lowercased() }
        // If a row has only one file, its name is fixed, such as avatar.png.
        if let place = entity.filePlace, ending(place) != ending(path) {
            throw ChangeStatementFailure.otherFile(path, ending: ending(place))
        }
        (self.path, self.entity) = (path, entity)
    }

    /// Stores the file and returns the row's values about it. The file may already be stored.
    ///
    /// - Parameter isNew: whether the row is new, so that it gets the file's name too.
    package func keep(beside replica: String, isNew: Bool, isDryRun: Bool) throws -> [(field: String, value: String?)] {
        guard let content = try LocalContent(path: path) else { throw ChangeStatementFailure.noSuchFile(path) }
        let place = PhotoStore(beside: replica).place(ofFile: path, sha256: content.sha256, bytes: content.bytes)
        if !isDryRun {
            try copy(
                content,
                to: URL(fileURLWithPath: replica).deletingLastPathComponent().appendingPathComponent(place.relativePath)
                    .path)
        }
        let facts: [(Entity.FileFact, String?)] = [
            (.path, place.relativePath), (.bytes, String(content.bytes)), (.sha256, content.sha256),
            (.type, PictureKind(fileAt: path)?.type),
            // The file has no path in Storage yet.
            (.stored, nil),
        ] + (isNew ? [(.name, URL(fileURLWithPath: path).lastPathComponent)] : [])
        return facts.compactMap { fact, value in entity.field(of: fact).map { ($0.name, value) } }
    }

    private func copy(_ content: LocalContent, to target: String) throws {
        guard !FileManager.default.fileExists(atPath: target) else { return }
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: target).deletingLastPathComponent().path, withIntermediateDirectories: true)
        var output = try OutputFile(finalPath: target)
        let file = content.outgoing(type: "", begun: nil) { _ in }
        var position: Int64 = 0
        while position < content.bytes {
            let piece = try file.read(position, Int(min(1 << 20, content.bytes - position)))
            try output.write(piece.span)
            position += Int64(piece.count)
        }
        let written = try output.close(rows: 0)
        // Another program may be writing to the given file.
        guard written.sha256 == content.sha256, unsafe rename(written.temporaryPath, target) == 0 else {
            let number = errno
            try? FileManager.default.removeItem(atPath: written.temporaryPath)
            throw written.sha256 == content.sha256
                ? OutputFailure.system(number, path: target) : ChangeStatementFailure.noSuchFile(path)
        }
    }
}

/// The bytes of a local file, with their checksum. They are read in pieces, so the file may be
/// large.
struct LocalContent {
    let bytes: Int64
    let sha256: String
    private let file: FileHandle

    /// Reads a regular file; returns nil if it is not one. Throws `POSIXError` if the disk does not
    /// give its bytes.
    init?(_ file: FileHandle?) throws {
        guard let file else { return nil }
        self.file = file
        let descriptor = file.fileDescriptor
        var status = stat(), position: Int64 = 0
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int64(status.st_size)
        let found = try SHA256.digest { piece in
            let count = Int(min(Int64(piece.count), size - position))
            let error = unsafe piece.withUnsafeMutableBytes {
                unsafe OpenFile.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]), from: descriptor, at: position)
            }
            if let error { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
            position += Int64(count)
            return count
        }
        (bytes, sha256) = (found.bytes, found.digest.hexadecimal)
    }

    /// Reads the file at a path that the program itself recorded.
    init?(path: String) throws {
        // Without O_NONBLOCK a named pipe would wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        try self.init(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    func outgoing(type: String, begun: String?, keep: @escaping (String?) throws -> Void) -> OutgoingFile {
        OutgoingFile(bytes: bytes, type: type, begun: begun, keep: keep) { position, count in
            var piece = [UInt8](repeating: 0, count: count)
            let error = unsafe piece.withUnsafeMutableBytes {
                unsafe OpenFile.read(into: $0, from: file.fileDescriptor, at: position)
            }
            if let error { throw OutputFailure.system(error, path: "") }
            return piece
        }
    }
}
