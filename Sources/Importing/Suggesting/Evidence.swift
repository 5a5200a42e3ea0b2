import Model

/// The evidence that a table contains rows of an entity at all: many lists have a code, a title and
/// a date.
struct Evidence {
    /// Number of matching columns; those that match only by their values count half.
    private(set) var weight = 0.0
    private let needed: Double
    private var hasNamedKey = true

    init(_ view: TableGuess.View, _ scores: TableScores, _ pack: Pack) {
        let keys = view.keys.values.flatMap { $0 }
        for candidate in keys + view.choices where !scores.sample.columns[candidate.column].filled.isEmpty {
            guard candidate.fit.share >= 0.8 || (scores.isByHeadings && candidate.name >= 0.95) else { continue }
            if candidate.name >= 0.6 { weight += candidate.fit.isTelling ? 1 : 0.5 } else if candidate.fit.isTelling { weight += 0.5 }
        }
        // Where no column names the project, the other columns must show what the rows are.
        let lacksProject = view.chain.contains { view.isLacking($0, pack) }
        // Headings that name other fields but not the key belong to another kind of list; more
        // evidence is then needed.
        let isUnnamed = scores.sample.hasHeading && keys.contains { $0.name < 0.6 } && view.choices.contains { $0.name >= 0.9 && !$0.fit.isTelling }
        needed = lacksProject || isUnnamed ? 4 : 1
        if lacksProject {
            let records = view.chain.filter { $0.name != pack.project.entity }
            hasNamedKey = records.first.map { (view.keys[$0.name] ?? []).contains { $0.name >= 0.9 } } ?? false
        }
    }

    var isEnough: Bool { hasNamedKey && weight >= needed }
}
