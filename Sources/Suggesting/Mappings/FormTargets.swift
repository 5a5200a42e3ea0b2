import Importing
import Model

/// Makes the suggested mapping for a form. For guessing, all forms were laid out as one table. Each
/// of its columns becomes either a single value of the form or a column of the table inside the
/// form.
struct FormTargets {
    let pack: Pack
    let reading: TableGuess
    let view: TableGuess.View
    let columns: [FormSuggester.SampleColumn]
    let block: FormSurvey.Block?

    private var names: [String: String] {
        Dictionary(columns.map { ($0.label, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
    /// Names of the columns that belong to the table inside the form.
    private var ofTable: Set<String> { Set(columns.filter { $0.block != nil }.map(\.name)) }

    /// The values without which a form does not count as present: the key of the form's record.
    var present: [String] {
        let outer = view.chain.count > 1 && isOfTable(view.main) ? view.chain[view.chain.count - 2] : view.main
        return (view.keys[outer.name] ?? []).compactMap { names[reading.scores.sample.columns[$0.column].heading] }
    }

    private func isOfTable(_ entity: Entity) -> Bool {
        (view.choices + (view.keys[entity.name] ?? [])).contains { candidate in
            guard candidate.entity.name == entity.name else { return false }
            return !columns.indices.contains(candidate.column) || columns[candidate.column].block != nil
        }
    }

    func targets() -> ([MappingSuggestion.SuggestedRows], [MappingSuggestion.Unused], [String: [String: String]])? {
        let made = view.chain.filter { !view.isLacking($0, pack) }
        let (table, lookups) = SuggestedTable(reading: reading, view: view, made: made, pack: pack).table(
            isNamed: false)
        var unused = table.unused
        let targets = table.targets.map { target -> MappingSuggestion.SuggestedRows in
            var target = target
            if target.entity.name == pack.project.entity { addName(to: &target, from: &unused) }
            let isMain = target.entity.name == view.main.name && isOfTable(view.main)
            target.repeats = target.repeats && target.entity.name == pack.project.entity
            target.fields = target.fields.map { choice in
                MappingSuggestion.Choice(
                    field: renamed(choice.field), score: choice.score, share: choice.share, samples: choice.samples,
                    isByContent: choice.isByContent,
                    isUncertain: choice.isUncertain)
            }
            // Lines with nothing but a preprinted number are not records.
            let needed = target.entity.fields.filter { $0.isRequired && !target.key.contains($0.name) }.map(\.name)
            target.requires =
                isMain
                ? Array(
                    target.fields.filter { needed.contains($0.field.name) }.flatMap(\.field.headings).filter(
                        ofTable.contains
                    ).prefix(1)) : []
            return .init(ofTable: isMain, target: target)
        }
        return targets.isEmpty ? nil : (targets, unused, lookups)
    }

    /// If a label matches the project, but its value is not a code, the value is read as the
    /// project's name.
    private func addName(to target: inout MappingSuggestion.Target, from unused: inout [MappingSuggestion.Unused]) {
        let codes = Set(TableGuess.ownKey(target.entity).map { target.entity.name + "." + $0.name })
        let names = target.missing.indices.filter {
            target.missing[$0].type == .text && target.missing[$0].vocabulary == nil
                && target.missing[$0].pattern == nil
        }
        let labels = unused.indices.filter { index in
            if case .valuesDoNotFit(let path) = unused[index].reason {
                codes.contains(path) && !ofTable.contains(name(unused[index].heading))
            } else {
                false
            }
        }
        guard names.count == 1, labels.count == 1 else { return }
        let field = target.missing.remove(at: names[0])
        let label = unused.remove(at: labels[0]).heading
        let column = reading.scores.sample.columns.first { $0.heading == label }
        target.fields.append(.init(
            field: .init(field.name, .column([label]), [.trim]), score: TableScores.least,
            samples: pack.mayQuote(field) ? (column?.filled.first).map { [String($0.text.prefix(30))] } ?? [] : [],
            isByContent: true))
    }

    func usedNames(_ targets: [MappingSuggestion.SuggestedRows]) -> [String] {
        targets.flatMap { $0.target.fields.flatMap(\.field.headings) }
    }

    private func name(_ heading: String) -> String { names[heading] ?? heading }

    private func renamed(_ field: ImportMapping.Field) -> ImportMapping.Field {
        var field = field
        switch field.value {
        case .column(let headings): field.value = .column(headings.map(name))
        case .ordinal(let headings): field.value = .ordinal(headings.map(name))
        case .layer(var layer):
            (layer.headings, layer.within) = (layer.headings.map(name), layer.within.map(name))
            field.value = .layer(layer)
        case .parent(let entity, let by): field.value = .parent(entity: entity, by: by.map(renamed))
        default: break
        }
        return field
    }
}

/// The distance from one form of a sheet to the next, derived from repeated labels.
struct FormGrid {
    private(set) var start = SheetCell(row: 0, column: 0)
    private(set) var every = ImportMapping.Distance()

    init(_ pairs: [FormSurvey.Pair]) {
        let places = Dictionary(grouping: pairs) { ColumnName.normal($0.label) }.mapValues { $0.map(\.labelPlace) }
            .filter { $0.value.count > 1 }
        // One repeated label does not prove that the sheet has a second form.
        guard places.count > 1 else { return }
        let rows = Self.distance(places.values.map { Set($0.map(\.row)).sorted() })
        let columns = Self.distance(places.values.map { Set($0.map(\.column)).sorted() })
        guard rows != nil || columns != nil else { return }
        every = .init(rows: rows, columns: columns)
        let first = places.values.flatMap { $0 }
        start = SheetCell(
            row: rows == nil ? 0 : first.map(\.row).min() ?? 0,
            column: columns == nil ? 0 : first.map(\.column).min() ?? 0)
    }

    /// The most common step between positions, if nearly all other steps are multiples of it.
    private static func distance(_ lines: [[Int]]) -> Int? {
        let steps = lines.flatMap { line in zip(line, line.dropFirst()).map { $1 - $0 } }
        let counts = Dictionary(grouping: steps) { $0 }.mapValues(\.count)
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
            steps.count(where: { $0 % most == 0 }) * 10 >= steps.count * 8
        else { return nil }
        return most
    }

    /// The position, in numbers of forms, of the form that contains a cell: the first form is 0, 0.
    /// Nil for a cell above or left of all forms.
    func index(of cell: SheetCell) -> SheetCell? {
        guard cell.row >= start.row, cell.column >= start.column else { return nil }
        return SheetCell(
            row: every.rows.map { (cell.row - start.row) / $0 } ?? 0,
            column: every.columns.map { (cell.column - start.column) / $0 } ?? 0)
    }
}
