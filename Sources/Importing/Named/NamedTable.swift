import Model

extension SourceTable {
    /// A table whose columns have the names of an entity's fields. If the pack does not define the
    /// entity, the rows go to the quarantine and are not lost.
    ///
    /// - Parameter cells: opens the rows from the start.
    init(
        named name: String, file: String, statedRows: Int? = nil, pack: Pack, use: ColumnUse? = nil,
        tally: (tally: ReadTally, isLines: Bool)? = nil,
        cells: @escaping () throws -> any NamedRows
    ) {
        let entity = pack.entities.first { $0.name == name || $0.aliases.contains(name) }
        self.init(name: name, file: file, statedRows: statedRows, cells: cells) { taken, take in
            let rows = try cells()
            let converter = entity.map { NamedConverter($0, pack: pack, file: file) }
            var counted = tally.map { tally, isLines in
                var table = TableTally(name: name)
                table.isLines = isLines
                return tally.begin(table)
            }
            let unknown = Finding("IMPORT-UNKNOWN-ENTITY", place: Place(file: file), arguments: ["name": name])
            use?.begin()
            var known = 0
            defer { use?.name(rows.names) }
            try Self.read(
                rows, into: [converter?.empty ?? Self.unconverted(name, file)], taken: taken,
                learn: { batch in
                    counted?.add(batch, names: rows.names)
                    converter?.learn(rows.names)
                    if let use { converter?.addNumbers(of: known..<rows.names.count, to: use) }
                    known = rows.names.count
                },
                convert: { batch, row, stretch in
                    guard let converter else {
                        stretch.batches[0].reject(row, of: batch, [unknown])
                        use?.note(batch, row) { _ in .faulty }
                        return true
                    }
                    let outcome = try converter.convert(batch, row, into: &stretch.batches[0])
                    use?.noteNumbers(batch, row) { _, _ in outcome == .row }
                    let fate: ColumnUse.Fate = outcome == .rejected ? .faulty : outcome == .row ? .read : .left
                    use?.note(batch, row) { converter.reads($0) ? fate : .left }
                    return true
                }, take: take)
        }
        self.tally = tally
    }

    /// An empty batch for rows of an entity that the pack does not define.
    private static func unconverted(_ name: String, _ file: String) -> ImportedBatch {
        ImportedBatch(
            entity: name, fields: [], place: Place(table: name, file: file), raw: RawCells(headings: [], isText: true))
    }

    /// A table of rows that the source generated itself.
    ///
    /// - Parameter tally: counts the rows as they are read.
    init(
        made rows: [SourceRow], of name: String, file: String, pack: Pack, use: ColumnUse? = nil,
        tally: ReadTally? = nil
    ) {
        self.init(named: name, file: file, pack: pack, use: use, tally: tally.map { ($0, isLines: false) }) {
            GeneratedRows(rows, path: file)
        }
    }

    /// A table of rows that the source derives from its other tables, after those have been read.
    /// The derived rows have no cells that could be surveyed.
    init(madeOf name: String, file: String, pack: Pack, rows: @escaping () throws -> [SourceRow]) {
        self.init(named: name, file: file, pack: pack) { GeneratedRows(try rows(), path: file) }
        cells = nil
    }
}

/// Rows with named columns; new names may be found while rows are read.
protocol NamedRows: ForeignRows {
    /// Names of all columns so far, in the order of first occurrence.
    var names: [String] { get }
}
