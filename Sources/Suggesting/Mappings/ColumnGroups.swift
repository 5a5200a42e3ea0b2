import Foundation
import Importing
import Model

/// Groups of columns side by side, one group for each part of a record. Examples: `Estrato 1` and
/// `Estrato 2` with `Hasta`, `Suelo` and `SUCS` under each; `Hasta 1`, `Suelo 1`, `Hasta 2`,
/// `Suelo 2`.
struct ColumnGroups {
    /// The groups, each with its columns by the common part of their headings. All groups are read
    /// in the same way as the first one.
    let groups: [[String: Int]]

    /// Nil if the table has no two columns that repeat together.
    init?(_ sample: TableSample) {
        var found: [String: [Int: Int]] = [:]
        for (index, column) in sample.columns.enumerated() where column.derived == nil && !column.heading.isEmpty {
            let (name, number) = Self.numbered(column.heading)
            guard let number, found[name]?[number] == nil else { continue }
            found[name, default: [:]][number] = index
        }
        // In `Hasta`, `Suelo`, `Hasta 2`, `Suelo 2`, the first group has no number.
        for (index, column) in sample.columns.enumerated() where column.derived == nil && !column.heading.isEmpty {
            let plain = HeadingWords.plainWords(column.heading).joined(separator: " ")
            for name in found.keys where found[name]?[1] == nil && found[name]?[2] != nil {
                let unnumbered = name.replacing("#", with: "").split(separator: " ").joined(separator: " ")
                if unnumbered == plain { found[name]?[1] = index }
            }
        }
        let repeated = found.filter { $0.value[1] != nil && $0.value[2] != nil }
        guard repeated.count > 1 else { return nil }
        let count = repeated.values.map { numbers in (1...).first { numbers[$0 + 1] == nil } ?? 1 }.max() ?? 1
        groups = (1...count).map { number in repeated.compactMapValues { $0[number] } }
    }

    /// Replaces the first number in a heading, and returns the number: `Estrato 2 SUCS` gives
    /// `estrato # sucs` and 2.
    private static func numbered(_ heading: String) -> (name: String, number: Int?) {
        var number: Int?
        let words = HeadingWords.plainWords(heading).map { word -> String in
            let letters = word.prefix { !$0.isNumber }
            guard number == nil, letters.count <= 1, let found = Int(word.dropFirst(letters.count)), 1...60 ~= found
            else {
                return word
            }
            number = found
            return letters + "#"
        }
        return (words.joined(separator: " "), number)
    }

    /// The sample without the columns of the other groups. A column of the first group has the
    /// specific part of its heading as its name: `Estrato 1 Hasta` becomes `Hasta`.
    func first(of sample: TableSample) -> TableSample {
        let lasts = groups[0].values.reduce(into: [String: String]()) { lasts, column in
            let heading = sample.columns[column].heading
            guard sample.columns[column].last == nil else { return }
            let parts = heading.split { $0.isNumber }.map { part in
                part.split(separator: " ").filter { $0.count > 1 }.joined(separator: " ")
            }
            lasts[heading] = parts.last { !$0.isEmpty }
        }
        return sample.leavingOut(Set(groups.dropFirst().flatMap(\.values)), calling: lasts)
    }

    /// Whether the groups are parts of a record: more than one column of the first group is used
    /// for the main entity, and that entity has an outer record.
    func make(_ view: TableGuess.View, _ sample: TableSample) -> Bool {
        let choices = view.choices + (view.keys[view.main.name] ?? [])
        let own = Set(choices.filter { $0.entity.name == view.main.name }.map(\.column))
        let sources = Set(own.compactMap { sample.columns[$0].derived?.source })
        let used = own.union(sample.columns.indices.filter { sources.contains(sample.columns[$0].heading) })
        return view.chain.count > 1 && groups[0].values.count { used.contains($0) } > 1
    }

    /// Returns one target for each group, with that group's columns and number. Each layer begins
    /// where the layer of the previous group ends.
    ///
    /// - Parameter sample: all columns of the table.
    func targets(_ first: MappingSuggestion.Target, in sample: TableSample) -> [MappingSuggestion.Target] {
        let headings = groups.map { $0.mapValues { sample.columns[$0].heading } }
        func other(_ heading: String, _ group: Int) -> String? {
            guard let name = headings[0].first(where: { $0.value == heading })?.key else { return heading }
            return headings[group][name]
        }
        return groups.indices.compactMap { group in
            var target = first
            target.fields = first.fields.compactMap { choice in
                var field = choice.field
                switch field.value {
                case .column(let names):
                    let own = names.compactMap { other($0, group) }
                    guard !own.isEmpty else { return nil }
                    field = .init(field.name, .column(own), field.conversions)
                case .ordinal: field = .init(field.name, .constant(String(group + 1)))
                case .layer(let layer):
                    // A thickness gives the end of a layer only together with the thicknesses above
                    // that layer.
                    guard layer.given == .bottom else {
                        target.missing += first.entity.field(field.name).map { [$0] } ?? []
                        return nil
                    }
                    let above = group == 0 ? nil : layer.headings.compactMap { other($0, group - 1) }
                    field = .init(field.name, above.map { .column($0) } ?? .constant("0"), field.conversions)
                default: break
                }
                // Only the values of the first group were examined.
                if group == 0 {
                    return .init(
                        field: field, score: choice.score, share: choice.share, samples: choice.samples,
                        misfits: choice.misfits, isByContent: choice.isByContent, isUncertain: choice.isUncertain)
                }
                return .init(
                    field: field, score: choice.score, isByContent: choice.isByContent, isUncertain: choice.isUncertain)
            }
            // A record with fewer parts leaves the last groups blank.
            let own = target.fields.flatMap { choice -> [String] in
                if case .column(let names) = choice.field.value { names } else { [] }
            }.filter { headings[group].values.contains($0) }
            let edge = first.fields.lazy.compactMap { choice -> String? in
                guard case .layer(let layer) = choice.field.value else { return nil }
                return layer.headings.first.flatMap { other($0, group) }
            }.first
            guard let needed = edge ?? own.first else { return nil }
            target.requires = [needed]
            return target
        }
    }
}
