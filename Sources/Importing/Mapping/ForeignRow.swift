import Foundation
import JSONReading
import Model

/// One row of a foreign table with its heading, as the parts of a mapping read it.
struct ForeignRow {
    let batch: ForeignBatch
    let index: Int
    /// Texts, in lower case, that mean that there is nothing in a cell.
    var blanks: Set<String> = []
    /// Where the cells stand, for tables whose columns are not those of a sheet.
    var naming: (any CellNaming)? = nil

    var number: Int { batch.rows[index].number }
    var isBlank: Bool { (0..<batch.width(index)).allSatisfy { text($0) == nil } }

    /// The text of a cell; nil where there is none, or nothing but spaces.
    func text(_ column: Int) -> String? {
        guard let text = batch.string(index, column), let first = text.utf8.first else { return nil }
        // Nearly every text begins with a printing ASCII character: only others are looked through.
        if first <= 0x20 || first >= 0x7F, text.allSatisfy(\.isWhitespace) { return nil }
        if !blanks.isEmpty, text.utf8.count <= 64, blanks.contains(text.trimmingCharacters(in: .whitespaces).lowercased()) { return nil }
        return text
    }

    /// The cell in A1 form; nil where it stands nowhere.
    func cellName(_ column: Int) -> String? {
        guard let naming else { return ColumnName.letters(column) + String(number) }
        return naming.cellName(row: index, column: column)
    }

    func kind(_ column: Int) -> ForeignBatch.Kind { batch.cell(index, column).kind }

    /// A number as per cent, where it is shown as such: 0.123 is 12.3.
    func inPercent(_ cell: (text: String, column: Int)) -> (text: String, column: Int) {
        guard batch.cell(index, cell.column).mark == .percent, let number = Decimal(string: cell.text, locale: Locale(identifier: "en_US_POSIX"))
        else { return cell }
        return ((number * 100).description, cell.column)
    }

    /// The first of some columns that is filled.
    func first(_ columns: [Int]) -> (text: String, column: Int)? {
        for column in columns {
            if let text = text(column) { return (text, column) }
        }
        return nil
    }

    /// A text that was made of a cell, as JSON.
    ///
    /// - Parameter guessing: whether a text that is a number of JSON is one; `007` is none.
    func json(_ text: String, of column: Int, guessing: Bool = true) -> JSONValue {
        let kind = kind(column)
        if kind == .boolean { return .bool(text == "true") }
        guard kind == .number || guessing else { return .string(text) }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard case .number(let digits)? = try? JSONValue.parse(trimmed) else { return .string(text) }
        // Seventeen digits are how spreadsheets write a binary number down: 0.07 is what was meant.
        guard kind == .number, digits.utf8.count > 16, digits.contains(where: { $0 == "." || $0 == "E" }), let real = Double(digits) else {
            return .number(digits)
        }
        return .number(real.description)
    }
}

/// Rows whose cells stand elsewhere than in the column and row that they have.
protocol CellNaming: AnyObject {
    /// The cell of a row of the batch that was filled last, in A1 form.
    func cellName(row: Int, column: Int) -> String?

    /// Whether a row comes in though a column is blank without which it does not; throws where it should, and cannot.
    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool

    /// An id for the record that a row belongs to, where the row cannot say which one it is: that of its form. Nil where there is none.
    func standIn(row: Int, for entity: String) -> String?
}

extension CellNaming {
    func standIn(row: Int, for entity: String) -> String? { nil }

    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool { false }
}
