import Model

/// Collects findings about the tables of a file and the parts of its mapping, once all have been
/// read.
struct MappedReads {
    /// The parts of a mapping that read one table of a file, one table of forms, or the forms
    /// themselves. A row that no part of the group accepts is not imported.
    private struct Group {
        /// Name of the table; nil for the forms themselves.
        var name: String?
        var file: String
        var tables: [MappedTable] = []
    }

    private var groups: [Group] = []
    var repeated: [RepeatedRows] = []

    mutating func add(_ table: MappedTable, of name: String?, file: String) {
        let index = groups.firstIndex { $0.name == name && $0.file == file } ?? {
            groups.append(Group(name: name, file: file))
            return groups.count - 1
        }()
        groups[index].tables.append(table)
    }

    /// For sheets with several tables, each of which is read by one part: finds a further table on
    /// the sheet that no part reads.
    private static func unread(_ group: Group) -> [Finding] {
        Dictionary(grouping: group.tables, by: \.table.name).sorted { $0.key < $1.key }.compactMap { name, tables in
            let blocks = tables.compactMap(\.block)
            guard blocks.count == tables.count, let table = tables.first else { return nil }
            let ends = blocks.map(\.rows.upperBound)
            var others = UnreadTableSearch()
            do {
                try table.table.forEachRow { row in
                    let beside = blocks.filter { $0.rows.contains(row.number) }.map(\.columns)
                    others.note(row.batch, row.index, isBelow: ends.allSatisfy { $0 <= row.number }) { column in
                        beside.contains { $0.contains(column) }
                    }
                }
            } catch {
                // The failure to read it has already been reported.
                return nil
            }
            return others.finding(name: name, at: Place(file: group.file, sheet: name), table.source.mapping)
        }
    }

    /// Findings about three things: rows with different values for one record or field, tables of
    /// which conditions left out every row, and files without any row.
    func findings(path: String) -> [Finding] {
        var findings = repeated.flatMap(\.findings)
        for table in groups.flatMap(\.tables) { findings += table.notes?.alternativeFindings ?? [] }
        for group in groups {
            findings += Self.unread(group)
            // If several parts read one table, a row that one part leaves out may be imported by
            // another.
            if group.name != nil, Set(group.tables.map(\.table.name)).count == group.tables.count {
                findings += group.tables.flatMap { $0.notes?.lastFindings ?? [] }
            }
            guard let first = group.tables.first, group.tables.contains(where: { $0.rows > 0 }),
                group.tables.allSatisfy({ $0.notes?.leftOut ?? 0 == $0.rows })
            else { continue }
            let conditions = group.tables.map(\.conditions).filter { !$0.isEmpty }.reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            // Parts that read one table read the same rows, so these are counted once. Sheets of
            // the same kind have different rows.
            let rows = Dictionary(grouping: group.tables, by: \.table.name).values.reduce(0) {
                $0 + ($1.map(\.rows).max() ?? 0)
            }
            findings.append(
                Finding(
                    "IMPORT-ALL-LEFT-OUT", place: Place(file: group.file, sheet: first.table.name),
                    arguments: [
                        "name": group.name ?? first.table.name, "count": String(rows),
                        "condition": conditions.joined(separator: "; "),
                    ]))
        }
        if !groups.isEmpty, groups.allSatisfy({ $0.tables.allSatisfy { $0.rows == 0 && !$0.source.isOfLists } }) {
            let names = groups.flatMap(\.tables).map(\.table.name).reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            findings.append(Finding(
                "IMPORT-NO-ROWS", place: Place(file: path), arguments: ["names": names.listed()]))
        }
        return findings
    }
}
