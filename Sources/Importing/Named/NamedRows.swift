/// Rows whose columns have names of their own, which become known while rows are read.
protocol NamedRows: ForeignRows {
    /// Of all columns that rows have had so far, in the order in which they first came.
    var names: [String] { get }
}
