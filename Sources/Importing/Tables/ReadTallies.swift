import Model
import Model

/// What readers gave of the tables of one source, counted as the batches pass; of a table that was read several times, the last whole reading.
final class ReadTallies {
    private struct Key: Hashable {
        var file: String
        var table: String
        /// Of several tables of one name.
        var place = 0
    }

    private var whole: [Key: TableCount] = [:]
    private var order: [Key] = []
    private var rejected: [String: LineSet] = [:]

    /// Lines of a file that its reader gave as no rows; whoever imports it is told of each.
    func rejectedLines(of file: String) -> LineSet { rejected[file] ?? LineSet() }

    fileprivate func note(_ lines: LineSet, of file: String) { rejected[file] = lines }

    fileprivate func note(_ tally: TableTally, _ file: String, _ table: String, place: Int = 0) {
        let key = Key(file: file, table: table, place: place)
        if whole.updateValue(tally.count, forKey: key) == nil { order.append(key) }
    }

    func counts(of file: String) -> [TableCount] { order.filter { $0.file == file }.compactMap { whole[$0] } }

    /// The same table, whose rows are counted when they are read.
    ///
    /// - Parameters:
    ///   - file: the file that the table lies in.
    ///   - place: which of the file's tables it is.
    func counted(_ table: ForeignTable, of file: String, place: Int) -> ForeignTable {
        var counted = table
        let name = table.ownName
        counted.open = { [self] in
            TalliedRows(try table.open(), TableTally(name: name, columnNames: table.columns ?? [])) {
                self.note($0, table.file ?? file, name, place: place)
            }
        }
        return counted
    }

    /// Rows under names that become known while they are read.
    func counted(_ rows: any NamedRows, of file: String, table: String, isLines: Bool) -> any NamedRows {
        TalliedNamedRows(rows, table: table, isLines: isLines) { [self] in
            note($0, file, table)
            note($1, of: file)
        }
    }
}

/// Rows that are counted as they pass.
private final class TalliedRows: ForeignRows {
    private let rows: any ForeignRows
    private var tally: TableTally
    private let note: (TableTally) -> Void

    init(_ rows: any ForeignRows, _ tally: TableTally, note: @escaping (TableTally) -> Void) {
        (self.rows, self.tally, self.note) = (rows, tally, note)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        try rows.fill(&batch)
        if batch.rowCount == 0 { note(tally) } else { tally.add(batch) }
    }
}

private final class TalliedNamedRows: NamedRows {
    private let rows: any NamedRows
    private var tally: TableTally
    private var rejected = LineSet()
    private let note: (TableTally, LineSet) -> Void
    var names: [String] { rows.names }

    init(_ rows: any NamedRows, table: String, isLines: Bool, note: @escaping (TableTally, LineSet) -> Void) {
        (self.rows, self.note) = (rows, note)
        tally = TableTally(name: table)
        tally.isLines = isLines
    }

    func fill(_ batch: inout ForeignBatch) throws {
        try rows.fill(&batch)
        for (row, remark) in batch.remarks where remark.fault != nil { rejected.insert(batch.rows[row].number) }
        if batch.rowCount > 0 { return tally.add(batch) }
        tally.columnNames = rows.names
        note(tally, rejected)
    }
}
