package import Model

/// What the numbers add up to that stand in the one column which fills a field, by what became of their rows.
///
/// Numbers are taken from the cells as an independent count takes them, so that both can be held against each other: cells that are numbers, and
/// texts that are plainly one.
package struct FieldUse: Sendable, Hashable {
    package struct Numbers: Sendable, Hashable {
        package var cells = TableCount.Numbers()
        package var texts = TableCount.Numbers()
    }

    /// Where the rows of the record come from.
    package let place: Place
    package let field: String
    package let column: Int
    /// Of rows that made a record.
    package private(set) var taken = Numbers()
    /// Of rows with a fault, left out, or repeated; of titles.
    package private(set) var aside = Numbers()
    /// Whether a text has a mark that the mapping takes for one of thousands: what number it is, a plain look at it cannot tell.
    package private(set) var isUnsure = false

    /// Which of the rows that a line gives it belongs to.
    let target: Int
    private let otherMark: UInt8?

    /// - Parameter otherMark: a mark that is none of decimals.
    init(_ place: Place, _ field: String, column: Int, target: Int = 0, otherMark: UInt8? = nil) {
        (self.place, self.field, self.column, self.target, self.otherMark) = (place, field, column, target, otherMark)
    }

    /// Nil for a value that is not that of one cell, as it stands there.
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
