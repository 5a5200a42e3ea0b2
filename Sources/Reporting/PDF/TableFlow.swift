import Blocks
import Canvas
import Model
import PDFArchive

/// Lays out a table over as many pages as it needs, with its head on each of them.
struct TableFlow {
    let table: TableContent

    private static let padding = 3.0
    /// In a table with more rows, each row is laid out again when it is drawn, so that memory does
    /// not contain the layouts of all rows.
    private static let mostKept = 300

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
        let size = table.columns.count > 12 ? 6.2 : table.columns.count > 8 ? 7 : 7.8
        let widths = ColumnWidths(table, flow: flow, size: size, padding: Self.padding).widths
        let setter = RowSetter(
            table: table, widths: widths, size: size, padding: Self.padding, style: flow.style,
            typesetter: flow.typesetter)
        let head = setter.head()
        let element = flow.section.child(.table)
        var isRepeated = false
        func placeHead() {
            let parts = setter.headParts(of: isRepeated ? StructureElement(.artifact) : element.child(.row))
            isRepeated = true
            flow.place(head.height, as: parts.row) { canvas, box in
                setter.draw(head, .group(level: 0), tone: nil, isHead: true, isOdd: false, parts, canvas, box)
            }
        }
        var isOdd = false
        let keeps = table.rows.count <= Self.mostKept
        var needsHead = true
        for (index, row) in table.rows.enumerated() {
            let set = setter.set(row)
            // The line that opens a group is on the same page as the group's first row, and so are
            // the lines of inner groups. Totals are on the page of the last row above them.
            var needed = set.height
            if row.kind == .data {
                needed += table.rows[(index + 1)...].prefix { $0.kind.isTotal }.reduce(0) { $0 + setter.set($1).height }
            }
            if row.kind.isGroup {
                let inner = table.rows[(index + 1)...].prefix { $0.kind.isGroup }
                needed += inner.reduce(14) { $0 + setter.set($1).height }
            }
            if needsHead || needed > flow.remaining {
                if !needsHead { flow.newPage() }
                flow.require(head.height + needed)
                placeHead()
                needsHead = false
                isOdd = false
            }
            if set.height > flow.remaining {
                // A row higher than the page is drawn in pieces.
                placePieces(set, setter.parts(row, of: element.child(.row)), setter, flow, head: placeHead)
                continue
            }
            if case .data = row.kind { isOdd.toggle() } else { isOdd = false }
            let shade = isOdd
            let kept = keeps ? set : nil
            let rows = table.rows
            let parts = setter.parts(row, of: element.child(.row))
            flow.place(set.height, as: parts.row) { canvas, box in
                setter.draw(
                    kept ?? setter.set(rows[index]), row.kind, tone: row.tone, isHead: false, isOdd: shade, parts,
                    canvas, box)
            }
        }
        flow.space(4)
    }

    private func placePieces(
        _ set: RowSetter.SetRow, _ parts: RowSetter.Parts, _ setter: RowSetter, _ flow: PageFlow, head: () -> Void
    ) {
        var first = 0
        let most = set.cells.map { $0?.lines.count ?? 0 }.max() ?? 0
        while first < most {
            var count =
                set.cells.compactMap { $0 }.filter { $0.lines.count > first }.map {
                    $0.count(fitting: flow.remaining - 2 * Self.padding, from: first)
                }.min() ?? 1
            if count == 0 {
                flow.newPage()
                head()
                count = max(
                    1,
                    set.cells.compactMap { $0 }.filter { $0.lines.count > first }.map {
                        $0.count(fitting: flow.remaining - 2 * Self.padding, from: first)
                    }.min() ?? 1)
            }
            let lines = first..<first + count
            let height =
                (set.cells.compactMap { $0 }.map { cell in cell.height(of: lines.clamped(to: 0..<cell.lines.count)) }
                    .max() ?? 0) + 2 * Self.padding
            flow.place(min(height, flow.remaining), as: parts.row) { canvas, box in
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
    var firstHeight: Double? { rows.isEmpty ? nil : title == nil ? 60 : 85 }

    func flow(into flow: PageFlow, _ setting: PageSetting) { TableFlow(table: self).flow(into: flow) }
}

/// The widths of a table's columns in points. They follow from the contents, unless the template
/// gives shares. Long words are not broken if there is room for them.
struct ColumnWidths {
    private(set) var widths: [Double] = []

    /// The number of measured rows, from the first.
    private static let sample = 120

    init(_ table: TableContent, flow: PageFlow, size: Double, padding: Double) {
        let head = flow.style.text(size, .bold), body = flow.style.text(size)
        let total = flow.width
        var least: [Double] = [], natural: [Double] = []
        for (index, column) in table.columns.enumerated() {
            var word = Self.widestWord(column.label, head, flow)
            var whole = min(flow.layout(column.label, head).width, 90)
            for row in table.rows.prefix(Self.sample) where row.kind == .data || row.kind == .total {
                let text = row.cells[index].text
                if text.isEmpty { continue }
                whole = max(whole, flow.layout(text, row.kind == .total ? head : body).width)
                // Numbers and dates must not break.
                if column.isNumeric || text.utf8.count <= 10 {
                    word = max(word, flow.layout(text, body).width)
                } else {
                    word = max(word, Self.widestWord(text, body, flow))
                }
            }
            least.append(min(word, total / 3) + 2 * padding + 0.5)
            natural.append(min(whole, total * 0.6) + 2 * padding + 0.5)
        }
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

    private static func widestWord(_ text: String, _ style: TextStyle, _ flow: PageFlow) -> Double {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let longest = words.max(by: { $0.count < $1.count }) else { return 0 }
        return flow.layout(String(longest), style).width
    }
}
