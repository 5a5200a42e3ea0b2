/// The values that a field may take, in their usual order. Texts: `vocabulary.NAME.VALUE` (the value's label).
package struct Vocabulary: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var value: String
        /// Other spellings that files carry; an import stores `value` for them.
        package var aliases: [String]

        package init(value: String, aliases: [String] = []) {
            self.value = value
            self.aliases = aliases
        }
    }

    package var name: String
    package var entries: [Entry]
    /// PCRE2 pattern of further values that are accepted as they stand: group indexes (`A-2-4(0)`), borderline pairs (`CL/ML`).
    package var alsoPattern: String?

    package init(name: String, entries: [Entry], alsoPattern: String? = nil) {
        self.name = name
        self.entries = entries
        self.alsoPattern = alsoPattern
    }

    package var values: [String] { entries.map(\.value) }
    package func textKey(of value: String) -> String { "vocabulary." + name + "." + value }
}
