import Model

/// Finds a table within a form by its heading, and reads its rows. In a sideways table, rows and
/// columns are exchanged. So a "line" is a row or, sideways, a column; a "place" is the position of
/// a value on the line.
struct FormTableScan {
    let block: FormBlock
    let table: ImportMapping.FormTable
    /// Every label of the form's values: a label at the beginning of a line ends the table.
    let labels: LabelPattern

    struct Row {
        /// Row of the sheet, counted from 1.
        var number: Int
        /// Cells in the order of the table's columns.
        var cells: [FormCell?]
        /// The position of each cell, even if the cell is empty.
        var places: [SheetCell?] = []
    }

    struct Heading {
        var start: Int
        /// The first line below the heading.
        var end: Int
        /// Positions of the table's columns; nil for a column that is missing.
        var places: [Int?]
    }

    /// Headings have at most this many rows; higher merged cells are not headings.
    private static let highest = 4

    private var rows: Range<Int> { block.rows.clamped(to: 0..<max(block.sheet.rowCount, 1)) }
    private var columns: Range<Int> { block.columns.clamped(to: 0..<max(block.sheet.columnCount, 1)) }
    private var lines: Range<Int> { table.isSideways ? columns : rows }
    private var places: Range<Int> { table.isSideways ? rows : columns }

    private func cell(_ line: Int, _ place: Int) -> SheetCell {
        table.isSideways ? SheetCell(row: place, column: line) : SheetCell(row: line, column: place)
    }

    private func line(of cell: SheetCell) -> Int { table.isSideways ? cell.column : cell.row }
    private func place(of cell: SheetCell) -> Int { table.isSideways ? cell.row : cell.column }

    /// Finds the line with the most of the table's headings, the first of equal ones. At least half
    /// are needed.
    func heading() -> Heading? {
        let patterns = table.columns.map { LabelPattern($0.headings) }
        var best: (score: Int, heading: Heading)?
        let starts = Dictionary(grouping: block.filled, by: line(of:))
        for line in starts.keys.sorted() {
            let height = table.headingRows ?? height(of: starts[line] ?? [])
            let names = names(line..<line + height, starts)
            var taken: Set<Int> = []
            let found = patterns.map { pattern -> Int? in
                let place = names.first { name in
                    !taken.contains(name.place) && name.names.contains(where: pattern.matches)
                }?.place
                guard let place else { return nil }
                taken.insert(place)
                return valuePlace(under: place, line..<line + height, starts)
            }
            guard taken.count * 2 >= patterns.count, taken.count > best?.score ?? 0 else { continue }
            best = (taken.count, Heading(start: line, end: line + height, places: found))
            if taken.count == patterns.count { break }
        }
        return best?.heading
    }

    /// The position of the values of a column whose heading is merged over several positions.
    private func valuePlace(under place: Int, _ lines: Range<Int>, _ starts: [Int: [SheetCell]]) -> Int {
        let heads = lines.flatMap { starts[$0] ?? [] }.filter { self.place(of: $0) == place }
        guard let last = heads.map({ self.place(of: block.sheet.last(of: $0)) }).min(), last > place else {
            return place
        }
        return block.sheet.valuePlace(under: place...last) { cell(lines.upperBound, $0) }
    }

    /// Whether a cell belongs to the heading: in an upright table, every cell in its rows. So a
    /// register with one line for each pit is not mistaken for a form. In a sideways table, only
    /// the headings themselves belong to it, because labels of the form are in the same column.
    func isHeading(_ cell: SheetCell, _ heading: Heading) -> Bool {
        guard (heading.start..<heading.end).contains(line(of: cell)) else { return false }
        let used = heading.places.compactMap { $0 }
        guard table.isSideways, let least = used.min(), let greatest = used.max() else { return true }
        return (least...greatest).contains(place(of: cell))
    }

    /// The cells above the heading's columns.
    func cells(of heading: Heading) -> [SheetCell] {
        let used = Set(heading.places.compactMap { $0 })
        return block.filled.filter { cell in
            guard (heading.start..<heading.end).contains(line(of: cell)) else { return false }
            return used.contains {
                (place(of: cell)...max(place(of: cell), place(of: block.sheet.last(of: cell)))).contains($0)
            }
        }
    }

    private func height(of cells: [SheetCell]) -> Int {
        cells.map { line(of: block.sheet.last(of: $0)) - line(of: $0) + 1 }.filter { $0 <= Self.highest }.max() ?? 1
    }

    /// The names of each column: all heading cells above it, joined, and the lowest one alone.
    private func names(_ lines: Range<Int>, _ starts: [Int: [SheetCell]]) -> [(place: Int, names: [String])] {
        var parts: [Int: [String]] = [:]
        for cell in lines.flatMap({ starts[$0] ?? [] }) {
            guard let word = block.sheet.head(of: cell)?.whole, !word.isEmpty else { continue }
            // A merged cell counts for each of the columns that it covers.
            let last = min(place(of: block.sheet.last(of: cell)), places.upperBound - 1)
            for place in place(of: cell)...max(last, place(of: cell)) { parts[place, default: []].append(word) }
        }
        return parts.keys.sorted().map { place in
            let words = parts[place] ?? []
            return (place, [words.joined(), words[words.count - 1]])
        }
    }

    /// The table's rows, top to bottom or left to right.
    func rows(below heading: Heading) -> [Row] {
        let ends = LabelPattern(table.until)
        let used = heading.places.compactMap { $0 }
        guard let least = used.min(), let greatest = used.max() else { return [] }
        let starts = Dictionary(grouping: block.filled, by: line(of:))
        var rows: [Row] = []
        for line in lines where line >= heading.end {
            let own = (starts[line] ?? []).filter { !table.isSideways || (least...greatest).contains(place(of: $0)) }
            if let first = own.first, block.isLabel(first, labels) { break }
            if own.contains(where: { block.isLabel($0, ends) }) { break }
            let cells = heading.places.map { place in
                place.flatMap { block.value(at: cell(line, $0)) }.flatMap { value in
                    value.place.map { self.line(of: $0) >= heading.end } == true ? value : nil
                }
            }
            let filled = cells.compactMap { $0?.place }
            guard !filled.isEmpty else {
                if rows.isEmpty || ends.count > 0 { continue }
                break
            }
            // No cell begins on this line: it contains only merged cells from the lines above.
            if filled.allSatisfy({ self.line(of: $0) < line }) { continue }
            let places = heading.places.map { place in place.map { cell(line, $0) } }
            rows.append(Row(number: (table.isSideways ? least : line) + 1, cells: cells, places: places))
        }
        return rows
    }
}
