import Model

/// Finds cells of a table's rows in columns without a heading: no mapping can name them.
struct NamelessCells {
    private let isNamed: [Bool]
    private var columns: Set<Int> = []

    /// - Parameter isAgain: whether the names come from a rejected row, in which trailing cells
    ///   without a heading are named by their column letters.
    init(_ names: [String], isAgain: Bool) {
        let lettered = isAgain ? names.indices.reversed().prefix { $0 > 0 && names[$0] == ColumnName.letters($0) }.count : 0
        isNamed = names.dropLast(lettered).map { !$0.allSatisfy(\.isWhitespace) }
    }

    /// The number of columns up to the last one with a heading.
    var width: Int { (isNamed.lastIndex(of: true) ?? -1) + 1 }

    /// The number of cells up to the row's last filled cell beyond all headings; nil where there is
    /// none.
    func beyond(width: Int, isFilled: (Int) -> Bool) -> Int? {
        guard width > isNamed.count else { return nil }
        return (isNamed.count..<width).last(where: isFilled).map { $0 + 1 }
    }

    mutating func note(width: Int, isFilled: (Int) -> Bool) {
        for column in 0..<width where column >= isNamed.count || !isNamed[column] {
            if !columns.contains(column), isFilled(column) { columns.insert(column) }
        }
    }

    func finding(name: String, at place: Place) -> Finding? {
        guard !columns.isEmpty else { return nil }
        return Finding(
            "IMPORT-UNUSED-COLUMN", place: place,
            arguments: ["name": name, "columns": columns.sorted().map(ColumnName.letters).joined(separator: ", ")])
    }
}
