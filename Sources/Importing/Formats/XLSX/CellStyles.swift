/// The meaning of numbers, by the index of their cell's style.
struct CellStyles {
    private var formats: [NumberFormat] = []

    init() {}

    init(_ parts: WorkbookParts, part: String) throws {
        var codes: [Int: NumberFormat] = [:]
        var identifiers: [Int] = []
        try parts.reading(part) {
            var scanner = try parts.smallScanner(of: part)
            var isInside = false
            var isList = false
            while true {
                switch try scanner.next() {
                case .finished: return
                case .text: break
                case .start:
                    if scanner.isNamed("numFmts") {
                        isList = !scanner.isEmpty
                    } else if isList, scanner.isNamed("numFmt") {
                        // Conditional formats (dxfs) have formats too, whose ids may be those of
                        // cells.
                        guard let id = try scanner.attribute("numFmtId").flatMap({ Int($0) }),
                            let code = try scanner.attribute("formatCode") else { break }
                        codes[id] = NumberFormat(code: code)
                    } else if scanner.isNamed("cellXfs") {
                        isInside = !scanner.isEmpty
                    } else if isInside, scanner.isNamed("xf") {
                        identifiers.append(try scanner.attribute("numFmtId").flatMap { Int($0) } ?? 0)
                    }
                case .end:
                    if scanner.isNamed("cellXfs") { isInside = false }
                    if scanner.isNamed("numFmts") { isList = false }
                }
            }
        }
        formats = identifiers.map { codes[$0] ?? NumberFormat(builtIn: $0) }
    }

    @inline(__always) subscript(index: Int) -> NumberFormat {
        index >= 0 && index < formats.count ? formats[index] : .number
    }
}
