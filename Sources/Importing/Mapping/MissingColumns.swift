import Model

/// Finds columns that a part of a mapping reads and its table lacks, with similar names in the
/// table's heading.
struct MissingColumns {
    /// How many columns are compared with all names of a field.
    private static let most = 500

    /// - Parameter isOfOffice: whether the mapping was written for a particular office's files; a
    ///   mapping for many files may name more columns than each of them has.
    static func findings(of table: MappedTable, _ heading: Heading, path: String, pack: Pack, isOfOffice: Bool) -> [Finding] {
        let used = Set(table.part.allHeadings.map(ColumnName.normal))
        let free = heading.names.filter { !$0.allSatisfy(\.isWhitespace) && !used.contains(ColumnName.normal($0)) }
        guard isOfOffice || !free.isEmpty else { return [] }
        let missing = table.part.targets.filter { $0.each == nil }.flatMap { target in
            target.fields.compactMap { field -> (target: String, field: String, names: [String])? in
                guard !field.isOptional, case .column(let names) = field.value,
                    heading.places(of: names).isEmpty
                else { return nil }
                return (target.entity, field.name, names)
            }
        }
        guard !missing.isEmpty else { return [] }
        let words = HeadingWords(pack)
        return missing.compactMap { target, field, names in
            let nearest = nearest(names, target, field, free, words)
            guard isOfOffice || nearest != nil else { return nil }
            return Finding(
                "IMPORT-NO-COLUMN", place: Place(table: target, file: path, sheet: table.table.name),
                arguments: [
                    "name": table.table.name, "columns": names.joined(separator: " | "), "target": target + "." + field,
                    "nearest": nearest.map { " ≈ “\($0)”." } ?? "",
                ])
        }
    }

    /// The heading most similar to the wanted names, or to other names of the field; nil where none
    /// is similar.
    private static func nearest(_ names: [String], _ entity: String, _ field: String, _ free: [String], _ words: HeadingWords) -> String? {
        let wanted = names.map { NameSimilarity.Name(ColumnName.normal($0)) }
        // Of thousands of columns, only the names that the mapping has are looked for.
        let isMany = free.count > most
        let scored = free.map { name in
            let own = NameSimilarity.Name(ColumnName.normal(name))
            let alike = wanted.map { NameSimilarity.of($0, own, least: 0.6) }.max() ?? 0
            return (name, isMany ? alike : max(alike, words.score(name, entity: entity, field: field)))
        }
        return scored.max { $0.1 < $1.1 }.flatMap { $0.1 >= 0.6 ? $0.0 : nil }
    }
}
