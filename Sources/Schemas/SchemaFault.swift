/// Where a value breaks its schema.
package struct SchemaFault: Sendable, Hashable {
    /// What could not be judged to the end, or was not looked at any more.
    package enum Limit: String, Sendable {
        case depth, steps, faults
        /// A number beyond 10 to the power of ±1000.
        case number
        /// A pattern that took too much work.
        case pattern
    }

    /// JSON pointer to the value.
    package var pointer: String
    /// The value as it was written, texts without quotes; the first 400 bytes of it. Nil where a member is missing.
    package var value: String?
    /// JSON pointer to the keyword in the schema; before it the address of another document, if it stands in one.
    package var location: String
    /// The keyword that asks for what the value is not.
    package var keyword: String
    /// The keyword's value as messages quote it: the bound, the type, the missing name, the options.
    package var expected: String
    /// The schema object that the keyword stands in.
    package var node: Int
    package var limit: Limit?
    /// How long or how many it is, where that is asked for.
    package var count: Int?
}
