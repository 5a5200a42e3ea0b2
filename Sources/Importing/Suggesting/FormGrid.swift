import Model

/// The distance from one form of a sheet to the next, derived from repeated labels.
struct FormGrid {
    private(set) var start = SheetCell(row: 0, column: 0)
    private(set) var every = ImportMapping.Distance()

    init(_ pairs: [FormSurvey.Pair]) {
        let places = Dictionary(grouping: pairs) { ColumnName.normal($0.label) }.mapValues { $0.map(\.labelPlace) }.filter { $0.value.count > 1 }
        // A single repeated label does not prove a second form.
        guard places.count > 1 else { return }
        let rows = Self.distance(places.values.map { Set($0.map(\.row)).sorted() })
        let columns = Self.distance(places.values.map { Set($0.map(\.column)).sorted() })
        guard rows != nil || columns != nil else { return }
        every = .init(rows: rows, columns: columns)
        let first = places.values.flatMap { $0 }
        start = SheetCell(row: rows == nil ? 0 : first.map(\.row).min() ?? 0, column: columns == nil ? 0 : first.map(\.column).min() ?? 0)
    }

    /// The most common step, if nearly all others are multiples of it.
    private static func distance(_ lines: [[Int]]) -> Int? {
        let steps = lines.flatMap { line in zip(line, line.dropFirst()).map { $1 - $0 } }
        let counts = Dictionary(grouping: steps) { $0 }.mapValues(\.count)
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key, steps.count(where: { $0 % most == 0 }) * 10 >= steps.count * 8 else { return nil }
        return most
    }

    /// The position of the form that a cell belongs to, counted from the first; nil for a cell
    /// above or left of all forms.
    func index(of cell: SheetCell) -> SheetCell? {
        guard cell.row >= start.row, cell.column >= start.column else { return nil }
        return SheetCell(
            row: every.rows.map { (cell.row - start.row) / $0 } ?? 0, column: every.columns.map { (cell.column - start.column) / $0 } ?? 0)
    }
}
