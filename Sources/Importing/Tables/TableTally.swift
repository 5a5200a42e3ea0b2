package import Model

/// Counts the values that a reader returned, batch by batch: filled cells, dates, numbers and their
/// sums by column, and rows that are not blank. `CountComparison` compares the result with an
/// independent count of the file.
package struct TableTally: Sendable {
    private let name: String
    var columnNames: [String]
    /// Whether each row is a line.
    var isLines = false
    private var rows = 0
    /// Number of rows, and of lines that are not rows.
    private var lines = 0
    private var columns: [TableCount.Column] = []

    /// - Parameter columnNames: the names in `ForeignTable.columns`, if it has any.
    package init(name: String, columnNames: [String] = []) {
        self.name = name
        self.columnNames = columnNames
    }

    package init(_ table: ForeignTable) { self.init(name: table.name, columnNames: table.columns ?? []) }

    /// The counts so far.
    package var count: TableCount {
        var named = columns
        for index in columnNames.indices {
            if index == named.count { named.append(Self.column) }
            named[index].name = columnNames[index]
        }
        var count = TableCount(name: name, rows: rows, columns: named)
        if isLines { count.lines = lines }
        return count
    }

    /// Counts the rows and values of a batch.
    package mutating func add(_ batch: borrowing ForeignBatch) {
        let text = batch.text.span
        lines += batch.rowCount
        for row in 0..<batch.rowCount {
            var isBlank = true
            for column in 0..<batch.width(row) {
                let cell = batch.cell(row, column)
                if cell.kind == .empty || cell.kind == .null || (cell.kind == .text && cell.range.isEmpty) { continue }
                isBlank = false
                while columns.count <= column { columns.append(Self.column) }
                columns[column].filled += 1
                switch cell.kind {
                case .number:
                    if let value = Self.number(.number, text.extracting(cell.range)) {
                        columns[column].numbers?.add(value)
                    }
                case .text:
                    if let value = Self.number(.text, text.extracting(cell.range)) {
                        columns[column].textNumbers?.add(value)
                    }
                case .date, .dateTime, .time: columns[column].dates += 1
                case .empty, .null, .json, .boolean, .error: break
                }
            }
            if !isBlank { rows += 1 }
        }
    }

    private static let column = TableCount.Column(numbers: .init(), textNumbers: .init())

    /// The number in a cell or plainly written in its text; nil if there is none.
    static func number(_ kind: ForeignBatch.Kind, _ bytes: Span<UInt8>) -> Double? {
        if let plain = plainNumber(bytes) { return plain }
        // Readers return numbers in this form, sometimes with an exponent.
        return kind == .number ? Double(String(copying: bytes)) : nil
    }

    /// Digits with at most one point or comma, optionally after a sign: the form counted in
    /// `TableCount.Column.textNumbers`.
    private static func plainNumber(_ bytes: Span<UInt8>) -> Double? {
        guard bytes.count > 0, bytes.count <= 64 else { return nil }
        let isSigned = bytes[0] == 0x2D || bytes[0] == 0x2B
        var whole: UInt64 = 0
        var digits = 0
        var decimals = 0
        var mark = -1
        for index in (isSigned ? 1 : 0)..<bytes.count {
            let digit = bytes[index] &- 0x30
            if digit <= 9 {
                digits += 1
                if mark >= 0 { decimals += 1 }
                if digits <= 18 { whole = whole * 10 + UInt64(digit) }
            } else if mark < 0, bytes[index] == 0x2E || bytes[index] == 0x2C {
                mark = index
            } else {
                return nil
            }
        }
        guard digits > 0 else { return nil }
        if digits <= 18, decimals < powers.count {
            let value = Double(whole) / powers[decimals]
            return bytes[0] == 0x2D ? -value : value
        }
        return Double(String(copying: bytes).replacing(",", with: "."))
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    ]
}

extension String {
    fileprivate init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// The counts of a table, made while its reader returns batches. If the table is read several
/// times, the last complete reading counts. The counts are stored with the table, so that no other
/// object is needed between the reader and its caller.
package final class ReadTally {
    private(set) var count: TableCount?
    /// Lines that the reader rejected and that the import reports.
    private(set) var rejected = LineSet()

    package init() {}

    /// One pass over the table, from the first row on.
    package struct Pass {
        private let tally: ReadTally
        private var table: TableTally
        private var rejected = LineSet()

        fileprivate init(_ tally: ReadTally, _ table: TableTally) { (self.tally, self.table) = (tally, table) }

        /// - Parameter names: all columns so far, if they become known with the rows.
        package mutating func add(_ batch: borrowing ForeignBatch, names: [String]? = nil) {
            for (row, remark) in batch.remarks where remark.fault != nil { rejected.insert(batch.rows[row].number) }
            if batch.rowCount > 0 { return table.add(batch) }
            if let names { table.columnNames = names }
            (tally.count, tally.rejected) = (table.count, rejected)
        }
    }

    package func begin(_ table: TableTally) -> Pass { Pass(self, table) }
}

extension ForeignTable {
    /// Begins to count a reading that will continue to the table's end.
    package func beginTally() -> ReadTally.Pass { tally.begin(TableTally(name: ownName, columnNames: columns ?? [])) }
}
