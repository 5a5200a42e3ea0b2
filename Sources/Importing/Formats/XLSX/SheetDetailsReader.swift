import Model

/// Reads merged cells, links, pictures, and hidden rows and columns, in a pass over the sheet that
/// ignores values.
struct SheetDetailsReader {
    let parts: WorkbookParts
    /// The part that contains the sheet, and the sheet's name.
    let part: String
    let sheet: String

    func read() throws -> SheetDetails {
        let relations = try parts.relations(of: part)
        return try parts.reading(part, sheet: sheet) {
            var details = SheetDetails()
            var row = 0
            var scanner = try parts.scanner(of: part)
            while true {
                let token = try scanner.next()
                if token == .finished { return details }
                guard token == .start else { continue }
                switch scanner.initial {
                case 0x72 where scanner.isNamed("row"):
                    row = try scanner.attribute("r").flatMap { Int($0) } ?? row + 1
                    if try isTrue(scanner.attribute("hidden")) { details.hiddenRows.append(row - 1) }
                case 0x63 where scanner.isNamed("col"):
                    if try isTrue(scanner.attribute("hidden")),
                        let first = try scanner.attribute("min").flatMap({ Int($0) }),
                        let last = try scanner.attribute("max").flatMap({ Int($0) }), first > 0, first <= last,
                        last <= parts.limits.columns
                    {
                        details.hiddenColumns.append((first - 1)...(last - 1))
                    }
                case 0x6D where scanner.isNamed("mergeCell"):
                    if let range = try scanner.attribute("ref").flatMap(CellAddress.range) {
                        details.mergedRanges.append(range)
                    }
                case 0x68 where scanner.isNamed("hyperlink"):
                    guard let range = try scanner.attribute("ref").flatMap(CellAddress.range) else { continue }
                    let target = try scanner.attribute("id").flatMap { relations[$0]?.target }
                    let location = try scanner.attribute("location")
                    guard target != nil || location != nil else { continue }
                    details.links[range.first] = (target ?? "") + (location.map { "#" + $0 } ?? "")
                case 0x64 where scanner.isNamed("drawing"):
                    guard let drawing = try scanner.attribute("id").flatMap({ relations[$0] }), !drawing.isExternal
                    else { continue }
                    details.pictures += try pictures(drawing.target)
                default: break
                }
            }
        }
    }

    private func isTrue(_ value: String?) -> Bool { value == "1" || value == "true" }

    /// Anchors of a drawing (ECMA-376, 20.5): the cell in which a picture begins, and the name of
    /// the picture's part.
    private func pictures(_ drawing: String) throws -> [SheetDetails.Picture] {
        guard parts.contains(drawing) else { return [] }
        let relations = try parts.relations(of: drawing)
        return try parts.reading(drawing, sheet: sheet) {
            var pictures: [SheetDetails.Picture] = []
            var scanner = try parts.smallScanner(of: drawing)
            var cell: SheetDetails.Position?
            var isInFrom = false
            var text: [UInt8]?
            while true {
                switch try scanner.next() {
                case .finished: return pictures
                case .text:
                    guard var bytes = text else { break }
                    try scanner.appendText(to: &bytes)
                    text = bytes
                case .start:
                    if scanner.isNamed("from") {
                        isInFrom = true
                        cell = SheetDetails.Position(row: 0, column: 0)
                    } else if isInFrom, scanner.isNamed("row") || scanner.isNamed("col") {
                        text = []
                    } else if scanner.isNamed("blip"), let cell,
                        let picture = try scanner.attribute("embed").flatMap({ relations[$0] }),
                        !picture.isExternal, parts.contains(picture.target)
                    {
                        pictures.append(SheetDetails.Picture(cell: cell, entry: picture.target))
                    }
                case .end:
                    if scanner.isNamed("from") {
                        isInFrom = false
                    } else if let bytes = text {
                        let number = max(0, Int(String(decoding: bytes, as: UTF8.self)) ?? 0)
                        if scanner.isNamed("row") { cell?.row = number } else { cell?.column = number }
                        text = nil
                    } else if scanner.isNamed("twoCellAnchor") || scanner.isNamed("oneCellAnchor") {
                        cell = nil
                    }
                }
            }
        }
    }
}

/// Parses cell references as spreadsheets write them: `BC17`.
enum CellAddress {
    /// Row and column, counted from 0; nil for anything but a reference.
    @inline(__always) static func parse(_ bytes: Span<UInt8>) -> SheetDetails.Position? {
        var column = 0
        var row = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index] & 0xDF
            guard byte >= 0x41, byte <= 0x5A, bytes[index] >= 0x41 else { break }
            column = column * 26 + Int(byte - 0x40)
            guard column < 1 << 24 else { return nil }
            index += 1
        }
        let letters = index
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            guard digit <= 9 else { return nil }
            row = row * 10 + Int(digit)
            guard row < 1 << 32 else { return nil }
            index += 1
        }
        guard letters > 0, index > letters, row > 0 else { return nil }
        return SheetDetails.Position(row: row - 1, column: column - 1)
    }

    /// Parses a range: `A1:C3` or `A1`.
    static func range(_ text: String) -> SheetDetails.CellRange? {
        let parts = text.split(separator: ":", maxSplits: 1).map { Array($0.filter { $0 != "$" }.utf8) }
        guard let start = parts.first, let end = parts.last, let first = parse(start.span), let last = parse(end.span),
            first.row <= last.row, first.column <= last.column
        else { return nil }
        return SheetDetails.CellRange(first: first, last: last)
    }

    static func columnName(_ column: Int) -> String {
        var letters: [Character] = []
        var rest = max(column, 0) + 1
        while rest > 0 {
            letters.insert(Character(Unicode.Scalar(UInt8(0x41 + (rest - 1) % 26))), at: 0)
            rest = (rest - 1) / 26
        }
        return String(letters)
    }

    static func name(row: Int, column: Int) -> String { columnName(column) + String(row + 1) }
}
