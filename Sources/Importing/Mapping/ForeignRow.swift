import Foundation
import JSONReading
import Model

/// One row of an external table, in the form in which the parts of a mapping read it.
package struct ForeignRow {
    package let batch: ForeignBatch
    package let index: Int
    /// Texts, in lower case, that mean an empty cell.
    var blanks: Set<String> = []
    /// Finds the positions of cells, for tables whose columns are not those of a sheet.
    var naming: (any CellNaming)? = nil

    var number: Int { batch.rows[index].number }
    package var isBlank: Bool { (0..<batch.width(index)).allSatisfy { text($0) == nil } }

    /// The text of a cell; nil if it is empty or contains only spaces.
    package func text(_ column: Int) -> String? {
        guard let text = batch.string(index, column), let first = text.utf8.first else { return nil }
        // Nearly every text begins with a printable ASCII character: only other texts are searched.
        if first <= 0x20 || first >= 0x7F, text.allSatisfy(\.isWhitespace) { return nil }
        if !blanks.isEmpty, text.utf8.count <= 64,
            blanks.contains(text.trimmingCharacters(in: .whitespaces).lowercased())
        {
            return nil
        }
        return text
    }

    /// The cell in A1 form; nil if it has no position.
    func cellName(_ column: Int) -> String? {
        guard let naming else { return ColumnName.letters(column) + String(number) }
        return naming.cellName(row: index, column: column)
    }

    package func kind(_ column: Int) -> ForeignBatch.Kind { batch.cell(index, column).kind }

    /// Converts a number that is displayed as a percentage: 0.123 becomes 12.3.
    func inPercent(_ cell: (text: String, column: Int)) -> (text: String, column: Int) {
        guard batch.cell(index, cell.column).mark == .percent,
            let number = Decimal(string: cell.text, locale: Locale(identifier: "en_US_POSIX"))
        else { return cell }
        return ((number * 100).description, cell.column)
    }

    /// The first filled cell of some columns.
    func first(_ columns: [Int]) -> (text: String, column: Int)? {
        for column in columns {
            if let text = text(column) { return (text, column) }
        }
        return nil
    }

    /// A text derived from a cell, as JSON.
    ///
    /// - Parameter guessing: whether a text in the form of a JSON number becomes a number; `007`
    ///   does not.
    func json(_ text: String, of column: Int, guessing: Bool = true) -> JSONValue {
        let kind = kind(column)
        if kind == .boolean { return .bool(text == "true") }
        guard kind == .number || guessing else { return .string(text) }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard case .number(let digits)? = try? JSONValue.parse(trimmed) else { return .string(text) }
        // Spreadsheets write binary numbers with seventeen digits. The number that is meant is the
        // shortest one with the same binary value, such as 0.07.
        guard kind == .number, digits.utf8.count > 16, digits.contains(where: { $0 == "." || $0 == "E" }),
            let real = Double(digits)
        else {
            return .number(digits)
        }
        return .number(real.description)
    }
}

/// Rows whose cells have other positions in the file than in the batch.
protocol CellNaming: AnyObject {
    /// The cell, in A1 form, of a row of the last filled batch.
    func cellName(row: Int, column: Int) -> String?

    /// Whether a row is imported although a required column is blank. Throws if a blank required
    /// column prevents the import of a row that contains data.
    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool

    /// A substitute id for the record that a row belongs to (for forms, that of the row's form),
    /// used if the record's key is incomplete. Nil if there is none.
    func standIn(row: Int, for entity: String) -> String?
}

extension CellNaming {
    func standIn(row: Int, for entity: String) -> String? { nil }

    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool { false }
}

/// Reason why a row or one of its fields cannot be built from the file's contents: a finding
/// without its place.
struct MappingFault: Error {
    var code: String
    /// The cell in A1 form, if there is one.
    var cell: String?
    var field: String?
    var arguments: [String: String] = [:]
}

extension ForeignRow {
    /// A cell's text after a field's conversions; nil if nothing remains of it.
    func converted(
        _ cell: (text: String, column: Int), _ conversions: [CellConversion], _ words: ConversionWords, table: String,
        field: String?
    ) throws(MappingFault) -> String? {
        let kind = kind(cell.column)
        guard kind != .error else { throw fault("IMPORT-ERROR-CELL", cell, field) }
        var text = cell.text
        for conversion in conversions {
            // A file that stores binary numbers writes them with a point, whatever decimal mark its
            // users prefer.
            if kind == .number, conversion.isOfText { continue }
            do {
                guard let next = try conversion.apply(text, words: words) else { return nil }
                text = next
            } catch {
                throw fault(error.code, cell, field, error.arguments)
            }
        }
        return text
    }

    private func fault(
        _ code: String, _ cell: (text: String, column: Int), _ field: String?, _ arguments: [String: String] = [:]
    ) -> MappingFault {
        MappingFault(
            code: code, cell: cellName(cell.column), field: field,
            arguments: arguments.merging(["value": String(cell.text.prefix(80))]) { first, _ in first })
    }
}

extension ForeignRow {
    /// A row as it stands, without the words of a mapping.
    package init(batch: ForeignBatch, index: Int) {
        self.init(batch: batch, index: index, blanks: [], naming: nil)
    }
}
