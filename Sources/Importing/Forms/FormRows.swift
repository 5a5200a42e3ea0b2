import Model

/// The forms of a sheet as rows of a table. There is one row for each form, or one for each row of
/// a table within the forms. The form's values follow the row's own cells.
final class FormRows: ForeignRows, CellNaming {
    /// Data needed to build the rows of a sheet and to check them.
    struct Scene {
        var form: ImportMapping.Form
        var prints: FormPrints
        /// Whether a form or row that lacks a required value is rejected if other values were
        /// filled in.
        var isJudged: Bool
        var use: FormUse?
        /// The entity of the form's record, and the parts of an id that distinguish forms of this
        /// sheet from forms of other sheets.
        var record: String?
        var sheet: [String]
    }

    private let readouts: [FormReadout]
    private let target: ImportMapping.FormTarget
    private let scene: Scene
    private var form: ImportMapping.Form { scene.form }
    private let names: [String]
    /// The number of the row's own columns, which come before the form's values.
    private let ownCount: Int
    /// Indices of the form's values without those that an own column of the row replaces.
    private let kept: [Int]
    private var readout = 0
    private var next = 0
    /// For each row of the batch, its form and its row within the form.
    private var origins: [(form: Int, row: Int)] = []

    init(_ readouts: [FormReadout], of target: ImportMapping.FormTarget, _ scene: Scene) {
        (self.readouts, self.target, self.scene) = (readouts, target, scene)
        let own = Self.own(target.of, scene.form)
        ownCount = own.count
        names = Self.columns(of: target.of, scene.form)
        kept = scene.form.values.indices.filter { !own.contains(scene.form.values[$0].name) }
    }

    /// Names of the columns. If a column of the table and a form's value have the same name, only
    /// the former remains.
    static func columns(of: ImportMapping.FormTarget.Of, _ form: ImportMapping.Form) -> [String] {
        let own = own(of, form)
        return own + form.values.map(\.name).filter { !own.contains($0) }
    }

    static func own(_ of: ImportMapping.FormTarget.Of, _ form: ImportMapping.Form) -> [String] {
        switch of {
        case .form: []
        case .table(let name): form.tables.first { $0.name == name }?.columns.map(\.name) ?? []
        case .pictures, .links: ImportMapping.FormTarget.photoColumns
        }
    }

    private func rows(_ readout: FormReadout) -> [FormTableScan.Row] {
        switch target.of {
        case .form: [.init(number: readout.number, cells: [])]
        case .table(let name): (readout.tables[name] ?? nil) ?? []
        case .pictures: readout.pictures
        case .links: readout.links
        }
    }

    func fill(_ batch: inout ForeignBatch) {
        batch.removeAll()
        origins.removeAll(keepingCapacity: true)
        while readout < readouts.count, !batch.isFull {
            let form = readouts[readout]
            let own = rows(form)
            guard next < own.count else {
                (readout, next) = (readout + 1, 0)
                continue
            }
            for cell in own[next].cells + kept.map({ form.values[$0] }) {
                if let cell { batch.append(cell.kind, cell.text) } else { batch.appendEmpty() }
            }
            batch.endRow(number: own[next].number)
            origins.append((readout, next))
            next += 1
        }
    }

    private func cell(_ row: Int, _ column: Int) -> FormCell? {
        guard origins.indices.contains(row) else { return nil }
        let form = readouts[origins[row].form]
        let own = rows(form)[origins[row].row].cells
        if column < own.count { return own[column] }
        return kept.indices.contains(column - own.count) ? form.values[kept[column - own.count]] : nil
    }

    func cellName(row: Int, column: Int) -> String? { cell(row, column)?.place?.name }

    // MARK: Use of cells

    /// - Parameter fate: returns how the cell in a column of the row was used.
    func note(_ row: Int, _ fate: (Int) -> ColumnUse.Fate) {
        guard let use = scene.use else { return }
        for column in names.indices {
            // For pictures and links, only the text is in a cell.
            let isPhoto =
                (target.of == .pictures || target.of == .links) && column < ownCount && names[column] != "text"
            if !isPhoto, let place = cell(row, column)?.place { use.note(place, fate(column)) }
        }
    }

    func finish() { scene.use?.finish() }

    // MARK: Rows without their required values

    func takes(row: Int, without column: Int) throws(MappingFault) -> Bool {
        guard scene.isJudged, origins.indices.contains(row), names.indices.contains(column) else { return false }
        let (form, index) = (readouts[origins[row].form], origins[row].row)
        let line = rows(form)[index]
        let isOwn = column < ownCount
        guard isOwn || (self.form.present.contains(names[column]) && form.looksLikeForm) else { return false }
        let filled: [FormCell]
        var place: SheetCell?
        switch target.of {
        case .form: filled = scene.prints.filled(form)
        case .table(let table):
            // Several targets may use a row, each with its own requirements. The row is lost only
            // if no target accepts it.
            if isOwn, !isFirst(ofThoseWithout: line, table) { return false }
            filled = scene.prints.filled(line, index, of: table)
            if isOwn, line.places.indices.contains(column) { place = line.places[column] }
        case .pictures, .links:
            if isOwn { return false }
            filled = line.cells.compactMap(\.self)
        }
        guard !filled.isEmpty else { return false }
        // A record that encloses the form is imported even if the form is rejected. A record that
        // is part of the form waits until the form is corrected.
        if !isOwn, !FormPrints.needsPresent(target, self.form) || (isPart && !scene.prints.filled(form).isEmpty) {
            return true
        }
        if !isOwn { place = form.places[kept[column - ownCount]] }
        let cells = filled.compactMap { $0.place?.name }.reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        throw MappingFault(
            code: "IMPORT-NO-REQUIRED", cell: place?.name,
            arguments: [
                "name": place.map { "\(names[column]) (\($0.name))" } ?? names[column],
                "cells": cells.prefix(5).joined(separator: ", ") + (cells.count > 5 ? ", …" : ""),
            ])
    }

    /// Whether the rows belong to the form's record but are not that record.
    private var isPart: Bool {
        guard let record = scene.record, record != target.target.entity else { return false }
        return target.target.fields.contains { $0.refers(to: record) }
    }

    /// An id made from the form's position, used for the form's record if its key cannot be
    /// determined.
    func standIn(row: Int, for entity: String) -> String? {
        guard entity == scene.record, origins.indices.contains(row) else { return nil }
        return NaturalID.id(pack: "", entity: entity, key: scene.sheet + [readouts[origins[row].form].start.name])
    }

    /// Whether a row lacks a required value of every target, and this target is the first.
    private func isFirst(ofThoseWithout line: FormTableScan.Row, _ table: String) -> Bool {
        let all = form.rows.filter { $0.of == .table(table) }.map(\.target)
        guard all.first?.requires == target.target.requires, all.first?.entity == target.target.entity else {
            return false
        }
        return all.allSatisfy { other in
            other.requires.contains { name in
                names.prefix(ownCount).firstIndex(of: name).map { line.cells[$0]?.isBlank != false } ?? false
            }
        }
    }
}

/// Records how the filled cells of a sheet of forms were used. A cell is read if an imported row
/// contains it, faulty if only rejected rows contain it. Otherwise it is left (labels, headings,
/// titles).
final class FormUse {
    let use: ColumnUse
    private let held: [Int]
    private var read: Set<SheetCell> = []
    private var faulty: Set<SheetCell> = []
    /// Number of tables of rows made from the sheet, and how many of them have been read.
    private var tables = (all: 0, read: 0)

    /// - Parameter held: for each column, the number of cells with content.
    init(file: String, sheet: String, held: [Int]) {
        use = ColumnUse(file: file, table: sheet)
        self.held = held
    }

    /// Announces that one more table will be read.
    func expect() { tables.all += 1 }

    func note(_ cell: SheetCell, _ fate: ColumnUse.Fate) {
        switch fate {
        case .read: read.insert(cell)
        case .faulty: faulty.insert(cell)
        case .left: break
        }
    }

    /// Records that a table has been read. After the last one, the cells are counted and the memory
    /// is freed.
    func finish() {
        tables.read += 1
        guard tables.read >= tables.all else { return }
        tables.read = 0
        var columns = held.map { ColumnUse.Column(name: "", left: $0) }
        func move(_ cells: some Sequence<SheetCell>, to part: WritableKeyPath<ColumnUse.Column, Int>) {
            for cell in cells where columns.indices.contains(cell.column) {
                columns[cell.column][keyPath: part] += 1
                columns[cell.column].left -= 1
            }
        }
        move(read, to: \.read)
        move(faulty.subtracting(read), to: \.faulty)
        use.set(columns)
        (read, faulty) = ([], [])
    }
}
