import Model

/// Reads the sheets of a file that contain forms of one kind, one sheet in memory at a time.
final class FormReader {
    let form: ImportMapping.Form
    /// Sheets that contain a form that is filled in.
    private(set) var sheets: [ForeignTable] = []
    /// Sheets whose forms are all printed but not filled in.
    private(set) var emptySheets: [String] = []
    private(set) var findings: [Finding] = []
    let pictures: FormPictures
    /// By sheet, the filled cells that no part of the form read, in reading order.
    private(set) var leftovers: [String: [FormLeftovers.Cell]] = [:]
    private let path: String
    private let limits: FormLimits
    private var prints: FormPrints
    /// Sheets that other parts of the mapping also read. A form without its required values is not
    /// reported on these sheets: it may be a form of another part.
    private var shared: Set<String> = []
    /// By sheet and column, the number of cells with content.
    private var held: [String: [Int]] = [:]
    /// By value, the sheets with a form that lacks its label, or its outer label.
    private var lacking: [String: [String]] = [:]
    private var lackingOuter: [String: [String]] = [:]
    /// The definition's tables that some form has.
    private var foundTables: Set<String> = []
    private var last: (sheet: String, readouts: [FormReadout], filled: [FormLeftovers.Cell])?

    /// Reads every sheet that the form's definition names.
    ///
    /// - Parameters:
    ///   - others: the other kinds of forms in the mapping.
    ///   - tabled: sheets that the mapping reads as tables.
    ///
    /// Throws `ImportFailure.missingColumns` if none of the forms has one of the tables of the
    /// definition: the sheets then contain another kind of form.
    init(
        _ form: ImportMapping.Form, of file: any TableFile, path: String, limits: FormLimits = FormLimits(),
        others: [ImportMapping.Form] = [], tabled: Set<String> = []
    ) throws {
        (self.form, self.path, self.limits) = (form, path, limits)
        prints = FormPrints(form)
        let folder = form.rows.first { $0.of == .links }?.target.photo?.folder
        pictures = FormPictures(
            file, limits: limits, linked: MappedSource.folder(of: path) + (folder.map { "/" + $0 } ?? ""))
        var present: Set<String> = []
        let doubtful = try readSheets(of: file, &present)
        let empty = present.isEmpty ? [] : try assign(doubtful, &present, others, tabled)
        sheets = file.tables.filter { present.contains($0.name) }
        leftovers = leftovers.filter { present.contains($0.key) }
        if !empty.isEmpty {
            findings.append(
                Finding(
                    "IMPORT-EMPTY-FORM", place: Place(file: path),
                    arguments: ["count": String(empty.count), "forms": Self.list(empty)]))
        }
        for table in form.tables where !sheets.isEmpty && !foundTables.contains(table.name) {
            throw ImportFailure.missingColumns(
                path: path, table: table.name, columns: table.columns.map { $0.headings.joined(separator: " | ") })
        }
        report("IMPORT-NO-LABEL", lacking, labels)
        report("IMPORT-NO-OUTER-LABEL", lackingOuter, outer)
    }

    /// Reads the forms of every sheet, and notes the sheets with a form that is filled in. Returns
    /// the sheets with a form that lacks its required values.
    private func readSheets(of file: any TableFile, _ present: inout Set<String>) throws -> [ForeignTable] {
        var doubtful: [ForeignTable] = []
        for sheet in file.tables where Self.names(sheet, form) {
            let forms = try readouts(of: sheet).filter { Self.isPresent($0, form) || $0.looksLikeForm }
            forms.forEach { prints.add($0) }
            leftovers[sheet.name] = last.map {
                FormLeftovers.cells(of: $0.filled, notIn: forms, areColumns: form.readsColumns)
            }
            let whole = forms.filter { Self.isPresent($0, form) }
            if !whole.isEmpty { present.insert(sheet.name) }
            if whole.count < forms.count { doubtful.append(sheet) }
            whole.forEach { note($0, sheet.name) }
        }
        return doubtful
    }

    /// Reports missing labels, each once: if twenty forms lack a label, one correction is enough.
    private func report(_ code: String, _ lacking: [String: [String]], _ labels: (String) -> [String]) {
        for (name, places) in lacking.sorted(by: { $0.key < $1.key }) {
            let wanted = labels(name)
            findings.append(
                Finding(
                    code, place: Place(file: path, sheet: places.first),
                    arguments: [
                        "name": name, "labels": wanted.joined(separator: " | "), "nearest": nearest(wanted, places),
                        "sheets": Self.list(places),
                    ]))
        }
    }

    private static func names(_ sheet: ForeignTable, _ form: ImportMapping.Form) -> Bool {
        guard form.takesHidden || !sheet.isHidden else { return false }
        return form.names.isEmpty || form.names.contains { ColumnName.matches(sheet.name, $0) }
    }

    /// A shortened list of names; the listed ones are enough to find the rest.
    private static func list(_ names: [String]) -> String {
        names.listed()
    }

    private func labels(of name: String) -> [String] {
        form.values.first { $0.name == name }?.labels ?? form.picturesBelow
    }

    private func outer(of name: String) -> [String] {
        guard case .label(_, _, let outer)? = form.values.first(where: { $0.name == name })?.place else { return [] }
        return outer
    }

    /// The text on the sheets that is most similar to a missing label, as ` ≈ “COTA” (A7).`; empty
    /// if no text is similar.
    private func nearest(_ labels: [String], _ sheets: [String]) -> String {
        let wanted = labels.map { NameSimilarity.Name(ColumnName.normal($0.replacing("*", with: ""))) }
        let near = sheets.prefix(1).flatMap { leftovers[$0] ?? [] }.filter(\.isText).map { cell in
            (
                cell,
                wanted.map { NameSimilarity.of($0, NameSimilarity.Name(ColumnName.normal(cell.head)), least: 0.6) }
                    .max() ?? 0
            )
        }.max { $0.1 < $1.1 }
        guard let near, near.1 >= 0.6 else { return "" }
        return " ≈ “\(near.0.head)” (\(near.0.place.name))."
    }

    /// Examines forms without their required values. If other values are filled in, the form counts
    /// as filled in; otherwise as a blank print. Returns the names of the blank prints.
    private func assign(
        _ sheets: [ForeignTable], _ present: inout Set<String>, _ others: [ImportMapping.Form], _ tabled: Set<String>
    ) throws -> [String] {
        var empty: [String] = []
        let titles = Set(present.flatMap { leftovers[$0] ?? [] }.map { $0.place.name + $0.head })
        for sheet in sheets {
            guard !tabled.contains(sheet.name), try !others.contains(where: { try Self.isOf($0, sheet, path, limits) })
            else {
                shared.insert(sheet.name)
                continue
            }
            let all = try readouts(of: sheet)
            let lacking = all.filter { !Self.isPresent($0, form) && $0.looksLikeForm }
            for readout in lacking {
                if !prints.filled(readout).isEmpty {
                    present.insert(sheet.name)
                    note(readout, sheet.name)
                } else if present.contains(sheet.name)
                    || (leftovers[sheet.name] ?? []).allSatisfy({ titles.contains($0.place.name + $0.head) })
                {
                    empty.append(all.count > 1 ? "\(sheet.name)!\(readout.start.name)" : sheet.name)
                }
            }
            if !present.contains(sheet.name), empty.last?.hasPrefix(sheet.name) == true {
                emptySheets.append(sheet.name)
            }
        }
        return empty
    }

    /// Whether a sheet contains a form of a given kind.
    private static func isOf(_ form: ImportMapping.Form, _ sheet: ForeignTable, _ path: String, _ limits: FormLimits)
        throws -> Bool
    {
        guard names(sheet, form) else { return false }
        return try FormBlock.blocks(
            of: FormSheet(sheet, path: path, limits: limits), form, path: path, limit: limits.forms
        )
            .contains { isPresent(try FormReadout($0, form, pictures: nil), form) }
    }

    private static func isPresent(_ readout: FormReadout, _ form: ImportMapping.Form) -> Bool {
        guard !form.present.isEmpty else { return readout.hasLabel }
        return form.values.indices.allSatisfy {
            !form.present.contains(form.values[$0].name) || readout.values[$0]?.isBlank == false
        }
    }

    private func note(_ readout: FormReadout, _ sheet: String) {
        let place = Place(file: path, sheet: sheet, line: readout.number)
        for name in readout.missing where lacking[name]?.last != sheet { lacking[name, default: []].append(sheet) }
        for name in readout.lackingOuter where lackingOuter[name]?.last != sheet {
            lackingOuter[name, default: []].append(sheet)
        }
        for table in form.tables {
            if readout.tables[table.name].flatMap({ $0 }) != nil {
                foundTables.insert(table.name)
            } else {
                findings.append(
                    Finding(
                        "IMPORT-NO-FORM-TABLE", place: place,
                        arguments: [
                            "name": table.name, "sheet": sheet,
                            "columns": table.columns.compactMap(\.headings.first).joined(separator: ", "),
                        ]))
            }
        }
        for (name, cells) in readout.repeated.sorted(by: { $0.key < $1.key }) {
            findings.append(
                Finding(
                    "IMPORT-REPEATED-LABEL",
                    place: Place(file: path, sheet: sheet, cell: cells[0].name, line: readout.number),
                    arguments: ["name": name, "sheet": sheet, "cells": Self.list(cells.map(\.name))]))
        }
        for cell in readout.unknownPictures {
            findings.append(
                Finding(
                    "IMPORT-NO-PICTURE", place: Place(file: path, sheet: sheet, cell: cell.name),
                    arguments: ["cell": cell.name]))
        }
    }

    private func readouts(of sheet: ForeignTable) throws -> [FormReadout] {
        if let last, last.sheet == sheet.name { return last.readouts }
        last = nil
        let wantsPictures = form.rows.contains { $0.of == .pictures || $0.of == .links }
        let sheetHeld = try FormSheet(sheet, path: path, limits: limits)
        let read = try FormBlock.blocks(of: sheetHeld, form, path: path, limit: limits.forms)
            .map { try FormReadout($0, form, pictures: wantsPictures ? pictures : nil) }
        last = (sheet.name, read, FormLeftovers.cells(of: sheetHeld, form))
        held[sheet.name] = sheetHeld.heldByColumn
        return read
    }

    /// The forms of a sheet as an external table, with the columns that a row of the mapping uses.
    ///
    /// - Parameter use: records the use of the sheet's cells.
    func table(of row: ImportMapping.FormTarget, on sheet: ForeignTable, use: FormUse? = nil) -> ForeignTable {
        ForeignTable(name: sheet.name, columns: FormRows.columns(of: row.of, form)) { [self] in
            let scene = FormRows.Scene(
                form: form, prints: prints, isJudged: !shared.contains(sheet.name), use: use, record: form.record,
                sheet: [path, sheet.name])
            return try FormRows(readouts(of: sheet), of: row, scene)
        }
    }

    /// Starts the record of the use of a sheet's cells, before any of them is read.
    func use(of sheet: ForeignTable) -> FormUse { FormUse(file: path, sheet: sheet.name, held: held[sheet.name] ?? []) }
}
