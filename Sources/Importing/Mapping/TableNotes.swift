import Model

/// Observations about the rows of one foreign table while they are read, reported when all have
/// been read. They do not influence what is imported, except that a line with too many cells is
/// rejected.
final class TableNotes {
    let heading: Heading
    /// Number of rows that are not blank, and how many of them a condition left out.
    private(set) var rows = 0
    private(set) var leftOut = 0
    /// Unowned, because the table holds these notes and is released when the import ends.
    private unowned let table: MappedTable
    private let alternatives: AlternativeColumns
    /// For tables of a file: records and cells that the mapping does not take.
    private var records: LeftOutRecords?
    private var nameless: NamelessCells?
    private var unsaved = UnsavedFormulas()
    private var above = TableAbove()
    /// The position of the table, where it is one of several on its sheet.
    private(set) var block: TableBlock?

    init(_ table: MappedTable, _ heading: Heading) {
        (self.table, self.heading) = (table, heading)
        let (part, pack) = (table.part, table.source.pack)
        alternatives = AlternativeColumns(part, heading, pack)
        records = table.use.map { _ in LeftOutRecords(part, pack: pack, heading: heading) }
        block = part.isBlock && table.table.columns == nil ? TableBlock(heading) : nil
        guard part.header != .none, !part.isBlock, table.again != nil || (table.table.columns == nil && table.use != nil) else { return }
        nameless = NamelessCells(heading.names, isAgain: table.again != nil)
    }

    /// Notes a row above the heading, or the heading.
    func noteTitle(_ batch: borrowing ForeignBatch, _ row: Int) {
        if table.part.header == .auto, block == nil, batch.rows[row].number < heading.row { above.note(batch, row) }
    }

    /// Whether a row below the heading lies outside the table, which is one of several on its
    /// sheet; must be called for rows from the top down.
    func isOutside(_ row: Int, isFilled: (Int) -> Bool) -> Bool { block != nil && block?.takes(row, isFilled: isFilled) != true }

    /// Notes a row below the heading, blank or not.
    ///
    /// - Parameter isRead: whether the mapping reads a column.
    func noteFormulas(_ batch: borrowing ForeignBatch, _ row: Int, isRead: (Int) -> Bool) {
        if batch.hasUnsaved { unsaved.note(batch, row, isRead: isRead) }
    }

    /// Notes a row that is not blank. In a text file, a row with more cells than the table has
    /// columns is rejected: its values are in the wrong columns, as with an unquoted `1,50` between
    /// commas.
    func noteRow(_ batch: borrowing ForeignBatch, _ row: Int, _ values: MappedValues) throws(MappingFault) {
        rows += 1
        guard let nameless, let cells = nameless.beyond(width: batch.width(row), isFilled: { values.isFilled(batch, row, $0) }) else { return }
        guard table.table.isText || (table.again != nil && TableFiles.mayBeText(table.file)) else { return }
        throw MappingFault(code: "IMPORT-MORE-CELLS", arguments: ["count": String(cells), "expected": String(nameless.width)])
    }

    /// Notes whether a row that is not blank feeds a target, or would without a fault.
    func noteTaken(_ isTaken: Bool, _ batch: borrowing ForeignBatch, _ row: Int, _ values: MappedValues) {
        guard isTaken else { return leftOut += 1 }
        nameless?.note(width: batch.width(row)) { values.isFilled(batch, row, $0) }
        if !alternatives.isEmpty { alternatives.note(values.foreign(batch, row)) }
    }

    /// Notes a row that does not feed a target.
    ///
    /// - Parameter isUnwanted: whether a condition excludes the row from the target.
    func note(
        _ batch: borrowing ForeignBatch, _ row: Int, leftOut target: Int, _ values: MappedValues, isUnwanted: () throws -> Bool
    ) rethrows {
        try records?.note(
            batch.rows[row].number, target: target, isFilled: { values.isFilled(batch, row, $0) },
            hasDigit: { batch.text[batch.cell(row, $0).range].contains { $0 &- 0x30 <= 9 } }, isUnwanted: isUnwanted)
    }

    /// Findings about columns of which a field takes the first that is filled.
    var alternativeFindings: [Finding] { alternatives.findings(file: table.file, sheet: table.table.name) }

    var lastFindings: [Finding] {
        let (name, place) = (table.table.name, Place(file: table.file, sheet: table.table.name))
        return (records?.findings(name: name, at: place) ?? [])
            + [
                nameless?.finding(name: name, at: place), unsaved.finding(at: place),
                above.finding(name: name, at: place, table.source.mapping),
            ].compactMap(\.self)
    }
}
