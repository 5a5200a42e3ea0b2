import Foundation
import Model

/// Formats the rows of one sheet as lines of CSV.
///
/// A missing value is an empty field, and an empty text is `""`, so that readers may distinguish
/// them.
struct CSVFormatter: ~Copyable {
    /// How a column's cells are converted: unchanged, to yes or no, or to the office's local time.
    private enum Treatment {
        case plain, boolean, instant
    }

    private(set) var changes = TextChanges()
    private let classes: ByteClasses
    private let treatments: [Treatment]
    private let separator: UInt8
    private let decimalSeparator: UInt8
    private let yes: [UInt8]
    private let no: [UInt8]
    private var officeTime: OfficeTime?

    init(columns: [SheetColumn], style: CSVStyle) {
        separator = style.separator
        decimalSeparator = style.decimalSeparator
        classes = ByteClasses(
            escaped: [UInt8(ascii: "\"")], enclosing: [style.separator, UInt8(ascii: "\""), 0x0A, 0x0D],
            leading: FormulaText.leadingBytes, space: [0x20])
        officeTime = style.timeZone.map { OfficeTime($0) }
        let hasOfficeTime = officeTime != nil
        treatments = columns.map { column in
            switch column.kind {
            case .boolean: .boolean
            case .dateTime: hasOfficeTime ? .instant : .plain
            default: .plain
            }
        }
        yes = Array(style.yes.utf8)
        no = Array(style.no.utf8)
    }

    /// Appends one line of texts, such as a header or a line about the export.
    mutating func append(line fields: [String], to buffer: inout ByteBuffer) {
        for (index, field) in fields.enumerated() {
            if index > 0 { buffer.append(separator) }
            var field = field
            field.isEmpty ? () : field.withUTF8 { unsafe append(text: $0, to: &buffer) }
        }
        buffer.append("\r\n" as StaticString)
    }

    /// Appends all rows of a batch.
    mutating func append(_ batch: borrowing RowBatch, to buffer: inout ByteBuffer) {
        let text = batch.text
        let cells = batch.cells
        unsafe text.withUnsafeBufferPointer { text in
            unsafe cells.withUnsafeBufferPointer { cells in
                var next = 0
                for _ in 0..<batch.rowCount {
                    for column in 0..<treatments.count {
                        if column > 0 { buffer.append(separator) }
                        unsafe append(cells[next], text, column, to: &buffer)
                        next &+= 1
                    }
                    // A row of one null is `""`, because most readers ignore an empty line.
                    if treatments.count == 1, unsafe cells[next &- 1].kind == .null {
                        buffer.append("\"\"" as StaticString)
                    }
                    buffer.append("\r\n" as StaticString)
                }
            }
        }
    }

    @inline(__always) private mutating func append(
        _ cell: RowBatch.Cell, _ text: UnsafeBufferPointer<UInt8>, _ column: Int, to buffer: inout ByteBuffer
    ) {
        switch cell.kind {
        case .null: return
        case .integer:
            if treatments[column] == .boolean, cell.integer & 1 == cell.integer {
                buffer.append(cell.integer == 1 ? yes : no)
            } else {
                buffer.append(cell.integer)
            }
        case .real:
            let start = buffer.count
            buffer.append(cell.real)
            if decimalSeparator != UInt8(ascii: ".") {
                buffer.replace(UInt8(ascii: "."), with: decimalSeparator, from: start)
            }
        case .text:
            let bytes = unsafe UnsafeBufferPointer(rebasing: text[cell.range])
            if treatments[column] == .instant, unsafe officeTime?.append(bytes, to: &buffer) == true { return }
            unsafe append(text: bytes, to: &buffer)
        }
    }

    @inline(__always) private mutating func append(text bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer)
    {
        guard let first = unsafe bytes.first, let last = unsafe bytes.last else {
            return buffer.append("\"\"" as StaticString)
        }
        let edges = classes[first] & (ByteClasses.leading | ByteClasses.space) | classes[last] & ByteClasses.space
        if unsafe classes.union(bytes) & ByteClasses.needsCare | edges == 0 {
            unsafe buffer.append(bytes)
        } else {
            unsafe append(careful: bytes, isEdged: edges & ByteClasses.space != 0, to: &buffer)
        }
    }

    @inline(never) private mutating func append(
        careful bytes: UnsafeBufferPointer<UInt8>, isEdged: Bool, to buffer: inout ByteBuffer
    ) {
        let isEnclosed = unsafe isEdged || classes.union(bytes) & ByteClasses.enclosing != 0
        if isEnclosed { buffer.append(UInt8(ascii: "\"")) }
        if unsafe FormulaText.isDangerous(bytes, decimalSeparator: decimalSeparator) {
            buffer.append(UInt8(ascii: "'"))
            changes.formulas += 1
        }
        unsafe buffer.appendClean(bytes, classes, replaced: &changes.characters) { byte, buffer in
            buffer.append(byte)
            buffer.append(byte)
        }
        if isEnclosed { buffer.append(UInt8(ascii: "\"")) }
    }
}

extension ByteBuffer {
    /// Replaces the first byte `old` from `start` on.
    mutating func replace(_ old: UInt8, with new: UInt8, from start: Int) {
        var index = start
        while index < count {
            if unsafe base[index] == old {
                unsafe base[index] = new
                return
            }
            index &+= 1
        }
    }
}

/// Converts instants in UTC, as the replica stores them, to the office's local time. The offset is
/// fetched once for each period between two clock changes, not for each row.
struct OfficeTime {
    private var clock: OfficeClock

    init(_ timeZone: TimeZone) {
        clock = OfficeClock(timeZone)
    }

    /// Appends `yyyy-MM-dd HH:mm:ss`; fractions of a second are dropped. Returns false, and appends
    /// nothing, if the text is not an instant in the replica's form.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) -> Bool {
        guard let (day, microseconds) = unsafe StoredTime.instant(bytes.span) else { return false }
        let instant = day.sinceEpoch * 86_400 + microseconds / 1_000_000
        let (shown, seconds) = GregorianDay.split(seconds: instant + clock.offset(at: instant))
        guard shown.year >= 0, shown.year <= 9999 else { return false }
        buffer.appendDigits(UInt64(shown.year), width: 4)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(UInt64(shown.month), width: 2)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(UInt64(shown.day), width: 2)
        buffer.append(UInt8(ascii: " "))
        buffer.appendDigits(UInt64(seconds / 3600), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.appendDigits(UInt64(seconds / 60 % 60), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.appendDigits(UInt64(seconds % 60), width: 2)
        return true
    }
}
