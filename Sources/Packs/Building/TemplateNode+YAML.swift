internal import Model

extension TemplateNode {
    /// What stands in a YAML file, without its places; nil for nothing.
    init?(_ node: YAMLNode) {
        switch node.content {
        case .scalar:
            guard let text = node.text else { return nil }
            self = .text(text)
        case .sequence(let items): self = .list(items.compactMap(Self.init))
        case .mapping(let pairs):
            self = .keys(Dictionary(pairs.compactMap { pair in Self(pair.value).map { (pair.key, $0) } }) { first, _ in first })
        }
    }
}
