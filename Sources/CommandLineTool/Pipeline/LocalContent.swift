import Digests
import Foundation
import Glibc
import OutputFiles
import Recording
import Remotes

/// The bytes of a file of this machine, in memory or on the disk, with their checksum.
struct LocalContent {
    let bytes: Int64
    let sha256: String
    private let read: (Int64, Int) throws -> [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = Int64(bytes.count)
        sha256 = SHA256.digest(of: bytes).hexadecimal
        read = { position, count in Array(bytes[Int(position)..<min(bytes.count, Int(position) + count)]) }
    }

    /// Nil if there is no such regular file.
    init?(path: String) {
        guard let found = try? FileChecksum(of: path), let handle = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return nil }
        (bytes, sha256) = (found.bytes, found.sha256)
        read = { position, count in
            var piece = [UInt8](repeating: 0, count: count)
            let error = unsafe piece.withUnsafeMutableBytes { unsafe OpenFile.read(into: $0, from: handle.fileDescriptor, at: position) }
            if let error { throw OutputFailure.system(error, path: path) }
            return piece
        }
    }

    func outgoing(type: String, begun: String?, keep: @escaping (String?) throws -> Void) -> OutgoingFile {
        OutgoingFile(bytes: bytes, type: type, begun: begun, keep: keep, read: read)
    }
}
