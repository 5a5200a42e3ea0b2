import JSONReading
import Model

/// Rows of a JSON or NDJSON file as cells, with the names of their members as columns. A line that
/// is not a row becomes a row with a fault, whose text is kept; an error in an array ends the
/// reading, because nothing after it can be trusted to be a row.
final class JSONCells: NamedRows {
    private let rows: JSONRows
    private let cells: JSONRowCells
    private let path: String
    /// Returns a failure of the source itself (a damaged archive), which is then reported instead
    /// of a JSON error.
    private let sourceFailure: () -> (any Error)?
    var names: [String] { cells.columns.names }

    /// Opens the rows of a file. Throws `ImportFailure.unreadable`.
    convenience init(
        file path: String, layout: JSONRows.Layout = .automatic, notOf others: Set<String> = [], limits: TableLimits = TableLimits()
    ) throws {
        try self.init(try FileStream(path: path), path: path, layout: layout, notOf: others, limits: limits)
    }

    /// Opens the rows from any source of bytes; `path` identifies it in places. Arrays named in
    /// `others` belong to other tables.
    init(
        _ bytes: any ByteSource, path: String, layout: JSONRows.Layout = .automatic, notOf others: Set<String> = [], limits: TableLimits = TableLimits()
    ) throws {
        self.path = path
        cells = JSONRowCells(path: path, notOf: others, limits: limits)
        final class Trouble { var error: (any Error)? }
        let trouble = Trouble()
        rows = JSONRows(layout: layout, limits: limits.json, taker: cells) { buffer, offset in
            do {
                return try bytes.read(into: &buffer, from: offset)
            } catch {
                trouble.error = error
                throw error
            }
        }
        sourceFailure = { trouble.error }
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        swap(&batch, &cells.batch)
        defer { swap(&batch, &cells.batch) }
        do throws(JSONMistake) {
            try rows.next()
        } catch {
            if let failure = sourceFailure() ?? cells.failure ?? JSONRowCells.beyond(error.reason, at: error.place(in: path)) { throw failure }
            throw ImportFailure.brokenFile(Place(file: path, line: error.line, column: error.column), reason: "\(error.reason)")
        }
        if let failure = cells.failure { throw failure }
    }
}
