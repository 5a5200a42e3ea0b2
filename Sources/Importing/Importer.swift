package import Model
import JSONReading

/// Importing: brings foreign records into the replica. The way of a row:
///
/// 1. `SourceFormats.open` finds out what the file is, by content;
/// 2. the source gives rows as JSON values with their place, in flat memory;
/// 3. `RowConversion` maps names through the pack's aliases and converts values by the fields' types;
/// 4. the `ImportTarget` (the replica's import session) takes the row or keeps it in the quarantine.
///
/// Everything read is accounted for: read = imported + updated + unchanged + conflict + rejected + filtered.
package struct Importer {
    private let pack: Pack
    private let parent: ((_ entity: String, _ field: String, _ id: String) throws -> String?)?

    /// - Parameter parent: which row of its own table a row of the replica refers to.
    package init(pack: Pack, parent: ((_ entity: String, _ field: String, _ id: String) throws -> String?)? = nil) {
        self.pack = pack
        self.parent = parent
    }

    /// Whether rows of a source may refer to others of their own table, so that `run` asks for parents of the replica's rows.
    package func asksForParents(_ source: any Source) -> Bool {
        source.tables.contains { table in entity(of: table).map { !ParentLinks.fields(of: $0).isEmpty } ?? false }
    }

    private func entity(of table: SourceTable) -> Entity? {
        pack.entities.first { $0.name == table.name || $0.aliases.contains(table.name) }
    }

    /// What became of the rows of one table.
    package struct TableCount: Sendable, Hashable, Codable {
        package var entity: String
        package var file: String
        package var read = 0
        package var outcomes: [ImportOutcome: Int] = [:]
    }

    /// Reads every table of a source into the target, in the source's order (parents first). Findings about rejected rows reach the
    /// sink through the target, which keeps the rows. Throws `ImportFailure.cycle` where rows lead back to themselves.
    package func run(
        _ source: any Source, into target: any ImportTarget, findings sink: any FindingSink, progress: (Int) -> Void
    ) throws -> [TableCount] {
        for finding in source.findings { try sink.report(finding) }
        var counts: [TableCount] = []
        var total = 0
        var links: [String: [ParentLinks]] = [:]
        for (number, table) in source.tables.enumerated() {
            let taken = try target.begin(table: number)
            guard let entity = entity(of: table) else {
                let finding = Finding(
                    code: "IMPORT-UNKNOWN-ENTITY", severity: .error, place: Place(file: table.file), arguments: ["name": table.name])
                let count = try rejectAll(of: table, because: finding, into: target, skipping: taken)
                if count.read == 0 { try sink.report(finding) }
                counts.append(count)
                continue
            }
            let conversion = RowConversion(entity: entity, pack: pack, isOrdered: true)
            var count = TableCount(entity: entity.name, file: table.file)
            var unknownNames: Set<String> = []
            var parents = links[entity.name] ?? ParentLinks.fields(of: entity)
            func take(_ row: SourceRow) throws {
                count.read += 1
                total += 1
                progress(total)
                // Also of rows that a killed run had taken.
                if !parents.isEmpty, !row.isFiltered, !row.isDeletion, let links = conversion.convert(row).row {
                    for index in parents.indices { parents[index].note(links) }
                }
                guard count.read > taken else { return }
                guard !row.isFiltered else {
                    try target.filter(entity: entity.name, count: 1)
                    count.outcomes[.filtered, default: 0] += 1
                    return
                }
                if row.isDeletion {
                    let id = row.value["id"]?.text ?? ""
                    let outcome = try target.delete(ImportedDeletion(
                        entity: entity.name, id: id, remote: row.value.description, place: row.place(in: entity, id: id, field: nil)))
                    count.outcomes[outcome, default: 0] += 1
                    return
                }
                let outcome = try store(row, conversion, entity, into: target, &unknownNames)
                count.outcomes[outcome, default: 0] += 1
            }
            if let bulk = table.forEachBatch, parents.isEmpty {
                try bulk(taken, take) { batch in
                    count.read += batch.count
                    total += batch.count
                    progress(total)
                    guard count.read > taken else { return }
                    if batch.rows.rowCount > 0 { count.outcomes[.imported, default: 0] += batch.rows.rowCount }
                    if batch.filtered > 0 { count.outcomes[.filtered, default: 0] += batch.filtered }
                    try target.store(&batch, of: entity)
                }
            } else {
                try table.forEachRow(take)
            }
            if let stated = table.statedRows, stated != count.read {
                try sink.report(Finding(
                    code: "IMPORT-COUNT", severity: .error, place: Place(table: entity.name, file: table.file),
                    arguments: ["name": table.file, "expected": String(stated), "found": String(count.read)]))
            }
            counts.append(count)
            links[entity.name] = parents
        }
        for name in links.keys.sorted() { for fields in links[name] ?? [] { try fields.check(parent) } }
        return counts
    }

    private func store(
        _ row: SourceRow, _ conversion: RowConversion, _ entity: Entity, into target: any ImportTarget,
        _ unknownNames: inout Set<String>
    ) throws -> ImportOutcome {
        let converted = conversion.convert(row)
        for name in converted.unknownNames where unknownNames.insert(name).inserted {
            // Told once a table: a thousand rows with the same foreign column are one thing to mend.
            try target.note(Finding(
                code: "IMPORT-UNKNOWN-FIELD", severity: .warning, place: row.place(in: entity, id: nil, field: nil), arguments: ["name": name]))
        }
        guard let stored = converted.row, converted.findings.isEmpty else {
            try target.reject(
                entity: entity.name, raw: row.raw ?? row.value.description, place: row.place(in: entity, id: nil, field: nil), findings: converted.findings)
            return .rejected
        }
        for finding in row.findings { try target.note(finding) }
        return try target.store(stored)
    }

    /// Rows of a table that the pack does not know are kept in the quarantine, not lost.
    private func rejectAll(of table: SourceTable, because finding: Finding, into target: any ImportTarget, skipping taken: Int) throws -> TableCount {
        var count = TableCount(entity: table.name, file: table.file)
        try table.forEachRow { row in
            count.read += 1
            count.outcomes[.rejected, default: 0] += 1
            guard count.read > taken else { return }
            let place = Place(table: table.name, file: row.file, line: row.line, pointer: row.pointer)
            try target.reject(entity: nil, raw: row.value.description, place: place, findings: [finding])
        }
        return count
    }
}
