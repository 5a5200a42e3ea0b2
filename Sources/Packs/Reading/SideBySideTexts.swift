internal import Model

/// Texts of all languages side by side: `key: {es: …, en: …, it: …}`, or one text that is the same
/// in all.
enum SideBySideTexts {
    /// The texts of one language, as if they stood in a file of its own.
    static func texts(_ root: YAMLNode, of language: Language, mistakes: MistakeList) -> YAMLNode {
        let known = Language.allCases.map(\.rawValue)
        var root = root
        root.content = .mapping(root.pairs.compactMap { pair in
            // What is neither a text nor texts by language is told where all texts are checked.
            guard case .mapping = pair.value.content else { return pair }
            for own in pair.value.pairs where !known.contains(own.key) {
                mistakes.add(.unknownKey, at: own.keyPlace, ["key": own.key, "known": known.joined(separator: ", "), "nearest": known[0]])
            }
            guard let text = pair.value[language.rawValue] else { return nil }
            var pair = pair
            pair.value = text
            return pair
        })
        return root
    }
}
