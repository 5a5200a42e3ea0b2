import Model

/// A value of a form, with its cell; nil where it has none.
struct FormCell {
    var kind: ForeignBatch.Kind
    var text: String
    var place: SheetCell?

    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// The value without the colon that some forms write before it; nil where nothing else remains.
    var withoutColon: FormCell? {
        let start = text.drop(while: \.isWhitespace)
        guard kind == .text, let first = start.first, first == ":" || first == "：" else { return self }
        let rest = String(start.dropFirst().drop(while: \.isWhitespace))
        return rest.isEmpty ? nil : FormCell(kind: kind, text: rest, place: place)
    }
}

extension SheetCell {
    /// Name of the cell: `H4`.
    var name: String { ColumnName.letters(column) + String(row + 1) }
}
