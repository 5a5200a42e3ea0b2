extension Array where Element == String {
    /// The first names, and how many more there are: `C-01, C-02, … + 7`.
    package func listed(_ limit: Int = 20, separator: String = ", ") -> String {
        let shown = prefix(limit).joined(separator: separator)
        return count > limit ? shown + separator + "… + \(count - limit)" : shown
    }
}
