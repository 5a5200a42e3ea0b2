import Model

/// What is filled in on sheets of forms and read by no part of the mapping.
struct FormLeftovers {
    struct Cell {
        let place: SheetCell
        let isText: Bool
        /// What a label there would be called, shortened.
        let head: String
        /// Which of the form's labels and headings the cell is, by their number.
        let label: Int?
        /// Whether that is a label without which there is no form.
        let isPresence: Bool
    }

    /// Cells that are named in a finding.
    private static let named = 20
    /// So many different labels of the form, all unread, are a second form.
    private static let labelsOfAForm = 3

    /// Whether a text says anything: colons, dashes and drawn lines do not, a tick does.
    static func says(_ text: String) -> Bool {
        let marks = text.unicodeScalars.filter { !$0.properties.isWhitespace }
        let isLine = marks.allSatisfy { scalar in
            switch scalar {
            case ":", "：", "=", "_", "\u{2212}", "\u{AF}", "\u{2500}"..."\u{257F}": true
            default: scalar.properties.generalCategory == .dashPunctuation
            }
        }
        // Dots lead from a label to its value; one alone is no line.
        let isDotted = marks.allSatisfy { $0 == "." || $0 == "…" || $0 == ":" } && (marks.count > 2 || marks.contains("…"))
        return !isLine && !isDotted
    }

    /// The filled cells of a sheet that say anything.
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
            return Cell(
                place: cell, isText: value.kind == .text, head: String(text), label: label, isPresence: label.map { patterns[$0].1 } ?? false)
        }
    }

    static func cells(of filled: [Cell], notIn readouts: [FormReadout]) -> [Cell] {
        let read = readouts.reduce(into: Set<SheetCell>()) { $0.formUnion($1.read) }
        return filled.filter { !read.contains($0.place) }
    }

    /// One finding a sheet where there is a second form, one for all other cells of the file.
    ///
    /// - Parameter readings: the forms of one mapping: what one of them reads is read.
    static func findings(_ readings: [FormReading], path: String, alsoRead: Set<String>) -> [Finding] {
        var left: [(sheet: String, cells: [Cell])] = []
        var sheets: Set<String> = []
        for name in readings.flatMap({ $0.sheets.map(\.name) }) where !alsoRead.contains(name) && sheets.insert(name).inserted {
            let all = readings.compactMap { $0.leftovers[name] }
            guard let first = all.first else { continue }
            let others = all.dropFirst().map { Set($0.map(\.place)) }
            let cells = first.filter { cell in others.allSatisfy { $0.contains(cell.place) } }
            if !cells.isEmpty { left.append((name, cells)) }
        }
        var findings: [Finding] = []
        var rest: [String] = []
        var count = 0
        for (sheet, cells) in left {
            let labels = cells.filter { $0.label != nil }
            if Set(labels.compactMap(\.label)).count >= labelsOfAForm, let label = labels.first(where: \.isPresence) ?? labels.first {
                let again = labels.filter { $0.label == label.label }.map(\.place.name)
                findings.append(Finding(
                    "IMPORT-UNREAD-FORM", place: Place(file: path, sheet: sheet, cell: label.place.name),
                    arguments: ["sheet": sheet, "count": String(cells.count), "cells": list(again, again.count), "label": label.head]))
            } else {
                count += cells.count
                rest += cells.prefix(named + 1).map { "\(sheet)!\($0.place.name) “\($0.head)”" }
            }
        }
        if count > 0 {
            findings.append(Finding(
                "IMPORT-UNREAD-CELL", place: Place(file: path), arguments: ["count": String(count), "cells": list(rest, count)]))
        }
        return findings
    }

    private static func list(_ names: [String], _ count: Int) -> String {
        names.prefix(named).joined(separator: ", ") + (count > named ? ", …" : "")
    }
}
