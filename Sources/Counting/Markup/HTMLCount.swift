internal import CLibXML2
internal import Model

/// Counts the tables of a page with libxml2's parser. A cell is filled if it contains more than
/// white space or a single no-break space. Spans shift cells beside and below them to the right.
/// Rows of nested tables belong to the outer table.
enum HTMLCount: FileCount {
    static let kind = "html"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        // In other encodings only ASCII and the no-break space matter.
        let encoding = options.encoding == "utf-8" ? XML_CHAR_ENCODING_UTF8 : XML_CHAR_ENCODING_8859_1
        let isDOS = options.encoding == "cp850" || options.encoding == "cp437"
        let tables = PageTables()
        let stream = try MarkupStream(.html(encoding), tables)
        var units = TextUnits(encoding: options.encoding)
        try file.forEachPiece(of: 1 << 16) { (piece) throws(CountFault) in
            var text = units.units(of: piece)
            if isDOS {
                for index in text.indices where text[index] >= 0x80 { text[index] = text[index] == 0xFF ? 0xA0 : 0xE1 }
            }
            for index in text.indices where text[index] == 0 { text[index] = UInt8(ascii: "x") }
            try stream.feed(text)
        }
        try stream.feed([], isLast: true)
        let full = tables.found.indices.filter { tables.found[$0].rows > 0 }
        return SourceCount(
            tables: full.map { tables.found[$0].counts.table(full.count == 1 ? file.stem : "\(file.stem) \($0 + 1)") })
    }
}

private final class PageTables: MarkupReceiver {
    /// A table that is being read, and its current row.
    private struct Level {
        /// The row down to which a cell from above extends, by column.
        var reach: [Int: Int] = [:]
        var row = 0
        var column = 0
        var isInRow = false
        var cell: Int?
        /// The first 65 bytes of the text with collapsed white space: enough for a number.
        var text: [UInt8] = []
        var filled: [(column: Int, text: [UInt8])] = []
    }

    private(set) var found: [(rows: Int, counts: ColumnCounts)] = []
    private(set) var fault: CountFault?
    private var levels: [Level] = []
    /// The highest number of columns.
    private let most = ColumnCounts.mostColumns

    func open(_ element: MarkupElement) {
        switch element.name {
        case "table":
            if levels.isEmpty { found.append((0, ColumnCounts(textNumbers: true))) }
            levels.append(Level())
        case "tr":
            endRow()
            change { $0.isInRow = true }
        case "td", "th":
            endCell()
            func span(_ name: String) -> Int { min(max(element[name].flatMap { Int($0) } ?? 1, 1), 1000) }
            change { level in
                level.isInRow = true
                while (level.reach[level.column] ?? -1) >= level.row { level.column += 1 }
                level.cell = level.column
                level.text = []
                let height = span("rowspan")
                let next = level.column + span("colspan")
                if height > 1 { for column in level.column..<next { level.reach[column] = level.row + height - 1 } }
                level.column = next
            }
            if levels.last?.column ?? 0 > most { fault = .tooLarge("columns \(most)") }
        case "br", "p", "div", "li": breakLine()
        default: break
        }
    }

    func close(_ name: String) {
        switch name {
        case "table":
            endRow()
            _ = levels.popLast()
        case "tr": endRow()
        case "td", "th": endCell()
        case "p", "div", "li": breakLine()
        default: break
        }
    }

    func text(_ bytes: Span<UInt8>) {
        guard let last = levels.indices.last, levels[last].cell != nil else { return }
        for index in bytes.indices where levels[last].text.count < 65 {
            let byte = bytes[index]
            if byte == 0x20 || 0x09...0x0D ~= byte { space(0x20, last) } else { levels[last].text.append(byte) }
        }
    }

    private func breakLine() {
        guard let last = levels.indices.last, levels[last].cell != nil else { return }
        while levels[last].text.last == 0x20 { levels[last].text.removeLast() }
        space(0x0A, last)
    }

    private func space(_ byte: UInt8, _ level: Int) {
        if let before = levels[level].text.last, before != 0x20, before != 0x0A { levels[level].text.append(byte) }
    }

    private func change(_ body: (inout Level) -> Void) {
        if !levels.isEmpty { body(&levels[levels.count - 1]) }
    }

    private func endCell() {
        change { level in
            guard let column = level.cell else { return }
            level.cell = nil
            while let byte = level.text.last, byte == 0x20 || byte == 0x0A { level.text.removeLast() }
            if !level.text.isEmpty, level.text != [0xC2, 0xA0] { level.filled.append((column, level.text)) }
        }
    }

    private func endRow() {
        endCell()
        guard let level = levels.last, level.isInRow, let table = found.indices.last else { return }
        do throws(CountFault) {
            for cell in level.filled { try found[table].counts.fill(cell.column, text: cell.text.span) }
        } catch { fault = error }
        found[table].counts.endRow()
        found[table].rows += 1
        change { level in
            level.row += 1
            level.column = 0
            level.isInRow = false
            level.filled = []
            level.reach = level.reach.filter { $0.value >= level.row }
        }
    }
}
