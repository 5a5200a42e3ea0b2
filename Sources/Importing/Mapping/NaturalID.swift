import Crypto
import Foundation

/// The id of a row that has none: a UUID of version 8 (RFC 9562, 5.8) out of SHA-256 over pack, entity and natural key, so that a
/// second import of the same or of a mended file meets the same rows.
enum NaturalID {
    static func id(pack: String, entity: String, key: [String]) -> String {
        var hash = SHA256()
        // Lengths keep neighbours apart.
        for part in [pack, entity] + key { hash.update(data: Array("\(part.utf8.count) \(part) ".utf8)) }
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
