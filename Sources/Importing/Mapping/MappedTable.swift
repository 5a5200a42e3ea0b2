import Model

/// One external table together with the part of the mapping that reads it. Each row is converted
/// for all targets of the part. Memory use does not grow with the rows, except for the keys of
/// repeated rows.
final class MappedTable {
    let table: ForeignTable
    let part: ImportMapping.Table
    /// Unowned, because the source owns this object. The source must be released when the import
    /// ends, since the pictures extracted from a workbook are deleted with it.
    unowned let source: MappedSource
    /// Address of each target, `registro/0/1`: the mapping, its table, the table's target.
    let addresses: [String]
    let sheet: String?
    /// The file of this table, if the source is a folder of several files.
    var file: String { table.file ?? source.path }
    /// Repeated rows of each target, shared by tables of the same kind.
    let repeated: [RepeatedRows]
    /// For forms: the pictures in the file itself.
    let pictures: FormPictures?
    /// The record of used cells; nil if the columns are not those of the file.
    let use: ColumnUse?
    /// Set for rejected rows that are retried.
    let again: RetryState?
    /// Observations from the last reading of its rows.
    private(set) var notes: TableNotes?
    /// Number of rows that are not blank.
    var rows: Int { notes?.rows ?? 0 }
    /// The table's position in the last reading, if it is one of several on its sheet.
    var block: TableBlock? { notes?.block }

    init(
        table: ForeignTable, part: ImportMapping.Table, source: MappedSource, addresses: [String], sheet: String?,
        repeated: [RepeatedRows]? = nil,
        pictures: FormPictures? = nil, isOfFile: Bool = false, again: RetryState? = nil
    ) {
        self.again = again
        (self.table, self.part, self.source, self.addresses, self.sheet, self.pictures) = (
            table, part.bound(to: table), source, addresses, sheet, pictures
        )
        self.repeated = repeated ?? part.targets.map { _ in RepeatedRows() }
        use = isOfFile ? ColumnUse(file: table.file ?? source.path, table: table.ownName) : nil
    }

    /// Headings that are needed to build any row of a target, each with its alternative names.
    ///
    /// A source without rows of some operation lacks the columns of that operation. If nobody
    /// answered a question of a form, the file has no column for the question, and no row is built
    /// from it.
    private func needed(_ heading: Heading) -> [[String]] {
        let targets = part.targets.filter { target in
            target.each == nil && target.operation == .add
                && !(table.isSparse && target.requires.contains { heading[$0] == nil })
        }
        return (part.down + part.requires).map { [$0] } + targets.flatMap { target in
                target.requires.map { [$0] }
                    + target.fields.filter { target.key.contains($0.name) || $0.name == "id" }.flatMap(Self.groups)
        }
    }

    private static func groups(_ field: ImportMapping.Field) -> [[String]] {
        switch field.value {
        case .column(let names): field.givenProject == nil ? [names] : []
        case .parent(_, let by), .identifier(let by): by.flatMap(groups)
        case .other(let other): other.by.flatMap(groups)
        case .named(let names, _): names.map { [$0] }
        case .join, .constant, .option, .ofTable, .expression, .ordinal, .layer, .object, .merge: []
        }
    }

    /// Whether the numbers of a target's rows restart on each line, as for repeats of one
    /// submission. This is not the case if the mapping makes one record of several submissions.
    func numbersByLine(_ target: ImportMapping.Target) -> Bool {
        let parents = target.fields.compactMap { field in
            if case .parent(let entity, _) = field.value { entity } else { nil }
        }
        return table.isRepeat
            && !source.mapping.tables.contains { $0.targets.contains { $0.repeats && parents.contains($0.entity) } }
    }

    /// The mapping's conditions for importing a row; empty if there are none.
    var conditions: String {
        func words(_ requires: [String], _ filter: Expression?) -> [String] {
            (requires.isEmpty ? [] : ["requires: " + requires.joined(separator: ", ")])
                + (filter.map { ["where: \($0)"] } ?? [])
        }
        let own = words(part.requires, part.filter) + part.targets.flatMap { words($0.requires, $0.filter) }
        return own.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: "; ")
    }

    /// Finds the heading; throws if required columns are missing.
    func heading() throws -> Heading {
        let wanted =
            part.targets.flatMap(\.fields).flatMap(\.headings) + part.columns.flatMap(\.headings) + part.down
            + part.requires
        let heading = try HeadingSearch(table, part).heading(wanting: Set(wanted.map(ColumnName.normal)))
        let missing = needed(heading).filter { names in names.allSatisfy { heading[$0] == nil } }.reduce(
            into: [[String]]()
        ) { list, names in
            // A column that two targets need and the table lacks is reported once.
            let normal = Set(names.map(ColumnName.normal))
            if !list.contains(where: { !normal.isDisjoint(with: $0.map(ColumnName.normal)) }) { list.append(names) }
        }
        // An empty list of a JSON document has no columns at all.
        guard missing.isEmpty || table.columns?.isEmpty == true else {
            throw ImportFailure.missingColumns(
                path: file, table: table.name, columns: missing.map { $0.joined(separator: " | ") })
        }
        return heading
    }

    /// Reads the rows of all targets, each row once; see `SourceTable.read`.
    func read(_ taken: Int, _ take: (inout ImportedStretch) throws -> Void) throws {
        let notes = TableNotes(self, try heading())
        guard let rows = try MappedRows(self, notes) else { return }
        self.notes = notes
        try rows.read(taken, take)
    }

    /// The human-readable key of the record that one of the first row's fields refers to.
    func parentKey(_ field: String) throws -> String? {
        try MappedRows(self, TableNotes(self, try heading()))?.parentKey(field)
    }
}

/// Finds columns that a part of a mapping reads and its table lacks, and names in the table's
/// heading that are similar.
struct MissingColumns {
    /// With more columns than this, headings are not compared with the other names of a field.
    private static let most = 500

    /// - Parameter isOfOffice: whether the mapping was written for a particular office's files; a
    ///   mapping for many files may name more columns than each of them has.
    static func findings(of table: MappedTable, _ heading: Heading, path: String, pack: Pack, isOfOffice: Bool)
        -> [Finding]
    {
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

    /// The heading most similar to the wanted names, or to other names of the field; nil if none
    /// is similar.
    private static func nearest(
        _ names: [String], _ entity: String, _ field: String, _ free: [String], _ words: HeadingWords
    ) -> String? {
        let wanted = names.map { NameSimilarity.Name(ColumnName.normal($0)) }
        // Among thousands of columns, only the names in the mapping are compared.
        let isMany = free.count > most
        let scored = free.map { name in
            let own = NameSimilarity.Name(ColumnName.normal(name))
            let alike = wanted.map { NameSimilarity.of($0, own, least: 0.6) }.max() ?? 0
            return (name, isMany ? alike : max(alike, words.score(name, entity: entity, field: field)))
        }
        return scored.max { $0.1 < $1.1 }.flatMap { $0.1 >= 0.6 ? $0.0 : nil }
    }
}
