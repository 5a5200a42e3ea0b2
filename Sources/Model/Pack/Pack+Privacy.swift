/// The one rule of privacy. A pack's classes are in order, the least sensitive first. Everybody
/// sees the first, and nobody the last, whatever a role states.
extension Pack {
    /// The text in place of a value that must not be shown.
    package static let hiddenValue = "•••"

    /// Whether a role sees a field's values.
    package func isVisible(_ field: Field, to role: Role) -> Bool {
        field.privacy != privacyClasses.last && (role.sees.contains(field.privacy) || field.privacy == privacyClasses.first)
    }

    /// Whether findings, messages and logs may quote a field's values, since their readers need not
    /// be allowed to see the row. They may quote the two least sensitive classes, but never the
    /// last. A value without a field is not a record's.
    package func mayQuote(_ field: Field?) -> Bool {
        guard let field else { return true }
        return field.privacy == privacyClasses.first || privacyClasses.dropLast().prefix(2).contains(field.privacy)
    }

    /// A value as a message shows it.
    package func quoted(_ value: String, of field: Field?) -> String { mayQuote(field) ? value : Self.hiddenValue }
}
