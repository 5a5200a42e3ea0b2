/// Where and how a value violates its schema.
package struct SchemaFault: Sendable, Hashable {
    /// Why a value could not be judged completely.
    package enum Limit: String, Sendable {
        case depth, steps, faults
        /// A number beyond 10 to the power of ±1000.
        case number
        /// A pattern that took too many steps.
        case pattern
    }

    /// JSON pointer to the value.
    package var pointer: String
    /// The value as it was written, texts without quotes; the first 400 bytes of it. Nil if a
    /// member is missing.
    package var value: String?
    /// JSON pointer to the keyword in the schema; preceded by the address of another document if it
    /// is in one.
    package var location: String
    /// The keyword that the value violates.
    package var keyword: String
    /// The keyword's value as messages quote it: the bound, the type, the missing name, the
    /// options.
    package var expected: String
    /// The schema object that contains the keyword.
    package var node: Int
    package var limit: Limit?
    /// The actual length or number, for keywords about these.
    package var count: Int?
}
