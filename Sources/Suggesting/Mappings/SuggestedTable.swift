import Foundation
import Importing
import Model

/// Writes the suggestion for one table in the form of a mapping's parts.
struct SuggestedTable {
    private let reading: TableGuess
    private let view: TableGuess.View
    private let made: [Entity]
    private let pack: Pack
    private var sample: TableSample { reading.scores.sample }

    /// - Parameter made: the entities whose records are read from this table. The table's rows only
    ///   refer to records of the other entities in the chain.
    init(reading: TableGuess, view: TableGuess.View, made: [Entity], pack: Pack) {
        (self.reading, self.made, self.pack) = (reading, made, pack)
        // If another table supplies a record, this table's columns for the record may be used
        // otherwise.
        let scores = reading.scores
        let names = Set(made.map(\.name))
        let keyColumns = Set(view.keyColumns(upTo: view.main))
        let again = TableGuess.choose(view.chain, view.keys, scores).choices.filter { names.contains($0.entity.name) }
        let used = keyColumns.union(again.map(\.column))
        let further = scores.assign(
            { candidate in
                names.contains(candidate.entity.name) && !candidate.isKey
                    && !again.contains {
                        $0.entity.name == candidate.entity.name && $0.field.name == candidate.field.name
                    }
            }, taken: used
        ) { $0.entity.name == view.main.name ? $0.score : 0 }
        self.view = TableGuess.View(chain: view.chain, keys: view.keys, choices: again + further)
    }

    func table(isNamed: Bool) -> (MappingSuggestion.Table, lookups: [String: [String: String]]) {
        var table = MappingSuggestion.Table(
            name: sample.name, isNamed: isNamed, hasHeading: sample.hasHeading, headingRows: sample.headingRows)
        table.isBlock = sample.isBlock
        var lookups: [String: [String: String]] = [:]
        for entity in made {
            table.targets.append(target(entity))
            for choice in view.choices + (view.keys[entity.name] ?? [])
            where choice.entity.name == entity.name && !choice.fit.words.isEmpty {
                lookups[choice.field.name, default: [:]].merge(choice.fit.words) { first, _ in first }
            }
        }
        table.requires = requires(&table.targets)
        table.down = reading.down.map(heading)
        table.notes = notes()
        table.unused = unused()
        return (table, lookups)
    }

    /// The columns that must be filled in a row with a record. A line with a sum or a remark has no
    /// key, and so is not a record.
    private func requires(_ targets: inout [MappingSuggestion.Target]) -> [String] {
        let main = view.main
        let own = headings(of: main)
        guard view.chain.count > 1 else { return own }
        let parent = view.chain[view.chain.count - 2]
        if own.isEmpty { return headings(of: parent) }
        // A pit without strata is still a pit, so its row needs only the pit's key.
        guard parent.keyScope != nil, made.contains(where: { $0.name == parent.name }) else { return own }
        targets[targets.count - 1].requires = own
        return headings(of: parent)
    }

    /// Words with which texts below a table begin.
    private static let notes: Set<String> = [
        "total", "totales", "subtotal", "totale", "suma", "promedio", "elaborado", "revisado", "aprobado", "nota",
        "notas", "fuente", "prepared", "checked", "note",
        "redatto", "media",
    ]

    /// Texts in the column of a key that are not keys: sums and remarks below the table.
    private func notes() -> (name: String, heading: String, texts: [String])? {
        for candidate in made.reversed().flatMap({ view.keys[$0.name] ?? [] }) where candidate.field.pattern != nil {
            let texts = candidate.fit.misfits.map(\.trimmingSpaces).filter { text in
                let isNote = HeadingWords.plainWords(text).first.map(Self.notes.contains) ?? false
                return isNote && text.utf8.count <= 80 && !text.contains { $0 == "'" || $0.isNewline || $0 == "\\" }
            }
            if !texts.isEmpty { return (candidate.field.name, heading(candidate.column), texts) }
        }
        return nil
    }

    private func headings(of entity: Entity) -> [String] { (view.keys[entity.name] ?? []).map { heading($0.column) } }
    private func heading(_ column: Int) -> String { sample.columns[column].heading }

    private func target(_ entity: Entity) -> MappingSuggestion.Target {
        let own = TableGuess.ownKey(entity).map(\.name)
        var target = MappingSuggestion.Target(entity: entity, key: (entity.keyScope.map { [$0] } ?? []) + own)
        let columns = view.keyColumns(upTo: entity)
        let first = view.isNumbered(entity) ? 1 : reading.scores.firstShare(columns)
        target.repeats = entity.name == view.main.name ? first < 0.9 : first < 1
        if let scope = entity.keyScope, let index = view.chain.firstIndex(where: { $0.name == entity.name }), index > 0,
            !view.isLacking(view.chain[index - 1], pack)
        {
            target.fields.append(.init(field: .init(scope, parent(view.chain[index - 1]))))
        }
        if view.isNumbered(entity), let number = own.first {
            let above = view.chain.dropLast().flatMap { headings(of: $0) }
            target.fields.append(.init(field: .init(number, .ordinal(above))))
        }
        target.fields += (view.keys[entity.name] ?? []).map(choice)
        let order = Dictionary(uniqueKeysWithValues: entity.fields.enumerated().map { ($1.name, $0) })
        target.fields += view.choices.filter { $0.entity.name == entity.name }
            .sorted { order[$0.field.name] ?? 0 < order[$1.field.name] ?? 0 }.map(choice)
        let fed = Set(target.fields.map(\.field.name))
        if let states = entity.states, !fed.contains(states.field) {
            target.fields.append(.init(field: .init(states.field, .constant(states.initial))))
        }
        let all = Set(target.fields.map(\.field.name))
        target.missing = entity.fields.filter {
            $0.isRequired && $0.name != "id" && !all.contains($0.name) && $0.references != pack.project.entity
        }
        return target
    }

    private func parent(_ entity: Entity) -> ImportMapping.Value {
        var by: [ImportMapping.Field] = []
        if let scope = entity.keyScope, let index = view.chain.firstIndex(where: { $0.name == entity.name }), index > 0,
            !view.isLacking(view.chain[index - 1], pack)
        {
            by.append(.init(scope, parent(view.chain[index - 1])))
        }
        by += (view.keys[entity.name] ?? []).map { field($0) }
        return .parent(entity: entity.name, by: by)
    }

    private func field(_ candidate: TableScores.Candidate) -> ImportMapping.Field {
        guard let derived = sample.columns[candidate.column].derived else {
            return ImportMapping.Field(
                candidate.field.name, .column([heading(candidate.column)]), candidate.fit.conversions)
        }
        let source = derived.source
        if case .end(let end, _) = derived {
            return ImportMapping.Field(candidate.field.name, .column([source]), [.range(end)])
        }
        let record = view.chain.dropLast().flatMap { headings(of: $0) }
        let own = sample.columns.firstIndex { $0.heading == source && $0.derived == nil }
        if case .bottom = derived {
            let conversions = own.map {
                reading.scores.judge.fit($0, of: candidate.entity.name, candidate.field).conversions
            }
            return ImportMapping.Field(candidate.field.name, .column([source]), conversions ?? [])
        }
        let conversions = own.map {
            reading.scores.judge.fit($0, of: candidate.entity.name, candidate.field).conversions
        }
        let (given, edge): (ImportMapping.Layer.Given, ImportMapping.Layer.Edge) =
            if case .edge(let edge, _) = derived { (.thickness, edge) } else { (.bottom, .top) }
        return ImportMapping.Field(
            candidate.field.name,
            .layer(.init(given, edge: edge, headings: [source], within: record, unless: [candidate.field.name])),
            conversions ?? [])
    }

    private func choice(_ candidate: TableScores.Candidate) -> MappingSuggestion.Choice {
        var seen: Set<String> = []
        let values = sample.columns[candidate.column].filled.map(\.text).filter { seen.insert($0).inserted }
        return MappingSuggestion.Choice(
            field: field(candidate), score: min(candidate.score, 1),
            share: sample.columns[candidate.column].filled.isEmpty || candidate.fit.isNothing
                ? nil : candidate.fit.share,
            samples: pack.mayQuote(candidate.field) ? values.prefix(3).map { String($0.prefix(30)) } : [],
            misfits: pack.mayQuote(candidate.field)
                ? candidate.fit.misfits.prefix(3).map { String($0.prefix(30)) } : [], isByContent: candidate.name < 0.6,
            isUncertain: candidate.fit.isUncertain)
    }

    private func unused() -> [MappingSuggestion.Unused] {
        let used = Set(view.keyColumns(upTo: view.main) + view.choices.map(\.column))
        let sources = Set(used.compactMap { sample.columns[$0].derived?.source })
        var headings: Set<String> = []
        return sample.columns.enumerated().compactMap { index, column in
            let isFirst = headings.insert(column.heading).inserted
            // Values of elements that enclose an XML row belong to another table.
            guard !used.contains(index), column.derived == nil, !sources.contains(column.heading),
                !column.heading.hasPrefix("../")
            else { return nil }
            guard !column.heading.isEmpty else {
                return column.filled.isEmpty ? nil : .init(heading: ColumnName.letters(index), reason: .noHeading)
            }
            return .init(heading: column.heading, reason: isFirst ? reason(index) : .sameHeading)
        }
    }

    private func reason(_ column: Int) -> MappingSuggestion.Unused.Reason {
        if sample.columns[column].filled.isEmpty { return .empty }
        let names = Set(made.map(\.name))
        let best = reading.scores.candidates.filter { $0.column == column && names.contains($0.entity.name) }.max {
            $0.score < $1.score
        }
        if let best, best.name >= 0.6 { return .taken(best.entity.name + "." + best.field.name) }
        if let field = reading.scores.misfits[column] { return .valuesDoNotFit(field) }
        return .unknown
    }
}
