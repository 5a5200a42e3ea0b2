/// Rows of an imported table as they were in the source, packed. The quarantine shows only the few
/// rejected rows, so JSON is made only for those.
///
/// A row has, for each cell, four times its length plus its kind plus one, as one number (LEB128);
/// then a zero; and then the cells' bytes. Rows that are JSON in their source are stored as that
/// text.
package struct RawCells: Sendable {
    package enum Kind: UInt8, Sendable {
        /// An empty cell; with bytes: an error, whose text they are.
        case null
        case text, number, boolean
    }

    /// The heading of a first cell that is not part of the row: the values that the row got from
    /// neighbouring rows.
    package static let around = "\u{0}"

    /// The names of the cells' columns; further columns are named by `columnName`.
    package let headings: [String]
    /// Whether rows are JSON texts exactly as in their source.
    package let isText: Bool
    package private(set) var bytes: [UInt8] = []
    /// The end of each row's bytes.
    private var ends: [Int] = []

    package init(headings: [String], isText: Bool = false) {
        (self.headings, self.isText) = (headings, isText)
    }

    /// The position of a row's bytes.
    package func range(of row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

    package func row(_ row: Int) -> [UInt8] { Array(bytes[range(of: row)]) }

    /// A row as JSON.
    package func json(_ row: Int) -> String {
        isText ? String(decoding: bytes[range(of: row)], as: UTF8.self) : Self.json(self.row(row), headings: headings)
    }

    /// The unfinished row as JSON.
    package var openRow: String {
        let open = Array(bytes[(ends.last ?? 0)...])
        return isText ? String(decoding: open, as: UTF8.self) : Self.json(open, headings: headings)
    }

    /// Appends the bytes of another row to the unfinished row.
    package mutating func append(_ row: Int, of other: RawCells) {
        bytes.append(contentsOf: other.bytes[other.range(of: row)])
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    // Filling: a head for each cell in order, `endHeads`, the bytes of all cells, `endRow`.

    @inline(__always) package mutating func appendHead(_ kind: Kind, count: Int) {
        // One is added, because a zero marks the end of the heads.
        var rest = UInt64(count) << 2 + UInt64(kind.rawValue) + 1
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func endHeads() { bytes.append(0) }

    package mutating func append(_ cells: Span<UInt8>) {
        unsafe cells.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func endRow() { ends.append(bytes.count) }

    package mutating func dropOpenRow() { bytes.removeLast(bytes.count - (ends.last ?? 0)) }

    /// A packed row with its headings, as a JSON object. Numbers and booleans are not made texts.
    /// An error is `{"error": "#N/A"}`, so that a retry does not mistake it for a value.
    package static func json(_ row: [UInt8], headings: [String]) -> String {
        var (heads, position) = heads(of: row)
        var headings = headings[...]
        if headings.first == around, let first = heads.first {
            position += first.count
            heads.removeFirst()
            headings.removeFirst()
        }
        let names = distinct((0..<max(heads.count, headings.count)).map { column in
            column < headings.count ? headings[headings.startIndex + column] : ""
        })
        var text = "{"
        for (column, head) in heads.enumerated() {
            if column > 0 { text += "," }
            JSONString.append(names[column], to: &text)
            text += ":"
            let end = min(position + head.count, row.count)
            let cell = String(decoding: row[min(position, end)..<end], as: UTF8.self)
            position = end
            switch head.kind {
            case .null where head.count > 0:
                text += "{\"error\":"
                JSONString.append(cell, to: &text)
                text += "}"
            case .null: text += "null"
            // `0001` is a number in a spreadsheet but not in JSON.
            case .number: if isNumber(cell) { text += cell } else { JSONString.append(cell, to: &text) }
            case .boolean: text += cell == "true" ? "true" : "false"
            case .text: JSONString.append(cell, to: &text)
            }
        }
        return text + "}"
    }

    /// Unique names for all columns: repeated names get the column's letters as suffix (`SUCS
    /// (G)`), and columns without a name get the letters as name.
    package static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names)
        var seen: Set<String> = []
        return names.enumerated().map { column, name in
            if !name.isEmpty, seen.insert(name).inserted { return name }
            let letters = columnName(column)
            var own = name.isEmpty ? letters : "\(name) (\(letters))"
            while !taken.insert(own).inserted { own += " (\(letters))" }
            return own
        }
    }

    /// The values that a packed row got from neighbouring rows; nil if there are none.
    package static func around(_ row: [UInt8], headings: [String]) -> String? {
        guard headings.first == around else { return nil }
        let (heads, position) = heads(of: row)
        guard let count = heads.first?.count, position + count <= row.count else { return nil }
        return String(decoding: row[position..<position + count], as: UTF8.self)
    }

    /// The heads of a packed row, and the position where its cells begin.
    private static func heads(of row: [UInt8]) -> (heads: [(kind: Kind, count: Int)], cells: Int) {
        var heads: [(kind: Kind, count: Int)] = []
        var position = 0
        while position < row.count, row[position] != 0 {
            var (head, shift) = (UInt64(0), UInt64(0))
            while position < row.count {
                let byte = row[position]
                position += 1
                head |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte & 0x80 == 0 { break }
            }
            heads.append((Kind(rawValue: UInt8((head - 1) & 3)) ?? .null, Int((head - 1) >> 2)))
        }
        return (heads, min(position + 1, row.count))
    }

    /// Whether a text is a number in JSON's syntax (RFC 8259, 6).
    private static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func takeDigits() -> Bool {
            let digits = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(digits.count)
            return !digits.isEmpty
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        if isZero { rest.removeFirst() } else if !takeDigits() { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits() else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard takeDigits() else { return false }
        }
        return rest.isEmpty
    }

    /// Letters of a column counted from zero: `A`, `Z`, `AA`.
    package static func columnName(_ column: Int) -> String {
        var rest = max(column, 0)
        var letters = ""
        while true {
            letters = String(UnicodeScalar(UInt8(65 + rest % 26))) + letters
            rest = rest / 26 - 1
            if rest < 0 { return letters }
        }
    }
}
