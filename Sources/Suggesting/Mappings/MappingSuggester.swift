import Foundation
package import Importing
package import Model

/// Suggests a first mapping for an external file from its headings and values.
package struct MappingSuggester {
    private let pack: Pack
    let words: HeadingWords
    /// Tables of one file are looked at more than once.
    let judged = JudgedContents()

    /// A file with more tables than this is not a register, so only the first ones are examined.
    private static let maximumTables = 40

    package init(pack: Pack) {
        self.pack = pack
        words = HeadingWords(pack)
    }

    /// Whether a text is a common name of some field in the pack.
    package func isName(_ text: String) -> Bool { words.isName(text) }

    /// - Parameter name: name of the suggested mapping.
    ///
    /// Throws `ImportFailure.nothingToSuggest` if no table has rows of an entity, `mappingJSON` for
    /// lines of JSON, and the errors of reading the file.
    package func suggest(_ file: any TableFile, path: String, name: String) throws -> MappingSuggestion {
        try TableFiles.refuseLinesOfJSON(path: path, kind: file.contentKind, mapping: name)
        try TableFiles.refuseOwn(file, path: path)
        let visible = file.tables.filter { !$0.isHidden }
        var suggestion = MappingSuggestion(
            name: name, kind: file.contentKind, file: URL(fileURLWithPath: path).lastPathComponent)
        let surveys = try surveyed(visible, path)
        let forms = try FormSuggester(pack: pack, words: words, judged: judged).suggest(surveys, all: visible.count)
        if let forms {
            suggestion.forms = [forms.form]
            suggestion.lookups = forms.lookups
            suggestion.needsProject = forms.view.chain.contains { forms.view.isLacking($0, pack) }
        }
        let samples = try visible.prefix(Self.maximumTables).filter { forms?.sheets.contains($0.name) != true }
            .flatMap { table in try self.samples(table, surveys.first { $0.name == table.name }?.survey) }
        guard forms != nil || samples.contains(where: { $0.rows > 0 || !$0.columns.isEmpty }) else {
            throw ImportFailure.empty(path: path)
        }
        let asTheyStand = samples.map { TableGuess($0, pack: pack, words: words, judged: judged) }
        var guesses = asTheyStand
        if forms == nil, !guesses.contains(where: { $0.view != nil }) {
            // In the first attempt, one column with misfitting values can prevent the use of all
            // other columns. The second attempt trusts the headings and reports such values.
            guesses = samples.map { TableGuess($0, pack: pack, words: words, judged: judged, isByHeadings: true) }
        }
        let repeated = chooseFirstGroups(of: samples, &guesses)
        let ofForms = Set(forms?.form.targets.map(\.target.entity.name) ?? [])
        addTables(guesses, repeated, without: ofForms, areNamed: visible.count > 1, to: &suggestion)
        guard !suggestion.tables.isEmpty || !suggestion.forms.isEmpty else {
            throw nothing(asTheyStand, path)
        }
        suggestion.unusedTables += visible.dropFirst(Self.maximumTables).map(\.name)
        suggestion.tables = parentsFirst(suggestion.tables)
        return suggestion
    }

    private typealias RepeatedColumns = (groups: ColumnGroups, sample: TableSample)

    /// Of repeated groups of columns, only the first is examined, so that groups are not mixed.
    /// Returns the repeated groups by the index of their table.
    private func chooseFirstGroups(of samples: [TableSample], _ guesses: inout [TableGuess]) -> [Int: RepeatedColumns] {
        var repeated: [Int: RepeatedColumns] = [:]
        for (index, sample) in samples.enumerated() {
            guard let groups = ColumnGroups(sample) else { continue }
            let first = groups.first(of: sample)
            let guess = TableGuess(first, pack: pack, words: words, judged: judged)
            guard let view = guess.view, groups.make(view, first) else { continue }
            (guesses[index], repeated[index]) = (guess, (groups, sample))
        }
        return repeated
    }

    /// Adds the tables that are read, with the words for lookups that they need.
    ///
    /// - Parameter ofForms: the entities that the file's forms already give.
    private func addTables(
        _ guesses: [TableGuess], _ repeated: [Int: RepeatedColumns], without ofForms: Set<String>, areNamed: Bool,
        to suggestion: inout MappingSuggestion
    ) {
        let makers = makers(guesses)
        var unused: [String] = []
        for (index, guess) in guesses.enumerated() {
            let made = guess.view?.chain.filter { entity in
                guard guess.view?.isLacking(entity, pack) == false, !ofForms.contains(entity.name),
                    let maker = makers[entity.name]
                else { return false }
                return maker == index
                    || (entity.name == guess.view?.main.name && Self.areAlike(guess, guesses[maker]))
            } ?? []
            guard let view = guess.view, !made.isEmpty else {
                unused.append(guess.scores.sample.name)
                continue
            }
            let builder = SuggestedTable(reading: guess, view: view, made: made, pack: pack)
            var (table, lookups) = builder.table(isNamed: areNamed)
            if let (groups, sample) = repeated[index], let part = table.targets.popLast() {
                table.targets += groups.targets(part, in: sample)
            }
            suggestion.tables.append(table)
            if view.chain.contains(where: { view.isLacking($0, pack) }) { suggestion.needsProject = true }
            suggestion.lookups.merge(lookups) { first, second in first.merging(second) { first, _ in first } }
        }
        suggestion.unusedTables = unused.filter { name in !suggestion.tables.contains { $0.name == name } }
    }

    /// The tables in the order in which an import needs them.
    private func parentsFirst(_ tables: [MappingSuggestion.Table]) -> [MappingSuggestion.Table] {
        let depths = Dictionary(uniqueKeysWithValues: pack.entities.map { ($0.name, TableGuess.chain($0, pack).count) })
        let depth = { (table: MappingSuggestion.Table) in depths[table.targets.last?.entity.name ?? ""] ?? 0 }
        return tables.enumerated().sorted {
            (depth($0.element), $0.offset) < (depth($1.element), $1.offset)
        }.map(\.element)
    }

    /// The failure if no table gave a suggestion. It names the entity whose fields match the most
    /// headings, these headings, and the missing parts of the entity's key.
    private func nothing(_ guesses: [TableGuess], _ path: String) -> ImportFailure {
        var best: (entity: Entity, named: [(heading: String, field: String)])?
        for entity in pack.entities where !entity.isCore {
            let named = guesses.flatMap { guess in
                guess.scores.candidates.filter { $0.entity.name == entity.name && $0.name >= 0.9 }.map { candidate in
                    (heading: guess.scores.sample.columns[candidate.column].heading, field: candidate.path)
                }
            }
            if named.count > best?.named.count ?? 0 { best = (entity, named) }
        }
        let known = Set((best?.named ?? []).map(\.field))
        let needed: [String] = best.map { best -> [String] in
            let chain = TableGuess.chain(best.entity, pack).filter { $0.name != pack.project.entity }
            let keys = chain.flatMap { link in TableGuess.ownKey(link).map { link.name + "." + $0.name } }
                return keys
                    + best.entity.fields.filter {
                        $0.isRequired && $0.references == nil && $0.name != "id" && $0.vocabulary == nil
                    }.map { best.entity.name + "." + $0.name }
        } ?? []
        let lacking: [String] = needed.filter { !known.contains($0) }.reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return ImportFailure.nothingToSuggest(
            path: path, pack: pack.name, columns: guesses.flatMap(Self.columns),
            named: (best?.named ?? []).map { "\($0.heading) → \($0.field)" }, lacking: lacking)
    }

    /// The headings of a table. If a heading matches a field but the values do not fit, the field's
    /// name follows the heading.
    private static func columns(_ guess: TableGuess) -> [String] {
        guess.scores.sample.columns.enumerated().filter { $0.element.derived == nil && !$0.element.heading.isEmpty }
            .map { index, column in
            column.heading + (guess.scores.misfits[index].map { " ≠ " + $0 } ?? "")
        }
    }

    /// Surveys of those sheets that are small enough to be forms or to contain several tables.
    private func surveyed(_ tables: [ForeignTable], _ path: String) throws -> [(name: String, survey: FormSurvey)] {
        try tables.prefix(Self.maximumTables).compactMap { table in
            try FormSurvey(table, path: path, isName: words.isName).map { (table.name, $0) }
        }
    }

    /// The sample of a sheet. Several tables on one sheet are separate samples if they contain
    /// different records.
    private func samples(_ table: ForeignTable, _ survey: FormSurvey?) throws -> [TableSample] {
        let blocks = (survey?.blocks ?? []).flatMap(\.apart)
        if blocks.count > 1 {
            let samples = blocks.map { TableSample($0, on: table.name, pack: pack, words: words) }
            let guesses = samples.map { TableGuess($0, pack: pack, words: words, judged: judged) }
            let entities = guesses.compactMap { $0.view?.main.name }
            if Set(entities).count > 1 { return samples }
        }
        return [try TableSample(table, pack: pack, words: words)]
    }

    /// Whether two tables have the same fields under the same headings, like one sheet for each
    /// year.
    private static func areAlike(_ one: TableGuess, _ other: TableGuess) -> Bool {
        func columns(_ guess: TableGuess) -> Set<String> {
            let candidates = (guess.view?.choices ?? []) + (guess.view?.keys.values.flatMap(\.self) ?? [])
            return Set(
                candidates.map { $0.path + " " + ColumnName.normal(guess.scores.sample.columns[$0.column].heading) })
        }
        return columns(one) == columns(other)
    }

    /// For each entity, the table from which its records are read: the best table with this main
    /// entity, or else the one with the most columns for the entity. Only tables that are alike
    /// supply the same entity.
    private func makers(_ guesses: [TableGuess]) -> [String: Int] {
        var makers: [String: Int] = [:]
        var worth: [String: Double] = [:]
        for (index, guess) in guesses.enumerated() {
            guard let view = guess.view, TableGuess.worth(view) > worth[view.main.name] ?? -1 else { continue }
            (makers[view.main.name], worth[view.main.name]) = (index, TableGuess.worth(view))
        }
        worth = [:]
        let mains = Set(makers.keys)
        // Enclosing records are read from a main entity's table, unless another fits better.
        let ofMain = guesses.indices.filter { index in
            guesses[index].view.map { makers[$0.main.name] == index } ?? false
        }
        for index in ofMain + guesses.indices.filter({ !ofMain.contains($0) }) {
            guard let view = guesses[index].view else { continue }
            for entity in view.chain where !mains.contains(entity.name) {
                if view.worth(of: entity) > worth[entity.name] ?? -1 {
                    worth[entity.name] = view.worth(of: entity)
                    makers[entity.name] = index
                }
            }
        }
        return makers
    }
}
