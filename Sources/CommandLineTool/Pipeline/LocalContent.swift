import Digests
import Foundation
import Glibc
import OutputFiles
import Remotes

/// The bytes of a file of this machine, with their checksum. They are read in pieces, however large
/// the file is.
struct LocalContent {
    let bytes: Int64
    let sha256: String
    private let file: FileHandle

    /// A regular file; nil if it is none, or cannot be read.
    init?(_ file: FileHandle?) {
        guard let file else { return nil }
        self.file = file
        let descriptor = file.fileDescriptor
        var status = stat(), position: Int64 = 0
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int64(status.st_size)
        let found = try? SHA256.digest { piece in
            let count = Int(min(Int64(piece.count), size - position))
            let error = unsafe piece.withUnsafeMutableBytes { unsafe OpenFile.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]), from: descriptor, at: position) }
            if let error { throw OutputFailure.system(error, path: "") }
            position += Int64(count)
            return count
        }
        guard let found else { return nil }
        (bytes, sha256) = (found.bytes, found.digest.hexadecimal)
    }

    /// The file at a path that the program itself wrote down.
    init?(path: String) {
        // Without O_NONBLOCK a named pipe would wait for somebody who writes into it.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        self.init(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    func outgoing(type: String, begun: String?, keep: @escaping (String?) throws -> Void) -> OutgoingFile {
        OutgoingFile(bytes: bytes, type: type, begun: begun, keep: keep) { position, count in
            var piece = [UInt8](repeating: 0, count: count)
            let error = unsafe piece.withUnsafeMutableBytes { unsafe OpenFile.read(into: $0, from: file.fileDescriptor, at: position) }
            if let error { throw OutputFailure.system(error, path: "") }
            return piece
        }
    }
}
