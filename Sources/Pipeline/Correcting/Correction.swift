import Model

/// What a row of a workbook that was brought asks for.
struct Correction {
    enum Kind { case change, addition, removal }

    var kind: Kind
    var entity: String
    /// The row's id in the replica; empty for a new row until it gets one.
    var id: String
    /// The name by which people know the row.
    var name: String
    /// The workbook's sheet and its row, counted from 1.
    var table: String
    var line: Int
    /// The name of the record that a new row belongs to, as the workbook says it.
    var owner: String?
    var cells: [CorrectedCell] = []
    /// Whether the row was refused by the replica; the findings say why.
    var isRefused = false

    /// Whether any cell asks for something that can be done.
    var isEffective: Bool { kind == .removal ? cells.isEmpty : cells.contains { $0.verdict == .changed } }

    func place(of cell: CorrectedCell?, in file: String) -> Place {
        var place = Place(
            file: file, sheet: table, cell: RawCells.columnName(cell?.column ?? 0) + String(line))
        (place.table, place.id, place.key, place.field) = (entity, id.isEmpty ? nil : id, name, cell?.field?.name)
        return place
    }
}

/// A cell that differs from the exported workbook, with the three sides.
struct CorrectedCell {
    enum Verdict: Equatable {
        case changed
        /// The replica's value has changed too, to another one.
        case conflict
        /// By the finding of this code.
        case refused(String)
    }

    /// The place in the workbook that was brought, counted from 0.
    var column: Int
    var heading: String
    var field: Field?
    var was: String
    var brought: BookCell
    /// What stands in the replica now; nil: the row is new, or gone.
    var now: String?
    var verdict: Verdict
}
