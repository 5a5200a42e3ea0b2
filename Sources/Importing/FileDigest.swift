import Digests
import Foundation

/// Computes the SHA-256 of imported files.
package enum FileDigest {
    /// Lower-case hexadecimal, read in pieces.
    package static func sha256(ofFile path: String) throws -> String {
        try sha256(of: try FileStream(path: path)).sha256
    }

    /// The SHA-256 and the number of bytes; `take` receives each piece.
    static func sha256(of source: any ByteSource, _ take: (ArraySlice<UInt8>) throws -> Void = { _ in }) throws -> (sha256: String, bytes: Int64) {
        let read = try SHA256.digest { piece in
            let count = try source.read(into: &piece, from: 0)
            if count > 0 { try take(piece[..<count]) }
            return count
        }
        return (read.digest.hexadecimal, read.bytes)
    }

    package static func sha256(of bytes: [UInt8]) -> String { SHA256.digest(of: bytes).hexadecimal }
}
