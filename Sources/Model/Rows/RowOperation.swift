/// What a row of a source does to the rows that were read before it.
package enum RowOperation: String, Sendable, Hashable, CaseIterable {
    /// Nothing: it is one more.
    case add
    /// It takes the place of the row with its id, or is one more where there is none.
    case replace
    /// It takes that row away.
    case delete
}
