import Foundation
import Model
import OutputFiles
import Spreadsheets

/// Formats batches of rows as the XML of one sheet, without an allocation for each cell.
struct RowFormatter {
    private let kinds: [Kind]
    /// The files that each column of links names; nil for addresses.
    private let files: [LinkedFiles?]
    private let markup: CellMarkup
    /// Columns whose text wraps, with the approximate number of bytes on a line.
    private let wrapping: [(column: Int, lineLength: Int)]
    private let limits: XLSXLimits
    private let words: (yes: [UInt8], no: [UInt8])
    private let sheet: String
    private let longTexts: LongTexts
    /// The text at the end of a shortened cell, which names the sheet with the entire text.
    private let mark: [UInt8]
    private let markUnits: Int
    private var clock: OfficeClock
    /// The number of characters in header and rows that were replaced because XML cannot contain
    /// them.
    private(set) var replaced: Int
    /// Cells whose text was too long, and the first of them.
    private(set) var longCount = 0
    private(set) var firstLong: String?

    private enum Kind: UInt8 {
        case text, number, boolean, date, time, dateTime, link
    }

    /// Above this magnitude Excel does not show every digit of an integer.
    private static let largestInteger: UInt64 = 999_999_999_999_999

    init(
        _ plan: DataSheetPlan, styles: [Int], words: XLSXWords, timeZone: TimeZone, limits: XLSXLimits,
        longTexts: LongTexts,
        longTextsName: String
    ) {
        kinds = plan.columns.map { column in
            switch column.kind {
            case .text: .text
            case .integer, .decimal: .number
            case .boolean: .boolean
            case .date: .date
            case .time: .time
            case .dateTime: .dateTime
            case .link: .link
            }
        }
        files = plan.columns.map(\.files)
        markup = CellMarkup(styles: styles)
        wrapping = plan.columns.enumerated().filter { $0.element.style.wraps }.map {
            ($0.offset, max(8, Int($0.element.width)))
        }
        self.limits = limits
        self.words = (Array(words.yes.utf8), Array(words.no.utf8))
        sheet = plan.name
        self.longTexts = longTexts
        let mark = " … [→ \(longTextsName)]"
        self.mark = Array(mark.utf8)
        markUnits = mark.utf16.count
        clock = OfficeClock(timeZone)
        replaced = plan.columns.reduce(0) { $0 + $1.replaced }
    }

    /// Appends some rows of a batch; `row` is the first one's number in the sheet, counted from
    /// one.
    mutating func append(_ batch: RowBatch, _ rows: Range<Int>, row first: Int, to buffer: inout ByteBuffer)
        throws(OutputFailure)
    {
        let columns = kinds.count
        let cells = batch.cells.span
        let failure: OutputFailure? = unsafe batch.text.withUnsafeBufferPointer { text in
            unsafe markup.bytes.withUnsafeBufferPointer { blocks in
                do throws(OutputFailure) {
                    guard let blocks = blocks.baseAddress else { return nil }
                    for index in rows {
                        let number = RowNumber(first + index - rows.lowerBound)
                        buffer.append("<row r=\"")
                        buffer.reserve(32)
                        buffer.append(number)
                        let start = index &* columns
                        buffer.append("\"")
                        let lines = lines(of: batch, rowAt: start)
                        if lines > 1 {
                            // Not every program computes the height of a row with wrapped text.
                            buffer.append(" ht=\"")
                            buffer.append(min(lines &* Self.lineHeight, Self.greatestHeight))
                            buffer.append("\" customHeight=\"1\"")
                        }
                        buffer.append(">")
                        for column in 0..<columns {
                            let cell = unsafe cells[unchecked: start &+ column]
                            if cell.kind == .null { continue }
                            unsafe try append(cell, column, number, text, blocks, to: &buffer)
                        }
                        buffer.append("</row>")
                    }
                    return nil
                } catch {
                    return error
                }
            }
        }
        if let failure { throw failure }
    }

    /// Heights in points; Excel allows at most 409 for a row.
    private static let lineHeight = 15
    private static let greatestHeight = 405

    /// The number of lines of a row's longest wrapped text, from its length in bytes; may be too
    /// many, but not too few.
    @inline(__always)
    private func lines(of batch: RowBatch, rowAt start: Int) -> Int {
        var most = 1
        for wrapped in wrapping {
            let cell = batch.cells[start &+ wrapped.column]
            if cell.kind == .text { most = max(most, cell.length / wrapped.lineLength &+ 1) }
        }
        return most
    }

    @inline(__always)
    private mutating func append(
        _ cell: RowBatch.Cell, _ column: Int, _ row: RowNumber, _ text: UnsafeBufferPointer<UInt8>,
        _ blocks: UnsafePointer<UInt8>, to buffer: inout ByteBuffer
    ) throws(OutputFailure) {
        // Room for all the markup of a cell; numbers and texts make their own.
        buffer.reserve(192)
        let place = unsafe Place(column: column, row: row, blocks: blocks)
        switch (kinds[column], cell.kind) {
        case (.text, .text):
            unsafe try appendText(text, cell, place, to: &buffer)
        case (.number, .real) where cell.real.isFinite:
            begin(place, markup.columns[column].number, to: &buffer)
            buffer.append(cell.real)
            endNumber(place, to: &buffer)
        case (.number, .integer) where cell.integer.magnitude <= Self.largestInteger:
            begin(place, markup.columns[column].number, to: &buffer)
            buffer.append(cell.integer)
            endNumber(place, to: &buffer)
        default:
            unsafe try appendOther(text, cell, place, to: &buffer)
        }
    }

    // MARK: Pieces of a cell

    @safe private struct Place {
        let column: Int
        let row: RowNumber
        let blocks: UnsafePointer<UInt8>
    }

    @inline(__always)
    private func begin(_ place: Place, _ middle: CellMarkup.Block, to buffer: inout ByteBuffer) {
        let start = markup.columns[place.column].start
        unsafe buffer.copy16(place.blocks + start.offset, start.count)
        buffer.append(place.row)
        if middle.count <= 16 {
            unsafe buffer.copy16(place.blocks + middle.offset, middle.count)
        } else if middle.count <= 32 {
            unsafe buffer.copy32(place.blocks + middle.offset, middle.count)
        } else {
            unsafe buffer.copy64(place.blocks + middle.offset, middle.count)
        }
    }

    @inline(__always)
    private func endNumber(_ place: Place, to buffer: inout ByteBuffer) {
        buffer.reserve(16)
        unsafe buffer.copy16(place.blocks + markup.numberEnd.offset, markup.numberEnd.count)
    }

    @inline(__always)
    private func endText(_ place: Place, to buffer: inout ByteBuffer) {
        buffer.reserve(16)
        unsafe buffer.copy16(place.blocks + markup.textEnd.offset, markup.textEnd.count)
    }

    @inline(__always)
    private mutating func appendText(
        _ text: UnsafeBufferPointer<UInt8>, _ cell: RowBatch.Cell, _ place: Place, to buffer: inout ByteBuffer
    ) throws(OutputFailure) {
        let range = cell.range
        // A text has at most as many UTF-16 units as bytes.
        if range.count > limits.text {
            return unsafe try appendLong(UnsafeBufferPointer(rebasing: text[range]), place, to: &buffer)
        }
        guard range.count > 0, let start = text.baseAddress else { return }
        let source = unsafe start + range.lowerBound
        // Without `xml:space`, readers drop white space at the ends of a text, but not within it.
        let isPreserved = unsafe source[0] <= 0x20 || source[range.count &- 1] <= 0x20
        begin(
            place, isPreserved ? markup.columns[place.column].preservedText : markup.columns[place.column].text,
            to: &buffer)
        replaced &+= unsafe CellText.append(
            source, count: range.count, readable: text.count &- range.lowerBound, to: &buffer)
        endText(place, to: &buffer)
    }

    /// Appends a text of which only the beginning fits a cell.
    private mutating func appendLong(
        _ text: UnsafeBufferPointer<UInt8>, _ place: Place, to buffer: inout ByteBuffer
    ) throws(OutputFailure) {
        var kept = unsafe text
        var isCut = false
        if unsafe CellText.prefix(of: text, units: limits.text).bytes < text.count {
            let length = unsafe CellText.prefix(of: text, units: limits.text - markUnits).bytes
            unsafe kept = UnsafeBufferPointer(rebasing: text[..<length])
            isCut = true
            try unsafe longTexts.add(text, sheet: sheet, row: place.row.value - 1, column: place.column)
            longCount += 1
            if firstLong == nil { firstLong = CellReference.cell(row: place.row.value - 1, column: place.column) }
        }
        begin(place, markup.columns[place.column].preservedText, to: &buffer)
        if let start = kept.baseAddress {
            replaced += unsafe CellText.append(start, count: kept.count, readable: kept.count, to: &buffer)
        }
        if isCut { buffer.append(mark) }
        endText(place, to: &buffer)
    }

    // MARK: Less usual cells

    @inline(never)
    private mutating func appendOther(
        _ text: UnsafeBufferPointer<UInt8>, _ cell: RowBatch.Cell, _ place: Place, to buffer: inout ByteBuffer
    ) throws(OutputFailure) {
        guard cell.kind == .text else { return appendNumberAsText(cell, place, to: &buffer) }
        let bytes = unsafe UnsafeBufferPointer(rebasing: text[cell.range])
        let date: ExcelDate? = switch kinds[place.column] {
        case .date: unsafe ExcelDate.date(bytes)
        case .time: unsafe ExcelDate.time(bytes)
        case .dateTime: unsafe ExcelDate.instant(bytes, &clock)
        default: nil
        }
        if let date {
            begin(place, markup.columns[place.column].number, to: &buffer)
            buffer.append(date.days)
            buffer.appendFraction(date.fraction, digits: ExcelDate.fractionDigits)
            endNumber(place, to: &buffer)
        } else if kinds[place.column] == .link, unsafe LinkRule.isSafe(bytes, of: files[place.column]) {
            unsafe appendLink(bytes, place, to: &buffer)
        } else {
            unsafe try appendText(text, cell, place, to: &buffer)
        }
    }

    /// Appends a number as text: a boolean as a word, and a number that does not fit its column's
    /// kind, is not finite or would lose digits.
    private mutating func appendNumberAsText(_ cell: RowBatch.Cell, _ place: Place, to buffer: inout ByteBuffer) {
        begin(place, markup.columns[place.column].text, to: &buffer)
        switch (kinds[place.column], cell.kind, cell.integer) {
        case (.boolean, .integer, 0): buffer.append(words.no)
        case (.boolean, .integer, 1): buffer.append(words.yes)
        case (_, .integer, let integer): buffer.append(integer)
        default: buffer.append(cell.real)
        }
        endText(place, to: &buffer)
    }

    /// Appends a link as a formula. Ordinary hyperlinks are limited to 65,530 in a sheet.
    private mutating func appendLink(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Place, to buffer: inout ByteBuffer) {
        guard let start = bytes.baseAddress else { return }
        begin(place, markup.columns[place.column].formula, to: &buffer)
        if let files = files[place.column] {
            buffer.append(utf8: files.folder)
            _ = unsafe CellText.append(start, count: bytes.count, readable: bytes.count, to: &buffer)
            buffer.append("\",\"")
        }
        _ = unsafe CellText.append(start, count: bytes.count, readable: bytes.count, to: &buffer)
        buffer.append("\")</f><v>")
        _ = unsafe CellText.append(start, count: bytes.count, readable: bytes.count, to: &buffer)
        endNumber(place, to: &buffer)
    }
}
