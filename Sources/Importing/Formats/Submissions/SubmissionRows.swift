import JSONReading
import Model

/// Rows of one table of a file of submissions, with what stands around each; of the submissions also the lines that are none.
final class SubmissionRows: ForeignRows {
    private let line: SubmissionLine
    private var rest: JSONRows?

    init(path: String, tables: SubmissionTables, table: Int, limits: TableLimits) throws {
        line = SubmissionLine(path: path, tables: tables, table: table, limits: limits)
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

/// The line that is held: its rows of one table, and of those that this table lies within.
final class SubmissionLine: SubmissionWalk {
    private struct Held {
        var batch = ForeignBatch()
        /// Of each row the one that it lies in.
        var parents: [Int] = []
    }

    /// The table's first, the submissions' last.
    private var held: [Held]
    /// By table its place among them; -1 for others.
    private let places: [Int]
    private let widths: [Int]
    private let mostTakenOver: Int
    private var next = 0

    init(path: String, tables: SubmissionTables, table: Int, limits: TableLimits) {
        let around = tables.around(table)
        held = around.map { _ in Held() }
        places = tables.all.indices.map { around.firstIndex(of: $0) ?? -1 }
        widths = around.map { tables.all[$0].columns.names.count }
        mostTakenOver = SubmissionLimits(limits).takenOverBytes
        super.init(path: path, tables: tables, limits: limits)
    }

    var isEmpty: Bool { held[0].batch.rowCount == 0 }
    override var isFull: Bool { super.isFull || !isEmpty }

    /// Gives the next row; false where none is left, and the line is let go.
    func give(to batch: inout ForeignBatch) -> Bool {
        guard next < held[0].batch.rowCount else {
            drop()
            return false
        }
        give(next, to: &batch)
        next += 1
        return true
    }

    private func drop() {
        next = 0
        for index in held.indices {
            held[index].batch.removeAll()
            held[index].parents.removeAll(keepingCapacity: true)
        }
    }

    /// Gives a row with its own values and those around it, which are not repeated without end.
    private func give(_ row: Int, to batch: inout ForeignBatch) {
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
            batch.setRowText(String(decoding: held[0].batch.text[held[0].batch.rowText(row)], as: UTF8.self))
            batch.remark(remark)
        }
        batch.endRow(number: held[0].batch.rows[row].number)
    }

    // MARK: What the line holds

    override func begin(_ table: Int) {
        if table == 0 { drop() }
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

    override func reject(_ reason: String, _ line: Span<UInt8>, number: Int) {
        for index in held.indices { held[index].batch.dropOpenRow() }
        drop()
        // Once a file: as one of the submissions.
        guard held.count == 1 else { return }
        var text = ""
        JSONString.append(String(utf8: line), to: &text)
        held[0].batch.setRowText(text)
        held[0].batch.remark(ForeignBatch.Remark(fault: reason))
        held[0].batch.endRow(number: number)
    }

    /// A table that came to the file since it was looked at is none of these: an import ends where its source changes.
    private func place(of table: Int) -> Int { table < places.count ? places[table] : -1 }
}
