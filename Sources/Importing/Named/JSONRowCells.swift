import JSONReading
import Model

/// Parses rows and stores their members as cells of a batch. A member that is an array or object is
/// stored as JSON text.
final class JSONRowCells: JSONRowHandler {
    /// The batch that is being filled.
    var batch = ForeignBatch()
    private(set) var columns: NamedColumnList
    /// Failure that ends the reading, other than an error in the text.
    private(set) var failure: (any Failure)?

    private let path: String
    /// Names of arrays whose rows belong to other tables.
    private let others: Set<String>
    private let limits: JSONLimits
    private var row = JSONRows.Row(line: 0, offset: 0)
    private var isInRow = false
    /// The number of columns before the current row.
    private var knownColumns = 0
    /// Column of the current member; -1 before the first.
    private var column = -1
    /// Number of open arrays and objects in the member.
    private var depth = 0
    /// The text of the current array or object. If the row is part of a larger document, it is the
    /// text of the whole row so far.
    private var text: JSONTextWriter
    private var start = 0

    var isFull: Bool { failure != nil || batch.isFull }

    init(path: String, notOf others: Set<String> = [], limits: TableLimits) {
        (self.path, self.others, self.limits) = (path, others, limits.json)
        columns = NamedColumnList(path: path, limit: limits.columns)
        text = JSONTextWriter(limits: limits.json)
    }

    /// Whether the row is part of a larger JSON document, and not a separate line.
    private var isOfDocument: Bool { !row.pointer.isEmpty }

    func beginRow(_ row: JSONRows.Row) {
        self.row = row
        (isInRow, knownColumns, column, depth) = (true, columns.names.count, -1, 0)
        text.removeAll()
        if failure == nil, let member = row.member, others.contains(member) {
            failure = ImportFailure.brokenFile(
                Place(file: path, line: row.line),
                reason:
                    """
                    its array “\(member)” holds rows of another table; a JSON file has those of one: make it a file \
                    of its own
                    """
            )
        }
        if isOfDocument { text.write(.startObject, Span()) }
    }

    func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
        guard depth == 0 else { return try takeWithin(event, bytes) }
        switch event {
        case .key: try begin(bytes)
        case .startObject, .startArray:
            if !isOfDocument { text.removeAll() }
            start = text.bytes.count
            return try takeWithin(event, bytes)
        default: if let kind = ForeignBatch.Kind(event) { batch.set(kind, at: column, bytes) }
        }
        if isOfDocument { text.write(event, bytes) }
    }

    private func begin(_ name: Span<UInt8>) throws(JSONMistake.Reason) {
        do throws(TableFailure) {
            column = try columns.column(of: name, after: column, line: row.line)
        } catch {
            failure = error
            throw .malformed("too many columns")
        }
        if batch.isSet(column), !limits.allowsDuplicateKeys { throw .duplicateKey(String(utf8: name)) }
    }

    private func takeWithin(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
        try text.take(event, bytes)
        switch event {
        case .startObject, .startArray: depth += 1
        case .endObject, .endArray:
            depth -= 1
            if depth == 0 {
                // Copied to a local constant, because a span of an object's property is valid only
                // during one access.
                let written = text.bytes
                batch.set(.json, at: column, written.span.extracting(start...))
            }
        default: break
        }
    }

    func endRow(line: Span<UInt8>) {
        isInRow = false
        if isOfDocument {
            text.write(.endObject, Span())
            let written = text.bytes
            batch.setRowText(written.span)
            batch.point(row.pointer)
        } else {
            batch.setRowText(line)
        }
        batch.endRow(number: row.line)
    }

    /// Stores a line that is not a row as a row with a fault and the line's text. Invalid UTF-8
    /// becomes U+FFFD, because the quarantine stores text.
    func take(_ mistake: JSONMistake, line: Span<UInt8>) {
        if isInRow {
            isInRow = false
            batch.dropOpenRow()
            columns.keep(knownColumns)
        }
        if failure == nil { failure = Self.beyond(mistake.reason, at: mistake.place(in: path)) }
        var text = ""
        JSONString.append(String(utf8: line), to: &text)
        batch.setRowText(text)
        batch.remark(ForeignBatch.Remark(fault: "\(mistake.reason)"))
        batch.endRow(number: mistake.line)
    }

    /// The failure for a row that exceeds a limit; nil if the row is malformed instead.
    static func beyond(_ reason: JSONMistake.Reason, at place: Place) -> TableFailure? {
        let limit: String
        switch reason {
        case .tooDeep(let value): limit = "jsonDepth \(value)"
        case .textTooLong(let value): limit = "jsonTextBytes \(value)"
        case .numberTooLong(let value): limit = "jsonNumberLength \(value)"
        case .valueTooLarge(let value): limit = "jsonRowBytes \(value)"
        default: return nil
        }
        return .tooLarge(place, kind: JSONFormat.kind, limit: limit)
    }
}

extension JSONMistake {
    func place(in path: String) -> Place { Place(file: path, line: line, column: column) }
}

/// Rows of a JSON or NDJSON file as cells, with the names of their members as columns. A line that
/// is not a row becomes a row with a fault and the line's text. An error within an array ends the
/// reading, because what follows may not be a row.
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
        file path: String, layout: JSONRows.Layout = .automatic, notOf others: Set<String> = [],
        limits: TableLimits = TableLimits()
    ) throws {
        try self.init(try FileStream(path: path), path: path, layout: layout, notOf: others, limits: limits)
    }

    /// Opens the rows from any source of bytes; `path` is the name used for it in each `Place`.
    /// Arrays named in `others` belong to other tables.
    init(
        _ bytes: any ByteSource, path: String, layout: JSONRows.Layout = .automatic, notOf others: Set<String> = [],
        limits: TableLimits = TableLimits()
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
            if let failure = sourceFailure() ?? cells.failure
                ?? JSONRowCells.beyond(error.reason, at: error.place(in: path))
            {
                throw failure
            }
            throw ImportFailure.brokenFile(
                Place(file: path, line: error.line, column: error.column), reason: "\(error.reason)")
        }
        if let failure = cells.failure { throw failure }
    }
}
