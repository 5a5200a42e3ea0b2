import Model

/// The columns of rows with named values: one for each name, in the order in which names first come.
struct NamedColumnList {
    private(set) var names: [String] = []
    private var columns: [String: Int] = [:]
    private let path: String
    private let limit: Int

    /// - Parameter limit: so many names are a table; more are refused.
    init(path: String, limit: Int) {
        (self.path, self.limit) = (path, limit)
    }

    /// Throws `TableFailure.tooLarge` where a row would have one column more than the limit.
    mutating func column(of name: String, line: Int) throws(TableFailure) -> Int {
        if let known = columns[name] { return known }
        guard names.count < limit else { throw .tooLarge(Place(file: path, line: line), kind: JSONFormat.name, limit: "columns \(limit)") }
        columns[name] = names.count
        names.append(name)
        return names.count - 1
    }
}
