import Crypto
import Foundation

/// SHA-256 of facts or bytes as 64 hexadecimal digits, by which a repeated request over unchanged
/// data is recognised.
enum Fingerprint {
    /// The fingerprint of facts, one per line.
    static func of(_ facts: [String]) -> String { text(SHA256.hash(data: Data(facts.joined(separator: "\n").utf8))) }

    static func text(_ digest: SHA256.Digest) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
