/// The names of a foreign table's columns and where each one is.
struct Heading {
    /// Row of the sheet that they stand in; 0 where the file itself names its columns, or they have none.
    let row: Int
    let names: [String]
    private let columns: [String: Int]
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
