/// A cell of an OpenDocument spreadsheet while it is read: its attributes' value, and its visible
/// text.
struct ODSCell {
    private enum Content {
        case none, number, boolean, date, time, string, error
    }

    private var content = Content.none
    /// The value in the attributes, later the cell's final value.
    var value: [UInt8] = []
    /// The text of all paragraphs.
    private(set) var text: [UInt8] = []
    /// Whether the cell's style shows elapsed hours, beyond one day.
    var isElapsed = false
    /// Whether `value` is `office:string-value`. Strings have no other value beside their
    /// paragraphs; `office:value` belongs to numbers (ODF 1.2, part 1, 19.385).
    var hasStringValue = false
    /// Whether a formula computes the cell's value.
    var hasFormula = false
    /// Whether the cell displays a percentage.
    private(set) var mark = ForeignBatch.Mark.none
    /// Number of columns over which the cell is repeated.
    var count = 1

    private var paragraphs = 0
    private var depth = 0
    /// Whether the last character was a space: several spaces count as one.
    private var isAfterSpace = true

    var isInParagraph: Bool { depth > 0 }
    var isTime: Bool { content == .time }
    var hasType: Bool { content != .none }

    mutating func removeAll() {
        content = .none
        (hasFormula, hasStringValue, mark) = (false, false, .none)
        value.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
        (paragraphs, depth) = (0, 0)
    }

    static func `is`(_ name: Span<UInt8>, _ expected: StaticString) -> Bool {
        guard name.count == expected.utf8CodeUnitCount else { return false }
        return expected.withUTF8Buffer { letters in
            for index in name.indices where unsafe name[index] != letters[index] { return false }
            return true
        }
    }

    /// Reads `office:value-type` and LibreOffice's `calcext:value-type`; only the latter marks an
    /// error.
    mutating func take(type: Span<UInt8>) {
        if Self.is(type, "float") || Self.is(type, "percentage") || Self.is(type, "currency") {
            content = .number
            if Self.is(type, "percentage") { mark = .percent }
        } else if Self.is(type, "error") {
            content = .error
        } else if content != .error {
            content =
                Self.is(type, "boolean")
                ? .boolean : Self.is(type, "date") ? .date : Self.is(type, "time") ? .time : .string
        }
    }

    // MARK: Text

    mutating func startParagraph(isEmpty: Bool) {
        if paragraphs > 0 { text.append(0x0A) }
        paragraphs += 1
        depth = isEmpty ? 0 : 1
        isAfterSpace = true
    }

    mutating func startElement() { depth += 1 }

    mutating func endElement() { depth = max(0, depth - 1) }

    mutating func append(_ byte: UInt8, times count: Int) {
        text.append(contentsOf: repeatElement(byte, count: count))
        isAfterSpace = false
    }

    /// Appends text. White space of the markup counts as one space, and is dropped at the start of
    /// a paragraph. At its end the space remains, because LibreOffice writes a typed space at
    /// the end in this form.
    mutating func append(_ piece: [UInt8]) {
        for byte in piece {
            if byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D {
                if !isAfterSpace { text.append(0x20) }
                isAfterSpace = true
            } else {
                text.append(byte)
                isAfterSpace = false
            }
        }
    }

    // MARK: Value

    /// Converts the value to its final form and returns its kind; nil for an empty cell.
    mutating func finish() -> ForeignBatch.Kind? {
        switch content {
        case .number:
            if DecimalBytes.isNumber(value.span) { return .number }
        case .boolean:
            if value == Array("true".utf8) || value == Array("false".utf8) { return .boolean }
        case .date:
            if let kind = ISODate.kind(&value) { return kind }
        case .time:
            if let kind = finishTime() { return kind }
        case .error:
            value = text.isEmpty ? Array("#ERROR".utf8) : text
            TextRepair.repair(&value, resolvesEscapes: false)
            return .error
        case .string, .none:
            if value.isEmpty || content == .string && !hasStringValue { value = text }
            TextRepair.repair(&value, resolvesEscapes: false)
            return value.isEmpty ? nil : .text
        }
        // A value that contradicts its type is replaced by the visible text.
        if !text.isEmpty { value = text }
        TextRepair.repair(&value, resolvesEscapes: false)
        return value.isEmpty ? nil : .text
    }

    /// `PT07H30M05.5S`: a time of day, or a number of days if it is elapsed time.
    private mutating func finishTime() -> ForeignBatch.Kind? {
        guard let seconds = ISODate.duration(value) else { return nil }
        let milliseconds = (seconds * 1000).rounded()
        if isElapsed || milliseconds < 0 || milliseconds >= 86_400_000 {
            value = Array(OldValueText.shortest(seconds / 86_400).utf8)
            return .number
        }
        var bytes: [UInt8] = []
        guard let kind = SerialDate.append(milliseconds / 86_400_000, as: .time, .year1904, to: &bytes) else {
            return nil
        }
        value = bytes
        return kind
    }
}

/// The filled cells of one row. Each may be repeated to the right, and the row may be repeated,
/// too.
struct ODSRow {
    private struct Cell {
        let column: Int
        let count: Int
        let kind: ForeignBatch.Kind
        let mark: ForeignBatch.Mark
        let range: Range<Int>
    }

    private var cells: [Cell] = []
    private var bytes: [UInt8] = []

    var isBlank: Bool { cells.isEmpty }

    /// Number of filled cells, including repetitions.
    var width: Int { cells.reduce(0) { $0 + $1.count } }

    mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func add(
        _ kind: ForeignBatch.Kind, _ value: [UInt8], _ mark: ForeignBatch.Mark, at column: Int, times count: Int
    ) {
        cells.append(
            Cell(column: column, count: count, kind: kind, mark: mark, range: bytes.count..<(bytes.count + value.count))
        )
        bytes += value
    }

    func append(to batch: inout ForeignBatch, number: Int) {
        for cell in cells {
            while batch.openWidth < cell.column { batch.appendEmpty() }
            for _ in 0..<cell.count {
                if cell.mark == .unsaved {
                    batch.appendUnsaved()
                } else {
                    batch.append(cell.kind, bytes.span.extracting(cell.range), mark: cell.mark)
                }
            }
        }
        batch.endRow(number: number)
    }
}
