/// The cells of some rows, without columns that are hidden when no row has a value.
struct ShownColumns {
    /// The columns that remain.
    let places: [Int]
    let cells: [[ReportCell]]

    init(_ columns: [ValueColumn], cells: [[ReportCell]]) {
        let places = columns.indices.filter { index in !columns[index].hidesEmpty || cells.contains { !$0[index].isEmpty } }
        self.places = places
        self.cells = cells.map { row in places.map { row[$0] } }
    }

    /// Whether any cell of a remaining column is a number.
    func isNumeric(_ place: Int) -> Bool { cells.contains { $0[place].isNumber } }
}
