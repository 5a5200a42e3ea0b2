/// The texts that a pack lacks, found from its mistakes, in the form of a file ready to fill.
package struct MissingTexts {
    private struct Gap: Hashable {
        /// The folder in which the text belongs: `wells/texts`.
        var folder: String
        var key: String
        var language: String
    }

    private let gaps: [Gap]

    /// Nil where there are other mistakes: they may hide texts, and come first.
    package init?(_ mistakes: [PackMistake]) {
        var gaps: [Gap] = []
        for mistake in mistakes {
            guard let missing = Self.gaps(mistake) else { return nil }
            for gap in missing where !gaps.contains(gap) { gaps.append(gap) }
        }
        self.gaps = gaps
    }

    /// What one mistake says is missing. Nil if it is about something else.
    private static func gaps(_ mistake: PackMistake) -> [Gap]? {
        func words(_ name: String) -> [String] { mistake.arguments[name]?.split(separator: " ").map(String.init) ?? [] }
        var (keys, languages): ([String], [String])
        switch mistake.code {
        case .missingText: (keys, languages) = (words("key"), words("language"))
        // A whole file is missing.
        case .missingFile: (keys, languages) = (words("keys"), words("language"))
        // A report names a text that is nowhere.
        case .unknownName: (keys, languages) = (words("name"), words("languages"))
        default: return nil
        }
        guard !keys.isEmpty, !languages.isEmpty else { return nil }
        let folder = mistake.file.split(separator: "/").dropLast().joined(separator: "/")
        return keys.flatMap { key in languages.map { Gap(folder: folder, key: key, language: $0) } }
    }

    /// A part for each folder, headed by the file that it belongs in: `key: {es: '', en: ''}`.
    package var yaml: String {
        Dictionary(grouping: gaps, by: \.folder).sorted { $0.key < $1.key }.map { folder, gaps in
            var keys: [String] = []
            for gap in gaps where !keys.contains(gap.key) { keys.append(gap.key) }
            let lines = keys.map { key in
                key + ": {" + gaps.filter { $0.key == key }.map { $0.language + ": ''" }.joined(separator: ", ") + "}\n"
            }
            return "# \(folder)/all.yaml\n" + lines.joined()
        }.joined()
    }
}
