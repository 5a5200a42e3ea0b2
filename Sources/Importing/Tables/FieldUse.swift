package import Model

/// Sums of the numbers in the one column that fills a field, by what became of their rows.
///
/// Numbers are recognised in the same way as in an independent count, so that both can be compared:
/// cells that are numbers, and texts that are plainly a number.
package struct FieldUse: Sendable, Hashable {
    package struct Numbers: Sendable, Hashable {
        package var cells = TableCount.Numbers()
        package var texts = TableCount.Numbers()
    }

    /// Where the rows of the record came from.
    package let place: Place
    package let field: String
    package let column: Int
    /// Numbers of rows that made a record.
    package private(set) var taken = Numbers()
    /// Numbers of rows with a fault, of rows left out or repeated, and of titles.
    package private(set) var aside = Numbers()
    /// Whether a text contains a mark that the mapping treats as a thousands separator: without the
    /// mapping, its number cannot be determined.
    package private(set) var isUnsure = false

    /// The number of the target that the field belongs to, where a row feeds several.
    let target: Int
    private let otherMark: UInt8?

    /// - Parameter otherMark: a mark other than the decimal mark.
    init(_ place: Place, _ field: String, column: Int, target: Int = 0, otherMark: UInt8? = nil) {
        (self.place, self.field, self.column, self.target, self.otherMark) = (place, field, column, target, otherMark)
    }

    /// Nil for a value that is not the unchanged contents of a single cell.
    init?(_ place: Place, _ field: Field, _ plan: ValuePlan, target: Int) {
        guard field.type == .decimal || field.type == .integer, case .column(let places, let conversions) = plan, places.count == 1 else { return nil }
        switch conversions.drop(while: { $0 == .trim }) {
        case []: self.init(place, field.name, column: places[0], target: target)
        case [.decimalComma]: self.init(place, field.name, column: places[0], target: target, otherMark: UInt8(ascii: "."))
        case [.decimalPoint]: self.init(place, field.name, column: places[0], target: target, otherMark: UInt8(ascii: ","))
        default: return nil
        }
    }

    mutating func note(_ batch: borrowing ForeignBatch, _ row: Int, cameIn: Bool) {
        let cell = batch.cell(row, column)
        guard cell.kind == .number || cell.kind == .text, let value = TableTally.number(cell.kind, batch.text.span.extracting(cell.range)) else { return }
        if cell.kind == .text, let otherMark {
            for index in cell.range where batch.text[index] == otherMark { isUnsure = true }
        }
        switch (cameIn, cell.kind) {
        case (true, .number): taken.cells.add(value)
        case (true, _): taken.texts.add(value)
        case (false, .number): aside.cells.add(value)
        case (false, _): aside.texts.add(value)
        }
    }
}
