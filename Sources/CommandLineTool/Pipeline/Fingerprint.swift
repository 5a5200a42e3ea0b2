import Digests
import Foundation

/// SHA-256 of facts or bytes as 64 hexadecimal digits, by which a repeated request over unchanged
/// data is recognised.
enum Fingerprint {
    /// Of facts, one to a line.
    static func of(_ facts: [String]) -> String { SHA256.digest(of: facts.joined(separator: "\n")).hexadecimal }
}
