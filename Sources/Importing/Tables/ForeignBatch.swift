import JSONReading
package import Model

/// Some rows of an imported table, unconverted: every cell is a kind and the bytes of its value, in
/// every format. A batch is reused, and no `String` is made for a cell.
package struct ForeignBatch: Sendable {
    package enum Kind: UInt8, Sendable {
        case empty
        /// UTF-8, with leading and trailing spaces; undecodable bytes become U+FFFD.
        case text
        /// A decimal number as the file writes it or, if the file stores binary numbers, in its
        /// shortest form: `12.50`, `-3e-5`.
        case number
        /// `true` or `false`.
        case boolean
        /// `yyyy-MM-dd`.
        case date
        /// `yyyy-MM-ddTHH:mm:ss`, with a fraction if there is one; no time zone.
        case dateTime
        /// `HH:mm:ss`.
        case time
        /// The file's error in place of a value: `#REF!`.
        case error
        /// An explicit null. Only JSON distinguishes it from a missing member, which is `empty`.
        case null
        /// An array or an object as JSON.
        case json
    }

    /// A property of a cell in addition to its value.
    package enum Mark: UInt8, Sendable {
        case none
        /// The number is displayed as a percentage: 0.123 as 12.3 %.
        case percent
        /// The cell is empty because the file has a formula without a saved value.
        case unsaved
    }

    package struct Cell: Sendable {
        package let kind: Kind
        package var mark = Mark.none
        let start: UInt32
        let count: UInt32

        package var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
    }

    package struct Row: Sendable {
        /// Row of a sheet or line of a file, counted from 1.
        package let number: Int
        let cells: Range<Int>
    }

    /// Properties of a row in addition to its cells; most rows have no remark.
    package struct Remark: Sendable {
        /// Reason, in English, why the source could not be read at this place. Then this is not a
        /// row, and its text is the source's content at that place.
        var fault: String?
        /// Whether the row was read and excluded on purpose.
        var isLeftOut = false
        /// Whether the source reports that the record with this row's id was deleted.
        var isDeletion = false
        /// Problems of the row found by its source: errors reject the row, other findings are only
        /// reported.
        var findings: [Finding] = []
    }

    package private(set) var rows: [Row] = []
    /// Remarks by the row's index.
    package private(set) var remarks: [Int: Remark] = [:]
    /// JSON pointers by the row's index.
    package private(set) var pointers: [Int: String] = [:]
    /// The range in `text` of each row's source text, for rows that are text in their source.
    private var rowTexts: [Range<Int>] = []
    /// The bytes of all values.
    package private(set) var text: [UInt8] = []
    private var cells: [Cell] = []
    private var rowStart = 0
    /// Whether any cell has a formula without a saved value.
    private(set) var hasUnsaved = false

    /// A batch is full after this many rows, or once a row ends after this many bytes or cells.
    private let mostRows: Int
    private let mostRoom: Int

    package init(mostRows: Int = 256, mostRoom: Int = 1 << 18) {
        (self.mostRows, self.mostRoom) = (mostRows, mostRoom)
    }

    /// Whether the source must stop filling the batch. A batch is never full within a row, so a row
    /// larger than a batch is still added whole.
    package var isFull: Bool {
        openWidth == 0 && (rows.count >= mostRows || text.count >= mostRoom || cells.count >= mostRoom)
    }
    package var rowCount: Int { rows.count }

    /// The number of a row's cells; rows of one table may differ.
    package func width(_ row: Int) -> Int { rows[row].cells.count }

    /// A cell of a row; an empty cell beyond the row's last one.
    package func cell(_ row: Int, _ column: Int) -> Cell {
        let range = rows[row].cells
        guard column >= 0, column < range.count else { return Cell(kind: .empty, start: 0, count: 0) }
        return cells[range.lowerBound + column]
    }

    /// The value of a cell as text; nil if it is empty.
    package func string(_ row: Int, _ column: Int) -> String? {
        let cell = cell(row, column)
        guard cell.kind != .empty, cell.kind != .null else { return nil }
        return String(decoding: text[cell.range], as: UTF8.self)
    }

    // MARK: Filling: the cells of a row in order, then `endRow`

    package mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
        rowTexts.removeAll(keepingCapacity: true)
        if !remarks.isEmpty { remarks.removeAll() }
        if !pointers.isEmpty { pointers.removeAll() }
        rowStart = 0
        hasUnsaved = false
    }

    /// Appends the cell of a formula without a saved value.
    mutating func appendUnsaved() {
        cells.append(Cell(kind: .empty, mark: .unsaved, start: 0, count: 0))
        hasUnsaved = true
    }

    package mutating func appendEmpty() {
        cells.append(Cell(kind: .empty, start: 0, count: 0))
    }

    package mutating func append(_ kind: Kind, _ bytes: Span<UInt8>, mark: Mark = .none) {
        let start = text.count
        unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        cells.append(Cell(kind: kind, mark: mark, start: UInt32(start), count: UInt32(bytes.count)))
    }

    package mutating func append(_ kind: Kind, _ string: String, mark: Mark = .none) {
        let start = text.count
        text.append(contentsOf: string.utf8)
        cells.append(Cell(kind: kind, mark: mark, start: UInt32(start), count: UInt32(text.count - start)))
    }

    /// Sets a cell of the open row at any column; unset cells before that column are empty. The
    /// cell's value is the bytes appended to `text` since `start`.
    mutating func set(_ kind: Kind, at column: Int, from start: Int) {
        while openWidth <= column { appendEmpty() }
        cells[rowStart + column] = Cell(kind: kind, start: UInt32(start), count: UInt32(text.count - start))
    }

    mutating func set(_ kind: Kind, at column: Int, _ bytes: Span<UInt8>) {
        let start = text.count
        unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        set(kind, at: column, from: start)
    }

    mutating func set(_ kind: Kind, at column: Int, _ string: String) {
        let start = text.count
        text.append(contentsOf: string.utf8)
        set(kind, at: column, from: start)
    }

    /// Sets a cell of an existing row at any column; missing cells before that column are empty.
    mutating func set(_ kind: Kind, row: Int, column: Int, _ bytes: Span<UInt8>) {
        let own = rows[row].cells
        if column >= own.count {
            let start = cells.count
            for index in own { cells.append(cells[index]) }
            while cells.count - start <= column { appendEmpty() }
            rows[row] = Row(number: rows[row].number, cells: start..<cells.count)
            rowStart = cells.count
        }
        let start = text.count
        unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        cells[rows[row].cells.lowerBound + column] = Cell(kind: kind, start: UInt32(start), count: UInt32(bytes.count))
    }

    /// Whether a cell of the open row is set.
    func isSet(_ column: Int) -> Bool { column < openWidth && cells[rowStart + column].kind != .empty }

    /// Sets the source text of the open row.
    mutating func setRowText(_ bytes: Span<UInt8>) {
        while rowTexts.count < rows.count { rowTexts.append(0..<0) }
        let start = text.count
        unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        rowTexts.append(start..<text.count)
    }

    mutating func setRowText(_ string: String) {
        while rowTexts.count < rows.count { rowTexts.append(0..<0) }
        let start = text.count
        text.append(contentsOf: string.utf8)
        rowTexts.append(start..<text.count)
    }

    /// The range in `text` of a row's source text; empty if it has none.
    func rowText(_ row: Int) -> Range<Int> { row < rowTexts.count ? rowTexts[row] : 0..<0 }

    /// A row as its source wrote it; empty if the source is not text.
    func sourceText(_ row: Int) -> String { String(decoding: text[rowText(row)], as: UTF8.self) }

    /// A table's place, with the line and the JSON pointer of a row.
    func place(_ row: Int, in table: Place) -> Place {
        var place = table
        (place.line, place.pointer) = (rows[row].number > 0 ? rows[row].number : nil, pointers[row])
        return place
    }

    /// Adds a remark to the open row.
    mutating func remark(_ remark: Remark) { remarks[rows.count] = remark }

    /// Marks a row as read and excluded on purpose.
    mutating func leaveOut(_ row: Int) { remarks[row, default: Remark()].isLeftOut = true }

    mutating func point(_ pointer: String) { pointers[rows.count] = pointer }

    /// The number of cells of the open row.
    package var openWidth: Int { cells.count - rowStart }

    /// Removes the cells of the open row.
    package mutating func dropOpenRow() {
        cells.removeLast(openWidth)
    }

    /// Ends the open row, or drops it if it is blank: sheets and texts have blank rows as spacing.
    package mutating func endRowUnlessBlank(number: Int) {
        guard cells[rowStart...].contains(where: { ($0.kind != .empty && $0.kind != .null) || $0.mark == .unsaved })
        else { return dropOpenRow() }
        endRow(number: number)
    }

    /// Ends the open row. A database record counts even if it is blank.
    package mutating func endRow(number: Int) {
        rows.append(Row(number: number, cells: rowStart..<cells.count))
        rowStart = cells.count
    }

    /// Packs the cells of a row unconverted, for later display.
    ///
    /// - Parameter around: values to pack before the cells, under the heading `RawCells.around`.
    package func pack(_ row: Int, into raw: inout RawCells, after around: [UInt8]? = nil) {
        let range = rows[row].cells
        if let around { raw.appendHead(.text, count: around.count) }
        for cell in cells[range] {
            let kind: RawCells.Kind =
                switch cell.kind {
                // The text of an error is packed, although it is not a value.
                case .empty, .null, .error: .null
                case .number: .number
                case .boolean: .boolean
                default: .text
                }
            raw.appendHead(kind, count: Int(cell.count))
        }
        raw.endHeads()
        if let around { raw.append(around.span) }
        // Cells of a row are usually adjacent, so they are copied in runs.
        var run = 0..<0
        for cell in cells[range] where cell.count > 0 {
            if cell.range.lowerBound == run.upperBound {
                run = run.lowerBound..<cell.range.upperBound
            } else {
                raw.append(text.span.extracting(run))
                run = cell.range
            }
        }
        raw.append(text.span.extracting(run))
    }
}

extension ImportedBatch {
    /// Rejects a row of a source, as the source wrote it.
    mutating func reject(_ row: Int, of batch: borrowing ForeignBatch, _ findings: [Finding]) {
        reject(Reject(raw: batch.sourceText(row), place: batch.place(row, in: place), findings: findings))
    }
}

extension ForeignBatch.Kind {
    /// The kind of the cell for a plain value of JSON; nil for keys, lists and objects.
    init?(_ event: JSONEvent) {
        switch event {
        case .null: self = .null
        case .yes, .no: self = .boolean
        case .number: self = .number
        case .string: self = .text
        case .key, .startObject, .endObject, .startArray, .endArray: return nil
        }
    }
}
