/// What a schema object says of a parameter beside the keywords of the standard: `x-label` (or `title`), `x-unit`, `x-scope`,
/// `x-names`, `x-type`, `x-required-when`. None of it makes a value right or wrong by itself.
package struct SchemaExtras: Sendable, Hashable {
    /// One text for all languages; nil where there is one for each.
    package var label: String?
    package var unit: String?
    /// `type` or `instance`.
    package var scope: String?
    /// Further names under which values are keyed.
    package var otherNames: [String] = []
    /// The word for the type that messages use in place of the standard's.
    package var type: String?
    /// An expression over the other parameters.
    package var requiredWhen: String?

    package init() {}

    mutating func fill(from other: SchemaExtras) {
        label = label ?? other.label
        unit = unit ?? other.unit
        scope = scope ?? other.scope
        type = type ?? other.type
        requiredWhen = requiredWhen ?? other.requiredWhen
        if otherNames.isEmpty { otherNames = other.otherNames }
    }
}
