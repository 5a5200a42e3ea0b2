import Glibc
import Model

/// Formats the rows of one sheet as XML: an element for each row, which contains an element for
/// each value that is not null.
struct XMLFormatter: ~Copyable {
    /// The pieces of markup around a column's values, as ranges of `markup`, and the type of the
    /// values.
    private struct Column {
        var source: Int
        var open: Range<Int>
        var close: Range<Int>
        /// The beginning of the element for a value that does not fit the type: `<name
        /// xsi:nil="true" raw="`
        var misfit: Range<Int>
        var type: XMLType
        var choices: XMLChoices?
        /// Whether the column is a parameter of a family. Such a column accepts any text, since one
        /// schema is used for all families.
        var isParameter: Bool
    }

    private(set) var escape = XMLEscape()
    private var columns: [Column] = []
    private let columnCount: Int
    private let markup: [UInt8]
    private let rowOpen: Range<Int>
    private let rowClose: Range<Int>

    init(columns: [SheetColumn], rowName: String) {
        columnCount = columns.count
        var buffer = ByteBuffer()
        var escape = XMLEscape()
        func piece(_ write: (inout ByteBuffer, inout XMLEscape) -> Void) -> Range<Int> {
            let start = buffer.count
            write(&buffer, &escape)
            return start..<buffer.count
        }
        let row = XMLName.make(rowName)
        rowOpen = piece { buffer, _ in buffer.append(utf8: "<\(row)>") }
        rowClose = piece { buffer, _ in buffer.append(utf8: "</\(row)>\n") }
        // A family's columns come last in every row, so that the schema can fix their position.
        let order =
            columns.indices.filter { !columns[$0].isParameter } + columns.indices.filter { columns[$0].isParameter }
        for index in order {
            let column = columns[index]
            let name = column.isParameter ? "parameter" : XMLName.column(column.name)
            let type = XMLType(column)
            let open = piece { buffer, escape in
                buffer.append(utf8: "<" + name)
                if column.isParameter {
                    escape.append(attribute: "key", column.name, to: &buffer)
                    if let unit = column.unit { escape.append(attribute: "unit", unit, to: &buffer) }
                }
                buffer.append(UInt8(ascii: ">"))
            }
            self.columns.append(
                Column(
                    source: index, open: open, close: piece { buffer, _ in buffer.append(utf8: "</\(name)>") },
                    misfit: piece { buffer, _ in buffer.append(utf8: "<\(name) xsi:nil=\"true\" raw=\"") }, type: type,
                    choices: XMLChoices(type), isParameter: column.isParameter))
        }
        markup = buffer.array
    }

    /// Appends all rows of a batch.
    mutating func append(_ batch: borrowing RowBatch, to buffer: inout ByteBuffer) {
        let text = batch.text
        let cells = batch.cells
        unsafe text.withUnsafeBufferPointer { text in
            unsafe cells.withUnsafeBufferPointer { cells in
                unsafe markup.withUnsafeBufferPointer { markup in
                    for row in 0..<batch.rowCount {
                        unsafe buffer.append(UnsafeBufferPointer(rebasing: markup[rowOpen]))
                        let first = row &* columnCount
                        for position in 0..<columns.count {
                            let cell = unsafe cells[first &+ columns[position].source]
                            if cell.kind == .null { continue }
                            unsafe append(cell, text, position, markup, to: &buffer)
                        }
                        unsafe buffer.append(UnsafeBufferPointer(rebasing: markup[rowClose]))
                    }
                }
            }
        }
    }

    @inline(__always) private mutating func append(
        _ cell: RowBatch.Cell, _ text: UnsafeBufferPointer<UInt8>, _ position: Int,
        _ markup: UnsafeBufferPointer<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        let bytes = unsafe UnsafeBufferPointer(rebasing: text[cell.kind == .text ? cell.range : 0..<0])
        guard unsafe fits(cell, bytes, position) else {
            return unsafe append(misfit: cell, bytes, position, markup, to: &buffer)
        }
        unsafe buffer.append(UnsafeBufferPointer(rebasing: markup[columns[position].open]))
        switch cell.kind {
        case .null: break
        case .integer:
            if columns[position].type == .boolean, cell.integer & 1 == cell.integer {
                buffer.append(cell.integer == 1 ? "true" as StaticString : "false")
            } else {
                buffer.append(cell.integer)
            }
        case .real: Self.append(real: cell.real, to: &buffer)
        case .text:
            unsafe escape.append(content: bytes, to: &buffer)
            if columns[position].type == .time, unsafe StoredTime.isShortTime(bytes.span) {
                buffer.append(":00" as StaticString)
            }
        }
        unsafe buffer.append(UnsafeBufferPointer(rebasing: markup[columns[position].close]))
    }

    @inline(__always) private mutating func fits(
        _ cell: RowBatch.Cell, _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int
    ) -> Bool {
        if columns[position].isParameter { return true }
        switch columns[position].type {
        case .text: return true
        case .integer:
            return cell.kind == .integer
                || (cell.kind == .real && cell.real.magnitude < 1e15 && cell.real.rounded() == cell.real)
        case .number: return cell.kind != .text
        case .boolean: return cell.kind == .integer && cell.integer & 1 == cell.integer
        case .date: return unsafe cell.kind == .text && StoredTime.isDate(bytes.span)
        case .time: return unsafe cell.kind == .text && StoredTime.isTime(bytes.span)
        case .instant: return unsafe cell.kind == .text && StoredTime.isInstant(bytes.span)
        case .choice: return unsafe cell.kind == .text && columns[position].choices?.contains(bytes) == true
        }
    }

    @inline(never) private mutating func append(
        misfit cell: RowBatch.Cell, _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int,
        _ markup: UnsafeBufferPointer<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        unsafe buffer.append(UnsafeBufferPointer(rebasing: markup[columns[position].misfit]))
        switch cell.kind {
        case .null: break
        case .integer: buffer.append(cell.integer)
        case .real: Self.append(real: cell.real, to: &buffer)
        case .text: unsafe escape.append(attribute: bytes, to: &buffer)
        }
        buffer.append("\"/>" as StaticString)
    }

    /// Appends a number in its shortest form; `NaN`, `INF` and `-INF` are the words of xs:double.
    @inline(__always) private static func append(real: Double, to buffer: inout ByteBuffer) {
        if real.isFinite {
            buffer.append(real)
        } else {
            buffer.append(real.isNaN ? "NaN" as StaticString : real > 0 ? "INF" : "-INF")
        }
    }
}

/// The values of a closed vocabulary as bytes. The value that matched last is tried first, since
/// sorted rows often repeat a value.
struct XMLChoices {
    private var values: [[UInt8]]
    private var last = 0

    init?(_ type: XMLType) {
        guard case .choice(let values) = type, !values.isEmpty else { return nil }
        self.values = values.map { Array($0.utf8) }
    }

    mutating func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if unsafe isEqual(values[last], bytes) { return true }
        for index in values.indices where unsafe isEqual(values[index], bytes) {
            last = index
            return true
        }
        return false
    }

    @inline(__always) private func isEqual(_ value: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard value.count == bytes.count else { return false }
        guard let start = bytes.baseAddress else { return true }
        return unsafe memcmp(value, start, bytes.count) == 0
    }
}
