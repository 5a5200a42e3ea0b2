import Foundation
import Importing
import Model

/// Suggests the part of a mapping that reads forms. The forms are treated as one table. It has a
/// row for each line of the forms' tables, followed by the form's values. Its columns are then
/// matched to fields as in any table.
struct FormSuggester {
    let pack: Pack
    let words: HeadingWords
    let judged: JudgedContents

    /// A sheet with fewer known labels is not a form.
    private static let leastLabels = 3

    struct Outcome {
        let form: MappingSuggestion.Form
        let lookups: [String: [String: String]]
        let reading: TableGuess
        let view: TableGuess.View
        let sheets: Set<String>
    }

    /// The contents of one form on one sheet.
    private struct Record {
        var pairs: [String: FormSurvey.Pair] = [:]
        var blocks: [FormSurvey.Block] = []

        func pair(of column: SampleColumn) -> FormSurvey.Pair? {
            column.labels.lazy.compactMap { pairs[ColumnName.normal($0)] }.first
        }
    }

    /// Nil if the sheets are not forms of any entity in the pack.
    func suggest(_ sheets: [(name: String, survey: FormSurvey)], all: Int) throws -> Outcome? {
        func labels(_ survey: FormSurvey) -> Set<String> {
            // A label above its value may also be the heading of a column, so it counts only if it
            // is above the form's table.
            let table = survey.blocks.map(\.first.row).max() ?? 0
            return Set(
                survey.pairs.filter { $0.isKnown && ($0.side != .below || $0.valuePlace.row < table) }.map {
                    ColumnName.normal($0.label)
                })
        }
        guard let model = sheets.max(by: { labels($0.survey).count < labels($1.survey).count })?.survey,
            labels(model).count >= Self.leastLabels
        else { return nil }
        let wanted = labels(model)
        let alike = sheets.filter { labels($0.survey).intersection(wanted).count * 10 >= wanted.count * 6 }
        let grid = Self.grid(model, alike.map(\.survey))
        let records = alike.flatMap { Self.records($0.survey, grid) }
        guard let reading = best(records) else { return nil }
        let form = FormTargets(
            pack: pack, reading: reading.reading, view: reading.view, columns: reading.columns, block: reading.block)
        guard let (targets, unused, lookups) = form.targets() else { return nil }
        var result = MappingSuggestion.Form(
            sheets: alike.count == all ? [] : alike.map(\.name), start: grid.start, every: grid.every,
            present: form.present, values: [], tables: [],
            targets: targets, unused: unused)
        let used = form.usedNames(targets) + form.present
        result.values = reading.columns.filter { $0.block == nil && used.contains($0.name) }.map { column in
            .init(
                column.name, .label(column.labels, column.side, within: []),
                isOptional: records.contains { $0.pair(of: column) == nil })
        }
        if let block = reading.block {
            let own = reading.columns.filter { $0.block != nil && used.contains($0.name) }
            let table = ImportMapping.FormTable(
                "estratos",
                columns: own.map { column in
                    (column.name, [column.label.trimmingSpaces] + (column.isLastAlone ? [column.last] : []))
                },
                headingRows: block.headingLines > 1 ? block.headingLines : nil, isSideways: block.isSideways)
            if !own.isEmpty { result.tables = [table] }
        }
        return Outcome(
            form: result, lookups: lookups, reading: reading.reading, view: reading.view, sheets: Set(alike.map(\.name))
        )
    }

    /// The distance between forms; none if it differs from sheet to sheet and labels show where
    /// each form begins.
    private static func grid(_ model: FormSurvey, _ alike: [FormSurvey]) -> FormGrid {
        let grid = FormGrid(model.pairs.filter(\.isKnown))
        let others = alike.filter { $0.parts != nil }.map { FormGrid($0.pairs.filter(\.isKnown)) }
        return others.allSatisfy { $0.every == grid.every && $0.start == grid.start } ? grid : FormGrid([])
    }

    private static func records(_ survey: FormSurvey, _ grid: FormGrid) -> [Record] {
        let parts = grid.every == ImportMapping.Distance() ? survey.parts : nil
        var records = self.records(survey) { cell in
            if let parts { parts.index(of: cell).map { SheetCell(row: $0, column: 0) } } else { grid.index(of: cell) }
        }
        if let parts {
            // Values above all forms are values of each form.
            for pair in survey.pairs where parts.head.contains(pair.labelPlace.row) {
                for index in records.keys where records[index]?.pairs[ColumnName.normal(pair.label)] == nil {
                    records[index]?.pairs[ColumnName.normal(pair.label)] = pair
                }
            }
        }
        return records.keys.sorted().compactMap { records[$0] }.filter { !$0.pairs.isEmpty }
    }

    private static func records(_ survey: FormSurvey, _ index: (SheetCell) -> SheetCell?) -> [SheetCell: Record] {
        var records: [SheetCell: Record] = [:]
        for pair in survey.pairs {
            guard let index = index(pair.labelPlace) else { continue }
            // If a label occurs several times, the first occurrence counts, as in an import.
            if records[index, default: Record()].pairs[ColumnName.normal(pair.label)] == nil {
                records[index, default: Record()].pairs[ColumnName.normal(pair.label)] = pair
            }
        }
        for block in survey.blocks {
            guard let index = index(block.first) else { continue }
            records[index, default: Record()].blocks.append(block)
        }
        return records
    }

    private struct Guess {
        let reading: TableGuess
        let view: TableGuess.View
        let columns: [SampleColumn]
        let block: FormSurvey.Block?
    }

    /// A column of the table that represents all forms.
    struct SampleColumn {
        let name: String
        let label: String
        /// All labels of the value, including those on other forms: no form has two of them.
        var labels: [String]
        let last: String
        let isLastAlone: Bool
        var side: ImportMapping.FormValue.Side
        /// The column of the form's table; nil for a value beside a label.
        let block: Int?
    }

    /// The best interpretation of the forms: with the lines of one of their tables, or with none.
    private func best(_ records: [Record]) -> Guess? {
        var kinds: [[String]: FormSurvey.Block] = [:]
        for block in records.flatMap(\.blocks) {
            let key = block.columns.map { ColumnName.normal($0.heading) }
            if kinds[key]?.lines.count ?? 0 < block.lines.count { kinds[key] = block }
        }
        let candidates: [FormSurvey.Block?] =
            kinds.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value) + [nil]
        var best: (worth: Double, reading: Guess)?
        for block in candidates {
            let columns = columns(records, block)
            let lines = columns.firstIndex { $0.block != nil }.map { $0..<columns.count }
            let sample = TableSample(
                name: "", columns: columns.map { ($0.label, $0.last) }, rows: rows(records, columns, block),
                lines: lines, pack: pack, words: words)
            let ofProject = projectColumns(records, columns)
            for main in block.map({ lineEntities($0).map(Optional.some) }) ?? [nil] {
                let reading = TableGuess(
                    sample, pack: pack, words: words, judged: judged, main: main
                ) { column, entity in
                    if ofProject.contains(column) { return entity.name == pack.project.entity }
                    guard let main else { return true }
                    // A value beside a label belongs to the form, a value in the form's table to a
                    // line.
                    let isOfLine = columns.indices.contains(column) ? columns[column].block != nil : true
                    return isOfLine == (entity.name == main.name)
                }
                guard let view = reading.view, isOfForm(view, columns) else { continue }
                let worth = TableGuess.worth(view)
                if worth > best?.worth ?? 0 {
                    best = (worth, Guess(reading: reading, view: view, columns: columns, block: block))
                }
            }
        }
        return best?.reading
    }

    /// The entities whose records the lines of a table may be. Such an entity lies within another
    /// one, and its fields have names that match two of the table's headings.
    private func lineEntities(_ block: FormSurvey.Block) -> [Entity] {
        pack.entities.filter { entity in
            guard !entity.isCore, entity.keyScope != nil else { return false }
            return block.columns.count { column in
                entity.fields.contains { field in
                    max(
                        words.score(column.heading, entity: entity.name, field: field.name),
                        words.score(column.last, entity: entity.name, field: field.name)) >= 0.9
                }
            } >= 2
        }
    }

    /// Columns with the project's values: these are the same on all forms, and their labels match
    /// fields of the project at least as well as any others.
    private func projectColumns(_ records: [Record], _ columns: [SampleColumn]) -> Set<Int> {
        Set(columns.indices.filter { index in
            guard columns[index].block == nil else { return false }
            let texts = records.compactMap { $0.pair(of: columns[index])?.valueText.trimmingSpaces }
            guard texts.count >= 2, Set(texts).count == 1 else { return false }
            func best(_ entities: [Entity]) -> Double {
                    entities.flatMap { entity in
                        entity.fields.map { words.score(columns[index].label, entity: entity.name, field: $0.name) }
                    }.max() ?? 0
            }
                let (project, others) = (
                    pack.entities.filter { $0.name == pack.project.entity },
                    pack.entities.filter { !$0.isCore && $0.name != pack.project.entity }
                )
            let own = best(project)
            return own >= 0.6 && own >= best(others)
        })
    }

    /// Whether two sides mean the same. A search to the right of a label first looks after the
    /// label's colon, so `same` and `right` are equivalent.
    private static func areAlike(_ first: ImportMapping.FormValue.Side, _ second: ImportMapping.FormValue.Side) -> Bool
    {
        first == second || Set([first, second]) == [.same, .right]
    }

    /// The fields whose names a label matches almost exactly.
    private func fields(named label: String) -> Set<String> {
        Set(pack.entities.filter { !$0.isCore }.flatMap { entity in
                entity.fields.filter { words.score(label, entity: entity.name, field: $0.name) >= 0.95 }.map {
                    entity.name + "." + $0.name
                }
        })
    }

    /// Whether the record's key comes from labels, and not from a column of the table. Otherwise
    /// the sheet is a register with a few words above it.
    private func isOfForm(_ view: TableGuess.View, _ columns: [SampleColumn]) -> Bool {
        let outer =
            view.chain.count > 1
                && view.choices.contains {
                    columns.indices.contains($0.column) ? columns[$0.column].block != nil : true
                }
            ? Array(view.chain.dropLast()) : view.chain
        return outer.flatMap { view.keys[$0.name] ?? [] }.allSatisfy {
            columns.indices.contains($0.column) && columns[$0.column].block == nil
        }
    }

    private func columns(_ records: [Record], _ block: FormSurvey.Block?) -> [SampleColumn] {
        var names: Set<String> = []
        func name(_ label: String) -> String {
            let plain = SuggestedName.form(label)
            var name = plain
            var number = 2
            while !names.insert(name).inserted {
                name = plain + "_\(number)"
                number += 1
            }
            return name
        }
        var seen: Set<String> = []
        var columns: [SampleColumn] = []
        for pair in records.flatMap({ $0.pairs.values.sorted { $0.labelPlace < $1.labelPlace } })
        where seen.insert(ColumnName.normal(pair.label)).inserted {
            // On other forms, the same value may have another label.
            let other = columns.firstIndex { column in
                Self.areAlike(column.side, pair.side)
                    && !records.contains {
                        $0.pairs[ColumnName.normal(pair.label)] != nil && $0.pair(of: column) != nil
                    }
                    && !fields(named: column.label).isDisjoint(with: fields(named: pair.label))
            }
            if let other {
                columns[other].labels.append(pair.label)
                if columns[other].side == .same { columns[other].side = pair.side }
                continue
            }
            columns.append(
                .init(
                    name: name(pair.label), label: pair.label, labels: [pair.label], last: pair.label,
                    isLastAlone: false, side: pair.side, block: nil))
        }
        for (index, column) in (block?.columns ?? []).enumerated() {
            // If a value beside a label has the same name as a column of the table, spaces are
            // added to distinguish them.
            var label = column.heading
            while columns.contains(where: { $0.label == label }) { label += " " }
            let lasts = block?.columns.count { ColumnName.normal($0.last) == ColumnName.normal(column.last) }
            columns.append(
                .init(
                    name: name(column.heading), label: label, labels: [label], last: column.last,
                    isLastAlone: lasts == 1 && column.last != column.heading, side: .right,
                    block: index))
        }
        return columns
    }

    private func rows(_ records: [Record], _ columns: [SampleColumn], _ block: FormSurvey.Block?) -> [[FormCell?]] {
        let kind = block?.columns.map { ColumnName.normal($0.heading) }
        return records.flatMap { record -> [[FormCell?]] in
            let own = record.blocks.first { $0.columns.map { ColumnName.normal($0.heading) } == kind }
            return (own?.lines ?? [[]]).map { line in
                columns.map { column in
                    guard let index = column.block else { return record.pair(of: column)?.value }
                    return line.indices.contains(index) ? line[index] : nil
                }
            }
        }
    }
}

/// Makes names for values in mappings: lower-case letters, digits and underscores.
enum SuggestedName {
    static func form(_ label: String) -> String {
        let words = HeadingWords.plainWords(label)
        let name = words.joined(separator: "_")
        return name.first?.isLetter == true
            ? String(name.prefix(40)) : "valor" + (name.isEmpty ? "" : "_" + name.prefix(30))
    }
}
