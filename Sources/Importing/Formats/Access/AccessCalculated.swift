internal import Digests
internal import Foundation
internal import Model

/// Values of a table's calculated columns, row by row in the order of `mdb-export`, which prints
/// zeros and wrong letters for them. Each value is stored in the form of its type, after a head of
/// 20 bytes.
final class AccessCalculated {
    private let pages: AccessPages
    private let table: AccessPages.Table
    private let columns: [String: AccessPages.Column]
    private var nextPage = 0
    private var rows: ArraySlice<AccessStoredRow> = []
    private var row: AccessStoredRow?

    /// Whether there is a row after the current one.
    private(set) var hasMore = true

    /// Nil if the pages do not have the stated number of rows: values could get into wrong rows.
    init?(path: String, table name: String, statedRows: Int?) throws {
        pages = try AccessPages(path: path)
        guard let found = pages.table(named: name) else { return nil }
        table = found
        columns = Dictionary(found.columns.map { ($0.name, $0) }) { first, _ in first }
        let count = found.pages.reduce(0) { [pages] in $0 + pages.rows(of: $1, in: found).count }
        guard count == statedRows ?? count else { return nil }
        find()
    }

    /// Goes to the next row; false if there is none.
    func advance() -> Bool {
        row = rows.popFirst()
        find()
        return row != nil
    }

    /// Finds the next page that has rows.
    private func find() {
        while rows.isEmpty, nextPage < table.pages.count {
            rows = pages.rows(of: table.pages[nextPage], in: table)[...]
            nextPage += 1
        }
        hasMore = !rows.isEmpty
    }

    /// Appends the row's value in a column.
    func append(_ name: String, _ result: AccessResult, to batch: inout ForeignBatch) {
        guard let column = columns[name], let stored = row?[column] else { return batch.appendEmpty() }
        let whole = result == .memo ? pages.long(stored) : Array(stored)
        guard let whole, let length = whole.little32(16),
            let value = length <= whole.count - 20 ? whole.dropFirst(20).prefix(length) : nil
        else {
            return batch.append(.error, "a calculated value that is not as Access stores it")
        }
        guard let cell = result.cell(value) else { return batch.appendEmpty() }
        batch.append(cell.kind, cell.text)
    }
}

/// Type of a calculated column's result, with its number in Access.
enum AccessResult: Int {
    case boolean = 1, byte, integer, long, currency, single, double, date, text = 10, memo = 12, identifier = 15,
        decimal

    /// The cell for a stored value; nil if the value is empty or malformed.
    func cell(_ value: ArraySlice<UInt8>) -> (kind: ForeignBatch.Kind, text: String)? {
        func number(_ text: String?) -> (ForeignBatch.Kind, String)? { text.map { (.number, $0) } }
        switch self {
        case .boolean: return value.first.map { (.boolean, $0 == 0 ? "false" : "true") }
        case .byte: return number(value.little(0, 1).map { String($0) })
        case .integer: return number(value.little16(0).map { String(Int16(truncatingIfNeeded: $0)) })
        case .long: return number(value.signed32(0).map { String($0) })
        case .currency: return number(value.little(0, 8).map { Self.decimal(Int128(Int64(bitPattern: $0)), scale: 4) })
        case .single: return value.little32(0).map { Self.finite(Double("\(Float(bitPattern: UInt32($0)))") ?? .nan) }
        case .double: return value.little(0, 8).map { Self.finite(Double(bitPattern: $0)) }
        case .date: return value.little(0, 8).map { Self.date(Double(bitPattern: $0)) }
        case .text, .memo: return AccessText.string(value).flatMap { $0.isEmpty ? nil : (.text, $0) }
        case .identifier: return Self.identifier(value).map { (.text, $0) }
        case .decimal:
            // Two reserved bytes, the scale, the sign, the highest word, the two lower ones.
            guard let scale = value.little(2, 1), let sign = value.little(3, 1), let high = value.little(4, 4),
                let low = value.little(8, 8)
            else { return nil }
            let digits = Int128(high) << 64 | Int128(low)
            return number(Self.decimal(sign == 0 ? digits : -digits, scale: Int(scale)))
        }
    }

    private static func finite(_ value: Double) -> (ForeignBatch.Kind, String) {
        value.isFinite ? (.number, OldValueText.shortest(value)) : (.error, "\(value)")
    }

    /// A whole number divided by ten to the power of `scale`, without trailing zeros.
    private static func decimal(_ number: Int128, scale: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        var fraction = padded.suffix(scale)
        while fraction.last == "0" { fraction.removeLast() }
        return (number < 0 ? "-" : "") + padded.dropLast(scale) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Days since 1899-12-30; the fraction counts forwards from midnight on earlier days, too. As
    /// in other columns of Access, midnight means a day without time, and day 0 a time.
    private static func date(_ value: Double) -> (ForeignBatch.Kind, String) {
        guard value.isFinite, value > -657_435, value < 2_958_466 else { return (.error, "\(value)") }
        var (day, seconds) = (Int(value), Int(abs(value - value.rounded(.towardZero)) * 86_400 + 0.5))
        if seconds == 86_400 { (day, seconds) = (day + 1, 0) }
        let date = GregorianDay(sinceEpoch: day - 25_569).text
        var time: [UInt8] = []
        SerialDate.time(seconds * 1000, to: &time)
        let clock = String(decoding: time, as: UTF8.self)
        return seconds == 0 ? (.date, date) : day == 0 ? (.time, clock) : (.dateTime, date + "T" + clock)
    }

    private static func identifier(_ value: ArraySlice<UInt8>) -> String? {
        guard value.count == 16 else { return nil }
        let bytes = Array(value)
        // In the first three groups, the lowest byte is first.
        let order = [[3, 2, 1, 0], [5, 4], [7, 6], [8, 9], Array(10...15)]
        return order.map { $0.map { bytes[$0] }.hexadecimal }.joined(separator: "-").uppercased()
    }
}

/// Texts as Access stores them since 2000.
enum AccessText {
    static func wide(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            decoding: stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
                UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
            }, as: UTF16.self)
    }

    /// Plain UTF-16, or compressed text after the mark FF FE: one byte per character
    /// (U+0001–U+00FF). A zero byte switches to UTF-16, and the next one back.
    static func string(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.starts(with: [0xFF, 0xFE]) else { return bytes.count % 2 == 0 ? wide(bytes) : nil }
        var text = ""
        for (index, part) in bytes.dropFirst(2).split(separator: 0, omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 0 {
                text.unicodeScalars.append(contentsOf: part.map { Unicode.Scalar($0) })
            } else {
                text += wide(part)
            }
        }
        return text
    }
}

/// A column as `mdb-schema` prints it: `[Cost]  Currency,`.
struct AccessColumn {
    enum Content: Equatable {
        case text, number, boolean, dateTime, bytes
        /// A replication id, which `mdb-export` prints as text encoded in hexadecimal.
        case identifier
        /// A value that Access computes, read directly from the file's pages.
        case calculated(AccessResult)
        /// A type that mdbtools omits or prints wrongly, by its name in Access.
        case unreadable(String)
    }

    let name: String
    var content: Content

    init?(line: Substring) {
        guard let end = line.range(of: "]\t", options: .backwards) else { return nil }
        name = String(line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound])
        let type = line[end.upperBound...].drop { $0 == "\t" || $0 == " " }
        content =
            if type.hasPrefix("Boolean") {
                .boolean
            } else if type.hasPrefix("DateTime") {
                .dateTime
            } else if type.hasPrefix("OLE") || type.hasPrefix("Binary") {
                .bytes
            } else if type.hasPrefix("Replication ID") {
                .identifier
            } else if ["Byte", "Integer", "Long Integer", "Currency", "Single", "Double", "Numeric", "BigInt"].contains(
                where: { type.hasPrefix($0) })
            {
                .number
            } else if type.hasPrefix("Text") || type.hasPrefix("Memo") {
                .text
            } else if type.hasPrefix("Unknown_0012") {
                // Cells of such a column contain only references to rows of an internal table.
                .unreadable("attachment or multi-valued field")
            } else if type.hasPrefix("Unknown_0014") {
                .unreadable("Date/Time Extended")
            } else {
                .unreadable(type.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces))
            }
    }

    /// The type of a column that cannot be read; nil for a readable one.
    var unreadableType: String? {
        if case .unreadable(let type) = content { type } else { nil }
    }
}
