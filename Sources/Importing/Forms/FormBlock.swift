import Model

/// One form on a sheet: finds labels in it, and the values beside them.
struct FormBlock {
    let sheet: FormSheet
    let rows: Range<Int>
    let columns: Range<Int>
    /// Rows above the first form of the sheet, whose values apply to all forms.
    private let head: Range<Int>
    /// Filled cells in reading order; cells above the forms, which all forms share, are the last
    /// ones.
    let filled: [SheetCell]
    /// Cells that may be labels: words in the heading of a table are excluded.
    private(set) var labelCells: [SheetCell]

    /// The largest number of rows between an outer label and an inner label below it.
    private static let reach = 3

    private init(
        _ sheet: FormSheet, rows: Range<Int>, columns: Range<Int>, head: Range<Int> = 0..<0, filled: [SheetCell]
    ) {
        (self.sheet, self.rows, self.columns, self.head, self.filled) = (sheet, rows, columns, head, filled)
        labelCells = filled
    }

    /// Excludes the cells of a table's heading from the labels.
    mutating func exclude(_ isHeading: (SheetCell) -> Bool) { labelCells.removeAll(where: isHeading) }

    /// The forms of a sheet, without empty ones, in reading order.
    static func blocks(of sheet: FormSheet, _ form: ImportMapping.Form, path: String, limit: Int) throws -> [FormBlock]
    {
        func check(_ count: Int) throws {
            guard count <= limit else {
                throw TableFailure.tooLarge(
                    Place(file: path, sheet: sheet.name), kind: "form", limit: "formsPerSheet \(limit)")
            }
        }
        if let parts = FormParts(sheet, form) {
            try check(parts.lines.count)
            return blocks(of: sheet, parts)
        }
        let start = form.start
        let height = form.every.rows ?? max(sheet.extent.rows - start.row, 1)
        let width = form.every.columns ?? max(sheet.extent.columns - start.column, 1)
        let cells = Dictionary(grouping: sheet.filled.filter { $0.row >= start.row && $0.column >= start.column }) {
            cell in
            SheetCell(row: (cell.row - start.row) / height, column: (cell.column - start.column) / width)
        }
        try check(cells.count)
        return cells.keys.sorted().map { index in
            let (row, column) = (start.row + index.row * height, start.column + index.column * width)
            return FormBlock(
                sheet, rows: row..<min(row + height, sheet.extent.rows),
                columns: column..<min(column + width, sheet.extent.columns),
                filled: cells[index] ?? [])
        }
    }

    private static func blocks(of sheet: FormSheet, _ parts: FormParts) -> [FormBlock] {
        let shared = sheet.filled.filter { parts.head.contains($0.row) }
        let rest = sheet.filled.filter { !parts.head.contains($0.row) }
        let all = (
            rows: parts.head.upperBound..<max(sheet.extent.rows, parts.head.upperBound + 1),
            columns: 0..<max(sheet.extent.columns, 1)
        )
        return parts.lines.map { lines in
            let (rows, columns) = parts.areRows ? (lines, all.columns) : (all.rows, lines)
            let own = rest.filter { rows.contains($0.row) && columns.contains($0.column) }
            return FormBlock(sheet, rows: rows, columns: columns, head: parts.head, filled: own + shared)
        }
    }

    func contains(_ cell: SheetCell) -> Bool {
        (rows.contains(cell.row) && columns.contains(cell.column)) || head.contains(cell.row)
    }

    /// The visible value of a cell of this form; nil for cells of a neighbouring form.
    func value(at cell: SheetCell) -> FormCell? { contains(cell) ? sheet.value(at: cell) : nil }

    func isLabel(_ cell: SheetCell, _ pattern: LabelPattern) -> Bool {
        guard let head = sheet.head(of: cell) else { return false }
        return pattern.matches(head.whole) || head.beforeColon.map(pattern.matches) == true
    }

    /// Finds the cell of the first of some labels that the form contains. If that label occurs
    /// twice, the upper left cell is returned.
    func find(_ labels: LabelPattern, among cells: [SheetCell]? = nil) -> SheetCell? {
        for index in 0..<labels.count {
            for cell in cells ?? labelCells {
                guard let head = sheet.head(of: cell) else { continue }
                if labels.matches(head.whole, index) || head.beforeColon.map({ labels.matches($0, index) }) == true {
                    return cell
                }
            }
        }
        return nil
    }

    /// All cells of the form with the same label as a given cell, including that cell.
    func places(likeThatIn label: SheetCell) -> [SheetCell] {
        guard let head = sheet.head(of: label) else { return [] }
        let word = head.beforeColon ?? head.whole
        return labelCells.filter { cell in
            guard let other = sheet.head(of: cell) else { return false }
            return (other.beforeColon ?? other.whole) == word
        }
    }

    /// The label's cell. If there is an outer label, the cell must be within reach of it.
    func find(_ labels: LabelPattern, within outer: LabelPattern) -> SheetCell? {
        guard outer.count > 0 else { return find(labels) }
        guard let start = find(outer) else { return nil }
        let bottom = sheet.last(of: start).row + Self.reach
        return find(labels, among: labelCells.filter { $0 > start && $0.row <= bottom && $0.column >= start.column })
    }

    /// The value beside a label; nil if there is none. Another label is never used as a value.
    ///
    /// - Parameter labels: every label of the form.
    func value(beside label: SheetCell, _ side: ImportMapping.FormValue.Side, labels: LabelPattern) -> FormCell? {
        if case .away(let rows, let columns) = side {
            return taken(SheetCell(row: label.row + rows, column: label.column + columns), labels)
        }
        if let rest = sheet.restAfterColon(label) { return rest }
        let last = sheet.last(of: label)
        switch side {
        case .same, .away: return nil
        case .below: return taken(SheetCell(row: last.row + 1, column: label.column), labels)
        case .right:
            var cell = SheetCell(row: label.row, column: last.column + 1)
            // On some forms, the colon is in a separate cell.
            while let value = value(at: cell), [":", "="].contains(value.text.filter { !$0.isWhitespace }) {
                cell.column = sheet.last(of: cell).column + 1
            }
            return taken(cell, labels)
        }
    }

    /// The cell in which the value of a label is expected.
    func place(beside label: SheetCell, _ side: ImportMapping.FormValue.Side) -> SheetCell {
        let last = sheet.last(of: label)
        return switch side {
        case .same: label
        case .right: SheetCell(row: label.row, column: last.column + 1)
        case .below: SheetCell(row: last.row + 1, column: label.column)
        case .away(let rows, let columns): SheetCell(row: label.row + rows, column: label.column + columns)
        }
    }

    /// The value of a cell without a leading colon; nil if the cell is a label.
    private func taken(_ cell: SheetCell, _ labels: LabelPattern) -> FormCell? {
        guard let value = value(at: cell), !isLabel(sheet.first(of: cell), labels) else { return nil }
        return value.withoutColon
    }
}

/// A value of a form, with its cell; the cell is nil if the value is not in one.
package struct FormCell {
    package var kind: ForeignBatch.Kind
    package var text: String
    var place: SheetCell?

    package var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// The value without the colon that some forms write before it; nil if nothing else remains.
    var withoutColon: FormCell? {
        let start = text.drop(while: \.isWhitespace)
        guard kind == .text, let first = start.first, first == ":" || first == "：" else { return self }
        let rest = String(start.dropFirst().drop(while: \.isWhitespace))
        return rest.isEmpty ? nil : FormCell(kind: kind, text: rest, place: place)
    }
}

extension SheetCell {
    /// The cell in A1 form: `H4`.
    package var name: String { ColumnName.letters(column) + String(row + 1) }
}

/// The labels that a mapping names, prepared for comparison: without case, accents, spaces and
/// punctuation. `*` matches any text.
struct LabelPattern {
    private let labels: [[String]]

    init(_ labels: [String]) {
        self.labels = labels.map { label in
            label.split(separator: "*", omittingEmptySubsequences: false).map { ColumnName.normal(String($0)) }
        }.filter { $0.contains { !$0.isEmpty } }
    }

    var count: Int { labels.count }

    func matches(_ normal: String) -> Bool { labels.indices.contains { matches(normal, $0) } }

    /// Whether a normalised text matches the label with this number.
    func matches(_ normal: String, _ index: Int) -> Bool {
        let pieces = labels[index]
        guard pieces.count > 1 else { return normal == pieces[0] }
        guard normal.hasPrefix(pieces[0]), normal.hasSuffix(pieces[pieces.count - 1]),
            normal.utf8.count >= pieces[0].utf8.count + pieces[pieces.count - 1].utf8.count
        else { return false }
        var rest = normal.dropFirst(pieces[0].count).dropLast(pieces[pieces.count - 1].count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
