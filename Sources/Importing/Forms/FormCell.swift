import Model

/// A value of a form, with the cell that it stands in; nil for what stands in none.
struct FormCell {
    var kind: ForeignBatch.Kind
    var text: String
    var place: SheetCell?

    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// Without the colon that some forms write before a value; nil where nothing else is there.
    var withoutColon: FormCell? {
        let start = text.drop(while: \.isWhitespace)
        guard kind == .text, let first = start.first, first == ":" || first == "：" else { return self }
        let rest = String(start.dropFirst().drop(while: \.isWhitespace))
        return rest.isEmpty ? nil : FormCell(kind: kind, text: rest, place: place)
    }
}

extension SheetCell {
    /// `H4`.
    var name: String { ColumnName.letters(column) + String(row + 1) }
}
