import JSONReading
package import Model

/// Imports external records into the replica. The steps for a row:
///
/// 1. `SourceFormats.open` determines the kind of file, by content;
/// 2. a reader returns batches of cells as written in the source (`ForeignBatch`), in flat memory;
/// 3. converters, one for each entity that a row feeds, turn them into typed rows or report what is
///    wrong (`MappedConverter`, `NamedConverter`, `CellConverter`);
/// 4. the `ImportTarget` (the replica's import session) stores stretches of rows, together with the
///    rows for the quarantine.
///
/// Everything read is accounted for: read = imported + updated + unchanged + conflict + rejected +
/// filtered.
package struct Importer {
    private let pack: Pack
    private let parent: ((_ entity: String, _ field: String, _ id: String) throws -> String?)?

    /// - Parameter parent: returns the row of the same table that a row of the replica refers to.
    package init(pack: Pack, parent: ((_ entity: String, _ field: String, _ id: String) throws -> String?)? = nil) {
        self.pack = pack
        self.parent = parent
    }

    private func entity(of table: SourceTable) -> Entity? {
        pack.entities.first { $0.name == table.name || $0.aliases.contains(table.name) }
    }

    /// The number of rows of one table, by outcome.
    package struct ImportedCount: Sendable, Hashable, Codable {
        package var entity: String
        package var file: String
        package var read = 0
        package var outcomes: [ImportOutcome: Int] = [:]
    }

    /// Reads every table of a source into the target, in the source's order (parents first).
    /// Findings about rejected rows are reported by the target, which stores these rows.
    /// Throws `ImportFailure.cycle` if a row refers back to itself, directly or through other rows.
    package func run(
        _ source: any Source, into target: any ImportTarget, findings sink: any FindingSink, progress: (Int) -> Void
    ) throws -> [ImportedCount] {
        for finding in source.findings { try sink.add(finding) }
        var counts: [ImportedCount] = []
        var total = 0
        var links: [String: [ParentLinks]] = [:]
        var roundings: [RoundedColumn] = []
        for (number, table) in source.tables.enumerated() {
            let taken = try target.begin(table: number)
            var read = 0
            var own: [ImportedCount] = []
            try table.read(taken) { stretch in
                read += stretch.read
                total += stretch.read
                progress(total)
                // Rows that an interrupted run had already stored are included.
                for batch in stretch.batches { noteParents(batch, &links) }
                for batch in stretch.batches where !batch.roundings.isEmpty { RoundedColumn.add(batch, to: &roundings) }
                for batch in stretch.batches { Self.count(batch, of: table, &own) }
                try Interruption.check()
                guard read > taken else { return }
                try target.store(&stretch)
            }
            if let stated = table.statedRows, stated != read {
                try sink.add(Finding(
                    "IMPORT-COUNT", place: Place(table: entity(of: table)?.name ?? table.name, file: table.file),
                    arguments: ["name": table.file, "expected": String(stated), "found": String(read)]))
            }
            if read == 0, table.cells != nil, entity(of: table) == nil {
                try sink.add(Finding(
                    "IMPORT-UNKNOWN-ENTITY", place: Place(file: table.file), arguments: ["name": table.name]))
            }
            counts += own
        }
        for finding in roundings.map(\.finding) + source.lastFindings { try sink.add(finding) }
        for name in links.keys.sorted() { for fields in links[name] ?? [] { try fields.check(parent) } }
        return counts
    }

    private func noteParents(_ batch: borrowing ImportedBatch, _ links: inout [String: [ParentLinks]]) {
        guard let entity = pack.entity(batch.entity) else { return }
        if links[entity.name] == nil { links[entity.name] = ParentLinks.fields(of: entity) }
        guard links[entity.name]?.isEmpty == false else { return }
        for index in links[entity.name]?.indices ?? 0..<0 { links[entity.name]?[index].note(batch) }
    }

    /// The final outcome of an accepted row is known only when everything has been read; until then
    /// it counts as imported.
    private static func count(_ batch: borrowing ImportedBatch, of table: SourceTable, _ counts: inout [ImportedCount])
    {
        let name = batch.entity
        let index = counts.firstIndex { $0.entity == name } ?? {
            counts.append(ImportedCount(entity: name, file: table.file))
            return counts.count - 1
        }()
        counts[index].read += batch.count
        for (outcome, number) in [
            (ImportOutcome.imported, batch.rows.rowCount), (.rejected, batch.rejects.count),
            (.unchanged, batch.deletions.count), (.filtered, batch.filtered),
        ] where number > 0 { counts[index].outcomes[outcome, default: 0] += number }
    }
}

extension SourceTable {
    /// Reads a table: batches of cells from its reader are converted row by row, for each entity
    /// that a row feeds, into stretches of typed rows. Each row is read once.
    ///
    /// - Parameters:
    ///   - taken: number of rows stored before by an interrupted run; a stretch ends with the last
    ///     of them.
    ///   - oneByOne: whether each row is a separate stretch.
    ///   - learn: called with each batch before its rows are converted, and may complete it; called
    ///     at the end with an empty batch.
    ///   - convert: converts a row into the stretch's batches; returns false for a line that is not
    ///     a row of the table, such as a heading.
    static func read(
        _ rows: any ForeignRows, into empty: [ImportedBatch], taken: Int, oneByOne: Bool = false,
        learn: (inout ForeignBatch) -> Void = { _ in },
        convert: (borrowing ForeignBatch, _ row: Int, inout ImportedStretch) throws -> Bool,
        take: (inout ImportedStretch) throws -> Void
    ) throws {
        var batch = ForeignBatch()
        var stretch = ImportedStretch(empty)
        var seen = 0
        repeat {
            try rows.fill(&batch)
            learn(&batch)
            for row in 0..<batch.rowCount where try convert(batch, row, &stretch) {
                seen += 1
                stretch.read += 1
                if seen == taken || oneByOne || stretch.isFull {
                    try take(&stretch)
                    stretch.removeAll()
                }
            }
        } while batch.rowCount > 0
        if !stretch.isEmpty { try take(&stretch) }
    }
}

/// Checks rows that refer to rows of their own table, such as nodes of a tree of documents, in the
/// state after the import. No row may be reachable from itself: code that follows such links later
/// (reports, paths of files) would never end.
///
/// Uses memory for an id and a parent of each row that has a parent, about a hundred bytes a row.
struct ParentLinks {
    /// Looks up the parent of a row that is already in the replica; nil if it has none.
    typealias Lookup = (_ entity: String, _ field: String, _ id: String) throws -> String?

    private struct Link {
        var parent: String
        var place: Place
    }

    private let entity: Entity
    private let field: Field
    private let column: Int
    private var links: [String: Link] = [:]
    /// In the order of the source, so that the same source gives the same message.
    private var order: [String] = []

    /// One instance for each field of an entity that refers to the same entity.
    static func fields(of entity: Entity) -> [ParentLinks] {
        entity.fields.enumerated().filter { $0.element.references == entity.name && $0.element.type != .list }.map {
            ParentLinks(entity: entity, field: $0.element, column: $0.offset)
        }
    }

    private init(entity: Entity, field: Field, column: Int) {
        (self.entity, self.field, self.column) = (entity, field, column)
    }

    /// Records the parents of a batch's rows.
    mutating func note(_ batch: borrowing ImportedBatch) {
        guard let column = batch.column(ofField: column) else { return }
        for row in 0..<batch.rows.rowCount {
            guard let id = batch.rows.string(row, batch.fields.count - 1), let parent = batch.rows.string(row, column)
            else { continue }
            // If two rows have the same id, the first one is imported.
            guard links[id] == nil else { continue }
            links[id] = Link(parent: parent, place: batch.place(of: row))
            order.append(id)
        }
    }

    /// Throws `ImportFailure.cycle` if a row refers back to itself, through rows of the source
    /// and of the replica.
    func check(_ lookup: Lookup?) throws {
        var sound: Set<String> = []
        for start in order {
            var path: [String] = []
            var onPath: Set<String> = []
            var next: String? = start
            while let id = next, !sound.contains(id) {
                guard onPath.insert(id).inserted else {
                    let ring = Array(path[(path.firstIndex(of: id) ?? 0)...])
                    let first = ring.first { links[$0] != nil } ?? id
                    throw ImportFailure.cycle(
                        links[first]?.place ?? Place(), entity: entity.name, name: field.name, ring: ring)
                }
                path.append(id)
                next = try links[id]?.parent ?? lookup?(entity.name, field.name, id)
            }
            sound.formUnion(path)
        }
    }
}
