import Foundation
package import Model

/// Computes the similarity of a heading and a field's names, from 0 to 1.
///
/// A field's names are its name, its aliases, its synonyms and its labels in every language. Each
/// of them is also combined with the entity's name (`código de la calicata`). An entity's name
/// alone means the last field of the entity's key (`Calicata`: the pit's code).
package struct HeadingWords {
    private var names: [String: [Name]] = [:]
    /// The normalised forms of all names, for exact matches.
    private var normals: Set<String> = []
    private var entityNames: [String: Set<String>] = [:]
    /// Words of the plural labels of records: `cortes`, `test pits`.
    private var plurals: Set<Set<String>> = []
    let known = Known()

    /// Cache of scores, by heading and field. Tables of one file share many headings, and each
    /// heading is compared with every field.
    final class Known {
        var scores: [String: [String: Double]] = [:]
        /// Number of headings whose scores had to be computed.
        var count = 0
        static let maximum = 5_000
    }

    private struct Name {
        let normal: String
        /// The words in their order, including fillers.
        let all: [String]
        let words: Set<String>
        /// Nil if the name includes the entity's name: then only exactly the same words match.
        let scalars: NameSimilarity.Name?

        init(_ text: String) {
            let folded = ColumnName.folded(text)
            normal = ColumnName.normalForm(folded: folded)
            all = HeadingWords.allWords(folded: folded)
            words = HeadingWords.meaning(of: all)
            scalars = NameSimilarity.Name(normal)
        }

        /// Combines a field's name with its entity's name.
        init(_ field: Name, of entity: Name) {
            normal = field.normal + entity.normal
            all = field.all + entity.all
            words = HeadingWords.meaning(of: all)
            scalars = nil
        }
    }

    /// Words without meaning, which are ignored.
    private static let fillers: Set<String> = [
        "de", "del", "la", "el", "los", "las", "di", "della", "of", "the", "n", "no", "nro", "num", "cod",
    ]

    package init(_ pack: Pack) {
        for entity in pack.entities where !entity.isCore {
            let ownLabels = Self.labels([entity.textKey, entity.textKey + ".one"], pack)
            let single = Set(Self.labels([entity.textKey + ".one"], pack).map(ColumnName.normal))
            plurals.formUnion(
                Self.labels([entity.textKey], pack).filter { !single.contains(ColumnName.normal($0)) }.map(Self.words))
            let own = ([entity.name] + entity.aliases + ownLabels).map { Name($0) }
            var called = Set(own.map(\.normal))
            for field in entity.fields {
                let labels = Self.labels([entity.textKey(of: field)], pack)
                let plain = ([field.name] + field.otherNames + field.synonyms + labels).map { Name($0) }
                var all = plain
                if field.name == entity.key.last, field.name != "id" {
                    all += own
                    called.formUnion(field.synonyms.map(ColumnName.normal))
                }
                all += plain.flatMap { name in own.map { Name(name, of: $0) } }
                var seen: Set<String> = []
                names[entity.name + "." + field.name] = all.filter {
                    !$0.normal.isEmpty && seen.insert($0.normal).inserted
                }
            }
            entityNames[entity.name] = called
        }
        normals = Set(names.values.flatMap { $0.filter { $0.scalars != nil }.map(\.normal) })
    }

    private static func labels(_ keys: [String], _ pack: Pack) -> [String] {
        keys.flatMap { key in Language.allCases.compactMap { pack.texts.textIfAny(key, in: $0) } }
    }

    /// The words of a text in lower case without accents.
    package static func plainWords(_ text: String) -> [String] {
        ColumnName.folded(text).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    }

    package static func words(_ text: String) -> Set<String> { meaning(of: allWords(folded: ColumnName.folded(text))) }

    private static func allWords(folded text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func meaning(of all: [String]) -> Set<String> {
        let meaning = all.filter { !fillers.contains($0) }
        return Set(meaning.isEmpty ? all : meaning)
    }

    /// The forms in which a heading is compared: as written, without text in brackets
    /// (`Prof. (m)`), and as the last name of a path (`utm/@este`).
    package static func forms(_ heading: String) -> [String] {
        var forms = [heading]
        let bare = withoutBrackets(heading).trimmingCharacters(in: .whitespacesAndNewlines)
        if !bare.isEmpty, bare != heading { forms.append(bare) }
        if let last = heading.split(separator: "/").last, heading.contains("/"), last != heading[...] {
            forms.append(String(last))
        }
        return forms
    }

    private static let brackets = CachedRegex(/[(\[][^)\]]*[)\]]/)

    /// A text without its brackets and their contents.
    package static func withoutBrackets(_ text: String) -> String {
        let hasBrackets = text.utf8.contains { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }
        return hasBrackets ? text.replacing(brackets.regex, with: "") : text
    }

    private static let sign = CachedRegex(/\s+([Nn]\s?[°º]\.?|[Nn]ro\.?|[Nn]o\.)\s*$/)

    /// Whether a text is exactly the name of a field, optionally followed by a number sign.
    package func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 80 else { return false }
        let mayHaveSign = text.last { !$0.isWhitespace }.map("°º.o".contains) ?? false
        let bare = mayHaveSign ? text.replacing(Self.sign.regex, with: "") : text
        return (Self.forms(text) + (bare == text ? [] : [bare])).contains { normals.contains(ColumnName.normal($0)) }
    }

    package func score(_ heading: String, entity: String, field: String) -> Double {
        guard heading.utf8.count <= 200 else { return 0 }
        // The prefix `../`, which refers to an element around an XML row, is not a part of the
        // name.
        var heading = heading[...]
        while heading.hasPrefix("../") { heading = heading.dropFirst(3) }
        return score(named: String(heading), entity: entity, field: field)
    }

    private func score(named heading: String, entity: String, field: String) -> Double {
        if let scores = known.scores[heading] { return scores[entity + "." + field] ?? 0 }
        if known.scores.count >= Known.maximum { known.scores.removeAll(keepingCapacity: true) }
        known.count += 1
        let scores = scores(heading)
        known.scores[heading] = scores
        return scores[entity + "." + field] ?? 0
    }

    /// The scores of a heading for all fields.
    private func scores(_ heading: String) -> [String: Double] {
        let forms = Self.forms(heading).map { form in
            let normal = ColumnName.normal(form)
            return (normal: normal, words: Self.words(form), scalars: NameSimilarity.Name(normal))
        }
        return names.mapValues { names in
            forms.enumerated().map { index, form in
                // A shortened form scores slightly less, because the part left out may have a
                // meaning.
                (names.map { Self.score(form.normal, form.words, form.scalars, $0) }.max() ?? 0)
                    * (index == 0 ? 1 : 0.99)
            }.max() ?? 0
        }
    }

    private static func score(_ normal: String, _ words: Set<String>, _ scalars: NameSimilarity.Name, _ name: Name)
        -> Double
    {
        guard !normal.isEmpty else { return 0 }
        if normal == name.normal { return 1 }
        if words == name.words { return 0.97 }
        guard let known = name.scalars else { return 0 }
        var best = 0.0
        let shorter = Double(min(normal.count, name.normal.count)),
            longer = Double(max(normal.count, name.normal.count))
        guard shorter >= 4 else { return 0 }
        if name.words.isSubset(of: words) { best = 0.7 + 0.25 * shorter / longer }
        if words.isSubset(of: name.words) { best = max(best, 0.6 + 0.25 * shorter / longer) }
        if name.normal.hasPrefix(normal) { best = max(best, 0.75 + 0.2 * shorter / longer) }
        let alike = NameSimilarity.of(scalars, known, least: 0.7)
        return max(best, alike * 0.95)
    }

    /// The entities that a group in a path is named after (`calicata/este`); empty if there is no
    /// such group.
    package func entities(around heading: String) -> Set<String> {
        let groups = heading.split(separator: "/").dropLast().filter { $0 != ".." }.map {
            ColumnName.normal(String($0))
        }
        return groups.isEmpty ? [] : Set(entityNames.filter { !$0.value.isDisjoint(with: groups) }.keys)
    }

    private static let countWords: Set<String> = [
        "cantidad", "cuantos", "cuantas", "total", "numero", "count", "number", "how", "many", "quantita", "quanti",
        "quante",
    ]

    /// Whether a heading means a number of records: `N.º de cortes`, `Number of strata`.
    package func isCount(_ heading: String) -> Bool {
        var words = Self.allWords(folded: ColumnName.folded(heading)).filter { $0 != "º" && $0 != "°" }
        let isSigned = words.first.map { ["n", "no", "nro", "num", "nº", "n°"].contains($0) } ?? false
        if isSigned { words.removeFirst() }
        let rest = words.filter { !Self.countWords.contains($0) }
        return (isSigned || rest.count < words.count) && plurals.contains(Self.meaning(of: rest))
    }

    /// Whether the name of a table, or the last part of its path, is that of an entity.
    package func isCalled(_ table: String, _ entity: String) -> Bool {
        let own = ColumnName.normal(table.split(separator: "/").last.map(String.init) ?? table)
        guard let names = entityNames[entity], !own.isEmpty else { return false }
        // Words of up to three letters are ignored, because they occur within many other words.
        return names.contains {
            $0 == own || ($0.count > 3 && own.count > 3 && (own.hasPrefix($0) || own == $0 + "s" || own.hasSuffix($0)))
        }
    }
}
