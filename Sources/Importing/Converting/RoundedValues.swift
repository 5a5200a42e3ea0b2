import Foundation
import Model

/// Values of one row that the replica cannot store with all their digits: it stores decimals as
/// binary numbers, and instants to the microsecond.
final class RoundedValues {
    /// The file's texts and the stored values (`kept`) of the current row.
    private var values: [(field: String, text: String, kept: String)] = []

    var isEmpty: Bool { values.isEmpty }

    func removeAll() {
        if !values.isEmpty { values.removeAll() }
    }

    func note(_ field: String, _ text: String, _ value: MemoryRows.Value) {
        let kept =
            switch value {
            case .real(let real): real.description
            case .integer(let integer): String(integer)
            case .text(let text): text
            case .null: ""
            }
        values.append((field, String(text.prefix(80)), kept))
    }

    /// Counts the rounded values of a row, once the row is imported.
    func report(at line: Int?, pointer: String?, into batch: inout ImportedBatch) {
        for value in values {
            batch.round(
                .init(count: 1, text: value.text, kept: value.kept, line: line, pointer: pointer), field: value.field)
        }
        values.removeAll()
    }

    /// Whether a text has digits that its stored value lacks. A text that is the shortest or the
    /// complete notation of a binary number loses nothing.
    static func isRounded(_ text: String, _ value: MemoryRows.Value, _ type: FieldType) -> Bool {
        switch value {
        case .real(let real): return isRounded(text, real)
        case .integer(let integer) where type == .integer: return Int64(text) == nil && isRounded(text, Double(integer))
        case .text where type == .datetime: return hasMoreThanMicroseconds(text)
        default: return false
        }
    }

    private static func isRounded(_ text: String, _ real: Double) -> Bool {
        let written = digits(text)
        guard written.count > 15 else { return false }
        let held = String(format: "%.*e", min(written.count, 800) - 1, real)
        return digits(held) != written
    }

    /// The digits of a number without its sign, mark and exponent, and without zeros at both ends.
    private static func digits(_ text: String) -> [UInt8] {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }.filter {
            (48...57).contains($0)
        }
        let zero = UInt8(ascii: "0")
        return Array(digits.drop { $0 == zero }.reversed().drop { $0 == zero }.reversed())
    }

    private static func hasMoreThanMicroseconds(_ text: String) -> Bool {
        guard let point = text.utf8.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) else {
            return false
        }
        let fraction = text.utf8[text.utf8.index(after: point)...].prefix { (48...57).contains($0) }
        return fraction.dropFirst(6).contains { $0 != UInt8(ascii: "0") }
    }
}

/// A column of a source with values that lost digits: reported once, with the first example.
struct RoundedColumn {
    private var place: Place
    private var rounding: ImportedBatch.Rounding

    static func add(_ batch: borrowing ImportedBatch, to columns: inout [RoundedColumn]) {
        for (field, rounding) in batch.roundings.sorted(by: { $0.key < $1.key }) {
            var place = batch.place
            (place.field, place.line, place.pointer, place.mapping) = (field, rounding.line, rounding.pointer, nil)
            if let index = columns.firstIndex(where: {
                ($0.place.table, $0.place.file, $0.place.sheet, $0.place.field) == (
                    place.table, place.file, place.sheet, field
                )
            }) {
                columns[index].rounding.count += rounding.count
            } else {
                columns.append(RoundedColumn(place: place, rounding: rounding))
            }
        }
    }

    var finding: Finding {
        Finding(
            "IMPORT-ROUNDED", place: place,
            arguments: [
                "count": String(rounding.count), "name": place.field ?? "", "value": rounding.text,
                "kept": rounding.kept,
            ])
    }
}
