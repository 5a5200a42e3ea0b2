import JSONReading
import Model

/// Rows of one table of a file of submissions, with the values of the rows that enclose each. The
/// table of submissions also has the rejected lines.
final class SubmissionRows: ForeignRows {
    private let line: SubmissionLine
    private var rest: JSONRows?

    init(path: String, layout: JSONRows.Layout, tables: SubmissionTables, table: Int, limits: TableLimits) throws {
        line = SubmissionLine(path: path, layout: layout, tables: tables, table: table, limits: limits)
        rest = try line.lines()
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        while !batch.isFull {
            if line.give(to: &batch) { continue }
            guard let lines = rest else { return }
            try line.read(lines)
            if line.isEmpty { rest = nil }
        }
    }
}

/// Submissions that have been read but not returned: their rows of one table, and of the tables
/// that enclose it. A line is one submission. In a document, several submissions may be parsed at
/// once, the last of them incompletely.
final class SubmissionLine: SubmissionWalk {
    private struct Held {
        var batch = ForeignBatch()
        /// For each row, the index of its enclosing row in the next `Held`.
        var parents: [Int] = []
    }

    /// Rows of the submission that is being read: the requested table first, the submissions last.
    private var held: [Held]
    /// Rows of complete submissions; and emptied `Held` values, whose memory is reused.
    private var whole: [[Held]] = []
    private var spare: [[Held]] = []
    /// Index in `held` by table; -1 for tables that are not read.
    private let places: [Int]
    private let widths: [Int]
    private let mostTakenOver: Int
    /// Index of the next row to return, in the first complete submission.
    private var next = 0

    init(path: String, layout: JSONRows.Layout, tables: SubmissionTables, table: Int, limits: TableLimits) {
        let around = tables.around(table)
        held = around.map { _ in Held() }
        places = tables.all.indices.map { around.firstIndex(of: $0) ?? -1 }
        widths = around.map { tables.all[$0].columns.names.count }
        mostTakenOver = SubmissionLimits(limits).takenOverBytes
        super.init(path: path, layout: layout, tables: tables, limits: limits)
    }

    var isEmpty: Bool { whole.isEmpty }
    override var isFull: Bool { super.isFull || !isEmpty }

    /// Returns the next row; false if none is left.
    func give(to batch: inout ForeignBatch) -> Bool {
        guard !whole.isEmpty else { return false }
        give(next, of: whole[0], to: &batch)
        next += 1
        if next == whole[0][0].batch.rowCount {
            next = 0
            spare.append(Self.emptied(whole.removeFirst()))
        }
        return true
    }

    private static func emptied(_ held: consuming [Held]) -> [Held] {
        for index in held.indices {
            held[index].batch.removeAll()
            held[index].parents.removeAll(keepingCapacity: true)
        }
        return held
    }

    /// Appends a row's values and those of its enclosing rows, up to a limit of repeated bytes.
    private func give(_ row: Int, of held: [Held], to batch: inout ForeignBatch) {
        var (own, first, room) = (row, 0, mostTakenOver)
        for level in held.indices {
            for column in 0..<min(held[level].batch.width(own), widths[level]) {
                let cell = held[level].batch.cell(own, column)
                guard cell.kind != .empty, level == 0 || cell.kind != .null else { continue }
                while batch.openWidth < first + column { batch.appendEmpty() }
                room -= level == 0 ? 0 : cell.range.count + 16
                if room < 0 {
                    batch.append(.error, "\(cell.range.count) bytes that are not repeated here")
                } else {
                    let text = held[level].batch.text
                    batch.append(cell.kind, text.span.extracting(cell.range))
                }
            }
            first += widths[level]
            if level + 1 < held.count { own = held[level].parents[own] }
        }
        if let remark = held[0].batch.remarks[row] {
            batch.setRowText(held[0].batch.sourceText(row))
            batch.remark(remark)
        }
        batch.endRow(number: held[0].batch.rows[row].number)
    }

    // MARK: Contents of the submission

    override func begin(_ table: Int) {
        if table == 0 { held = Self.emptied(held) }
        let place = place(of: table)
        guard place >= 0, place + 1 < held.count else { return }
        held[place].parents.append(held[place + 1].batch.rowCount)
    }

    override func set(_ kind: ForeignBatch.Kind, _ table: Int, _ column: Int, _ bytes: Span<UInt8>) {
        let place = place(of: table)
        if place >= 0 { held[place].batch.set(kind, at: column, bytes) }
    }

    override func end(_ table: Int) {
        let place = place(of: table)
        if place >= 0 { held[place].batch.endRow(number: line) }
    }

    override func endLine() {
        guard held[0].batch.rowCount > 0 else { return }
        whole.append(held)
        held = spare.popLast() ?? held.map { _ in Held() }
    }

    override func reject(_ reason: String, _ line: Span<UInt8>, number: Int) {
        for index in held.indices { held[index].batch.dropOpenRow() }
        held = Self.emptied(held)
        // A rejected line is reported once for the file, as a row of the table of submissions.
        guard held.count == 1 else { return }
        var text = ""
        JSONString.append(String(utf8: line), to: &text)
        held[0].batch.setRowText(text)
        held[0].batch.remark(ForeignBatch.Remark(fault: reason))
        held[0].batch.endRow(number: number)
        endLine()
    }

    /// A table's index in `held`. A table added after the survey of the file has none: an import
    /// fails anyway when its source changes.
    private func place(of table: Int) -> Int { table < places.count ? places[table] : -1 }
}
