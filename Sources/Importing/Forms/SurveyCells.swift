import Model

/// Classifies the cells of a sheet by their appearance: words, labels, numbers.
struct SurveyCells {
    let sheet: FormSheet
    private let isName: (String) -> Bool
    /// Cells whose text is a common name of a field.
    private let known: Set<SheetCell>

    init(_ sheet: FormSheet, isName: @escaping (String) -> Bool) {
        (self.sheet, self.isName) = (sheet, isName)
        known = Set(sheet.filled.filter { cell in
                guard let value = sheet.value(at: cell), value.kind == .text, value.text.utf8.count <= 200 else {
                    return false
                }
            return isName(Self.head(value.text)) || isName(value.text)
        })
    }

    private static func head(_ text: String) -> String {
        String(text.prefix { $0 != ":" && $0 != "：" }).trimmingSpaces
    }

    func text(_ cell: SheetCell) -> String { sheet.value(at: cell)?.text ?? "" }
    func label(_ cell: SheetCell) -> String { Self.head(text(cell)) }
    func isKnown(_ cell: SheetCell) -> Bool { known.contains(cell) }

    /// Whether a cell contains letters and no numbers, as headings and labels do; text in brackets
    /// is ignored.
    func isWord(_ cell: SheetCell) -> Bool {
        guard let value = sheet.value(at: cell), value.kind == .text, value.text.count <= 80 else { return false }
        if known.contains(cell) { return true }
        let bare = HeadingWords.withoutBrackets(value.text)
        return bare.contains { $0.isLetter || $0 == "#" } && !bare.contains(where: \.isNumber)
    }

    func isLabel(_ cell: SheetCell) -> Bool {
        guard let value = sheet.value(at: cell), value.kind == .text, label(cell).count <= 60 else { return false }
        return known.contains(cell) || value.text.contains(":") || isWord(cell)
    }

    /// Whether a cell is certainly not a value.
    func isStrongLabel(_ cell: SheetCell) -> Bool {
        guard let value = sheet.value(at: cell), value.kind == .text else { return false }
        return known.contains(cell) || value.text.trimmingSpaces.hasSuffix(":")
    }

    /// Whether a label is one of at least three adjacent known labels in a row, none of which has a
    /// colon.
    func isAmongLabels(_ cell: SheetCell) -> Bool {
        var run = [cell]
        func grow(_ next: (SheetCell) -> SheetCell?) {
            var at = cell
            while let beside = next(at), run.count < 64, sheet.value(at: beside) != nil,
                isKnown(sheet.first(of: beside))
            {
                at = sheet.first(of: beside)
                run.append(at)
            }
        }
        grow { SheetCell(row: $0.row, column: sheet.last(of: $0).column + 1) }
        grow { $0.column > 0 ? SheetCell(row: $0.row, column: $0.column - 1) : nil }
        return run.count > 2 && run.allSatisfy { !text($0).contains(":") }
    }

    private static let figure = CachedRegex(/^\s*-?[0-9]+([.,][0-9]+)?\s*(m|-|–|a|$)/)

    func isFigure(_ cell: FormCell?) -> Bool {
        guard let cell else { return false }
        guard cell.kind == .text else { return cell.kind != .error }
        return ApparentType(Array(cell.text.utf8).span) != .text || cell.text.firstMatch(of: Self.figure.regex) != nil
    }

    func inside(_ block: FormSurvey.Block) -> [SheetCell] {
        sheet.filled.filter {
            (block.first.row...block.last.row).contains($0.row)
                && (block.first.column...block.last.column).contains($0.column)
        }
    }
}

extension String {
    package var trimmingSpaces: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
