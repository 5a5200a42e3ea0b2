import Blocks
import Canvas
import Model
import PDFArchive

/// Lays out a table over as many pages as it takes, with its head on each of them.
struct TableFlow {
    let table: TableContent

    private static let padding = 3.0
    /// In a longer table a row is laid out again when it is drawn, so that memory does not hold the
    /// layout of all rows.
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
        let setter = RowSetter(table: table, widths: widths, size: size, padding: Self.padding, style: flow.style, typesetter: flow.typesetter)
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
            // The line of a group stays with its first row, and so do those of its inner groups.
            // Totals stay with the last row above them.
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
                // A row that is higher than the page is drawn in pieces.
                placePieces(set, setter.parts(row, of: element.child(.row)), setter, flow, head: placeHead)
                continue
            }
            if case .data = row.kind { isOdd.toggle() } else { isOdd = false }
            let shade = isOdd
            let kept = keeps ? set : nil
            let rows = table.rows
            let parts = setter.parts(row, of: element.child(.row))
            flow.place(set.height, as: parts.row) { canvas, box in
                setter.draw(kept ?? setter.set(rows[index]), row.kind, tone: row.tone, isHead: false, isOdd: shade, parts, canvas, box)
            }
        }
        flow.space(4)
    }

    private func placePieces(_ set: RowSetter.SetRow, _ parts: RowSetter.Parts, _ setter: RowSetter, _ flow: PageFlow, head: () -> Void) {
        var first = 0
        let most = set.cells.map { $0?.lines.count ?? 0 }.max() ?? 0
        while first < most {
            var count = set.cells.compactMap { $0 }.filter { $0.lines.count > first }.map { $0.count(fitting: flow.remaining - 2 * Self.padding, from: first) }.min() ?? 1
            if count == 0 {
                flow.newPage()
                head()
                count = max(1, set.cells.compactMap { $0 }.filter { $0.lines.count > first }.map { $0.count(fitting: flow.remaining - 2 * Self.padding, from: first) }.min() ?? 1)
            }
            let lines = first..<first + count
            let height = (set.cells.compactMap { $0 }.map { cell in cell.height(of: lines.clamped(to: 0..<cell.lines.count)) }.max() ?? 0) + 2 * Self.padding
            flow.place(min(height, flow.remaining), as: parts.row) { canvas, box in setter.draw(set, lines: lines, parts, canvas, box) }
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
