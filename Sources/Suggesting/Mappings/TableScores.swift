import Importing
import Model

/// The evidence for each pair of a column of the table and a field of the pack.
struct TableScores {
    struct Candidate {
        let column: Int
        let entity: Entity
        let field: Field
        let name: Double
        let fit: ContentFit
        var score: Double
        var path: String { entity.name + "." + field.name }
        var isKey: Bool { entity.key.contains(field.name) }
    }

    let sample: TableSample
    let judge: ContentJudge
    private(set) var candidates: [Candidate] = []
    /// Columns whose name matches a field but whose values do not fit.
    private(set) var misfits: [Int: String] = [:]

    /// Pairs below this score are not suggested.
    static let least = 0.3

    /// Whether headings are trusted although the values do not fit.
    let isByHeadings: Bool

    init(
        _ sample: TableSample, pack: Pack, words: HeadingWords, judged: JudgedContents, isByHeadings: Bool,
        isAllowed: (Int, Entity) -> Bool
    ) {
        (self.sample, self.isByHeadings) = (sample, isByHeadings)
        let judge = ContentJudge(sample, pack: pack, known: judged)
        self.judge = judge
        let levels = 2 * (pack.entities.map { TableGuess.chain($0, pack).count }.max() ?? 1)
        var seen: Set<String> = []
        for (column, content) in sample.columns.enumerated() {
            // A mapping finds a column by its heading, so only the first of several columns with
            // one heading can be used. A column that gives the end of a layer has no other use.
            let isBottom =
                content.derived == nil && sample.columns.contains { $0.derived == .bottom(of: content.heading) }
            // Columns with another program's ids or with counts of rows are not used.
            guard !content.isOfIDs, !(sample.hasHeading && words.isCount(content.heading)) else { continue }
            guard !isBottom, !content.heading.isEmpty, seen.insert(content.heading).inserted,
                Self.levels(content.heading) <= levels
            else { continue }
            for entity in pack.entities where !entity.isCore && isAllowed(column, entity) {
                for field in entity.fields where field.name != "id" && field.references == nil && field.type != .uuid {
                    let name = sample.hasHeading ? Self.score(content, words, entity, field) : 0
                    candidates.append(
                        Candidate(
                            column: column, entity: entity, field: field, name: name,
                            fit: judge.fit(column, of: entity.name, field), score: 0))
                }
            }
        }
        // Values alone are enough evidence for records, their enclosing entities and their layers.
        // For other parts of a record, a heading must name one of their fields.
        let parts = Set(
            pack.records.flatMap { record in record.parts.map(\.entity).filter { $0 != record.strip?.entity } })
        let named = Set(candidates.filter { $0.name >= 0.6 }.map(\.entity.name))
        candidates.removeAll { $0.name < 0.6 && parts.contains($0.entity.name) && !named.contains($0.entity.name) }
        weigh()
    }

    /// The number of levels between an XML row and a column around the row. Columns beyond twice
    /// the nesting depth of the records (each within a list) are ignored, because every level
    /// repeats the columns of the levels around it.
    private static func levels(_ heading: String) -> Int {
        var (levels, rest) = (0, heading[...])
        while rest.hasPrefix("../") { (levels, rest) = (levels + 1, rest.dropFirst(3)) }
        return levels
    }

    /// Scores the whole heading of a column. The lowest word of the heading alone counts nearly as
    /// much.
    private static func score(_ column: TableSample.Column, _ words: HeadingWords, _ entity: Entity, _ field: Field)
        -> Double
    {
        // A derived column was made for one field and matches only that field.
        if column.derived != nil { return column.heading == field.name ? 1 : 0 }
        let whole = words.score(column.heading, entity: entity.name, field: field.name)
        guard let last = column.last, last != column.heading, !last.isEmpty else { return whole }
        return max(whole, 0.99 * words.score(last, entity: entity.name, field: field.name))
    }

    /// Whether the values are evidence for the field, and nearly all of them fit.
    private static func isFitting(_ candidate: Candidate) -> Bool {
        candidate.fit.isTelling && candidate.fit.share >= 0.9
    }

    /// Adjusts the weight of values. They are better evidence if few columns fit the field, and if
    /// the column fits few fields.
    private mutating func weigh() {
        var columns: [String: [Int]] = [:]
        for candidate in candidates where Self.isFitting(candidate) {
            columns[candidate.path, default: []].append(candidate.column)
        }
        func strictness(_ candidate: Candidate) -> Double {
            (candidate.isKey ? 1 : 0.5) / Double(columns[candidate.path]?.count ?? 1)
        }
        var rivals: [Int: Double] = [:]
        for candidate in candidates where Self.isFitting(candidate) {
            rivals[candidate.column, default: 0] += strictness(candidate)
        }
        var best: [Int: Double] = [:]
        for index in candidates.indices {
            let candidate = candidates[index]
            let special =
                Self.isFitting(candidate) ? strictness(candidate) / max(rivals[candidate.column] ?? 1, 0.001) : 0
            candidates[index].score = score(candidate, special, columns[candidate.path] ?? [])
            if candidate.name >= 0.95, candidates[index].score == 0, candidate.name > best[candidate.column] ?? 0 {
                best[candidate.column] = candidate.name
                misfits[candidate.column] = candidate.path
            }
        }
        candidates.removeAll { $0.score < Self.least }
    }

    /// - Parameter columns: the columns whose values fit the field.
    private func score(_ candidate: Candidate, _ special: Double, _ columns: [Int]) -> Double {
        let filled = sample.columns[candidate.column].filled
        let (name, share) = (candidate.name, candidate.fit.share)
        if filled.isEmpty || candidate.fit.isNothing { return name >= 0.95 ? 0.55 * name : 0 }
        if name >= 0.95 {
            return share >= 0.5 ? 0.6 * name + 0.3 * share + 0.1 * special : isByHeadings ? 0.4 * name : 0
        }
        if name >= 0.6 { return share >= 0.7 ? 0.6 * name + 0.2 * share + 0.1 * special : 0 }
        // Without evidence from the heading, only values that few other fields accept count.
        guard Self.isFitting(candidate), Set(filled).count >= 2 || candidate.isKey, filled.count >= 3 else { return 0 }
        return min(0.6 * share * special * shape(candidate, columns), 0.6)
    }

    /// Prefers keys in the usual order of registers: from left to right, and from few values to
    /// many. Of the columns that could be a key, the first in this order belongs to the outermost
    /// entity. The key of an enclosed entity is not the same in all rows.
    private func shape(_ candidate: Candidate, _ columns: [Int]) -> Double {
        guard candidate.isKey else { return 1 }
        let kinds = Set(sample.columns[candidate.column].filled).count
        let first = columns.min {
            (Set(sample.columns[$0].filled).count, $0) < (Set(sample.columns[$1].filled).count, $1)
        }
        guard candidate.entity.keyScope == nil else {
            return kinds == 1 || (columns.count > 1 && first == candidate.column) ? 0.2 : 1
        }
        guard candidate.column == first, columns.count > 1, kinds * 2 <= sample.columns[candidate.column].filled.count
        else { return 0.2 }
        return 3
    }

    /// Assigns each column and each field at most once, the best pairs first. `adjusted` may change
    /// a pair's score, and may remove the pair.
    func assign(
        _ wanted: (Candidate) -> Bool, taken: Set<Int> = [], adjusted: (Candidate) -> Double = { $0.score }
    ) -> [Candidate] {
        var columns = taken
        var fields: Set<String> = []
        let ranked = candidates.filter(wanted).map { candidate in
            var candidate = candidate
            candidate.score = adjusted(candidate)
            return candidate
        }.enumerated().sorted { ($0.element.score, -$0.offset) > ($1.element.score, -$1.offset) }.map(\.element)
        return ranked.filter { candidate in
            let field = candidate.path
            guard candidate.score >= Self.least, !columns.contains(candidate.column), !fields.contains(field) else {
                return false
            }
            columns.insert(candidate.column)
            fields.insert(field)
            return true
        }
    }

    /// Groups rows with the same values in some columns. Returns the share of groups that have a
    /// single value in another column; nil if no group has two rows.
    func isConstant(_ column: Int, within keys: [Int]) -> Double? {
        var groups: [String: (rows: Int, values: Set<String>)] = [:]
        for row in 0..<sample.rows {
            let key = keys.map { sample.columns[$0].cells[row]?.text ?? "" }
            guard key.allSatisfy({ !$0.isEmpty }), let value = sample.columns[column].cells[row]?.text else { continue }
            groups[key.joined(separator: "\u{1F}"), default: (0, [])].rows += 1
            groups[key.joined(separator: "\u{1F}"), default: (0, [])].values.insert(value)
        }
        let several = groups.values.filter { $0.rows > 1 }
        return several.isEmpty ? nil : Double(several.count { $0.values.count == 1 }) / Double(several.count)
    }

    /// The share of rows whose values in some columns occur for the first time.
    func firstShare(_ keys: [Int]) -> Double {
        var seen: Set<[String]> = []
        var rows = 0
        for row in 0..<sample.rows {
            let key = keys.map { sample.columns[$0].cells[row]?.text ?? "" }
            guard key.allSatisfy({ !$0.isEmpty }) else { continue }
            rows += 1
            seen.insert(key)
        }
        return rows == 0 ? 1 : Double(seen.count) / Double(rows)
    }
}
