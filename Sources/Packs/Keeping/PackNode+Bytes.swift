internal import Model

// Converts a tree of nodes to bytes and back. A node consists of its kind, a length and its
// content; keys and texts consist of a length and UTF-8.
extension PackNode {
    private enum Kind: UInt8 {
        case text, list, keys
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text):
            bytes.append(Kind.text.rawValue)
            Self.write(text, to: &bytes)
        case .list(let items):
            bytes.append(Kind.list.rawValue)
            Self.write(items.count, to: &bytes)
            for item in items { item.write(to: &bytes) }
        case .keys(let pairs):
            bytes.append(Kind.keys.rawValue)
            Self.write(pairs.count, to: &bytes)
            for pair in pairs {
                Self.write(pair.key, to: &bytes)
                pair.value.write(to: &bytes)
            }
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        write(text.utf8.count, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a length as four bytes, little-endian. A pack's file has at most a megabyte.
    private static func write(_ count: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    }

    /// Reads a node from the front; nil when there is no valid one. Lengths may be wrong.
    static func read(from bytes: inout ArraySlice<UInt8>, depth: Int = 0) -> PackNode? {
        guard depth <= YAMLReader.maximumDepth, let kind = bytes.popFirst().flatMap(Kind.init) else { return nil }
        switch kind {
        case .text: return text(from: &bytes).map(PackNode.text)
        case .list:
            guard let count = count(from: &bytes) else { return nil }
            var items: [PackNode] = []
            items.reserveCapacity(count)
            for _ in 0..<count {
                guard let item = read(from: &bytes, depth: depth + 1) else { return nil }
                items.append(item)
            }
            return .list(items)
        case .keys:
            guard let count = count(from: &bytes) else { return nil }
            var pairs: [Pair] = []
            pairs.reserveCapacity(count)
            for _ in 0..<count {
                guard let key = text(from: &bytes), let value = read(from: &bytes, depth: depth + 1) else { return nil }
                pairs.append(Pair(key: key, value: value))
            }
            return .keys(pairs)
        }
    }

    private static func text(from bytes: inout ArraySlice<UInt8>) -> String? {
        guard let length = count(from: &bytes) else { return nil }
        defer { bytes.removeFirst(length) }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }

    /// Reads a count of items, each with at least one byte; nil when they cannot fit.
    private static func count(from bytes: inout ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let start = bytes.startIndex
        let count = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        bytes.removeFirst(4)
        return count <= bytes.count ? count : nil
    }
}
