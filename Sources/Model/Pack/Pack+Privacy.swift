/// The one rule of privacy. A pack's classes stand in order, the least sensitive first: the first is everybody's, the last nobody's, whatever a role says.
extension Pack {
    /// Stands for a value that may not be said.
    package static let hiddenValue = "•••"

    /// Whether a role sees a field's values.
    package func isVisible(_ field: Field, to role: Role) -> Bool {
        field.privacy != privacyClasses.last && (role.sees.contains(field.privacy) || field.privacy == privacyClasses.first)
    }

    /// Whether findings, messages and logs may quote a field's values, since whoever reads them need not see the row: those of the two least
    /// sensitive classes, but for the last. What is no field is no record's.
    package func mayQuote(_ field: Field?) -> Bool {
        guard let field else { return true }
        return field.privacy == privacyClasses.first || privacyClasses.dropLast().prefix(2).contains(field.privacy)
    }

    /// A value as a message says it.
    package func quoted(_ value: String, of field: Field?) -> String { mayQuote(field) ? value : Self.hiddenValue }
}
