internal import Model

/// A node of a YAML file with its place. Every scalar is its text as written (`0045`, `12:30`,
/// `NO`).
struct YAMLNode: Sendable {
    struct Pair: Sendable {
        var key: String
        var keyPlace: PackPlace
        var value: YAMLNode
    }

    enum Content: Sendable {
        /// `isPlain`: without quotes. An empty plain scalar has no value.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([Pair])
    }

    var content: Content
    var place: PackPlace

    /// The text of a scalar; nil for empty values, lists and mappings.
    var text: String? {
        guard case .scalar(let text, let isPlain) = content, !(isPlain && text.isEmpty) else { return nil }
        return text
    }

    var isNothing: Bool {
        if case .scalar("", isPlain: true) = content { return true }
        return false
    }

    /// The items of a list; empty for other nodes.
    var items: [YAMLNode] {
        if case .sequence(let items) = content { return items }
        return []
    }

    /// The keys and values of a mapping; empty for other nodes.
    var pairs: [Pair] {
        if case .mapping(let pairs) = content { return pairs }
        return []
    }

    subscript(key: String) -> YAMLNode? {
        pairs.first { $0.key == key }?.value
    }

    /// The texts of a list of scalars.
    var texts: [String] { items.compactMap(\.text) }

    func text(_ key: String) -> String? { self[key]?.text }
    func texts(_ key: String) -> [String] { self[key]?.texts ?? [] }
    func items(_ key: String) -> [YAMLNode] { self[key]?.items ?? [] }

    /// The value of the texts `true` and `false`; nil for other texts.
    var boolean: Bool? {
        switch text {
        case "true": true
        case "false": false
        default: nil
        }
    }

    var integer: Int? { text.flatMap { Int($0) } }

    /// A finite decimal number; nil for texts such as `0x10` and `nan`.
    var number: Double? {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// The kind of the node, for a message.
    var kind: PackWord {
        switch content {
        case .scalar: isNothing ? .nothing : .text
        case .sequence: .list
        case .mapping: .mapping
        }
    }
}

extension PackNode {
    /// Converts a YAML node to a node without places; nil for an empty value.
    init?(_ node: YAMLNode) {
        switch node.content {
        case .scalar:
            guard let text = node.text else { return nil }
            self = .text(text)
        case .sequence(let items): self = .list(items.compactMap(Self.init))
        case .mapping(let pairs): self = .keys(pairs.compactMap(Pair.init))
        }
    }
}

extension PackNode.Pair {
    init?(_ pair: YAMLNode.Pair) {
        guard let value = PackNode(pair.value) else { return nil }
        self.init(key: pair.key, value: value)
    }
}

extension YAMLNode {
    /// The node without places, to build the pack.
    var plain: PackNode? { PackNode(self) }

    /// The keys and values of the mapping under a key, without places.
    func plainPairs(_ key: String) -> [PackNode.Pair] { (self[key]?.pairs ?? []).compactMap(PackNode.Pair.init) }
}
