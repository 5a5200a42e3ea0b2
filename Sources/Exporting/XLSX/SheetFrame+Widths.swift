import Model

extension SheetFrame {
    /// The frame with columns as wide as these contents ask for. The pattern is made before any row
    /// is read, and its widths follow from types.
    func fitted(_ columns: [ColumnPlan], to characters: [Int?]) -> SheetFrame {
        var text = String(decoding: head, as: UTF8.self)
        for (index, (column, count)) in zip(columns, characters).enumerated() {
            let mark = "<col min=\"\(index + 1)\" max=\"\(index + 1)\" width=\""
            guard let start = text.firstRange(of: mark)?.upperBound, let end = text[start...].firstIndex(of: "\"") else { continue }
            // As the library counts: digits of 7 pixels, and 5 pixels of padding.
            let width = ((column.width(holding: count) * 7 + 5).rounded(.down) / 7 * 256).rounded(.down) / 256
            text.replaceSubrange(start..<end, with: String(width))
        }
        return SheetFrame(head: Array(text.utf8), tail: tail, styles: styles)
    }
}

extension SheetRows {
    /// The most characters of each column in the first rows, which are read and not taken yet; nil:
    /// nothing there. They are a batch of at most 256 rows, so that nothing is read twice.
    func characters(_ columns: [ColumnPlan]) throws -> [Int?] {
        try fetchIfEmpty()
        return columns.enumerated().map { index, column in
            waiting.compactMap { row -> Int? in
                let cell = batch.cell(row, index)
                switch cell.kind {
                case .null: return nil
                case .integer: return Self.digits(cell.integer, column.kind)
                case .real: return Self.digits(cell.real, column.kind)
                case .text: return batch.text[cell.range].split(separator: UInt8(ascii: "\n")).map { line in line.count { $0 & 0xC0 != 0x80 } }.max()
                }
            }.max()
        }
    }

    private static func digits(_ number: some CustomStringConvertible, _ kind: SheetColumn.Kind) -> Int {
        let text = number.description
        guard case .decimal(let decimals?) = kind else { return text.count }
        return text.prefix { $0 != "." }.count + (decimals > 0 ? decimals + 1 : 0)
    }
}
