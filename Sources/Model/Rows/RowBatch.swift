/// Some rows of one query on their way from the replica to a writer or a check: unchanged numbers,
/// and text as UTF-8 bytes in one buffer. A batch is a value, is reused after `removeAll`, and has
/// no pointer into the database, so that stages can work on different batches at the same time. No
/// `String` is made for a cell.
package struct RowBatch: Sendable {
    package enum Kind: UInt8, Sendable {
        case null, integer, real, text
    }

    /// One cell. `bits` is the integer or the real's bit pattern, or, for text, its offset and
    /// length in the batch's text.
    package struct Cell: Sendable {
        package let kind: Kind
        @usableFromInline let bits: UInt64

        @inlinable init(kind: Kind, bits: UInt64) {
            self.kind = kind
            self.bits = bits
        }

        @inlinable package var integer: Int64 { Int64(bitPattern: bits) }
        @inlinable package var real: Double { Double(bitPattern: bits) }
        /// The bytes of a text in `RowBatch.text`.
        @inlinable package var range: Range<Int> {
            let start = Int(truncatingIfNeeded: bits >> 32)
            return start..<(start + Int(truncatingIfNeeded: bits & 0xFFFF_FFFF))
        }
        @inlinable package var length: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    }

    package let columnCount: Int
    package private(set) var rowCount = 0
    /// Row after row, `columnCount` cells each.
    package private(set) var cells: [Cell] = []
    /// The bytes of all texts.
    package private(set) var text: [UInt8] = []

    package init(columnCount: Int, rowCapacity: Int = 256, textCapacity: Int = 1 << 16) {
        self.columnCount = columnCount
        cells.reserveCapacity(columnCount * rowCapacity)
        text.reserveCapacity(textCapacity)
    }

    /// Whether the batch has enough rows or bytes to be passed on; a source then stops filling it.
    @inlinable package var isFull: Bool { rowCount >= 256 || text.count >= 1 << 16 }

    @inlinable package func cell(_ row: Int, _ column: Int) -> Cell {
        cells[row &* columnCount &+ column]
    }

    /// The text of a cell as a `String`; nil when it is not a text. For places and messages, not
    /// for bulk work.
    package func string(_ row: Int, _ column: Int) -> String? {
        let cell = cell(row, column)
        guard cell.kind == .text else { return nil }
        return String(decoding: text[cell.range], as: UTF8.self)
    }

    /// Any cell, formatted for display; nil for null. For places and messages, not for bulk work.
    package func description(_ row: Int, _ column: Int) -> String? {
        let cell = cell(row, column)
        switch cell.kind {
        case .null: return nil
        case .integer: return String(cell.integer)
        case .real: return String(cell.real)
        case .text: return string(row, column)
        }
    }

    package mutating func removeAll() {
        rowCount = 0
        cells.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
    }

    // Filling: one append for each column in order, then `endRow`.

    @inlinable @inline(__always) package mutating func appendNull() {
        cells.append(Cell(kind: .null, bits: 0))
    }

    @inlinable @inline(__always) package mutating func append(_ integer: Int64) {
        cells.append(Cell(kind: .integer, bits: UInt64(bitPattern: integer)))
    }

    @inlinable @inline(__always) package mutating func append(_ real: Double) {
        cells.append(Cell(kind: .real, bits: real.bitPattern))
    }

    /// Appends the bytes of a text, valid UTF-8 or not: writers visibly replace bytes that they
    /// cannot write.
    @inlinable @inline(__always) package mutating func append(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        let offset = text.count
        unsafe text.append(contentsOf: bytes)
        cells.append(Cell(kind: .text, bits: UInt64(offset) << 32 | UInt64(UInt32(truncatingIfNeeded: bytes.count))))
    }

    package mutating func append(_ string: String) {
        let offset = text.count
        text.append(contentsOf: string.utf8)
        cells.append(Cell(kind: .text, bits: UInt64(offset) << 32 | UInt64(text.count - offset)))
    }

    package mutating func append(utf8 bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(utf8: $0) }
    }

    /// Appends a text, or null for nil.
    package mutating func append(ifAny string: String?) {
        if let string { append(string) } else { appendNull() }
    }

    /// Removes the cells of the unfinished row; their bytes remain until `removeAll`.
    package mutating func dropOpenRow() {
        cells.removeLast(cells.count - rowCount * columnCount)
    }

    @inlinable @inline(__always) package mutating func endRow() {
        assert(cells.count == (rowCount + 1) * columnCount)
        rowCount &+= 1
    }
}

/// Rows that arrive batch after batch from one query or file.
///
/// A source is used by one thread at a time. The code that opens it passes it on and does not use
/// it afterwards.
package protocol RowSource: AnyObject {
    var columnCount: Int { get }
    /// Empties the batch and fills it with the next rows; a batch without rows means the end.
    func fill(_ batch: inout RowBatch) throws
}

/// Rows in memory: for covers, small tables and tests.
package final class MemoryRows: RowSource {
    package enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    package let columnCount: Int
    private let rows: [[Value]]
    private var next = 0

    package init(columnCount: Int, rows: [[Value]]) {
        self.columnCount = columnCount
        self.rows = rows
    }

    package func fill(_ batch: inout RowBatch) {
        batch.removeAll()
        while next < rows.count, !batch.isFull {
            batch.append(row: rows[next])
            next += 1
        }
    }
}

extension RowBatch {
    /// Appends a whole row.
    package mutating func append(row: [MemoryRows.Value]) {
        for value in row {
            switch value {
            case .null: appendNull()
            case .integer(let integer): append(integer)
            case .real(let real): append(real)
            case .text(let text): append(text)
            }
        }
        endRow()
    }
}
