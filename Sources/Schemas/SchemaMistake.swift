/// A mistake in a schema, and its place.
package struct SchemaMistake: Error, Sendable, Hashable {
    /// JSON pointer (RFC 6901) into the schema's document: `/properties/power/minimum`.
    package var pointer: String
    /// In English: `minimum is no number`.
    package var reason: String

    package init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }
}
