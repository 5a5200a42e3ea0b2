import Model

/// The parts of a workbook in XML other than its cells: sheets, formats of styles, merged cells,
/// links, and hidden rows and columns.
struct XML2003Outline {
    struct Sheet {
        var name: String
        var isHidden = false
        var details = SheetDetails()
    }

    private(set) var sheets: [Sheet] = []
    private(set) var formats: [String: NumberFormat] = [:]
    private(set) var epoch = SerialDate.Epoch.year1900

    private var parents: [String: String] = [:]
    private var place = SheetDetails.Position(row: -1, column: -1)
    private var nextRow = 0
    private var nextColumn = 0
    private let limits: TableLimits

    /// Reads the whole document, so that truncation is found before the first row is returned.
    init(path: String, limits: TableLimits) throws {
        self.limits = limits
        try XML2003File.reading(path) { try read(path) }
        // A style without a format inherits that of its parent; chains of parents may be circular.
        for style in parents.keys where formats[style] == nil {
            var name = style
            for _ in 0..<20 where formats[name] == nil { name = parents[name] ?? name }
            if let format = formats[name] { formats[style] = format }
        }
    }

    private mutating func read(_ path: String) throws {
        var scanner = try XML2003File.scanner(path, limits)
        var style = ""
        var isVisibility = false
        var isWorkbook = false
        var depth = 0
        while true {
            switch try scanner.next() {
            case .finished:
                guard isWorkbook, depth == 0 else { throw MarkupScanner.Fault.cut }
                return
            case .text:
                guard isVisibility, !sheets.isEmpty else { break }
                var text: [UInt8] = []
                try scanner.appendText(to: &text)
                if String(decoding: text, as: UTF8.self).hasPrefix("Sheet") { sheets[sheets.count - 1].isHidden = true }
            case .end:
                isVisibility = false
                depth -= 1
            case .start:
                depth += scanner.isEmpty ? 0 : 1
                if !isWorkbook {
                    guard scanner.isNamed("Workbook") else { throw MarkupScanner.Fault.cut }
                    isWorkbook = true
                } else if scanner.isNamed("Style") {
                    style = try scanner.attribute("ID") ?? ""
                    if let parent = try scanner.attribute("Parent") { parents[style] = parent }
                } else if scanner.isNamed("NumberFormat") {
                    if let code = try scanner.attribute("Format") { formats[style] = NumberFormat(named: code) }
                } else if scanner.isNamed("Date1904") {
                    epoch = .year1904
                } else if scanner.isNamed("Worksheet") {
                    guard sheets.count < limits.tables else {
                        throw TableFailure.tooLarge(
                            Place(file: path), kind: XML2003File.kind, limit: "tables \(limits.tables)")
                    }
                    sheets.append(Sheet(name: try scanner.attribute("Name") ?? ""))
                    (nextRow, nextColumn) = (0, 0)
                } else if scanner.isNamed("Visible") {
                    isVisibility = !scanner.isEmpty
                } else if !sheets.isEmpty {
                    try readSheet(scanner)
                }
            }
        }
    }

    private mutating func readSheet(_ scanner: borrowing MarkupScanner) throws {
        func number(_ name: StaticString) throws -> Int? {
            try scanner.attribute(name).flatMap { Int($0) }.flatMap { $0 >= 0 && $0 < 1 << 40 ? $0 : nil }
        }
        let last = sheets.count - 1
        if scanner.isNamed("Column") {
            let first = try number("Index").map { $0 - 1 } ?? nextColumn
            let end = first + (try number("Span") ?? 0)
            nextColumn = end + 1
            if try scanner.attribute("Hidden") == "1", first >= 0, end < limits.columns {
                sheets[last].details.hiddenColumns.append(first...end)
            }
        } else if scanner.isNamed("Row") {
            place = .init(row: try number("Index").map { $0 - 1 } ?? nextRow, column: -1)
            nextRow = place.row + 1 + (try number("Span") ?? 0)
            if try scanner.attribute("Hidden") == "1" { sheets[last].details.hiddenRows.append(place.row) }
        } else if scanner.isNamed("Cell") {
            place.column = try number("Index").map { $0 - 1 } ?? place.column + 1
            let cell = place
            let (right, down) = (try number("MergeAcross") ?? 0, try number("MergeDown") ?? 0)
            if right > 0 || down > 0, cell.column + right < limits.columns, cell.row + down < limits.rows {
                sheets[last].details.mergedRanges.append(
                    .init(first: cell, last: .init(row: cell.row + down, column: cell.column + right)))
            }
            if let link = try scanner.attribute("HRef") { sheets[last].details.links[cell] = link }
            place.column += right
        }
    }
}
