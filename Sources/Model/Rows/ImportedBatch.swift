/// Rows of one entity that came out of one table of a source the straight way: values typed as the replica stores them, every row stating
/// the same fields. No `String` and no dictionary is made for a row.
package struct ImportedBatch: Sendable {
    package let entity: String
    /// Positions in the entity's fields of the columns of `rows`, the last of them that of `id`.
    package let fields: [Int]
    /// What the places of all rows have in common.
    package let place: Place
    package var rows: RowBatch
    /// The line or row of the sheet that each row stood in.
    package private(set) var lines: [Int] = []
    /// The rows as they stood in the source.
    package var raw: RawCells
    /// Rows between these that were read and left out on purpose.
    package private(set) var filtered = 0

    package init(entity: String, fields: [Int], place: Place, headings: [String]) {
        (self.entity, self.fields, self.place) = (entity, fields, place)
        rows = RowBatch(columnCount: fields.count)
        raw = RawCells(headings: headings)
    }

    /// How many rows of the source it stands for.
    package var count: Int { rows.rowCount + filtered }
    package var isFull: Bool { rows.isFull || raw.bytes.count >= 1 << 17 || filtered >= 4096 }

    package mutating func removeAll() {
        rows.removeAll()
        lines.removeAll(keepingCapacity: true)
        raw.removeAll()
        filtered = 0
    }

    package mutating func filter() { filtered += 1 }

    /// Ends the row whose cells were appended to `rows` and to `raw`.
    package mutating func endRow(line: Int) {
        rows.endRow()
        raw.endRow()
        lines.append(line)
    }

    /// Takes back the cells of the row that is being filled.
    package mutating func dropOpenRow() {
        rows.dropOpenRow()
        raw.dropOpenRow()
    }

    /// A row as those take it that know only single ones.
    package func row(_ row: Int, of entity: Entity) -> ImportedRow {
        var place = place
        (place.line, place.id) = (lines[row], rows.string(row, fields.count - 1))
        var result = ImportedRow(entity: self.entity, values: [:], raw: RawCells.json(raw.row(row), headings: raw.headings), place: place)
        var ordered = [MemoryRows.Value?](repeating: nil, count: entity.fields.count)
        for (column, field) in fields.enumerated() { ordered[field] = rows.value(row, column) }
        result.ordered = ordered
        return result
    }
}

extension RowBatch {
    /// A cell as a value of its own. Not for bulk work.
    package func value(_ row: Int, _ column: Int) -> MemoryRows.Value {
        let cell = cell(row, column)
        return switch cell.kind {
        case .null: .null
        case .integer: .integer(cell.integer)
        case .real: .real(cell.real)
        case .text: .text(string(row, column) ?? "")
        }
    }
}
