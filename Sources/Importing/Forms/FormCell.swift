import Model

/// A value of a form, with the cell that it stands in; nil for what stands in none.
struct FormCell {
    var kind: ForeignBatch.Kind
    var text: String
    var place: SheetCell?

    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

extension SheetCell {
    /// `H4`.
    var name: String { ColumnName.letters(column) + String(row + 1) }
}
