import Digests
import Model

/// Records that several rows of a file repeat. The first row creates the record, even if the others
/// are on other sheets of the same kind. Digests of its values are stored, so that a later row with
/// different values is reported.
final class RepeatedRows {
    /// The first row, which created the record.
    final class First {
        let table: String
        let line: Int
        /// Digest of each column; 0 if the row has no value.
        let digests: [UInt64]
        /// The values in readable form; empty once too many records are stored.
        let shown: [String?]
        /// The table for which a different later row was reported; nil: none.
        fileprivate var toldIn: String?

        fileprivate init(table: String, line: Int, digests: [UInt64], shown: [String?]) {
            (self.table, self.line, self.digests, self.shown) = (table, line, digests, shown)
        }
    }

    /// Limits: records whose values are stored for display, and findings that are stored; further
    /// ones are only counted.
    private static let mostShown = 4096, mostNoted = 100

    /// The first row of each record, by the record's id.
    private var firsts: [String: First] = [:]
    private var noted: [(table: String, finding: Finding)] = []
    /// Number of further records that differ, by table.
    private var more: [String: Int] = [:]

    /// Faults already reported, with the record that has them.
    private var faults: Set<String> = []
    /// Whether the state is preserved when another table begins. This is the case when rejected
    /// rows are retried, because each row is then a separate table.
    private let isLasting: Bool

    init(isLasting: Bool = false) { self.isLasting = isLasting }

    /// Begins a table, which may be read for the second time.
    func begin(_ table: String) {
        guard !isLasting else { return }
        faults.removeAll()
        guard !firsts.isEmpty else { return }
        firsts = firsts.filter { $0.value.table != table }
        for first in firsts.values where first.toldIn == table { first.toldIn = nil }
        noted.removeAll { $0.table == table }
        more[table] = nil
    }

    subscript(id: String) -> First? { firsts[id] }

    /// Stores the row that creates a record: the row of the batch that is being written.
    func begin(_ id: String, in table: String, line: Int, _ rows: borrowing RowBatch) {
        let columns = 0..<rows.columnCount
        let shown =
            firsts.count < Self.mostShown
            ? columns.map { rows.description(rows.rowCount, $0).map { String($0.prefix(40)) } } : []
        firsts[id] = First(table: table, line: line, digests: columns.map { Self.digest(rows, $0) }, shown: shown)
    }

    /// The columns in which the row being written differs from the row that created its record, or
    /// has a value that the creating row lacks.
    func differences(_ first: First, _ rows: borrowing RowBatch) -> [Int] {
        guard first.toldIn == nil else { return [] }
        var columns: [Int] = []
        for column in first.digests.indices {
            let digest = Self.digest(rows, column)
            if digest != 0, digest != first.digests[column] { columns.append(column) }
        }
        return columns
    }

    /// Adds one finding for a record, however many rows differ.
    func report(_ first: First, in table: String, _ finding: @autoclosure () -> Finding) {
        first.toldIn = table
        guard noted.count < Self.mostNoted else { return more[table, default: 0] += 1 }
        noted.append((table, finding()))
    }

    /// The findings of all rows.
    var findings: [Finding] {
        guard let last = noted.last?.finding else { return [] }
        let count = more.values.reduce(0, +)
        let rest = count == 0 ? [] : [
            Finding(
                "IMPORT-MORE-REPEATS", place: Place(table: last.place.table, file: last.place.file),
                arguments: ["count": String(count)])
        ]
        return noted.map(\.finding) + rest
    }

    /// A digest of a value of the row being written; 0 if there is none.
    private static func digest(_ rows: borrowing RowBatch, _ column: Int) -> UInt64 {
        let cell = rows.cell(rows.rowCount, column)
        var digest = QuickDigest()
        switch cell.kind {
        case .null: return 0
        case .integer: digest.add(word: UInt64(bitPattern: cell.integer))
        case .real: digest.add(word: cell.real.bitPattern)
        case .text: for index in cell.range { digest.add(rows.text[index]) }
        }
        return digest.value | 1
    }

    /// Whether a record's fault has not been reported before. Rows that repeat a record also repeat
    /// its faults.
    func isFirst(_ fault: String, of id: String) -> Bool { faults.insert(id + " " + fault).inserted }
}
