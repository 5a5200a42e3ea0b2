import Model

/// What is noticed of the rows of one foreign table while they are read, and told when all have been. It has no say in what comes in, but that
/// a line with too many cells is refused.
final class TableNotes {
    let heading: Heading
    /// Rows that are not blank, and those of them that a condition left out.
    private(set) var rows = 0
    private(set) var leftOut = 0
    /// It keeps these notes, and goes when the import is over.
    private unowned let table: MappedTable
    private let alternatives: AlternativeColumns
    /// Of tables of a file: what their rows hold and the mapping does not take.
    private var records: LeftOutRecords?
    private var nameless: NamelessCells?
    private var unsaved = UnsavedFormulas()
    private var above = TableAbove()
    /// Of one table of several on its sheet: where it stands.
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

    /// A row above the heading, or the heading.
    func noteTitle(_ batch: borrowing ForeignBatch, _ row: Int) {
        if table.part.header == .auto, block == nil, batch.rows[row].number < heading.row { above.note(batch, row) }
    }

    /// Whether a row below the heading stands outside the table, which is one of several on its sheet; rows are asked for from the top.
    func isOutside(_ row: Int, isFilled: (Int) -> Bool) -> Bool { block != nil && block?.takes(row, isFilled: isFilled) != true }

    /// A row below the heading, blank or not.
    ///
    /// - Parameter isRead: whether the mapping reads a column.
    func noteFormulas(_ batch: borrowing ForeignBatch, _ row: Int, isRead: (Int) -> Bool) {
        if batch.hasUnsaved { unsaved.note(batch, row, isRead: isRead) }
    }

    /// A row that is not blank. One of a text with more cells than the table has columns is refused: its values stand in the wrong ones, as those
    /// of `1,50` between commas do.
    func noteRow(_ batch: borrowing ForeignBatch, _ row: Int, _ values: MappedValues) throws(MappingFault) {
        rows += 1
        guard let nameless, let cells = nameless.beyond(width: batch.width(row), isFilled: { values.isFilled(batch, row, $0) }) else { return }
        guard table.table.isText || (table.again != nil && TableFiles.mayBeText(table.file)) else { return }
        throw MappingFault(code: "IMPORT-MORE-CELLS", arguments: ["count": String(cells), "expected": String(nameless.width)])
    }

    /// A row that is not blank, whether it feeds a target or would but for a fault.
    func noteTaken(_ isTaken: Bool, _ batch: borrowing ForeignBatch, _ row: Int, _ values: MappedValues) {
        guard isTaken else { return leftOut += 1 }
        nameless?.note(width: batch.width(row)) { values.isFilled(batch, row, $0) }
        if !alternatives.isEmpty { alternatives.note(values.foreign(batch, row)) }
    }

    /// A row that does not feed a target.
    ///
    /// - Parameter isUnwanted: whether a condition says that it is none of the target's.
    func note(
        _ batch: borrowing ForeignBatch, _ row: Int, leftOut target: Int, _ values: MappedValues, isUnwanted: () throws -> Bool
    ) rethrows {
        try records?.note(
            batch.rows[row].number, target: target, isFilled: { values.isFilled(batch, row, $0) },
            hasDigit: { batch.text[batch.cell(row, $0).range].contains { $0 &- 0x30 <= 9 } }, isUnwanted: isUnwanted)
    }

    /// Of columns of which a field takes the first that is filled.
    var alternativeFindings: [Finding] { alternatives.findings(file: table.file, sheet: table.table.name) }

    var lastFindings: [Finding] {
        let (name, place) = (table.table.name, Place(file: table.file, sheet: table.table.name))
        return (records?.findings(name: name, at: place) ?? [])
            + [nameless?.finding(name: name, at: place), unsaved.finding(at: place), above.finding(name: name, at: place)].compactMap(\.self)
    }
}
