/// The source of a report's rows: one consistent state of a replica, as far as the actor may see
/// it.
package protocol ReportSource: AnyObject {
    /// The rows of a query, in its order, their cells in the order of its columns.
    /// - Parameter parameters: the values that the query binds: columns of the section's row, and
    ///   `ReportParameters.builtIn`.
    func rows(of query: ReportQuery, parameters: [String: MemoryRows.Value]) throws -> any RowSource
}
