package import Model

/// What a sheet holds when it is seen as a form: labels with their values, and small tables below headings of their own, upright or on
/// their side. A guess: a mapping or a person decides.
package struct FormSurvey {
    /// A label and what stands beside it.
    package struct Pair {
        package let label: String
        let labelPlace: SheetCell
        let value: FormCell
        let valuePlace: SheetCell
        package let side: ImportMapping.FormValue.Side
        /// Whether the label is a name that is known.
        package let isKnown: Bool

        package var labelCell: String { labelPlace.name }
        package var valueCell: String { valuePlace.name }
        package var valueText: String { value.text }
    }

    /// A table within the sheet.
    package struct Block {
        package struct Column {
            /// All that stands above it.
            package let heading: String
            /// The lowest word alone.
            package let last: String
            let place: Int
        }

        package let first: SheetCell
        package let last: SheetCell
        package let isSideways: Bool
        /// Lines of the heading.
        package let headingLines: Int
        package let columns: [Column]
        /// Line by line, in the order of the columns.
        let lines: [[FormCell?]]

        package var range: String { first.name + ":" + last.name }
        package var texts: [[String?]] { lines.map { $0.map { $0?.text } } }
    }

    package private(set) var pairs: [Pair] = []
    package private(set) var blocks: [Block] = []

    /// Nil for a sheet that is too large to be a form.
    ///
    /// - Parameter isName: whether a text is a name that people give a field.
    package init?(_ table: ForeignTable, path: String, limits: FormLimits = FormLimits(), isName: @escaping (String) -> Bool) throws {
        guard table.columns == nil else { return nil }
        do {
            self.init(try FormSheet(table, path: path, limits: limits), isName: isName)
        } catch TableFailure.tooLarge {
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
                    label: cells.label(cell), labelPlace: cell, value: value, valuePlace: place, side: side, isKnown: cells.isKnown(cell)))
        }
    }

    private static func value(
        of cell: SheetCell, _ cells: SurveyCells, _ taken: Set<SheetCell>
    ) -> (FormCell, SheetCell, ImportMapping.FormValue.Side)? {
        let sheet = cells.sheet
        if let rest = sheet.restAfterColon(cell) { return (rest, cell, .same) }
        func free(_ cell: SheetCell) -> FormCell? {
            guard let value = sheet.value(at: cell), !taken.contains(sheet.first(of: cell)), !cells.isStrongLabel(sheet.first(of: cell)) else { return nil }
            return value
        }
        var right = SheetCell(row: cell.row, column: sheet.last(of: cell).column + 1)
        while let value = sheet.value(at: right), [":", "="].contains(value.text.filter { !$0.isWhitespace }) {
            right.column = sheet.last(of: right).column + 1
        }
        if let value = free(right), sheet.first(of: right).row == cell.row { return (value, sheet.first(of: right), .right) }
        let below = SheetCell(row: sheet.last(of: cell).row + 1, column: cell.column)
        // Only what is known to be a label has its value below: of others it would be the next label.
        if cells.isKnown(cell), let value = free(below), sheet.first(of: below) == below { return (value, below, .below) }
        return nil
    }
}
