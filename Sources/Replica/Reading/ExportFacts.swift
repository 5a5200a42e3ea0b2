import Databases
package import Model

/// The data that an export would read, summarised in short texts: if the facts are equal, the
/// export's files are equal.
extension ReadSession {
    /// Number of rows, and sum and maximum of their content stamps, for every sheet and for every
    /// table that supplies or counts values. Also the sequential numbers, and the records left out.
    /// Since stamps only grow, any changed, added or removed content changes the facts. The mark
    /// that Fichero sets on exported records does not.
    package func facts(of definition: ExportDefinition) throws -> [String] {
        guard let selection else { return [] }
        try prepareNumbers()
        var facts = ["project \(selection.project.id)"]
        var seen: Set<String> = []
        let queries = definition.sheets.compactMap(\.query)
        if !queries.isEmpty {
            try fillSelected()
            facts.append("selected \(try selectedDigest())")
            facts += try queries.flatMap { pack.tables(inSQL: $0.sql) }.sorted().map(tableFact)
            if queries.contains(where: { ReportParameters.names(in: $0.sql).contains("today") }) {
                facts.append("today \(today)")
            }
        }
        for (index, sheet) in definition.sheets.enumerated() {
            guard let entity = pack.entity(sheet.entity) else { continue }
            var plain = sheet
            plain.forEach = nil
            let source = SheetQuery(plain, entity: entity, session: self).rowSource
            // Sheets of the same rows are counted once.
            guard seen.insert(source).inserted else { continue }
            facts.append("sheet \(index): \(try stamps("t0.content_stamp", source))")
        }
        for name in Set(definition.sheets.flatMap(lenders)).sorted() {
            guard let entity = pack.entity(name) else { continue }
            facts.append(
                """
                table \(name): \
                \(try stamps("t0.content_stamp", " FROM \(SQLText.name(name)) AS t0\(Self.filter(ofProject(entity)))"))
                """
            )
        }
        for name in Set(definition.sheets.flatMap(\.columns).compactMap(numbering)).sorted() {
            let ofNumbering =
                """
                 FROM temp.numbers WHERE numbering = \(SQLText.literal(name)) \
                AND project_id = \(SQLText.literal(selection.project.id))
                """
            facts.append("numbers \(name): \(try stamps("number", ofNumbering))")
        }
        if selection.leavesOut { facts.append("left out: \(try leftOutDigest())") }
        return facts
    }

    private func stamps(_ column: String, _ source: String) throws -> String {
        let statement = try connection.prepare(
            "SELECT count(*), coalesce(sum(\(column)), 0), coalesce(max(\(column)), 0)\(source)")
        guard try statement.step() else { return "" }
        selection?.rowCounts[source] = Int(statement.integer(0))
        return "\(statement.integer(0)) \(statement.integer(1)) \(statement.integer(2))"
    }

    private func ofProject(_ entity: Entity) -> [String] {
        guard let selection, let path = entity.projectPath else { return [] }
        return [Self.projectCondition(path, alias: "t0", entity, pack, project: selection.project.id)]
    }

    private func numbering(_ column: ExportColumn) -> String? {
        if case .number(let numbering, _, _) = column { numbering } else { nil }
    }

    /// A digest of the records that are left out, with names and reasons. It is needed because if
    /// one record replaces another, every sum stays the same.
    func leftOutDigest() throws -> String {
        let statement = try connection.prepare("SELECT id, name, reason, detail FROM (\(leftOutQuery)) ORDER BY id")
        var digest = RowDigest()
        while try statement.step() {
            for column in 0..<4 {
                digest.add(statement.text(column) ?? "")
                digest.endText()
            }
            digest.endRow()
        }
        return digest.text
    }

    /// Names of the counted table, and of the tables through which its rows refer to the counting
    /// row.
    func tables(counting counted: String, by path: FieldPath) -> [String] {
        pack.entity(counted).map { pack.owners(along: path, from: $0).map(\.name) } ?? []
    }

    /// The references by which a sheet's rows belong to a record; empty if the rows are records.
    func pathToRecord(of sheet: ExportSheet) -> [FieldPath] {
        guard sheet.rows == .record,
            let part = selection?.kind.parts.first(where: { $0.entity == sheet.entity && !$0.isList })
        else { return [] }
        return [part.by]
    }

    /// Entities that a sheet reads through references, or counts.
    private func lenders(_ sheet: ExportSheet) -> [String] {
        guard let entity = pack.entity(sheet.entity) else { return [] }
        var names: [String] = []
        var paths = sheet.order + pathToRecord(of: sheet)
        for column in sheet.columns {
            switch column {
            case .field(let path, _, _, _), .parameters(let path, _): paths.append(path)
            case .count(let counted, let by, _, _): names += tables(counting: counted, by: by)
            case .number: break
            }
        }
        if let place = place(of: sheet) { paths += place.paths + [place.datum].compactMap(\.self) }
        if let path = sheet.forEach { paths.append(FieldPath(parts: path.parts + ["id"])) }
        return names + paths.flatMap { pack.owners(along: $0, from: entity).dropFirst().map(\.name) }
    }
}
