import Digests
import Foundation

/// Writes parsed events as JSON text without spaces, in the form of `JSONValue.description`, and
/// refuses repeated keys in one object.
package struct JSONTextWriter: Sendable {
    /// An array or object that is not closed yet.
    private struct Open {
        /// The position of its first key in `keyStarts`.
        var firstKey: Int
        /// Only filled if there are many members, or keys that are not ASCII (which Unicode can
        /// spell in two ways). Otherwise comparing bytes is faster.
        var texts: Set<String> = []
    }

    private static let fewMembers = 16

    package private(set) var bytes: [UInt8] = []
    private let limits: JSONLimits
    private var open: [Open] = []
    /// The keys of all open objects, one after the other.
    private var keyText: [UInt8] = []
    private var keyStarts: [Int] = []

    package init(limits: JSONLimits) { self.limits = limits }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        keyText.removeAll(keepingCapacity: true)
        keyStarts.removeAll(keepingCapacity: true)
    }

    package mutating func take(_ event: JSONEvent, _ text: Span<UInt8>) throws(JSONMistake.Reason) {
        switch event {
        case .startObject, .startArray: open.append(Open(firstKey: keyStarts.count))
        case .endObject, .endArray:
            guard let closed = open.popLast() else { break }
            if closed.firstKey < keyStarts.count { keyText.removeLast(keyText.count - keyStarts[closed.firstKey]) }
            keyStarts.removeLast(keyStarts.count - closed.firstKey)
        case .key: if !limits.allowsDuplicateKeys { try remember(text) }
        default: break
        }
        write(event, text)
    }

    /// Writes an event without checking for repeated keys.
    package mutating func write(_ event: JSONEvent, _ text: Span<UInt8>) {
        switch event {
        case .endObject: return bytes.append(UInt8(ascii: "}"))
        case .endArray: return bytes.append(UInt8(ascii: "]"))
        default: break
        }
        // After one of these bytes there is no preceding value, so no comma is needed.
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "["), last != UInt8(ascii: ":") {
            bytes.append(UInt8(ascii: ","))
        }
        switch event {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .yes: bytes.append(contentsOf: "true".utf8)
        case .no: bytes.append(contentsOf: "false".utf8)
        case .number: append(text)
        case .string: quote(text)
        case .key:
            quote(text)
            bytes.append(UInt8(ascii: ":"))
        case .startObject: bytes.append(UInt8(ascii: "{"))
        case .startArray: bytes.append(UInt8(ascii: "["))
        case .endObject, .endArray: break
        }
    }

    private mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes a text in quotes, and escapes only the characters that must be escaped.
    private mutating func quote(_ text: Span<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            append(text.extracting(start..<index))
            start = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
            case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
            case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            default:
                bytes.append(contentsOf: ("u" + byte.hexadecimal(4)).utf8)
            }
        }
        append(text.extracting(start...))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func remember(_ key: Span<UInt8>) throws(JSONMistake.Reason) {
        guard let last = open.indices.last else { return }
        let first = open[last].firstKey
        var bits: UInt8 = 0
        for index in key.indices { bits |= key[index] }
        var isKnown = false
        if open[last].texts.isEmpty, bits < 0x80, keyStarts.count - first < Self.fewMembers {
            for position in first..<keyStarts.count where !isKnown { isKnown = isKey(position, key) }
        } else {
            if open[last].texts.isEmpty {
                for position in first..<keyStarts.count {
                    open[last].texts.insert(String(decoding: keyText[range(position)], as: UTF8.self))
                }
            }
            isKnown = !open[last].texts.insert(String(utf8: key)).inserted
        }
        if isKnown { throw .duplicateKey(String(utf8: key)) }
        keyStarts.append(keyText.count)
        unsafe key.withUnsafeBufferPointer { unsafe keyText.append(contentsOf: $0) }
    }

    private func range(_ position: Int) -> Range<Int> {
        keyStarts[position]..<(position + 1 < keyStarts.count ? keyStarts[position + 1] : keyText.count)
    }

    private func isKey(_ position: Int, _ key: Span<UInt8>) -> Bool {
        let range = range(position)
        guard range.count == key.count else { return false }
        for index in key.indices where keyText[range.lowerBound + index] != key[index] { return false }
        return true
    }
}

extension Span<UInt8> {
    /// The next position of a byte, from a start position on.
    func position(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return unsafe withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base + start, CInt(byte), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
