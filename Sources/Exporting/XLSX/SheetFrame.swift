import Model
import OutputFiles
import Spreadsheets

/// The XML before and after the rows of a data sheet, and its columns' style indexes, extracted
/// from `PatternWorkbook`.
struct SheetFrame: Equatable {
    /// The bytes up to the end of the header row.
    let head: [UInt8]
    /// The bytes from `</sheetData>` on.
    let tail: [UInt8]
    /// The style index of each column, from the row of blank cells.
    let styles: [Int]

    init(head: [UInt8], tail: [UInt8], styles: [Int]) {
        self.head = head
        self.tail = tail
        self.styles = styles
    }

    init(_ xml: [UInt8], columns: Int) throws(OutputFailure) {
        // libxlsxwriter escapes all strings, so these marks can only be markup.
        guard let pattern = xml.firstIndex(of: "<row r=\"2\"", from: 0),
            let end = xml.firstIndex(of: "</sheetData>", from: pattern)
        else { throw Self.failure("no pattern row") }
        head = Array(xml[..<pattern])
        tail = Array(xml[end...])
        var styles: [Int] = []
        var position = pattern
        for column in 0..<columns {
            let mark = "<c r=\"\(CellReference.letters(column))2\" s=\""
            guard let cell = xml.firstIndex(of: mark, from: position), cell < end else {
                throw Self.failure("no style for column \(column)")
            }
            position = cell + mark.utf8.count
            var style = 0
            while position < end, case let digit = xml[position] &- UInt8(ascii: "0"), digit < 10 {
                style = style * 10 + Int(digit)
                position += 1
            }
            styles.append(style)
        }
        self.styles = styles
    }

    private static func failure(_ reason: String) -> OutputFailure {
        .library(name: "libxlsxwriter", reason: "pattern sheet: " + reason)
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var index = start
        while index + wanted.count <= count {
            if self[index] == first, self[index..<(index + wanted.count)].elementsEqual(wanted) { return index }
            index += 1
        }
        return nil
    }
}

extension SheetFrame {
    /// The frame with column widths for these contents. The pattern workbook is made before any row
    /// is read, with widths by the columns' types.
    func fitted(_ columns: [ColumnPlan], to characters: [Int?]) -> SheetFrame {
        var text = String(decoding: head, as: UTF8.self)
        for (index, (column, count)) in zip(columns, characters).enumerated() {
            let mark = "<col min=\"\(index + 1)\" max=\"\(index + 1)\" width=\""
            guard let start = text.firstRange(of: mark)?.upperBound, let end = text[start...].firstIndex(of: "\"")
            else { continue }
            // The formula of libxlsxwriter: digits of 7 pixels, and 5 pixels of padding.
            let width = ((column.width(holding: count) * 7 + 5).rounded(.down) / 7 * 256).rounded(.down) / 256
            text.replaceSubrange(start..<end, with: String(width))
        }
        return SheetFrame(head: Array(text.utf8), tail: tail, styles: styles)
    }
}

extension SheetRows {
    /// The most characters of each column in the next unwritten rows; nil if all are empty. These
    /// are the current batch of at most 256 rows, so nothing is read twice.
    func characters(_ columns: [ColumnPlan]) throws -> [Int?] {
        try fetchIfEmpty()
        return columns.enumerated().map { index, column in
            waiting.compactMap { row -> Int? in
                let cell = batch.cell(row, index)
                switch cell.kind {
                case .null: return nil
                case .integer: return Self.digits(cell.integer, column.kind)
                case .real: return Self.digits(cell.real, column.kind)
                case .text:
                    return batch.text[cell.range].split(separator: UInt8(ascii: "\n")).map { line in
                        line.count { $0 & 0xC0 != 0x80 }
                    }.max()
                }
            }.max()
        }
    }

    private static func digits(_ number: some CustomStringConvertible, _ kind: SheetColumn.Kind) -> Int {
        let text = number.description
        guard case .decimal(let decimals?) = kind else { return text.count }
        return text.prefix { $0 != "." }.count + (decimals > 0 ? decimals + 1 : 0)
    }
}

/// Reads the rows of one table, which may fill several sheets, and counts them.
final class SheetRows {
    private let source: any RowSource
    private let title: String
    private let expected: Int
    private(set) var batch: RowBatch
    private var next = 0
    private var total = 0

    init(_ source: any RowSource, title: String, expected: Int, columns: Int) {
        precondition(source.columnCount == columns, "a source of other columns than its sheet's")
        // For a few batches, a second thread is not worthwhile.
        self.source = expected > 1024 ? PrefetchingRows(source) : source
        self.title = title
        self.expected = expected
        batch = RowBatch(columnCount: columns)
    }

    /// Fills `batch` when all its rows were consumed and more are expected.
    func fetchIfEmpty() throws {
        guard next == batch.rowCount, total < expected else { return }
        try source.fill(&batch)
        next = 0
    }

    /// The rows of `batch` that are not yet consumed.
    var waiting: Range<Int> { next..<batch.rowCount }

    /// The next rows of `batch`, at most `limit`. Throws if there are fewer rows than were counted.
    func take(_ limit: Int) throws -> Range<Int> {
        if next == batch.rowCount {
            try source.fill(&batch)
            next = 0
            guard batch.rowCount > 0 else {
                throw OutputFailure.rowCount(sheet: title, expected: expected, found: total)
            }
        }
        let end = min(batch.rowCount, next + limit)
        defer {
            total += end - next
            next = end
        }
        return next..<end
    }

    /// Throws if the source has more rows than were counted.
    func finish() throws {
        if next == batch.rowCount {
            try source.fill(&batch)
            next = 0
        }
        let left = batch.rowCount - next
        guard left == 0 else { throw OutputFailure.rowCount(sheet: title, expected: expected, found: total + left) }
    }
}
