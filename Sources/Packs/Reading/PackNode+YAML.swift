internal import Model

extension PackNode {
    /// Converts a node of YAML to one without places; nil for nothing.
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
