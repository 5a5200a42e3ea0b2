import Model

/// The forms of a sheet as rows of a table: one for each form, or for each row of one of its tables, with the form's values behind.
final class FormRows: ForeignRows, CellNaming {
    private let readouts: [FormReadout]
    private let rows: (FormReadout) -> [FormTableScan.Row]
    private var readout = 0
    private var next = 0
    private var places: [[SheetCell?]] = []

    /// Which of the form's values the rows' own columns leave standing.
    private let kept: [Int]

    init(_ readouts: [FormReadout], of: ImportMapping.FormTarget.Of, _ form: ImportMapping.Form) {
        self.readouts = readouts
        let own = Self.own(of, form)
        kept = form.values.indices.filter { !own.contains(form.values[$0].name) }
        rows = { readout in
            switch of {
            case .form: [.init(number: readout.number, cells: [])]
            case .table(let name): (readout.tables[name] ?? nil) ?? []
            case .pictures: readout.pictures
            case .links: readout.links
            }
        }
    }

    /// Names of the columns: those of the table go before the form's values of the same name.
    static func columns(of: ImportMapping.FormTarget.Of, _ form: ImportMapping.Form) -> [String] {
        let own = own(of, form)
        return own + form.values.map(\.name).filter { !own.contains($0) }
    }

    private static func own(_ of: ImportMapping.FormTarget.Of, _ form: ImportMapping.Form) -> [String] {
        switch of {
        case .form: []
        case .table(let name): form.tables.first { $0.name == name }?.columns.map(\.name) ?? []
        case .pictures, .links: ImportMapping.FormTarget.photoColumns
        }
    }

    func fill(_ batch: inout ForeignBatch) {
        batch.removeAll()
        places.removeAll(keepingCapacity: true)
        while readout < readouts.count, !batch.isFull {
            let form = readouts[readout]
            let own = rows(form)
            guard next < own.count else {
                (readout, next) = (readout + 1, 0)
                continue
            }
            let cells = own[next].cells + kept.map { form.values[$0] }
            for cell in cells {
                if let cell { batch.append(cell.kind, cell.text) } else { batch.appendEmpty() }
            }
            batch.endRow(number: own[next].number)
            places.append(cells.map { $0?.place })
            next += 1
        }
    }

    func cellName(row: Int, column: Int) -> String? {
        guard places.indices.contains(row), places[row].indices.contains(column) else { return nil }
        return places[row][column]?.name
    }
}
