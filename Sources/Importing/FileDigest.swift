import Crypto
import Foundation

/// SHA-256 of files that come in.
package enum FileDigest {
    /// Lower-case hexadecimal, read in pieces.
    package static func sha256(ofFile path: String) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw ImportFailure.unreadable(path: path) }
        defer { try? handle.close() }
        var hash = SHA256()
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
            hash.update(data: piece)
        }
        return text(of: hash.finalize())
    }

    package static func sha256(of bytes: [UInt8]) -> String { text(of: SHA256.hash(data: bytes)) }

    static func text(of digest: SHA256.Digest) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
