import Model

/// What became of the filled cells of a sheet of forms: a cell was read if an imported row has it,
/// is faulty if only rejected rows have it, and was left if no row reads it: labels, headings,
/// titles.
final class FormUse {
    let use: ColumnUse
    private let held: [Int]
    private var read: Set<SheetCell> = []
    private var faulty: Set<SheetCell> = []
    /// Tables of rows made from the sheet, and how many of them have been read.
    private var tables = (all: 0, read: 0)

    /// - Parameter held: for each column, the number of cells with any content.
    init(file: String, sheet: String, held: [Int]) {
        use = ColumnUse(file: file, table: sheet)
        self.held = held
    }

    /// Announces one more table to be read.
    func expect() { tables.all += 1 }

    func note(_ cell: SheetCell, _ fate: ColumnUse.Fate) {
        switch fate {
        case .read: read.insert(cell)
        case .faulty: faulty.insert(cell)
        case .left: break
        }
    }

    /// Notes that a table has been read; after the last one, the cells are counted and released.
    func finish() {
        tables.read += 1
        guard tables.read >= tables.all else { return }
        tables.read = 0
        var columns = held.map { ColumnUse.Column(name: "", left: $0) }
        func move(_ cells: some Sequence<SheetCell>, to part: WritableKeyPath<ColumnUse.Column, Int>) {
            for cell in cells where columns.indices.contains(cell.column) {
                columns[cell.column][keyPath: part] += 1
                columns[cell.column].left -= 1
            }
        }
        move(read, to: \.read)
        move(faulty.subtracting(read), to: \.faulty)
        use.set(columns)
        (read, faulty) = ([], [])
    }
}
