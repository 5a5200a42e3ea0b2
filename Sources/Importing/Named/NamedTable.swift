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
            var counted = tally.map { tally, isLines in
                var table = TableTally(name: name)
                table.isLines = isLines
                return tally.begin(table)
            }
            guard let entity else {
                return try Self.reject(
                    rows, name, file, use, taken, learn: { counted?.add($0, names: rows.names) }, take)
            }
            let converter = NamedConverter(entity, pack: pack, file: file)
            use?.begin()
            var known = 0
            defer { use?.name(rows.names) }
            try Self.read(
                rows, into: [converter.empty], taken: taken,
                learn: { batch in
                    counted?.add(batch, names: rows.names)
                    converter.learn(rows.names)
                    for column in known..<rows.names.count {
                        guard let field = converter.field(column), field.type == .decimal || field.type == .integer
                        else { continue }
                        use?.add(FieldUse(converter.empty.place, field.name, column: column))
                    }
                    known = rows.names.count
                },
                convert: { batch, row, stretch in
                    let outcome = try converter.convert(batch, row, into: &stretch.batches[0])
                    use?.noteNumbers(batch, row) { _, _ in outcome == .row }
                    use?.note(batch, row) {
                        converter.reads($0) ? outcome == .rejected ? .faulty : outcome == .row ? .read : .left : .left
                    }
                    return true
                }, take: take)
        }
        self.tally = tally
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

    private static func reject(
        _ rows: any NamedRows, _ name: String, _ file: String, _ use: ColumnUse?, _ taken: Int,
        learn: (borrowing ForeignBatch) -> Void,
        _ take: (inout ImportedStretch) throws -> Void
    ) throws {
        use?.begin()
        defer { use?.name(rows.names) }
        let place = Place(table: name, file: file)
        let empty = ImportedBatch(entity: name, fields: [], place: place, raw: RawCells(headings: [], isText: true))
        let finding = Finding("IMPORT-UNKNOWN-ENTITY", place: Place(file: file), arguments: ["name": name])
        try read(
            rows, into: [empty], taken: taken, learn: { learn($0) },
            convert: { batch, row, stretch in
                var place = place
                (place.line, place.pointer) = (
                    batch.rows[row].number > 0 ? batch.rows[row].number : nil, batch.pointers[row]
                )
                use?.note(batch, row) { _ in .faulty }
                stretch.batches[0].reject(
                    .init(
                        raw: String(decoding: batch.text[batch.rowText(row)], as: UTF8.self), place: place,
                        findings: [finding]))
                return true
            }, take: take)
    }
}

/// Rows with named columns; new names may be found while rows are read.
protocol NamedRows: ForeignRows {
    /// Names of all columns so far, in the order of first occurrence.
    var names: [String] { get }
}
