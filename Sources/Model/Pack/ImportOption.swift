extension ImportMapping {
    /// What the file does not say and whoever imports it does: `--option NAME=VALUE` (`options` in
    /// `imports/NAME.yaml`). Text: `import.MAPPING.OPTION`.
    ///
    /// The records of an import keep the values as they are, so no option may be personal data.
    package struct Option: Sendable, Hashable {
        package var name: String
        package var isRequired: Bool
        /// PCRE2 pattern that the whole value must match.
        package var pattern: String?
        /// A value, for messages.
        package var example: String?
        /// Its title for people, where it has one of its own.
        package var titles: [Language: String] = [:]

        package init(_ name: String, isRequired: Bool = false, pattern: String? = nil, example: String? = nil) {
            (self.name, self.isRequired, self.pattern, self.example) = (name, isRequired, pattern, example)
        }

        init(_ pair: PackNode.Pair) {
            let node = pair.value
            self.init(pair.key, isRequired: node.isTrue("required"), pattern: node.text("pattern"), example: node.text("example"))
            titles = node.titles("title")
        }

        /// Names that queries bind to something else.
        package static let reserved: Set<String> = ["project", "today"]
        /// Bytes of a value: the rows that an import rejects name it.
        package static let mostBytes = 200
    }

    /// The key of an option's title, where it has none of its own.
    package func textKey(of option: Option) -> String { "import.\(name).\(option.name)" }
}

extension PackNode {
    /// A text for each language, or one text for all.
    func titles(_ key: String) -> [Language: String] {
        guard let title = self[key] else { return [:] }
        return Dictionary(uniqueKeysWithValues: Language.allCases.compactMap { language in
            (title.text ?? title.text(language.rawValue) ?? title.pairs.first?.value.text).map { (language, $0) }
        })
    }
}
