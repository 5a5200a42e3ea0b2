import Blocks
import Canvas
import Drawing
import Model
import PDFArchive

/// Lays out a table over as many pages as it needs, with its head on each of them.
struct TableFlow {
    let table: TableContent
    /// The height of the signatures below the table, in points.
    let signatures: Double

    func flow(into flow: PageFlow) {
        if let title = table.title {
            flow.require(60)
            flow.space(6)
            flow.paragraph(title, flow.style.text(10, .bold, flow.style.primary), as: .heading(2))
            flow.space(2)
        }
        if let empty = table.empty {
            flow.paragraph(empty, flow.style.text(8.5, .regular, italic: true, flow.style.muted))
            return
        }
        guard !table.columns.isEmpty else { return }
        var rows = TableRowFlow(table, flow, signatures)
        for index in table.rows.indices { rows.place(index) }
        if table.fillsPage { rows.fillPage() }
        flow.space(Self.below)
    }

    /// The space below a table, in points.
    fileprivate static let below = 4.0
}

/// Places the rows of a table one after the other, and its head above the first of each page.
private struct TableRowFlow {
    private let table: TableContent
    private let flow: PageFlow
    private let setter: RowSetter
    /// The rows as they are set; nil for a long table.
    private let sets: [RowSetter.SetRow]?
    private let head: RowSetter.SetRow
    private let element: StructureElement
    private let signatures: Double
    /// Whether the head was already placed on an earlier page.
    private var isRepeated = false
    private var needsHead = true
    /// Whether the row is shaded, as every second one.
    private var isOdd = false

    private static let padding = 3.0
    /// The space above and below the texts of a table whose last few rows would else need another page.
    private static let tightGap = 2.0
    /// In a table with more rows, each row is laid out again when it is drawn, so that memory does
    /// not contain the layouts of all rows.
    private static let mostKept = 300

    init(_ table: TableContent, _ flow: PageFlow, _ signatures: Double) {
        (self.table, self.flow, self.signatures) = (table, flow, signatures)
        let size = table.columns.count > 12 ? 6.2 : table.columns.count > 8 ? 7 : 7.8
        let widths = ColumnWidths(table, flow: flow, size: size, padding: Self.padding).widths
        var setter = RowSetter(
            table: table, widths: widths, size: size, padding: Self.padding, gap: Self.padding, style: flow.style,
            typesetter: flow.typesetter)
        var sets = table.rows.count <= Self.mostKept ? table.rows.map { setter.set($0) } : nil
        if let kept = sets, Self.isTight(kept.map(\.height), head: setter.head().height, flow) {
            setter.gap = Self.tightGap
            sets = table.rows.map { setter.set($0) }
        }
        (self.setter, self.sets) = (setter, sets)
        head = setter.head()
        element = flow.section.child(.table)
    }

    /// Whether lower rows save a page that would hold only a few of them.
    private static func isTight(_ heights: [Double], head: Double, _ flow: PageFlow) -> Bool {
        /// The number of pages, and what is taken of the last one.
        func pages(_ less: Double) -> (count: Int, taken: Double) {
            var (count, taken) = (1, flow.frame.height - flow.remaining + head)
            for height in heights {
                if taken + height - less > flow.frame.height { (count, taken) = (count + 1, head) }
                taken += height - less
            }
            return (count, taken)
        }
        let usual = pages(0)
        return usual.count > 1 && usual.taken < flow.frame.height / 4
            && pages(2 * (padding - tightGap)).count < usual.count
    }

    mutating func place(_ index: Int) {
        let row = table.rows[index]
        let set = sets?[index] ?? setter.set(row)
        let needed = height(with: set, at: index)
        if needsHead || needed > flow.remaining {
            if !needsHead { flow.newPage() }
            flow.require(head.height + needed)
            placeHead()
            needsHead = false
            isOdd = false
        }
        let parts = setter.parts(row, of: element.child(.row))
        // A row higher than the page is drawn in pieces.
        guard set.height <= flow.remaining else { return placePieces(set, parts) }
        isOdd = row.kind == .data && !isOdd
        let kept = sets == nil ? nil : set
        flow.place(set.height, as: parts.row) { [setter, isOdd] canvas, box in
            setter.draw(
                kept ?? setter.set(row), row.kind, tone: row.tone, isHead: false, isOdd: isOdd, parts, canvas, box)
        }
    }

    /// The height that a row needs together with the rows that must be on its page.
    ///
    /// The line that opens a group is on the same page as the group's first row, and so are the
    /// lines of inner groups. Totals are on the page of the last row above them, and so are
    /// signatures below the table.
    private func height(with set: RowSetter.SetRow, at index: Int) -> Double {
        let row = table.rows[index], later = table.rows[(index + 1)...]
        if row.kind == .data {
            let totals = later.prefix { $0.kind.isTotal }
            let below = totals.count == later.count && signatures > 0 ? TableFlow.below + signatures : 0
            return totals.reduce(set.height + below) { $0 + setter.set($1).height }
        }
        guard row.kind.isGroup else { return set.height }
        return set.height + later.prefix { $0.kind.isGroup }.reduce(14) { $0 + setter.set($1).height }
    }

    /// Places empty rows as long as the signatures stay on the page.
    mutating func fillPage() {
        let row = TableContent.Row(.data, table.columns.map { _ in .empty })
        let set = setter.set(row)
        if needsHead {
            flow.require(head.height + set.height + TableFlow.below + signatures)
            placeHead()
            needsHead = false
        }
        while flow.remaining >= set.height + TableFlow.below + signatures {
            let parts = setter.parts(row, of: element.child(.row))
            isOdd.toggle()
            flow.place(set.height, as: parts.row) { [setter, isOdd] canvas, box in
                setter.draw(set, row.kind, tone: nil, isHead: false, isOdd: isOdd, parts, canvas, box)
            }
        }
    }

    private mutating func placeHead() {
        let parts = setter.headParts(of: isRepeated ? StructureElement(.artifact) : element.child(.row))
        isRepeated = true
        flow.place(head.height, as: parts.row) { [setter, head] canvas, box in
            setter.draw(head, .group(level: 0), tone: nil, isHead: true, isOdd: false, parts, canvas, box)
        }
    }

    private mutating func placePieces(_ set: RowSetter.SetRow, _ parts: RowSetter.Parts) {
        let cells = set.cells.compactMap(\.self)
        var first = 0
        let most = cells.map(\.lines.count).max() ?? 0
        /// The number of lines, from the first not yet drawn, that fit on the page.
        func fitting() -> Int {
            cells.filter { $0.lines.count > first }.map {
                $0.count(fitting: flow.remaining - 2 * Self.padding, from: first)
            }.min() ?? 1
        }
        while first < most {
            var count = fitting()
            if count == 0 {
                flow.newPage()
                placeHead()
                count = max(1, fitting())
            }
            let lines = first..<first + count
            let height = cells.map { $0.height(of: lines.clamped(to: 0..<$0.lines.count)) }.max() ?? 0
            flow.place(min(height + 2 * Self.padding, flow.remaining), as: parts.row) { [setter] canvas, box in
                setter.draw(set, lines: lines, parts, canvas, box)
            }
            first += count
        }
    }
}

extension TableContent.Row.Kind {
    var isGroup: Bool {
        if case .group = self { true } else { false }
    }

    var isTotal: Bool { self != .data && !isGroup }
}

extension TableContent: PageDrawn {
    func firstHeight(on flow: PageFlow, _ setting: DrawingSetting) -> Double? {
        rows.isEmpty ? nil : title == nil ? 50 : 72
    }

    func flow(into flow: PageFlow, _ setting: PageSetting) throws {
        TableFlow(table: self, signatures: try setting.signatures()).flow(into: flow)
    }
}

/// The widths of a table's columns in points. They follow from the contents, unless the template
/// gives shares. Long words are not broken if there is room for them.
struct ColumnWidths {
    private(set) var widths: [Double] = []

    /// The number of measured rows, from the first.
    private static let sample = 120

    init(_ table: TableContent, flow: PageFlow, size: Double, padding: Double) {
        let total = flow.width
        var (least, natural) = Self.needs(table, flow, size: size, padding: padding)
        let shares = table.columns.compactMap(\.width)
        if shares.count == table.columns.count, shares.reduce(0, +) > 0 {
            let sum = shares.reduce(0, +)
            widths = shares.map { total * $0 / sum }
            return
        }
        for (index, column) in table.columns.enumerated() {
            guard let share = column.width else { continue }
            natural[index] = max(natural[index] * share, least[index])
        }
        let leastSum = least.reduce(0, +), naturalSum = natural.reduce(0, +)
        if naturalSum <= total {
            // Text columns fill the remaining width; numbers stay near their headings.
            let texts = table.columns.indices.filter { !table.columns[$0].isNumeric }
            let takers = texts.isEmpty ? Array(table.columns.indices) : texts
            let weight = takers.reduce(0) { $0 + natural[$1] }
            widths = natural
            for index in takers { widths[index] += (total - naturalSum) * natural[index] / weight }
        } else if leastSum <= total {
            let stretch = (total - leastSum) / max(0.001, naturalSum - leastSum)
            widths = zip(least, natural).map { $0 + ($1 - $0) * stretch }
        } else {
            // Long words are broken. Each column still fits a few letters.
            let floor = min(total / Double(least.count), 2 * padding + 3.5 * size)
            let excess = least.reduce(0) { $0 + max(0, $1 - floor) }
            let room = total - floor * Double(least.count)
            widths = least.map {
                floor + (excess > 0 ? room * max(0, $0 - floor) / excess : room / Double(least.count))
            }
        }
    }

    /// For each column, the width of its widest word, and the width of its contents on one line.
    private static func needs(_ table: TableContent, _ flow: PageFlow, size: Double, padding: Double) -> (
        least: [Double], natural: [Double]
    ) {
        let head = flow.style.text(size, .bold), body = flow.style.text(size)
        var least: [Double] = [], natural: [Double] = []
        for (index, column) in table.columns.enumerated() {
            var word = widestWord(column.label, head, flow)
            var whole = min(flow.layout(column.label, head).width, 90)
            for row in table.rows.prefix(sample) where row.kind == .data || row.kind == .total {
                let text = row.cells[index].text
                if text.isEmpty { continue }
                whole = max(whole, flow.layout(text, row.kind == .total ? head : body).width)
                // Numbers and dates must not break.
                if column.isNumeric || text.utf8.count <= 10 {
                    word = max(word, flow.layout(text, body).width)
                } else {
                    word = max(word, widestWord(text, body, flow))
                }
            }
            least.append(min(word, flow.width / 3) + 2 * padding + 0.5)
            natural.append(min(whole, flow.width * 0.6) + 2 * padding + 0.5)
        }
        return (least, natural)
    }

    private static func widestWord(_ text: String, _ style: TextStyle, _ flow: PageFlow) -> Double {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let longest = words.max(by: { $0.count < $1.count }) else { return 0 }
        return flow.layout(String(longest), style).width
    }
}
