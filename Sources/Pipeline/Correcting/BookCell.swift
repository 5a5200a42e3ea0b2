import Foundation
import Importing
import Model

/// A cell of a workbook in the form in which cells are compared, whichever program saved them: numbers to the
/// fifteen digits that Excel keeps, texts composed and without white space around them.
struct BookCell: Equatable {
    /// Empty for an empty cell.
    var text: String
    var isNumber = false
    /// Whether the cell has no value: a formula that was never computed, or one that failed.
    var isFault = false

    init(_ text: String) { self.text = text }

    init(_ batch: borrowing ForeignBatch, _ row: Int, _ column: Int) {
        let cell = batch.cell(row, column)
        text = Self.form(batch.string(row, column) ?? "", cell.kind)
        isNumber = cell.kind == .number
        isFault = cell.mark == .unsaved || cell.kind == .error
    }

    /// The most digits of a number that Excel keeps.
    private static let digits = 15

    private static func form(_ text: String, _ kind: ForeignBatch.Kind) -> String {
        switch kind {
        case .number:
            guard let number = Double(text) else { return text }
            if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
            return Double(String(format: "%.\(digits)g", number)).map { "\($0)" } ?? text
        case .text:
            return text.precomposedStringWithCanonicalMapping.replacing("\r\n", with: "\n")
                .trimmingCharacters(in: .whitespacesAndNewlines)
        default: return text
        }
    }

    /// Appends the cell to the bytes of a row, in a form that only equal cells share.
    static func append(_ batch: borrowing ForeignBatch, _ row: Int, _ column: Int, to bytes: inout [UInt8]) {
        let cell = batch.cell(row, column)
        if cell.kind == .text || cell.kind == .date, isPlain(batch.text.span.extracting(cell.range)) {
            bytes.append(contentsOf: batch.text[cell.range])
        } else {
            bytes.append(contentsOf: BookCell(batch, row, column).text.utf8)
        }
    }

    /// Whether a text is surely in the form for comparison: ASCII without white space around it or lines.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes[0] != 0x20, bytes[bytes.count - 1] != 0x20 else { return bytes.count == 0 }
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] > 0x7E { return false }
        return true
    }

    /// The cell with what people write for a value of the field brought into the form that programs write: a day as
    /// `03/11/2026`, a number with a comma.
    func read(for field: Field?) -> BookCell {
        guard !isNumber, let field else { return self }
        var cell = self
        switch field.type {
        case .decimal, .integer:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            // Three digits after a comma may be thousands: such a text is refused as it stands.
            if parts.count == 2, !text.contains("."), parts.allSatisfy({ !$0.isEmpty }), parts[1].count != 3 {
                cell.text = BookCell.form(parts.joined(separator: "."), .number)
            }
        case .date:
            let parts = text.split(whereSeparator: { "/.-".contains($0) }).map(String.init)
            if parts.count == 3, parts[2].count == 4, let day = Int(parts[0]), let month = Int(parts[1]) {
                cell.text = parts[2] + String(format: "-%02d-%02d", month, day)
            } else if parts.count == 3, parts[0].count == 4, let month = Int(parts[1]), let day = Int(parts[2]) {
                cell.text = parts[0] + String(format: "-%02d-%02d", month, day)
            } else if text.count > 10, text.hasSuffix("T00:00:00") {
                cell.text = String(text.prefix(10))
            }
        default: break
        }
        return cell
    }

    /// Whether a person sees the same: also where a program turned `0045` into a number, or dropped parts of a second.
    func isSame(as other: BookCell) -> Bool {
        if text == other.text { return true }
        if isNumber || other.isNumber, let own = Double(text), let others = Double(other.text) { return own == others }
        let isTime = text.count >= 19 && other.text.count >= 19 && text.dropFirst(10).first == "T"
        return isTime && text.prefix(19) == other.text.prefix(19)
    }

    /// The text that the change gives the field; nil clears it.
    func entered(for field: Field, in zone: TimeZone) -> String? {
        guard !text.isEmpty else { return nil }
        switch field.type {
        case .datetime:
            guard let shown = Timestamp.parse(text + "Z") else { return text }
            return Timestamp.format(OfficeClock.instant(showing: shown.timeIntervalSince1970, in: zone))
        case .list:
            let items = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            return JSONString.document(items.filter { !$0.isEmpty })
        default: return text
        }
    }
}
