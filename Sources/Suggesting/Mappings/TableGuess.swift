import Foundation
import Importing
import Model

/// The guessed contents of one table: its main entity, the entities that enclose the main entity,
/// and the columns of their keys.
struct TableGuess {
    /// An interpretation of the table's rows as records of one main entity.
    struct View {
        /// The entities, the outermost first, the main entity last.
        let chain: [Entity]
        /// By entity, the columns of its own key, in the key's order; none if rows are numbered by
        /// position.
        let keys: [String: [TableScores.Candidate]]
        let choices: [TableScores.Candidate]

        var main: Entity { chain[chain.count - 1] }
        func isNumbered(_ entity: Entity) -> Bool { keys[entity.name]?.isEmpty ?? true }
        /// Whether the rows belong to a project that the table does not name. The user must then
        /// name the project for the import.
        func isLacking(_ entity: Entity, _ pack: Pack) -> Bool {
            entity.name == pack.project.entity && isNumbered(entity)
        }
        func worth(of entity: Entity) -> Double {
            choices.filter { $0.entity.name == entity.name }.reduce(0) { $0 + $1.score }
        }

        /// The columns that together identify rows of an entity of the chain.
        func keyColumns(upTo entity: Entity) -> [Int] {
            let end = chain.firstIndex { $0.name == entity.name } ?? 0
            return chain[...end].flatMap { keys[$0.name] ?? [] }.map(\.column)
        }
    }

    let scores: TableScores
    let view: View?
    /// Key columns with one value for several rows, which is filled down; the outermost first.
    private(set) var down: [Int] = []

    /// - Parameters:
    ///   - isByHeadings: whether headings are trusted although the values do not fit, as a last
    ///     resort.
    ///   - isAllowed: whether a column may be used for fields of an entity.
    ///   - main: the entity of the rows, if it is known.
    init(
        _ sample: TableSample, pack: Pack, words: HeadingWords, judged: JudgedContents,
        isByHeadings: Bool = false, main: Entity? = nil,
        isAllowed: (_ column: Int, Entity) -> Bool = { _, _ in true }
    ) {
        let reading = TableGuess(
            asItStands: sample, pack: pack, words: words, judged: judged, isByHeadings: isByHeadings, main: main,
            isAllowed: isAllowed)
        let down = reading.view.map { Self.down($0, sample) } ?? []
        self = down.isEmpty
            ? reading
            : TableGuess(
                asItStands: sample.filledDown(down), pack: pack, words: words, judged: judged,
                isByHeadings: isByHeadings, main: main, isAllowed: isAllowed)
        self.down = down
    }

    /// Columns of the parents' keys that are filled in one row and blank in the next rows, although
    /// these rows have keys of their own.
    private static func down(_ view: View, _ sample: TableSample) -> [Int] {
        let own =
            view.isNumbered(view.main)
            ? view.choices.filter { $0.entity.name == view.main.name } : view.keys[view.main.name] ?? []
        let needed = own.filter { view.main.key.contains($0.field.name) || $0.field.isRequired }.map(\.column)
        guard !needed.isEmpty else { return [] }
        let rows = (0..<sample.rows).filter { row in needed.allSatisfy { sample.columns[$0].cells[row] != nil } }
        return view.chain.dropLast().flatMap { view.keys[$0.name] ?? [] }.map(\.column).filter { column in
            guard let first = rows.first, sample.columns[column].cells[first] != nil else { return false }
            return rows.contains { sample.columns[column].cells[$0] == nil }
        }
    }

    private init(
        asItStands sample: TableSample, pack: Pack, words: HeadingWords, judged: JudgedContents, isByHeadings: Bool,
        main: Entity?,
        isAllowed: (_ column: Int, Entity) -> Bool
    ) {
        let forced = pack.entities.first { !$0.isCore && words.isCalled(sample.name, $0.name) }
        let isNested = sample.columns.contains { $0.heading.hasPrefix("../") }
        let chain = forced.map { Self.chain($0, pack).map(\.name) } ?? []
        // Values around an XML row belong to the entities that enclose the row's entity.
        scores = TableScores(
            sample, pack: pack, words: words, judged: judged, isByHeadings: isByHeadings
        ) { column, entity in
            guard isAllowed(column, entity) else { return false }
            let noted = words.entities(around: sample.columns[column].heading)
            guard noted.isEmpty else { return noted.contains(entity.name) }
            guard isNested, forced != nil else { return true }
            let depth = sample.columns[column].heading.components(separatedBy: "../").count - 1
            return chain.count - 1 - depth >= 0 && chain[chain.count - 1 - depth] == entity.name
        }
        let scores = scores
        // If a name fits several entities, the table's name decides. A column named after another
        // field is not a key because of its values. If headings are trusted, this applies to keys
        // as well, and only exact names count.
        let (least, other) = isByHeadings ? (0.95, 0.95) : (0.9, 0.6)
        let named = Set(scores.candidates.filter { $0.name >= least && (isByHeadings || !$0.isKey) }.map(\.column))
        func isNear(_ candidate: TableScores.Candidate) -> Double {
            candidate.name < other && named.contains(candidate.column)
                ? 0 : candidate.score + (candidate.entity.name == forced?.name ? 0.04 : 0)
        }
        let keys = Dictionary(grouping: scores.assign(\.isKey, adjusted: isNear), by: \.entity.name)
        let views = pack.entities.filter { !$0.isCore && (main == nil || $0.name == main?.name) }.compactMap { entity in
            Self.view(entity, keys, scores, pack, isCalled: entity.name == forced?.name)
        }.filter { view in
            // If all values lie around the XML row, they are those of the enclosing records.
            (view.choices + (view.keys[view.main.name] ?? [])).contains {
                $0.entity.name == view.main.name && !sample.columns[$0.column].heading.hasPrefix("../")
            }
        }
        let own = forced.flatMap { forced in views.first { $0.main.name == forced.name } }
        let best = views.max { Self.worth($0) < Self.worth($1) }
        view = isNested ? own ?? best : best
    }

    static func worth(_ view: View) -> Double {
        view.chain.reduce(0) { $0 + view.worth(of: $1) } + 0.5 * Double(view.keys.values.reduce(0) { $0 + $1.count })
    }

    /// An entity, preceded by the entities that enclose it.
    static func chain(_ entity: Entity, _ pack: Pack) -> [Entity] {
        var chain = [entity]
        while let scope = chain[0].keyScope, let target = chain[0].field(scope)?.references,
            let parent = pack.entity(target),
            !chain.contains(where: { $0.name == parent.name }) {
            chain.insert(parent, at: 0)
        }
        return chain
    }

    /// The fields of an entity's key that a file can contain: those that are neither ids nor
    /// references.
    static func ownKey(_ entity: Entity) -> [Field] {
        entity.key.compactMap { entity.field($0) }.filter { $0.name != "id" && $0.references == nil }
    }

    private static func view(
        _ entity: Entity, _ found: [String: [TableScores.Candidate]], _ scores: TableScores, _ pack: Pack,
        isCalled: Bool
    ) -> View? {
        let chain = Self.chain(entity, pack)
        var keys: [String: [TableScores.Candidate]] = [:]
        for link in chain {
            let own = ownKey(link)
            let candidates = found[link.name] ?? []
            let columns: [TableScores.Candidate] = own.compactMap { field in
                candidates.first { $0.field.name == field.name }
            }
            if columns.count < own.count {
                if link.name == pack.project.entity, link.name != entity.name {
                    keys[link.name] = []
                    continue
                }
                // If rows have no number and clearly are rows of this kind, they are numbered by
                // position.
                guard link.name == entity.name, chain.count > 1, own.count == 1, own[0].type == .integer else {
                    return nil
                }
            }
            guard !own.isEmpty else { return nil }
            keys[link.name] = columns
        }
        let view = choose(chain, keys, scores)
        let others = view.choices.filter { $0.entity.name == entity.name }
        if view.isNumbered(entity) {
            let needed = entity.fields.filter {
                $0.isRequired && $0.references == nil && $0.name != "id" && !entity.key.contains($0.name)
                    && $0.vocabulary == nil
            }
            let isMet = needed.allSatisfy { field in others.contains { $0.field.name == field.name && $0.name >= 0.6 } }
            guard isMet, !needed.isEmpty else { return nil }
        }
        if others.isEmpty && !isCalled { return nil }
        return Evidence(view, scores, pack).isEnough ? view : nil
    }

    /// Chooses fields for the columns that are not keys. If a value differs among the rows of one
    /// parent, it is not a value of the parent.
    static func choose(_ chain: [Entity], _ keys: [String: [TableScores.Candidate]], _ scores: TableScores) -> View {
        let bare = View(chain: chain, keys: keys, choices: [])
        let names = Set(chain.map(\.name))
        let main = bare.main.name
        let choices = scores.assign(
            { names.contains($0.entity.name) && !$0.isKey }, taken: Set(bare.keyColumns(upTo: bare.main))
        ) { candidate in
            guard candidate.entity.name != main else { return candidate.score }
            guard let share = scores.isConstant(candidate.column, within: bare.keyColumns(upTo: candidate.entity))
            else { return candidate.score - 0.02 }
            return share < 0.9 ? 0 : candidate.score + 0.02
        }
        return View(chain: chain, keys: keys, choices: choices)
    }
}

/// The evidence that a table contains rows of an entity at all. It is needed because many lists
/// have a code, a title and a date.
struct Evidence {
    /// Number of matching columns. A column that matches only by its values counts half.
    private(set) var weight = 0.0
    private let needed: Double
    private var hasNamedKey = true

    init(_ view: TableGuess.View, _ scores: TableScores, _ pack: Pack) {
        let keys = view.keys.values.flatMap { $0 }
        for candidate in keys + view.choices where !scores.sample.columns[candidate.column].filled.isEmpty {
            guard candidate.fit.share >= 0.8 || (scores.isByHeadings && candidate.name >= 0.95) else { continue }
            if candidate.name >= 0.6 {
                weight += candidate.fit.isTelling ? 1 : 0.5
            } else if candidate.fit.isTelling {
                weight += 0.5
            }
        }
        // If no column names the project, the other columns must show to which entity the rows
        // belong.
        let lacksProject = view.chain.contains { view.isLacking($0, pack) }
        // If the headings name other fields but not the key, the list may be of another kind, so
        // more evidence is needed.
        let isUnnamed =
            scores.sample.hasHeading && keys.contains { $0.name < 0.6 }
            && view.choices.contains { $0.name >= 0.9 && !$0.fit.isTelling }
        needed = lacksProject || isUnnamed ? 4 : 1
        if lacksProject {
            let records = view.chain.filter { $0.name != pack.project.entity }
            hasNamedKey = records.first.map { (view.keys[$0.name] ?? []).contains { $0.name >= 0.9 } } ?? false
        }
    }

    var isEnough: Bool { hasNamedKey && weight >= needed }
}
