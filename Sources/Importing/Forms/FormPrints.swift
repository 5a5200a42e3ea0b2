import Model

/// Distinguishes text filled in on forms from printed text. A text that is in the same place on
/// most forms counts as printed. A value of an outer record, such as the project, does not count
/// as filled in.
struct FormPrints {
    private let form: ImportMapping.Form
    /// Indices of values of outer records, which do not count as filled in.
    private let outer: Set<Int>
    /// The number of forms with any text in a place, and with a certain text there. The keys are
    /// digests of the place, or of place and text.
    private var counts: [Int: Int] = [:]

    /// The largest number of stored digests. Texts beyond this number count as filled in.
    private static let mostCounts = 1_000_000

    init(_ form: ImportMapping.Form) {
        self.form = form
        let rows = form.rows.filter { $0.of == .form && !Self.needsPresent($0, form) }
        let names = Set(rows.flatMap { $0.target.fields.flatMap(\.headings) })
        outer = Set(
            form.values.indices.filter {
                names.contains(form.values[$0].name) && !form.present.contains(form.values[$0].name)
            })
    }

    /// Whether a target's rows read one of the values that must be filled in for the form to count.
    static func needsPresent(_ row: ImportMapping.FormTarget, _ form: ImportMapping.Form) -> Bool {
        let read = Set(row.target.fields.flatMap(\.headings))
        return form.present.contains(where: read.contains)
    }

    mutating func add(_ readout: FormReadout) {
        for (place, text) in texts(of: readout) where counts.count < Self.mostCounts {
            counts[Self.digest(place, nil), default: 0] += 1
            counts[Self.digest(place, text), default: 0] += 1
        }
    }

    /// The cells that were filled in on a form.
    func filled(_ readout: FormReadout) -> [FormCell] {
        let values = readout.values.indices.compactMap { index in
            outer.contains(index)
                ? nil
                : readout.values[index].flatMap { isFilled($0, Place(part: "", row: 0, column: index)) ? $0 : nil }
        }
        let rows = form.tables.flatMap { table in
            ((readout.tables[table.name] ?? nil) ?? []).enumerated().flatMap { filled($1, $0, of: table.name) }
        }
        let pictures = readout.pictures.compactMap { row in
            row.cells[0].flatMap { isFilled($0, Self.picture) ? $0 : nil }
        }
        return values + rows + pictures
    }

    /// The cells that were filled in in one row of a form's table; the row's number does not count.
    ///
    /// - Parameter index: position of the row in its table.
    func filled(_ row: FormTableScan.Row, _ index: Int, of table: String) -> [FormCell] {
        row.cells.enumerated().compactMap { column, cell in
            guard let cell, cell.text != String(index + 1),
                isFilled(cell, Place(part: table, row: index, column: column))
            else { return nil }
            return cell
        }
    }

    private struct Place: Hashable {
        /// The table's name; empty for the form's values.
        var part: String
        var row: Int
        var column: Int
    }

    /// Pictures have no fixed place.
    private static let picture = Place(part: "", row: -1, column: 0)

    private func texts(of readout: FormReadout) -> [(Place, String)] {
        var texts: [(Place, String)] = []
        for (index, cell) in readout.values.enumerated() {
            if let cell { texts.append((Place(part: "", row: 0, column: index), cell.text)) }
        }
        for table in form.tables {
            for (index, row) in ((readout.tables[table.name] ?? nil) ?? []).enumerated() {
                for (column, cell) in row.cells.enumerated() {
                    if let cell { texts.append((Place(part: table.name, row: index, column: column), cell.text)) }
                }
            }
        }
        for name in Set(readout.pictures.compactMap { $0.cells[0]?.text }) { texts.append((Self.picture, name)) }
        return texts
    }

    private func isFilled(_ cell: FormCell, _ place: Place) -> Bool {
        guard FormLeftovers.says(cell.text) else { return false }
        let (same, all) = (counts[Self.digest(place, cell.text)] ?? 0, counts[Self.digest(place, nil)] ?? 0)
        return same < 2 || same * 2 <= all
    }

    private static func digest(_ place: Place, _ text: String?) -> Int {
        var hasher = Hasher()
        hasher.combine(place)
        hasher.combine(text)
        return hasher.finalize()
    }
}
