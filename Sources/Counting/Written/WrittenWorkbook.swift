internal import Model

/// The contents of a workbook that a library wrote, for comparison with the library's input. Each
/// part is read to its end. Throws a `CountFault` if a part is cut off, not well-formed, referred
/// to but missing, or has fewer items than it declares.
///
/// Sources: ECMA-376 part 1, 18 (sheets, shared texts), 20.5 (drawings); part 2, 9 and 10 (parts).
package struct WrittenWorkbook: Equatable, Sendable {
    package struct Sheet: Equatable, Sendable {
        /// Cells with a value, a formula or only a style.
        package var cells = 0
        /// UTF-8 bytes of the texts that the cells show.
        package var textBytes = 0

        package init() {}
    }

    /// Sheets in the order of their parts' numbers.
    package var sheets: [Sheet] = []
    package var comments = Sheet()
    package var pictures = 0
    package var charts = 0

    package init() {}

    /// - Parameter path: a workbook whose sheets are `sheet1.xml`, `sheet2.xml` and so on.
    package init(path: String) throws(CountFault) {
        let archive = try ArchiveEntries(try SourceFile(path))
        let book = "xl/workbook.xml", texts = "xl/sharedstrings.xml", types = "[content_types].xml"
        var sizes = TextSizes()
        if archive.holds(texts) {
            try Self.read(texts) { () throws(CountFault) in
                try TagScan.run(try archive.open(texts), &sizes)
                try sizes.tags.end()
            }
        }
        var related: [String] = []
        while archive.holds(Self.part(ofSheet: sheets.count)) {
            let name = Self.part(ofSheet: sheets.count)
            var cells = WrittenCells(sizes.found)
            try Self.read(name) { () throws(CountFault) in
                try TagScan.run(try archive.open(name), &cells)
                try cells.tags.end()
            }
            if cells.usesRelations { related.append(name) }
            sheets.append(cells.sheet)
        }
        let scanned = Set(sheets.indices.map(Self.part(ofSheet:)) + [texts]), kinds = [".xml", ".rels", ".vml"]
        for name in archive.names where !scanned.contains(name) && kinds.contains(where: name.hasSuffix) {
            let part = WrittenPart()
            try Self.read(name) { () throws(CountFault) in try MarkupStream.read(try archive.open(name), part) }
            if part.usesRelations { related.append(name) }
            if name.hasPrefix("xl/drawings/") {
                pictures += part.elements["pic"] ?? 0
                charts += part.elements["graphicFrame"] ?? 0
            }
            if name.hasPrefix("xl/comments") {
                comments.cells += part.elements["comment"] ?? 0
                comments.textBytes += part.textBytes
            }
            if name == types || name.hasSuffix(".rels") { try Self.check(part.targets, of: name, archive) }
            if name == book, part.elements["sheet"] != sheets.count { throw .damaged("\(name) lists other sheets") }
        }
        let relations = related.map { name in
            var steps = name.split(separator: "/")
            steps.insert("_rels", at: steps.count - 1)
            return steps.joined(separator: "/") + ".rels"
        }
        for needed in [book, types, "_rels/.rels", "xl/styles.xml"] + relations where !archive.holds(needed) {
            throw .damaged("\(needed) is missing")
        }
    }

    /// Adds the part's name to a fault.
    private static func read(_ name: String, _ body: () throws(CountFault) -> Void) throws(CountFault) {
        do throws(CountFault) { try body() } catch .damaged(let reason) { throw .damaged("\(name): \(reason)") }
    }

    private static func part(ofSheet index: Int) -> String { "xl/worksheets/sheet\(index + 1).xml" }

    /// Checks relation targets, which are relative to the folder of the part that contains them.
    private static func check(_ targets: [String], of name: String, _ archive: ArchiveEntries) throws(CountFault) {
        let home = name.split(separator: "/").dropLast(name.hasSuffix(".rels") ? 2 : 1)
        for target in targets {
            var path = target.hasPrefix("/") ? [] : Array(home)
            for step in target.split(separator: "/") {
                if step == ".." { _ = path.popLast() } else { path.append(step) }
            }
            guard archive.holds(path.joined(separator: "/")) else {
                throw .damaged("\(name) names \(target), which is missing")
            }
        }
    }
}

/// The open elements of a part that is being scanned.
struct OpenTags {
    private var open: [Int] = []
    private var isBegun = false

    @inline(__always) mutating func begin(_ bytes: Span<UInt8>, _ name: Range<Int>) {
        isBegun = true
        open.append(Self.code(bytes, name))
    }

    @inline(__always) mutating func end(_ bytes: Span<UInt8>, _ name: Range<Int>) throws(CountFault) {
        guard open.popLast() == Self.code(bytes, name) else { throw .damaged("a part is not well-formed") }
    }

    /// Checks that no element is open at the end of the part.
    func end() throws(CountFault) {
        guard open.isEmpty else { throw .damaged("a part is cut off") }
    }

    @inline(__always) private static func code(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Int {
        name.reduce(name.count) { $0 &* 31 &+ Int(bytes[$1]) }
    }
}

/// The size of each shared text, in UTF-8 bytes.
private struct TextSizes: TagHandler {
    var tags = OpenTags()
    private(set) var found: [Int] = []
    /// The number of texts that the part declares.
    private var stated: Int?
    private(set) var wantsText = false
    let isDone = false

    mutating func open(_ bytes: Span<UInt8>, name: Range<Int>, attributes: Range<Int>) throws(CountFault) {
        tags.begin(bytes, name)
        switch (name.count, bytes[name.lowerBound]) {
        case (3, UInt8(ascii: "s")):
            var list = TagAttributes(attributes, of: bytes)
            while let attribute = list.next(bytes) {
                if attribute.name.count == 11 { stated = WrittenText.number(bytes, attribute.value) }
            }
        case (2, UInt8(ascii: "s")): found.append(0)
        case (1, UInt8(ascii: "t")): wantsText = true
        default: break
        }
    }

    mutating func close(_ bytes: Span<UInt8>, name: Range<Int>) throws(CountFault) {
        try tags.end(bytes, name)
        wantsText = false
        if name.count == 3, let stated, stated != found.count { throw .damaged("\(found.count) of \(stated) texts") }
    }

    mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>, isPiece: Bool) throws(CountFault) {
        if let last = found.indices.last { found[last] += WrittenText.size(bytes, range) }
    }
}

/// The cells of a sheet.
private struct WrittenCells: TagHandler {
    var tags = OpenTags()
    private(set) var sheet = WrittenWorkbook.Sheet()
    /// Whether an element outside of the rows refers to another part.
    private(set) var usesRelations = false
    private let sizes: [Int]
    private enum Kind { case number, shared, text }
    private var kind = Kind.number
    private var isInRows = false
    private(set) var wantsText = false
    let isDone = false

    init(_ sizes: [Int]) { self.sizes = sizes }

    @inline(__always) mutating func open(
        _ bytes: Span<UInt8>, name: Range<Int>, attributes: Range<Int>
    ) throws(CountFault) {
        tags.begin(bytes, name)
        guard isInRows else {
            isInRows = SheetCells.isNamed("sheetData", bytes, name)
            var list = TagAttributes(attributes, of: bytes)
            while let attribute = list.next(bytes) {
                // Only `r:id` counts; a page break has an `id` without prefix.
                let isPrefixed = bytes[attribute.name.lowerBound - 1] == UInt8(ascii: ":")
                if isPrefixed, SheetCells.isNamed("id", bytes, attribute.name) { usesRelations = true }
            }
            return
        }
        guard name.count == 1 else { return }
        switch bytes[name.lowerBound] {
        case UInt8(ascii: "c"):
            sheet.cells += 1
            kind = .number
            var list = TagAttributes(attributes, of: bytes)
            while let attribute = list.next(bytes) {
                guard SheetCells.isNamed("t", bytes, attribute.name) else { continue }
                kind = SheetCells.isNamed("s", bytes, attribute.value) ? .shared : .text
            }
        case UInt8(ascii: "v"), UInt8(ascii: "t"): wantsText = true
        default: break
        }
    }

    @inline(__always) mutating func close(_ bytes: Span<UInt8>, name: Range<Int>) throws(CountFault) {
        try tags.end(bytes, name)
        wantsText = false
        if name.count == 9 { isInRows = false }
    }

    @inline(__always) mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>, isPiece: Bool) throws(CountFault) {
        switch kind {
        case .text: sheet.textBytes += WrittenText.size(bytes, range)
        case .shared:
            guard let index = WrittenText.number(bytes, range), sizes.indices.contains(index) else {
                throw .damaged("a cell without its text")
            }
            sheet.textBytes += sizes[index]
        case .number:
            for index in range where !(0x2B...0x39 ~= bytes[index] || bytes[index] | 0x20 == UInt8(ascii: "e")) {
                throw .damaged("a cell with a number that is none")
            }
        }
    }
}

private enum WrittenText {
    /// Returns the text's size; a reference such as `&amp;` counts as one byte.
    @inline(__always) static func size(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var size = 0
        var isReference = false
        for index in range {
            let byte = bytes[index]
            if isReference {
                isReference = byte != UInt8(ascii: ";")
            } else {
                size += 1
                isReference = byte == UInt8(ascii: "&")
            }
        }
        return size
    }

    @inline(__always) static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard 1...15 ~= range.count else { return nil }
        var number = 0
        for index in range {
            guard bytes[index] &- 0x30 <= 9 else { return nil }
            number = number * 10 + Int(bytes[index] - 0x30)
        }
        return number
    }
}

/// Any other part: its number of elements by name. An element that states a number of children must
/// have as many.
private final class WrittenPart: MarkupReceiver {
    private(set) var elements: [String: Int] = [:]
    /// Bytes of visible text, which is in elements `t`.
    private(set) var textBytes = 0
    private(set) var targets: [String] = []
    private(set) var usesRelations = false
    private(set) var fault: CountFault?
    private var open: [(name: String, stated: Int?, children: Int)] = []

    func open(_ element: MarkupElement) {
        elements[element.name, default: 0] += 1
        if let last = open.indices.last { open[last].children += 1 }
        open.append((element.name, element["count"].flatMap { Int($0) }, 0))
        if element.attributes.contains(where: { $0.namespace.hasSuffix("/relationships") }) { usesRelations = true }
        let target = element["PartName"] ?? (element.name == "Relationship" ? element["Target"] : nil)
        if element["TargetMode"] != "External", let target { targets.append(target) }
    }

    func close(_ name: String) {
        guard let last = open.popLast(), let stated = last.stated, stated != last.children else { return }
        fault = .damaged("\(name) states \(stated) and holds \(last.children)")
    }

    func text(_ bytes: Span<UInt8>) {
        if open.last?.name == "t" { textBytes += bytes.count }
    }
}
