import Model

/// Finds filled cells on sheets of forms that no part of the mapping reads.
struct FormLeftovers {
    struct Cell {
        let place: SheetCell
        let isText: Bool
        /// Whether the cell looks like a value, not like a label: a number, a day, `0,40 - 1,20`.
        let isValue: Bool
        /// Whether the cell is a text with a colon, like a field's label.
        let hasColon: Bool
        /// Whether the form reads another cell of the same row (sideways: of the same column).
        var isInReadLine = false
        /// The cell's text as a label, shortened.
        let head: String
        /// The number of the form's label or heading that the cell matches.
        let label: Int?
        /// Whether that label is required for a form to be present.
        let isPresence: Bool
    }

    /// The largest number of cells named in a finding.
    private static let named = 20
    /// If this many different labels of the form are unread, they are those of a second form.
    private static let labelsOfAForm = 3

    /// Whether a text has content: a tick is content; colons, dashes and drawn lines are not.
    static func says(_ text: String) -> Bool {
        let marks = text.unicodeScalars.filter { !$0.properties.isWhitespace }
        let isLine = marks.allSatisfy { scalar in
            switch scalar {
            case ":", "：", "=", "_", "\u{2212}", "\u{AF}", "\u{2500}"..."\u{257F}": true
            default: scalar.properties.generalCategory == .dashPunctuation
            }
        }
        // Dots may lead from a label to its value; a single dot is content.
        let isDotted =
            marks.allSatisfy { $0 == "." || $0 == "…" || $0 == ":" } && (marks.count > 2 || marks.contains("…"))
        return !isLine && !isDotted
    }

    /// The filled cells of a sheet that have any content.
    static func cells(of sheet: FormSheet, _ form: ImportMapping.Form) -> [Cell] {
        let values = form.values.map { (LabelPattern($0.labels), form.present.contains($0.name)) }
        let headings = form.tables.flatMap { $0.columns.map { (LabelPattern($0.headings), false) } }
        let patterns = values + headings
        return sheet.filled.compactMap { cell in
            guard let value = sheet.value(at: cell), says(value.text) else { return nil }
            let head = sheet.head(of: cell)
            let label = head.flatMap { head in
                patterns.firstIndex { $0.0.matches(head.whole) || head.beforeColon.map($0.0.matches) == true }
            }
            let text = value.text.prefix { $0 != ":" && !$0.isNewline }.prefix(40)
            let isValue = value.kind != .text || UnreadRows.isValue(value.text)
            return Cell(
                place: cell, isText: value.kind == .text, isValue: isValue,
                hasColon: !isValue && value.text.contains(":"), head: String(text),
                label: label, isPresence: label.map { patterns[$0].1 } ?? false)
        }
    }

    static func cells(of filled: [Cell], notIn readouts: [FormReadout], areColumns: Bool) -> [Cell] {
        let read = readouts.reduce(into: Set<SheetCell>()) { $0.formUnion($1.read) }
        let (rows, columns) = (Set(read.map(\.row)), Set(read.map(\.column)))
        return filled.filter { !read.contains($0.place) }.map { cell in
            var cell = cell
            cell.isInReadLine = areColumns ? columns.contains(cell.place.column) : rows.contains(cell.place.row)
            return cell
        }
    }

    /// Findings about unread cells: one for each sheet with a second form, one for all unread rows
    /// of the file, and one for all other cells.
    ///
    /// - Parameters:
    ///   - readings: the forms of one mapping. A cell counts as read if one of these forms reads
    ///     it.
    ///   - ignored: texts at the beginning of rows that are left out on purpose.
    static func findings(_ readings: [FormReader], path: String, alsoRead: Set<String>, ignored: [String]) -> [Finding]
    {
        var left: [(sheet: String, cells: [Cell])] = []
        var sheets: Set<String> = []
        for name in readings.flatMap({ $0.sheets.map(\.name) })
        where !alsoRead.contains(name) && sheets.insert(name).inserted {
            let all = readings.compactMap { $0.leftovers[name] }
            guard let first = all.first else { continue }
            let others = all.dropFirst().map { Set($0.map(\.place)) }
            let unread = first.filter { cell in others.allSatisfy { $0.contains(cell.place) } }
            let cells = UnreadRows.cells(unread, without: ignored)
            if !cells.isEmpty { left.append((name, cells)) }
        }
        let areColumns = readings.allSatisfy { $0.form.readsColumns }
        let rows = UnreadRows(left, areColumns: areColumns)
        var findings = rows.findings(path: path)
        var rest: [String] = []
        var count = 0
        for (sheet, cells) in left {
            let labels = cells.filter { $0.label != nil }
            if Set(labels.compactMap(\.label)).count >= labelsOfAForm,
                let label = labels.first(where: \.isPresence) ?? labels.first
            {
                let again = labels.filter { $0.label == label.label }.map(\.place.name)
                findings.append(
                    Finding(
                        "IMPORT-UNREAD-FORM", place: Place(file: path, sheet: sheet, cell: label.place.name),
                        arguments: [
                            "sheet": sheet, "count": String(cells.count), "cells": list(again, again.count),
                            "label": label.head,
                        ]))
            } else {
                let cells = cells.filter { !rows.contains($0.place, sheet) }
                count += cells.count
                rest += cells.prefix(named + 1).map { "\(sheet)!\($0.place.name) “\($0.head)”" }
            }
        }
        if count > 0 {
            findings.append(
                Finding(
                    "IMPORT-UNREAD-CELL", place: Place(file: path),
                    arguments: ["count": String(count), "cells": list(rest, count)]))
        }
        return findings
    }

    private static func list(_ names: [String], _ count: Int) -> String {
        names.prefix(named).joined(separator: ", ") + (count > named ? ", …" : "")
    }
}
