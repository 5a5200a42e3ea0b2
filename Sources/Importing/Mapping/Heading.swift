/// The names of a foreign table's columns and their positions.
struct Heading {
    /// Row of the sheet with the names; 0 where the file itself names its columns, or they have no
    /// names.
    let row: Int
    let names: [String]
    private var columns: [String: Int]
    /// Columns by exact name: `../@codigo` and `@codigo` are different columns.
    private let exact: [String: Int]

    init(row: Int, names: [String]) {
        self.row = row
        self.names = names
        exact = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        columns = Dictionary(
            names.enumerated().compactMap { index, name in
                let normal = ColumnName.normal(name)
                return normal.isEmpty ? nil : (normal, index)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A heading of several rows: a column is named by everything above it, or by the lowest word
    /// alone where that is unique.
    init(row: Int, lines: [[String]]) {
        let names = HeadingLines.names(lines)
        var last: [String: [Int]] = [:]
        for (column, name) in HeadingLines.lastNames(lines).enumerated() { last[ColumnName.normal(name), default: []].append(column) }
        self.init(row: row, names: names)
        for (name, places) in last where places.count == 1 && !name.isEmpty && columns[name] == nil { columns[name] = places[0] }
    }

    subscript(name: String) -> Int? { exact[name] ?? columns[ColumnName.normal(name)] }

    /// The columns with some names, in the order of the names.
    func places(of names: [String]) -> [Int] { names.compactMap { self[$0] } }

    /// How many of some normalised names exist.
    func count(of wanted: Set<String>) -> Int { columns.keys.count(where: wanted.contains) }

    /// The name of a column: its heading, or its letters.
    func name(of column: Int) -> String {
        guard names.indices.contains(column), !names[column].isEmpty else { return ColumnName.letters(column) }
        return names[column]
    }
}
