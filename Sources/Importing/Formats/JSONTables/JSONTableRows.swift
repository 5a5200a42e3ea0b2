import JSONReading
import Model

/// The rows of one table of a document, numbered from 1.
final class JSONTableRows: JSONTableWalk, ForeignRows {
    private let table: String
    private var columns: NamedColumnList
    private let width: Int
    private var batch = ForeignBatch()
    private var rest: (any TableEvents)?
    private var isOwn = false
    private var column = -1
    private var row = 0

    override var isFull: Bool { super.isFull || batch.isFull }

    init(_ table: JSONTableOutline.Table, of document: TableDocument) throws {
        (self.table, columns, width) = (table.path, table.columns, table.columns.names.count)
        super.init(document)
        rest = try document.events(for: self)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        swap(&batch, &self.batch)
        defer { swap(&batch, &self.batch) }
        guard let events = rest else { return }
        try read(events)
        if !self.batch.isFull { rest = nil }
    }

    override func turn(to table: String) { (isOwn, column) = (table == self.table, -1) }

    override func name(_ column: Span<UInt8>) throws(TableFailure) {
        guard isOwn else { return }
        self.column = try columns.column(of: column, after: self.column, line: row + 1)
    }

    override func set(_ kind: ForeignBatch.Kind, _ bytes: Span<UInt8>) {
        // A column that was added to the file since it was surveyed: an import ends anyway when its
        // source changes.
        if isOwn, column < width { batch.set(kind, at: column, bytes) }
    }

    override func end() {
        guard isOwn else { return }
        isOwn = false
        row += 1
        batch.endRow(number: row)
    }
}
