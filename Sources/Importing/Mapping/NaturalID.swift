import Crypto
import Foundation

/// The id of a row that has none: a UUID of version 8 (RFC 9562, 5.8) out of SHA-256 over pack, entity and natural key, so that a
/// second import of the same or of a mended file meets the same rows.
enum NaturalID {
    static func id(pack: String, entity: String, key: [String]) -> String {
        var maker = Maker(pack: pack, entity: entity)
        return maker.id(key.map { Array($0.utf8) })
    }

    /// Makes the ids of one entity.
    struct Maker {
        /// Pack and entity, with which what is hashed begins.
        private let head: [UInt8]
        private var message: [UInt8] = []

        init(pack: String, entity: String) {
            var head: [UInt8] = []
            Self.append(Array(pack.utf8)[...], to: &head)
            Self.append(Array(entity.utf8)[...], to: &head)
            self.head = head
        }

        /// Lengths keep neighbours apart.
        private static func append(_ part: ArraySlice<UInt8>, to message: inout [UInt8]) {
            message.append(contentsOf: String(part.count).utf8)
            message.append(UInt8(ascii: " "))
            message.append(contentsOf: part)
            message.append(UInt8(ascii: " "))
        }

        mutating func id(_ key: [[UInt8]]) -> String {
            var text: [UInt8] = []
            var ends: [Int] = []
            for part in key { ends.append((ends.last ?? 0) + part.count) }
            append(Array(key.joined()), ends: ends, to: &text)
            return String(decoding: text, as: UTF8.self)
        }

        /// Appends the id of a key, whose parts stand one after the other.
        mutating func append(_ key: [UInt8], ends: [Int], to text: inout [UInt8]) {
            message.removeAll(keepingCapacity: true)
            message.append(contentsOf: head)
            var start = 0
            for end in ends {
                Self.append(key[start..<end], to: &message)
                start = end
            }
            for (index, byte) in SHA256.hash(data: message).enumerated() {
                guard index < 16 else { break }
                if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
                let own = index == 6 ? byte & 0x0F | 0x80 : index == 8 ? byte & 0x3F | 0x80 : byte
                text.append(Self.digit(own >> 4))
                text.append(Self.digit(own & 15))
            }
        }

        private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
    }
}
