/// Rows with named columns, which become known while rows are read.
protocol NamedRows: ForeignRows {
    /// Names of all columns so far, in the order of first occurrence.
    var names: [String] { get }
}
