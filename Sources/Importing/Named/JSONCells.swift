import JSONReading
import Model

/// Rows of a JSON or NDJSON file as cells under the names of their members. A line that is no row is one with a fault, whose text is kept;
/// a mistake in an array ends the reading, because nothing after it can be trusted to be a row.
final class JSONCells: NamedRows {
    private let rows: JSONRows
    private let cells: JSONRowCells
    private let path: String
    /// A failure of the source itself (a damaged archive) is told as it is, not as a mistake in JSON.
    private let sourceFailure: () -> (any Error)?
    var names: [String] { cells.columns.names }

    /// Rows of a file. Throws `ImportFailure.unreadable`.
    convenience init(
        file path: String, layout: JSONRows.Layout = .automatic, notOf others: Set<String> = [], limits: TableLimits = TableLimits()
    ) throws {
        try self.init(try FileStream(path: path), path: path, layout: layout, notOf: others, limits: limits)
    }

    /// Rows of bytes from wherever; `path` names them in places, and arrays of `others` are no rows of theirs.
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
            if let failure = sourceFailure() ?? cells.failure ?? JSONRowCells.beyond(error, path) { throw failure }
            throw ImportFailure.brokenFile(Place(file: path, line: error.line, column: error.column), reason: "\(error.reason)")
        }
        if let failure = cells.failure { throw failure }
    }
}
