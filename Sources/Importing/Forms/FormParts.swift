package import Model

/// The forms of a sheet that are not at fixed distances. Each form begins where the first of its
/// labels is repeated.
package struct FormParts {
    /// Rows or columns of each form, in order.
    let lines: [Range<Int>]
    let areRows: Bool
    /// Rows before the first form: their values apply to all forms.
    package let head: Range<Int>

    /// Besides the required labels, this many labels must occur as often as there are forms.
    private static let witnesses = 2

    /// Nil if the sheet is a single form, or if its labels do not clearly show where a form ends.
    ///
    /// Each form must have every required label once, and two further labels must occur as often as
    /// there are forms. All these labels must be in one column (for forms side by side: in one
    /// row). No label may occur twice in a form, or at a place that could belong to either of two
    /// forms.
    init?(_ sheet: FormSheet, _ form: ImportMapping.Form) {
        guard form.every == ImportMapping.Distance(), form.start == SheetCell(row: 0, column: 0) else { return nil }
        let (places, needed) = Self.places(sheet, form)
        guard let places, let count = needed.compactMap({ places[$0]?.count }).min(), count > 1 else { return nil }
        let whole = places.filter { $0.value.count == count }
        let others = places.filter { !needed.contains($0.key) && $0.value.count > 1 }.keys
        guard needed.allSatisfy({ whole[$0] != nil }),
            others.count(where: { whole[$0] != nil }) >= max(1, min(Self.witnesses, others.count)),
            let firsts = whole.values.min(by: { $0[0] < $1[0] })
        else { return nil }
        areRows = Set(firsts.map(\.column)).count == 1
        guard areRows || Set(firsts.map(\.row)).count == 1 else { return nil }
        let (areRows, title) = (areRows, areRows ? Self.title(above: firsts.map(\.row), sheet) : 0)
        head = 0..<firsts[0].row - title
        let starts = firsts.map { areRows ? $0.row - title : $0.column }
        let extent = areRows ? sheet.extent.rows : sheet.extent.columns
        let lines = starts.indices.map { index in
            (index == 0 && !areRows ? 0 : starts[index])..<(index + 1 < starts.count
                ? starts[index + 1] : max(extent, starts[index] + 1))
        }
        self.lines = lines
        let head = head
        for own in places.values {
            let inHead = own.filter { head.contains($0.row) }
            guard inHead.isEmpty || inHead.count == own.count else { return nil }
            let within = own.filter { !head.contains($0.row) }.map { cell in
                lines.firstIndex { $0.contains(areRows ? cell.row : cell.column) }
            }
            guard Set(within).count == within.count else { return nil }
        }
        // A label that only some forms have, directly above the next form, could belong to either
        // form.
        guard areRows else { return }
        let filled = Set(sheet.filled.map(\.row))
        let doubtful = Set(places.values.filter { $0.count != count }.flatMap { $0.map(\.row) })
        for start in starts.dropFirst() {
            var row = start - 1
            while filled.contains(row) {
                if doubtful.contains(row) { return nil }
                row -= 1
            }
        }
    }

    /// The number of the form that a cell belongs to; nil for cells of the head, which apply to all
    /// forms.
    package func index(of cell: SheetCell) -> Int? {
        head.contains(cell.row) ? nil : lines.firstIndex { $0.contains(areRows ? cell.row : cell.column) }
    }

    /// For each value, the cells with its label, in reading order; and the values that are
    /// required. The cells are nil if the mapping has values in fixed cells.
    private static func places(_ sheet: FormSheet, _ form: ImportMapping.Form) -> (
        places: [Int: [SheetCell]]?, needed: Set<Int>
    ) {
        var patterns: [Int: LabelPattern] = [:]
        for (index, value) in form.values.enumerated() {
            guard case .label(let labels, _, let outer) = value.place else { return (nil, []) }
            if outer.isEmpty { patterns[index] = LabelPattern(labels) }
        }
        var places: [Int: [SheetCell]] = [:]
        for cell in sheet.filled {
            guard let head = sheet.head(of: cell) else { continue }
            for (index, pattern) in patterns
            where pattern.matches(head.whole) || head.beforeColon.map(pattern.matches) == true {
                places[index, default: []].append(cell)
            }
        }
        return (
            places,
            Set(form.values.indices.filter { form.present.contains(form.values[$0].name) && patterns[$0] != nil })
        )
    }

    /// How many rows above the first label are the same on every form: the printed title.
    private static func title(above rows: [Int], _ sheet: FormSheet) -> Int {
        let starts = Dictionary(grouping: sheet.filled, by: \.row)
        func texts(_ row: Int) -> [Int: String] {
            Dictionary(
                (starts[row] ?? []).map { ($0.column, sheet.value(at: $0)?.text ?? "") },
                uniquingKeysWith: { first, _ in first })
        }
        let least = zip(rows, rows.dropFirst()).map { $1 - $0 - 1 }.min() ?? 0
        var height = 0
        while height < min(least, rows[0]), !texts(rows[0] - height - 1).isEmpty,
            rows.dropFirst().allSatisfy({ texts($0 - height - 1) == texts(rows[0] - height - 1) }) {
            height += 1
        }
        return height
    }
}
