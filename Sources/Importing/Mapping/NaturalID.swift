import Digests
import Foundation
import Model

/// Derives the id of a row that has none: a UUID of version 8 (RFC 9562, 5.8) from SHA-256 over
/// pack, entity and natural key, so that a second import of the same file, or of a corrected one,
/// matches the same rows.
enum NaturalID {
    static func id(pack: String, entity: String, key: [String]) -> String {
        var maker = Maker(pack: pack, entity: entity)
        return maker.id(key.map { Array($0.utf8) })
    }

    /// Derives the ids of one entity.
    struct Maker {
        /// The start of the hashed bytes: pack and entity.
        private let head: [UInt8]
        private var message: [UInt8] = []

        init(pack: String, entity: String) {
            var head: [UInt8] = []
            Self.append(Array(pack.utf8)[...], to: &head)
            Self.append(Array(entity.utf8)[...], to: &head)
            self.head = head
        }

        /// Appends a part with its length, so that parts cannot run together.
        private static func append(_ part: ArraySlice<UInt8>, to message: inout [UInt8]) {
            message.append(contentsOf: String(part.count).utf8)
            message.append(UInt8(ascii: " "))
            message.append(contentsOf: part)
            message.append(UInt8(ascii: " "))
        }

        mutating func id(_ key: [[UInt8]]) -> String {
            var text: [UInt8] = []
            var ends: [Int] = []
            let forms = key.map { KeyText.form(of: $0) }
            for part in forms { ends.append((ends.last ?? 0) + part.count) }
            append(Array(forms.joined()), ends: ends, to: &text)
            return String(decoding: text, as: UTF8.self)
        }

        /// Appends the id of a key, whose parts follow one another in `key`.
        mutating func append(_ key: [UInt8], ends: [Int], to text: inout [UInt8]) {
            message.removeAll(keepingCapacity: true)
            message.append(contentsOf: head)
            var start = 0
            for end in ends {
                Self.append(key[start..<end], to: &message)
                start = end
            }
            let digest = SHA256.digest(of: message)
            UUIDText.append(digest.first & ~0xF000 | 0x8000, digest.second & ~(0b11 << 62) | 0b10 << 62, to: &text)
        }
    }
}
