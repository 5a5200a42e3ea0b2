import Model

/// Finds the row of a foreign table that names its columns.
struct HeadingSearch {
    private let table: ForeignTable
    private let header: ImportMapping.Header
    /// Whether only the columns of one of several tables on the sheet are named.
    private let isBlock: Bool

    /// How many rows are searched; one of several tables on a sheet may begin far down.
    private var reach: Int { isBlock ? 10_000 : 30 }

    /// The columns of the widest sheet (ECMA-376: `XFD`), which a table without headings names by
    /// their letters.
    private static let widest = 16_384

    /// - Parameter part: the part of the mapping that reads the table; nil: the heading is one of
    ///   the first rows.
    init(_ table: ForeignTable, _ part: ImportMapping.Table? = nil) {
        (self.table, header, isBlock) = (table, part?.header ?? .auto, part?.isBlock ?? false)
    }

    /// The names in the file itself, otherwise the row that the mapping states, otherwise the first
    /// row with the most wanted columns; with the row above it where together they name more
    /// (`Límites` over `LL`, `LP`, `IP`, beside merged cells of both rows).
    ///
    /// - Parameter wanted: names in the form of `ColumnName.normal`.
    func heading(wanting wanted: Set<String>) throws -> Heading {
        if let columns = table.columns { return Heading(row: 0, names: columns) }
        if header == .none { return Heading(row: 0, names: (0..<Self.widest).map(ColumnName.letters)) }
        if case .rows(let numbers) = header { return try heading(over: numbers, wanted) }
        let rows = try table.open()
        var batch = ForeignBatch()
        var best = (score: 0, heading: Heading(row: 0, names: []))
        var looked = 0
        var above: [String] = []
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return best.heading }
            for row in 0..<batch.rowCount {
                var names = (0..<batch.width(row)).map { batch.string(row, $0) ?? "" }
                if isBlock { names = TableBlock.names(names, wanting: wanted).names }
                let heading = Heading(row: batch.rows[row].number, names: names)
                if case .row(let number) = header {
                    if heading.row == number { return heading }
                    if heading.row > number { return best.heading }
                } else {
                    guard looked < reach, best.score < wanted.count else { return best.heading }
                    looked += 1
                    let isDouble = !isBlock && HeadingLines.isSpread(above, over: names)
                    for heading in isDouble ? [heading, Heading(row: heading.row, lines: [above, names])] : [heading] {
                        let score = heading.count(of: wanted)
                        if score > best.score { best = (score, heading) }
                    }
                    above = names
                }
            }
        }
    }

    private func heading(over numbers: ClosedRange<Int>, _ wanted: Set<String>) throws -> Heading {
        let rows = try table.open()
        var batch = ForeignBatch()
        var lines: [[String]] = []
        while true {
            try rows.fill(&batch)
            for row in 0..<batch.rowCount where numbers.contains(batch.rows[row].number) {
                lines.append((0..<batch.width(row)).map { batch.string(row, $0) ?? "" })
            }
            guard let last = batch.rows.last, last.number < numbers.upperBound else { break }
        }
        guard isBlock else { return Heading(row: numbers.upperBound, lines: lines) }
        let whole = HeadingLines.names(lines), lasts = HeadingLines.lastNames(lines)
        let (byAll, byLast) = (TableBlock.names(whole, wanting: wanted), TableBlock.names(lasts, wanting: wanted))
        let own = byAll.score >= byLast.score ? byAll.names : byLast.names
        return Heading(row: numbers.upperBound, lines: lines.map { $0.enumerated().map { own.indices.contains($0) && !own[$0].isEmpty ? $1 : "" } })
    }
}

extension ForeignTable {
    /// Calls the body with each row below the heading, or with every row where there is none.
    ///
    /// - Parameter blanks: texts that mean an empty value, as in `ForeignRow.blanks`.
    func forEachRow(after heading: Heading? = nil, blanks: Set<String> = [], _ body: (ForeignRow) throws -> Void) throws {
        let rows = try open()
        var batch = ForeignBatch()
        var tally = beginTally()
        while true {
            try rows.fill(&batch)
            tally.add(batch)
            guard batch.rowCount > 0 else { return }
            for index in 0..<batch.rowCount where columns != nil || batch.rows[index].number > (heading?.row ?? .min) {
                try body(ForeignRow(batch: batch, index: index, blanks: blanks, naming: rows as? any CellNaming))
            }
        }
    }
}
