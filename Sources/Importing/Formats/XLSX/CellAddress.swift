import Model

/// Parses cell references as spreadsheets write them: `BC17`.
enum CellAddress {
    /// Row and column, counted from 0; nil for anything that is not a reference.
    @inline(__always) static func parse(_ bytes: Span<UInt8>) -> SheetDetails.Position? {
        var column = 0
        var row = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index] & 0xDF
            guard byte >= 0x41, byte <= 0x5A, bytes[index] >= 0x41 else { break }
            column = column * 26 + Int(byte - 0x40)
            guard column < 1 << 24 else { return nil }
            index += 1
        }
        let letters = index
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            guard digit <= 9 else { return nil }
            row = row * 10 + Int(digit)
            guard row < 1 << 32 else { return nil }
            index += 1
        }
        guard letters > 0, index > letters, row > 0 else { return nil }
        return SheetDetails.Position(row: row - 1, column: column - 1)
    }

    /// Parses a range: `A1:C3` or `A1`.
    static func range(_ text: String) -> SheetDetails.CellRange? {
        let parts = text.split(separator: ":", maxSplits: 1).map { Array($0.filter { $0 != "$" }.utf8) }
        guard let start = parts.first, let end = parts.last, let first = parse(start.span), let last = parse(end.span),
            first.row <= last.row, first.column <= last.column
        else { return nil }
        return SheetDetails.CellRange(first: first, last: last)
    }

    static func columnName(_ column: Int) -> String {
        var letters: [Character] = []
        var rest = max(column, 0) + 1
        while rest > 0 {
            letters.insert(Character(Unicode.Scalar(UInt8(0x41 + (rest - 1) % 26))), at: 0)
            rest = (rest - 1) / 26
        }
        return String(letters)
    }

    static func name(row: Int, column: Int) -> String { columnName(column) + String(row + 1) }
}
