/// What a schema object states about a parameter besides the standard's keywords: `x-label` (or
/// `title`), `x-unit`, `x-scope`, `x-names`, `x-type`, `x-adds`, `x-required-when`. None of it makes a value
/// valid or invalid by itself.
package struct SchemaExtras: Sendable, Hashable {
    /// How the values of a parameter add up over many assets.
    package enum Adding: String, Sendable, CaseIterable {
        case sum, mean, count, none

        package var needsNumbers: Bool { self == .sum || self == .mean }
    }

    /// One text for all languages; nil if there is one for each.
    package var label: String?
    package var unit: String?
    /// `type` or `instance`.
    package var scope: String?
    /// Further names under which values may be stored.
    package var otherNames: [String] = []
    /// The word for the type that messages use instead of the standard's.
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
