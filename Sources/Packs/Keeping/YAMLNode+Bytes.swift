// A tree of nodes as bytes and back, without places, which only mistakes need. A node is its kind, a length and what it holds; keys and texts
// are a length and UTF-8.
extension YAMLNode {
    private enum Kind: UInt8 {
        case plain, quoted, sequence, mapping
    }

    func write(to bytes: inout [UInt8]) {
        switch content {
        case .scalar(let text, let isPlain):
            bytes.append((isPlain ? Kind.plain : .quoted).rawValue)
            Self.write(text, to: &bytes)
        case .sequence(let items):
            bytes.append(Kind.sequence.rawValue)
            Self.write(items.count, to: &bytes)
            for item in items { item.write(to: &bytes) }
        case .mapping(let pairs):
            bytes.append(Kind.mapping.rawValue)
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

    /// Four bytes, the least first: a pack's files are of a megabyte each at most.
    private static func write(_ count: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    }

    /// Takes a node from the front; nil when what stands there is none: lengths may lie.
    static func read(from bytes: inout ArraySlice<UInt8>, depth: Int = 0) -> YAMLNode? {
        guard depth <= YAMLReader.maximumDepth, let kind = bytes.popFirst().flatMap(Kind.init) else { return nil }
        switch kind {
        case .plain, .quoted:
            guard let text = text(from: &bytes) else { return nil }
            return YAMLNode(content: .scalar(text, isPlain: kind == .plain), place: .none)
        case .sequence:
            guard let count = count(from: &bytes) else { return nil }
            var items: [YAMLNode] = []
            items.reserveCapacity(count)
            for _ in 0..<count {
                guard let item = read(from: &bytes, depth: depth + 1) else { return nil }
                items.append(item)
            }
            return YAMLNode(content: .sequence(items), place: .none)
        case .mapping:
            guard let count = count(from: &bytes) else { return nil }
            var pairs: [Pair] = []
            pairs.reserveCapacity(count)
            for _ in 0..<count {
                guard let key = text(from: &bytes), let value = read(from: &bytes, depth: depth + 1) else { return nil }
                pairs.append(Pair(key: key, keyPlace: .none, value: value))
            }
            return YAMLNode(content: .mapping(pairs), place: .none)
        }
    }

    private static func text(from bytes: inout ArraySlice<UInt8>) -> String? {
        guard let length = count(from: &bytes) else { return nil }
        defer { bytes.removeFirst(length) }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }

    /// A number of things, each of which takes a byte at least.
    private static func count(from bytes: inout ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let start = bytes.startIndex
        let count = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        bytes.removeFirst(4)
        return count <= bytes.count ? count : nil
    }
}

extension PackPlace {
    /// That of what was found right before: no mistake will name it.
    fileprivate static var none: PackPlace { PackPlace(file: "") }
}
