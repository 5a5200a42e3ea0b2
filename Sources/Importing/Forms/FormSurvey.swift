package import Model

/// Describes a sheet as a form: labels with their values, and small tables with separate headings,
/// upright or sideways. The description is a guess, which a mapping or a person confirms.
package struct FormSurvey {
    /// A label and the value beside it.
    package struct Pair {
        package let label: String
        package let labelPlace: SheetCell
        package let value: FormCell
        package let valuePlace: SheetCell
        package let side: ImportMapping.FormValue.Side
        /// Whether the label is a known name.
        package let isKnown: Bool

        package var labelCell: String { labelPlace.name }
        package var valueCell: String { valuePlace.name }
        package var valueText: String { value.text }
    }

    /// A table within the sheet.
    package struct Block {
        package struct Column {
            /// All heading cells above the column, joined.
            package let heading: String
            /// Only the lowest word of the heading.
            package let last: String
            let place: Int
        }

        package let first: SheetCell
        package let last: SheetCell
        package let isSideways: Bool
        /// Number of rows of the heading.
        package let headingLines: Int
        package let columns: [Column]
        /// The rows, each in the order of the columns.
        package let lines: [[FormCell?]]

        /// The separate tables in this block: a column without a heading divides them.
        package var apart: [Block] {
            guard !isSideways else { return [] }
            var runs: [[Int]] = []
            for index in columns.indices {
                if let last = runs.last?.last, columns[index].place == columns[last].place + 1 {
                    runs[runs.count - 1].append(index)
                } else {
                    runs.append([index])
                }
            }
            return runs.filter { $0.count > 1 }.map { run in
                let lines = lines.map { line in run.map { line[$0] } }.prefix { $0.contains { $0 != nil } }
                return Block(
                    first: SheetCell(row: first.row, column: columns[run[0]].place),
                    last: SheetCell(
                        row: first.row + headingLines + lines.count - 1, column: columns[run[run.count - 1]].place),
                    isSideways: false,
                    headingLines: headingLines, columns: run.map { columns[$0] }, lines: Array(lines))
            }
        }

        package var range: String { first.name + ":" + last.name }
        package var texts: [[String?]] { lines.map { $0.map { $0?.text } } }
    }

    package private(set) var pairs: [Pair] = []
    package private(set) var blocks: [Block] = []
    /// How many columns to the right of a label are searched for its value.
    private static let reach = 3

    /// The separate forms of the sheet, if repeated labels show where each begins.
    package private(set) var parts: FormParts?

    /// Nil for a sheet that is too large to be a form.
    ///
    /// - Parameter isName: whether a text is a common name of some field.
    package init?(
        _ table: ForeignTable, path: String, limits: FormLimits = FormLimits(), isName: @escaping (String) -> Bool
    ) throws {
        guard table.columns == nil else { return nil }
        do {
            self.init(try FormSheet(table, path: path, limits: limits), isName: isName)
        } catch let failure as TableFailure where failure.code == "TABLE-TOO-LARGE" {
            return nil
        }
    }

    init(_ sheet: FormSheet, isName: @escaping (String) -> Bool) {
        let cells = SurveyCells(sheet, isName: isName)
        let tables = FormBlockSearch(cells).blocks()
        blocks = tables.sorted { $0.first < $1.first }
        var taken = Set(tables.flatMap { cells.inside($0) })
        for cell in sheet.filled where !taken.contains(cell) && cells.isLabel(cell) {
            guard let (value, place, side) = Self.value(of: cell, cells, taken) else { continue }
            taken.formUnion([cell, place])
            pairs.append(
                Pair(
                    label: cells.label(cell), labelPlace: cell, value: value, valuePlace: place, side: side,
                    isKnown: cells.isKnown(cell)))
        }
        parts = parts(of: sheet)
    }

    /// The forms of the sheet that an import with these labels would find.
    private func parts(of sheet: FormSheet) -> FormParts? {
        var labels: [String] = []
        var counts: [String: Int] = [:]
        for pair in pairs where pair.isKnown {
            let name = ColumnName.normal(pair.label)
            if counts[name] == nil { labels.append(pair.label) }
            counts[name, default: 0] += 1
        }
        let several = counts.values.filter { $0 > 1 }
        // The number of forms is the count that most of the repeated labels share.
        guard
            let count = Dictionary(grouping: several, by: \.self).max(by: {
                ($0.value.count, $1.key) < ($1.value.count, $0.key)
            })?.key,
            let first = labels.first(where: { counts[ColumnName.normal($0)] == count })
        else { return nil }
        let values = labels.map { ImportMapping.FormValue($0, .label([$0], .right, within: [])) }
        return FormParts(sheet, ImportMapping.Form(present: [first], values: values, rows: []))
    }

    private static func value(
        of cell: SheetCell, _ cells: SurveyCells, _ taken: Set<SheetCell>
    ) -> (FormCell, SheetCell, ImportMapping.FormValue.Side)? {
        let sheet = cells.sheet
        if let rest = sheet.restAfterColon(cell) { return (rest, cell, .same) }
        func free(_ cell: SheetCell) -> FormCell? {
            guard let value = sheet.value(at: cell)?.withoutColon, !taken.contains(sheet.first(of: cell)),
                !cells.isStrongLabel(sheet.first(of: cell))
            else { return nil }
            return value
        }
        var right = SheetCell(row: cell.row, column: sheet.last(of: cell).column + 1)
        while let value = sheet.value(at: right), [":", "="].contains(value.text.filter { !$0.isWhitespace }) {
            right.column = sheet.last(of: right).column + 1
        }
        // If labels are side by side, the cell to the right is the next label, known or not.
        let under = SheetCell(row: sheet.last(of: cell).row + 1, column: cell.column)
        if cells.isKnown(cell), cells.isAmongLabels(cell), cells.isWord(right), let value = free(under),
            sheet.first(of: under) == under
        {
            return (value, under, .below)
        }
        if let value = free(right), sheet.first(of: right).row == cell.row {
            return (value, sheet.first(of: right), .right)
        }
        let hasColon = cells.text(cell).trimmingSpaces.hasSuffix(":")
        // Only a known label can have its value below; below other cells there may be the next
        // label.
        if !hasColon, cells.isKnown(cell), let value = free(under), sheet.first(of: under) == under {
            return (value, under, .below)
        }
        // Searches further to the right where the cells between are blank.
        guard cells.isStrongLabel(cell) else { return nil }
        while right.column - sheet.last(of: cell).column <= Self.reach, sheet.value(at: right) == nil {
            right.column += 1
        }
        guard let value = free(right), sheet.first(of: right) == right, right.column > sheet.last(of: cell).column + 1
        else { return nil }
        return (value, right, .away(rows: 0, columns: right.column - cell.column))
    }
}
