/// The names of a foreign table's columns and where each one is.
struct Heading {
    /// Row of the sheet that they stand in; 0 where the file itself names its columns, or they have none.
    let row: Int
    let names: [String]
    private var columns: [String: Int]
    /// As the names stand there: `../@codigo` is another column than `@codigo`.
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

    /// A heading of several rows: a column is called by all that stands above it, or by the last of it where that is called so once.
    init(row: Int, lines: [[String]]) {
        let names = HeadingLines.names(lines)
        var last: [String: [Int]] = [:]
        for (column, name) in HeadingLines.lastNames(lines).enumerated() { last[ColumnName.normal(name), default: []].append(column) }
        self.init(row: row, names: names)
        for (name, places) in last where places.count == 1 && !name.isEmpty && columns[name] == nil { columns[name] = places[0] }
    }

    subscript(name: String) -> Int? { exact[name] ?? columns[ColumnName.normal(name)] }

    /// Where the columns of some names are, in the order of the names.
    func places(of names: [String]) -> [Int] { names.compactMap { self[$0] } }

    /// How many of some normal names are here.
    func count(of wanted: Set<String>) -> Int { columns.keys.count(where: wanted.contains) }

    /// The name of a column: its heading, or its letters.
    func name(of column: Int) -> String {
        guard names.indices.contains(column), !names[column].isEmpty else { return ColumnName.letters(column) }
        return names[column]
    }
}
