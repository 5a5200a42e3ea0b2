import Model

/// The booleans of a binary workbook (MS-XLSB): LibreOffice, which converts the workbook, writes them as numbers.
///
/// Sources: MS-XLSB 2.1.4 (records), 2.4.301 (sheets of the book), 2.5.
struct XLSBBooleans {
    /// By the sheet's name.
    private var cells: [String: Set<SheetCell>] = [:]

    private enum Record {
        static let row = 0, boolean = 4, formulaBoolean = 10, sheet = 156
    }

    /// Reads the parts that the book's relations name. Cells of a sheet that is larger than `partBytes`, or that cannot
    /// be followed, stay numbers: LibreOffice, which reads all of it, says what is damaged.
    init(_ parts: WorkbookParts, book: String) {
        let most = UInt64(parts.limits.partBytes)
        guard let relations = try? parts.relations(of: book), let bytes = try? parts.bytes(of: book, atMost: most)
        else { return }
        for (relation, name) in Self.sheets(bytes) {
            guard let part = relations[relation]?.target, let bytes = try? parts.bytes(of: part, atMost: most) else {
                continue
            }
            cells[name] = Self.booleans(bytes)
        }
    }

    /// The table with its booleans.
    func marked(_ table: ForeignTable) -> ForeignTable {
        guard let cells = cells[table.name], !cells.isEmpty else { return table }
        var marked = table
        let open = table.open
        marked.open = { Rows(rows: try open(), booleans: cells) }
        return marked
    }

    private final class Rows: ForeignRows {
        private let rows: any ForeignRows
        private let booleans: Set<SheetCell>

        init(rows: any ForeignRows, booleans: Set<SheetCell>) { (self.rows, self.booleans) = (rows, booleans) }

        func fill(_ batch: inout ForeignBatch) throws {
            try rows.fill(&batch)
            for row in 0..<batch.rowCount {
                for column in 0..<batch.width(row)
                where booleans.contains(SheetCell(row: batch.rows[row].number - 1, column: column)) {
                    guard batch.cell(row, column).kind == .number, let text = batch.string(row, column) else {
                        continue
                    }
                    let word = text == "0" ? "false" : "true"
                    batch.set(.boolean, row: row, column: column, Array(word.utf8).span)
                }
            }
        }
    }

    /// The relation and the name of each sheet.
    private static func sheets(_ bytes: [UInt8]) -> [(relation: String, name: String)] {
        var found: [(String, String)] = []
        forEachRecord(bytes) { kind, range in
            guard kind == Record.sheet, let relation = text(bytes, at: range.lowerBound + 8),
                let name = text(bytes, at: relation.end)
            else { return }
            found.append((relation.text, name.text))
        }
        return found
    }

    private static func booleans(_ bytes: [UInt8]) -> Set<SheetCell> {
        var found: Set<SheetCell> = []
        var row = 0
        forEachRecord(bytes) { kind, range in
            guard kind == Record.row || kind == Record.boolean || kind == Record.formulaBoolean,
                let first = bytes.little32(range.lowerBound)
            else { return }
            if kind == Record.row { row = first } else { found.insert(SheetCell(row: row, column: first)) }
        }
        return found
    }

    /// A kind and a length, of up to two and four bytes with seven bits each, stand before every record.
    private static func forEachRecord(_ bytes: [UInt8], _ body: (_ kind: Int, Range<Int>) -> Void) {
        var place = 0
        func number(_ most: Int, bits: Int) -> Int? {
            var (value, shift) = (0, 0)
            for _ in 0..<most {
                guard place < bytes.count else { return nil }
                let byte = Int(bytes[place])
                place += 1
                value |= (byte & bits) << shift
                shift += 7
                if byte & 0x80 == 0 { break }
            }
            return value
        }
        while let kind = number(2, bits: 0x7F), let length = number(4, bits: 0x7F), length <= bytes.count - place {
            body(kind, place..<place + length)
            place += length
        }
    }

    private static func text(_ bytes: [UInt8], at place: Int) -> (text: String, end: Int)? {
        guard let count = bytes.little32(place), count >= 0, count <= (bytes.count - place - 4) / 2 else { return nil }
        let units = (0..<count).map { UInt16(bytes[place + 4 + 2 * $0]) | UInt16(bytes[place + 5 + 2 * $0]) << 8 }
        return (String(decoding: units, as: UTF16.self), place + 4 + 2 * count)
    }
}
