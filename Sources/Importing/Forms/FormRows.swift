import Model

/// The forms of a sheet as rows of a table: one for each form, or for each row of one of its tables, with the form's values behind.
final class FormRows: ForeignRows, CellNaming {
    /// What the rows of a sheet are made of, and by what they are judged.
    struct Scene {
        var form: ImportMapping.Form
        var prints: FormPrints
        /// Whether a form or a row that lacks what it must have is looked at for what was filled in.
        var isJudged: Bool
        var use: FormUse?
        /// The entity of the form's own record, and what makes ids of forms of this sheet differ from those of others.
        var record: String?
        var sheet: [String]
    }

    private let readouts: [FormReadout]
    private let target: ImportMapping.FormTarget
    private let scene: Scene
    private var form: ImportMapping.Form { scene.form }
    private let names: [String]
    /// Columns of the rows' own; behind them are the form's values.
    private let ownCount: Int
    /// Which of the form's values the rows' own columns leave standing.
    private let kept: [Int]
    private var readout = 0
    private var next = 0
    /// Of the rows of the batch: the form, and which of its rows.
    private var origins: [(form: Int, row: Int)] = []

    init(_ readouts: [FormReadout], of target: ImportMapping.FormTarget, _ scene: Scene) {
        (self.readouts, self.target, self.scene) = (readouts, target, scene)
        let own = Self.own(target.of, scene.form)
        ownCount = own.count
        names = Self.columns(of: target.of, scene.form)
        kept = scene.form.values.indices.filter { !own.contains(scene.form.values[$0].name) }
    }

    /// Names of the columns: those of the table go before the form's values of the same name.
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

    // MARK: What became of the cells

    /// - Parameter fate: by the column of the row.
    func note(_ row: Int, _ fate: (Int) -> ColumnUse.Fate) {
        guard let use = scene.use else { return }
        for column in names.indices {
            // Of a picture or a link only what stands in its cell does.
            let isPhoto = (target.of == .pictures || target.of == .links) && column < ownCount && names[column] != "text"
            if !isPhoto, let place = cell(row, column)?.place { use.note(place, fate(column)) }
        }
    }

    func finish() { scene.use?.finish() }

    // MARK: Rows that lack what they must have

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
            // A row may be of several targets, each with its own needs: it is lost only where none takes it.
            if isOwn, !isFirst(ofThoseWithout: line, table) { return false }
            filled = scene.prints.filled(line, index, of: table)
            if isOwn, line.places.indices.contains(column) { place = line.places[column] }
        case .pictures, .links:
            if isOwn { return false }
            filled = line.cells.compactMap(\.self)
        }
        guard !filled.isEmpty else { return false }
        // What a form lies within comes in though the form cannot; what lies within the form waits for it.
        if !isOwn, !FormPrints.needsPresent(target, self.form) || (isPart && !scene.prints.filled(form).isEmpty) { return true }
        if !isOwn { place = form.places[kept[column - ownCount]] }
        let cells = filled.compactMap { $0.place?.name }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        throw MappingFault(
            code: "IMPORT-NO-REQUIRED", cell: place?.name,
            arguments: [
                "name": place.map { "\(names[column]) (\($0.name))" } ?? names[column],
                "cells": cells.prefix(5).joined(separator: ", ") + (cells.count > 5 ? ", …" : ""),
            ])
    }

    /// Whether the rows are parts of the form's record, and none of it.
    private var isPart: Bool {
        guard let record = scene.record, record != target.target.entity else { return false }
        return target.target.fields.contains { $0.refers(to: record) }
    }

    /// The form itself stands for its record where its key cannot be made out.
    func standIn(row: Int, for entity: String) -> String? {
        guard entity == scene.record, origins.indices.contains(row) else { return nil }
        return NaturalID.id(pack: "", entity: entity, key: scene.sheet + [readouts[origins[row].form].start.name])
    }

    /// Whether every target of a table lacks something of a row, and this is the first of them.
    private func isFirst(ofThoseWithout line: FormTableScan.Row, _ table: String) -> Bool {
        let all = form.rows.filter { $0.of == .table(table) }.map(\.target)
        guard all.first?.requires == target.target.requires, all.first?.entity == target.target.entity else { return false }
        return all.allSatisfy { other in
            other.requires.contains { name in names.prefix(ownCount).firstIndex(of: name).map { line.cells[$0]?.isBlank != false } ?? false }
        }
    }
}
