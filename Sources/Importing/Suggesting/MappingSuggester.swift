import Foundation
package import Model

/// Makes a first mapping for a foreign file out of its headings and its values.
package struct MappingSuggester {
    private let pack: Pack
    private let words: HeadingWords

    /// More tables than this are no register.
    private static let maximumTables = 40

    package init(pack: Pack) {
        self.pack = pack
        words = HeadingWords(pack)
    }

    /// - Parameter name: name of the mapping.
    ///
    /// Throws `ImportFailure.nothingToSuggest` where no table feeds an entity, and what reading the file throws.
    package func suggest(_ file: any TableFile, path: String, name: String) throws -> MappingSuggestion {
        let visible = file.tables.filter { !$0.isHidden }
        var suggestion = MappingSuggestion(name: name, kind: file.contentKind, file: URL(fileURLWithPath: path).lastPathComponent)
        let readings = try visible.prefix(Self.maximumTables).map { table in
            TableReading(try TableSample(table, isName: words.isName), pack: pack, words: words)
        }
        let makers = makers(readings)
        for (index, reading) in readings.enumerated() {
            let made = reading.view?.chain.filter { makers[$0.name] == index || $0.name == reading.view?.main.name } ?? []
            guard let view = reading.view, !made.isEmpty else {
                suggestion.unusedTables.append(reading.scores.sample.name)
                continue
            }
            let builder = TableBuilder(reading: reading, view: view, made: made, pack: pack)
            let (table, lookups) = builder.table(isNamed: visible.count > 1)
            suggestion.tables.append(table)
            suggestion.lookups.merge(lookups) { first, second in first.merging(second) { first, _ in first } }
        }
        guard !suggestion.tables.isEmpty else {
            throw ImportFailure.nothingToSuggest(path: path, pack: pack.name, columns: readings.flatMap { $0.scores.sample.columns.map(\.heading) })
        }
        suggestion.unusedTables += visible.dropFirst(Self.maximumTables).map(\.name)
        // Parents first, as an import needs them.
        let order = Dictionary(uniqueKeysWithValues: pack.entities.map { ($0.name, TableReading.chain($0, pack).count) })
        suggestion.tables = suggestion.tables.enumerated().sorted { first, second in
            let depths = (order[first.element.targets.last?.entity.name ?? ""] ?? 0, order[second.element.targets.last?.entity.name ?? ""] ?? 0)
            return (depths.0, first.offset) < (depths.1, second.offset)
        }.map(\.element)
        return suggestion
    }

    /// Which table makes the records of each entity: those of which it is the main one, else the table that says the most of it.
    private func makers(_ readings: [TableReading]) -> [String: Int] {
        var makers: [String: Int] = [:]
        for (index, reading) in readings.enumerated() {
            if let main = reading.view?.main.name, makers[main] == nil { makers[main] = index }
        }
        var worth: [String: Double] = [:]
        let mains = Set(makers.keys)
        for (index, reading) in readings.enumerated() {
            guard let view = reading.view else { continue }
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
