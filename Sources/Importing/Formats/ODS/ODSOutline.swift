import Model

/// The tables of an OpenDocument spreadsheet, and the styles needed to read them: of hidden tables,
/// and of times beyond one day.
struct ODSOutline {
    struct Table {
        var name: String
        var isHidden: Bool
    }

    private(set) var tables: [Table] = []
    /// Styles of cells that show elapsed time: such values become numbers of days, as in other
    /// workbooks.
    private(set) var elapsedStyles: Set<String> = []

    private var hiddenTableStyles: Set<String> = []
    private var elapsedFormats: Set<String> = []
    private var formatOfStyle: [String: String] = [:]
    private var parentOfStyle: [String: String] = [:]

    /// Reads the whole content, so that truncation is found before the first row is returned.
    init(_ parts: WorkbookParts) throws {
        for part in ["styles.xml", "content.xml"] where part == "content.xml" || parts.contains(part) {
            try parts.reading(part) { try read(part, parts) }
        }
        // A style without a format inherits that of its parent; chains of parents may be circular.
        for name in Set(formatOfStyle.keys).union(parentOfStyle.keys) {
            var style = name
            for _ in 0..<20 {
                if let format = formatOfStyle[style] {
                    if elapsedFormats.contains(format) { elapsedStyles.insert(name) }
                    break
                }
                guard let parent = parentOfStyle[style] else { break }
                style = parent
            }
        }
    }

    private mutating func read(_ part: String, _ parts: WorkbookParts) throws {
        var scanner = try parts.scanner(of: part)
        var skipped = 0
        var depth = 0
        var style = ""
        var isSpreadsheet = part != "content.xml"
        while true {
            switch try scanner.next() {
            case .finished:
                guard isSpreadsheet else { throw parts.damaged("its content is no spreadsheet", part: part) }
                return
            case .text: break
            case .start where skipped > 0: skipped += scanner.isEmpty ? 0 : 1
            case .end where skipped > 0: skipped -= 1
            case .end: if scanner.isNamed("table") { depth -= 1 }
            case .start:
                if scanner.isNamed("table") {
                    if depth == 0, isSpreadsheet { try addTable(scanner, parts) }
                    depth += scanner.isEmpty ? 0 : 1
                } else if scanner.isNamed("spreadsheet") {
                    isSpreadsheet = true
                } else if ODSParser.isOutside(scanner) {
                    skipped = scanner.isEmpty ? 0 : 1
                } else if scanner.isNamed("style") {
                    style = try scanner.attribute("name") ?? ""
                    if let format = try scanner.attribute("data-style-name") { formatOfStyle[style] = format }
                    if let parent = try scanner.attribute("parent-style-name") { parentOfStyle[style] = parent }
                } else if scanner.isNamed("table-properties") {
                    if try scanner.attribute("display") == "false" { hiddenTableStyles.insert(style) }
                } else if scanner.isNamed("time-style"), try scanner.attribute("truncate-on-overflow") == "false" {
                    elapsedFormats.insert(try scanner.attribute("name") ?? "")
                }
            }
        }
    }

    private mutating func addTable(_ scanner: borrowing MarkupScanner, _ parts: WorkbookParts) throws {
        guard tables.count < parts.limits.tables else {
            throw TableFailure.tooLarge(
                Place(file: parts.path), kind: ODSFile.kind, limit: "tables \(parts.limits.tables)")
        }
        let isHidden = try scanner.attribute("style-name").map { hiddenTableStyles.contains($0) } ?? false
        tables.append(Table(name: try scanner.attribute("name") ?? "", isHidden: isHidden))
    }
}
