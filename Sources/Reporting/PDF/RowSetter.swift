import Blocks
import Canvas
import Model
import PDFArchive

/// Lays out the texts of a table's rows, and draws them.
struct RowSetter {
    let table: TableContent
    let widths: [Double]
    let size: Double
    let padding: Double
    /// The space above and below a row's texts.
    var gap: Double
    let style: PageStyle
    let typesetter: Typesetter

    /// A row's texts; nil for an empty cell.
    struct SetRow {
        var cells: [TextLayout?]
        var links: [ReportCell.Link?]
        var height: Double
    }

    /// A row in the document's structure.
    struct Parts {
        let row: StructureElement
        let cells: [StructureElement]
    }

    func headParts(of row: StructureElement) -> Parts {
        Parts(row: row, cells: widths.map { _ in row.child(.headerCell) })
    }

    /// The structure of a row. The line of a group is one cell across the table.
    func parts(_ content: TableContent.Row, of row: StructureElement) -> Parts {
        guard content.kind.isGroup else { return Parts(row: row, cells: widths.map { _ in row.child(.cell) }) }
        let cell = row.child(.cell, columns: widths.count)
        return Parts(row: row, cells: widths.map { _ in cell })
    }

    func head() -> SetRow {
        let cells = table.columns.enumerated().map { index, column -> TextLayout? in
            TextLayout(
                column.label, style.text(size, .bold, style.onPrimary, column.isNumeric ? .trailing : .leading),
                width: widths[index] - 2 * padding,
                typesetter: typesetter)
        }
        return SetRow(
            cells: cells, links: cells.map { _ in nil },
            height: (cells.compactMap { $0?.height }.max() ?? 0) + 2 * gap)
    }

    func set(_ row: TableContent.Row) -> SetRow {
        let weight: TextStyle.Weight = row.kind == .data && row.tone != .strong ? .regular : .bold
        let total = widths.reduce(0, +)
        let cells = row.cells.enumerated().map { index, cell -> TextLayout? in
            guard !cell.text.isEmpty else { return nil }
            let alignment: TextStyle.Alignment =
                cell.isNumber || table.columns[index].isNumeric && index > 0 ? .trailing : .leading
            var colour = cell.link == nil ? style.ink : style.primary
            if row.tone == .muted || cell.tone == .muted { colour = style.muted }
            // The line of a group spans the whole table; the label of a total spans the columns
            // before its first figure.
            var width = row.kind.isGroup && index == 0 ? total : widths[index]
            if row.kind.isTotal, index == 0 {
                width += row.cells.indices.dropFirst().prefix { row.cells[$0].isEmpty }.reduce(0) { $0 + widths[$1] }
            }
            return TextLayout(
                marked(cell.text, row.tone, index),
                style.text(size, weight, colour, row.kind.isGroup ? .leading : alignment), width: width - 2 * padding,
                typesetter: typesetter)
        }
        let height = (cells.compactMap { $0?.height }.max() ?? size) + 2 * gap
        let least = row.kind == .data ? table.rowHeight?.millimetres ?? 0 : 0
        return SetRow(cells: cells, links: row.cells.map(\.link), height: max(height, least))
    }

    /// A coloured row also has a sign, for print in black and white.
    private func marked(_ text: String, _ tone: ReportTone?, _ index: Int) -> String {
        guard index == 0 else { return text }
        return switch tone {
        case .danger: "✗ " + text
        case .warning: "! " + text
        case .good: "✓ " + text
        default: text
        }
    }

    func draw(
        _ row: SetRow, _ kind: TableContent.Row.Kind, tone: ReportTone?, isHead: Bool, isOdd: Bool, _ parts: Parts,
        _ canvas: Canvas, _ box: Box
    ) {
        if let ground = ground(kind, tone, isHead: isHead, isOdd: isOdd) {
            canvas.rectangle(box)
            canvas.fill(ground)
        }
        var x = box.x
        for (index, cell) in row.cells.enumerated() {
            let area = Box(x: x, y: box.y, width: widths[index], height: box.height)
            if let cell { canvas.draw(as: parts.cells[index]) { draw(cell, row.links[index], canvas, area) } }
            x += widths[index]
        }
        let isTotal = kind == .total && !isHead
        canvas.segment(Point(x: box.x, y: box.bottom), Point(x: box.right, y: box.bottom))
        canvas.stroke(style.line, width: 0.4)
        if isTotal {
            canvas.segment(Point(x: box.x, y: box.y), Point(x: box.right, y: box.y))
            canvas.stroke(style.ink, width: 0.8)
        }
    }

    private func draw(_ cell: TextLayout, _ link: ReportCell.Link?, _ canvas: Canvas, _ area: Box) {
        // In a row that is higher than its texts, these stand beside the middle of what people write.
        let y = table.rowHeight == nil ? gap : max((area.height - cell.height) / 2, gap)
        canvas.draw(cell, at: Point(x: area.x + padding, y: area.y + y))
        switch link {
        case .anchor(let anchor) where style.linksPages: canvas.link(to: .destination(anchor), in: area)
        case .address(let address): canvas.link(to: .uri(address), in: area)
        case .anchor, nil: break
        }
    }

    /// Draws some lines of a row higher than a page.
    func draw(_ row: SetRow, lines: Range<Int>, _ parts: Parts, _ canvas: Canvas, _ box: Box) {
        var x = box.x
        for (index, cell) in row.cells.enumerated() {
            if let cell {
                canvas.draw(as: parts.cells[index]) {
                    canvas.draw(
                        cell, lines: lines.clamped(to: 0..<cell.lines.count),
                        at: Point(x: x + padding, y: box.y + padding))
                }
            }
            x += widths[index]
        }
        canvas.segment(Point(x: box.x, y: box.bottom), Point(x: box.right, y: box.bottom))
        canvas.stroke(style.line, width: 0.4)
    }

    private func ground(_ kind: TableContent.Row.Kind, _ tone: ReportTone?, isHead: Bool, isOdd: Bool) -> Colour? {
        if isHead { return style.primary }
        switch kind {
        case .group(let level): return level == 0 ? style.accent : style.accent.mixed(with: .white, 0.5)
        case .subtotal: return Colour(grey: 0.95)
        case .total: return style.accent
        case .data:
            switch tone {
            case .danger: return Colour(red: 0.98, green: 0.87, blue: 0.86)
            case .warning: return Colour(red: 1, green: 0.95, blue: 0.8)
            case .good: return Colour(red: 0.88, green: 0.96, blue: 0.88)
            default: return isOdd ? nil : Colour(grey: 0.975)
            }
        }
    }
}

/// The fonts, colours and measures of a firm's pages. Measures are in points.
struct PageStyle: Sendable {
    let family: String
    let primary: Colour
    let accent: Colour
    /// The colour of text on the primary colour.
    let onPrimary: Colour
    let line = Colour(grey: 0.72)
    let ink = Colour(grey: 0.1)
    let muted = Colour(grey: 0.38)
    /// Whether links between pages are active; a part of a document may lack their targets.
    let linksPages: Bool

    static let pointsPerMillimetre = 72 / 25.4

    init(_ brand: Brand, linksPages: Bool) {
        self.linksPages = linksPages
        family = brand.font
        primary = Colour(hex: brand.primary) ?? Colour(red: 0.12, green: 0.23, blue: 0.37)
        accent = Colour(hex: brand.accent) ?? Colour(grey: 0.92)
        onPrimary = primary.luminance < 0.55 ? .white : .black
    }

    func text(
        _ size: Double, _ weight: TextStyle.Weight = .regular, italic: Bool = false, _ colour: Colour? = nil,
        _ alignment: TextStyle.Alignment = .leading
    ) -> TextStyle {
        TextStyle(
            family: family, size: size, weight: weight, isItalic: italic, colour: colour ?? ink, alignment: alignment)
    }
}

extension Double {
    /// Millimetres as points.
    var millimetres: Double { self * PageStyle.pointsPerMillimetre }
}
