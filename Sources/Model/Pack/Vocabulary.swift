/// The values that a field may take, in their usual order. Texts: `vocabulary.NAME.VALUE` (the
/// value's label).
package struct Vocabulary: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var value: String
        /// Other spellings that files carry; an import stores `value` for them.
        package var aliases: [String] = []
        /// Its colour on plans and in charts; nil: any.
        package var tint: Tint?
    }

    package var name: String
    package var entries: [Entry]
    /// A PCRE2 pattern of further values that are accepted as written: group indexes (`A-2-4(0)`),
    /// borderline pairs (`CL/ML`).
    package var alsoPattern: String?
    /// Whether the values are symbols by which people call the things themselves (`GW`): messages
    /// quote these and not their labels.
    package var hasSymbols = false

    package var values: [String] { entries.map(\.value) }

    /// The place and tint of a value; nil where no value of the vocabulary has a tint.
    package func ink(of value: String) -> (place: Int, tint: Tint?)? {
        guard entries.contains(where: { $0.tint != nil }), let place = entries.firstIndex(where: { $0.value == value }) else { return nil }
        return (place, entries[place].tint)
    }

    package func textKey(of value: String) -> String { "vocabulary." + name + "." + value }
}

extension Vocabulary {
    /// The vocabulary of the roles that profiles and members may have.
    package static let roles = "roles"

    /// The roles of a pack that writes no vocabulary of them.
    package init(of roles: [Role]) { self.init(name: Self.roles, entries: roles.map { Entry(value: $0.name) }) }

    /// Of `vocabularies/*.yaml`.
    package init?(_ node: PackNode) {
        guard let name = node.text("vocabulary") else { return nil }
        self.init(name: name, entries: node.items("values").compactMap(Entry.init), alsoPattern: node.text("also"), hasSymbols: node.boolean("symbols") ?? false)
    }
}

extension Vocabulary.Entry {
    /// A value alone, or with its other spellings.
    init?(_ node: PackNode) {
        guard let value = node.text ?? node.text("value") else { return nil }
        self.init(value: value, aliases: node.texts("aliases"), tint: node.word("tint", Tint.self))
    }
}
