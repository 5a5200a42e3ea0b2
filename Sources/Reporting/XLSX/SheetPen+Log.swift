import Blocks
import Model
import Spreadsheets

extension SheetPen {
    /// The minimum height of a layer, in points.
    private static let lowest = 20.0

    /// Draws a row for each layer, with the height of the layer's thickness if its description
    /// fits. The strip is a picture over its column; in the strip, each layer is exactly as high as
    /// its row.
    mutating func draw(_ log: LogContent, spans: [Range<Int>]?) throws {
        guard !log.layers.isEmpty else { return try drawRow(log.empty, styles.missing, least: 24) }
        let head = draft.head
        let columns = LogColumns(log, usable: plan.usable.width, fit: fit)
        let spans = spans ?? grid.spans(columns.widths)
        let labels = columns.kinds.map { columns.label($0, log, head.words) }
        keepTogether(120)
        try drawHeader(labels, spans)
        let filled = log.marked(head.words)
        let rowsOfCells = filled.layers.enumerated().map { place, layer in
            cells(of: layer, columns.kinds, filled.tracks, isLast: place == filled.layers.count - 1)
        }
        let least = rowsOfCells.map { cells in
            zip(cells, spans).map { cell, span in cell.map { height($0.content.shown, span: span, $0.style) } ?? 0 }
                .max() ?? 0
        }
        let ratio = scale(filled)
        let pointsPerMetre = pointsPerMetre(ratio)
        var part = filled
        part.layers = []
        var first = row
        var heights: [Double] = []
        for ((layer, cells), least) in zip(zip(filled.layers, rowsOfCells), least) {
            let height = max(max(layer.stratum.bottom - layer.stratum.top, 0) * pointsPerMetre, least, Self.lowest)
            if height > left, !heights.isEmpty {
                // The log continues on the next page, with a separate header and strip, because
                // printing would cut a strip that extends over both pages.
                try drawStrip(part, columns, spans, first: first, heights)
                breakPage()
                try drawHeader(labels, spans)
                part.layers = []
                heights = []
                first = row
            }
            let before = top
            let rows = try addRows(height: height)
            heights.append(top - before)
            part.layers.append(layer)
            for ((cell, span), kind) in zip(zip(cells, spans), columns.kinds) where kind != .strip {
                guard let cell else { continue }
                try put(cell.content, rows: rows, span: span, cell.style, link: cell.link)
            }
        }
        try drawStrip(part, columns, spans, first: first, heights)
        try drawBelow(filled, columns)
        try drawDepths(log, ratio)
    }

    /// Draws tables of the columns that have no room beside the strip. Each names the layers again by number and depth.
    private mutating func drawBelow(_ log: LogContent, _ columns: LogColumns) throws {
        let names = columns.kinds.filter { [.number, .from, .to].contains($0) }
        let widths = Dictionary(zip(columns.kinds, columns.widths)) { first, _ in first }
        var rest = Array(zip(columns.below, columns.widthsBelow))
        while !rest.isEmpty {
            let needs = names.map { widths[$0] ?? 0 } + rest.map(\.1)
            // A column that is wider than the page has a table of its own.
            let spans = grid.spans(atLeast: needs, fewest: names.count + 1)
            let kinds = names + rest.prefix(spans.count - names.count).map(\.0)
            rest = Array(rest.dropFirst(spans.count - names.count))
            try addRows(height: 6)
            try draw(log, kinds, columns, spans, names: names.count)
        }
        if !columns.below.isEmpty { try addRows(height: 6) }
    }

    /// Draws a table of some columns of a log. A layer that has nothing in them has no row.
    private mutating func draw(
        _ log: LogContent, _ kinds: [LogColumns.Kind], _ columns: LogColumns, _ spans: [Range<Int>], names: Int
    ) throws {
        let rows = log.layers.enumerated().map { place, layer in
            cells(of: layer, kinds, log.tracks, isLast: place == log.layers.count - 1).compactMap(\.self)
        }.filter { row in row.dropFirst(names).contains { !$0.content.shown.isEmpty } }
        let heights = rows.map { row in
            max(zip(row, spans).map { height($0.content.shown, span: $1, $0.style) }.max() ?? 0, Self.lowest)
        }
        keepTogether(min(heights.reduce(40, +), pageHeight / 2))
        try drawHeader(kinds.map { columns.label($0, log, draft.head.words) }, spans)
        for (row, height) in zip(rows, heights) {
            let place = try addRows(height: height)
            for (cell, span) in zip(row, spans) {
                var style = cell.style
                style.alignment = .middle
                try put(seen(cell.content, span, style), rows: place, span: span, style, link: cell.link)
            }
        }
    }

    /// The height of a metre on the sheet, so that the printed log is to scale.
    private func pointsPerMetre(_ ratio: Int) -> Double { SheetPlan.points(1000 / Double(ratio)) / plan.scale }

    /// The ratio of the largest scale at which a log of the section's usual depth needs at most the
    /// log's part of a page.
    private func scale(_ log: LogContent) -> Int {
        let scales = log.scales.filter { $0 > 0 }.sorted()
        let depth = log.usualDepth ?? log.depth
        return scales.first { pointsPerMetre($0) * depth <= pageHeight * LogContent.shareOfPage } ?? scales.last ?? 25
    }

    /// An interval of depth in metres: `0.20–0.40`.
    private static func interval(_ mark: DepthMark) -> String {
        func metres(_ depth: Double) -> String {
            let centimetres = Int((depth * 100).rounded())
            return "\(centimetres / 100).\(centimetres % 100 / 10)\(centimetres % 10)"
        }
        return mark.bottom > mark.top ? "\(metres(mark.top))–\(metres(mark.bottom))" : metres(mark.top)
    }

    /// The marks of a track that belong to a layer, one on a line.
    private static func marks(of track: LogContent.Track, in stratum: Stratum, isLast: Bool) -> String {
        track.marks.filter { mark in
            let middle = (mark.top + mark.bottom) / 2
            // Tests continue below the bottom of the excavation.
            return middle >= stratum.top
                && (isLast || middle < stratum.bottom || middle == stratum.bottom && mark.top < mark.bottom)
        }.map { "\($0.label) \(interval($0))" }.joined(separator: "\n")
    }

    private typealias Cell = (content: CellContent, style: CellStyle, link: ReportCell.Link?)

    private func cells(
        of layer: LogContent.Layer, _ kinds: [LogColumns.Kind], _ tracks: [LogContent.Track], isLast: Bool
    ) -> [Cell?] {
        func depth(_ metres: Double) -> Cell {
            var style = styles.cell
            style.side = .right
            style.alignment = .top
            style.indent = 1
            style.wraps = false
            return (CellContent(value: .number(metres), numberFormat: "0.00", shown: "00.00"), style, nil)
        }
        func text(_ text: String, _ side: CellStyle.Side, isBold: Bool = false) -> Cell {
            var style = styles.cell
            style.side = side
            style.isBold = isBold
            if side == .left {
                style.alignment = .top
                style.indent = 1
            }
            return (.text(text), style, nil)
        }
        return kinds.map { kind in
            switch kind {
            case .from: return depth(layer.stratum.top)
            case .to:
                var cell = depth(layer.stratum.bottom)
                cell.style.alignment = .bottom
                return cell
            case .strip: return nil
            case .number: return text(layer.number, .center)
            case .description: return text(layer.description, .left)
            case .symbol: return text(layer.stratum.symbol, .center, isBold: true)
            case .track(let index):
                return text(Self.marks(of: tracks[index], in: layer.stratum, isLast: isLast), .left)
            case .further(let index):
                guard layer.cells.indices.contains(index) else { return text("", .left) }
                let cell = layer.cells[index]
                var style = styles.toned(styles.cell, cell.tone)
                style.side = cell.isNumber ? .right : .left
                style.indent = 1
                return (CellContent(cell, dates: &draft.dates), style, cell.link)
            }
        }
    }

    private func drawStrip(
        _ log: LogContent, _ columns: LogColumns, _ spans: [Range<Int>], first: Int, _ heights: [Double]
    ) throws {
        guard let column = columns.kinds.firstIndex(of: .strip) else { return }
        let span = spans[column]
        for row in first..<row { try put(.text(""), rows: row..<row + 1, span: span, styles.frame) }
        let width = grid.points(of: span)
        let picture = try draft.drawings.logStrip(of: log, rowHeights: heights, width: width)
        try insert(
            picture, row: first, column: span.lowerBound, x: 0, y: 0, width: width, height: heights.reduce(0, +),
            draft.head.words("sheet.strip"),
            growsWithCells: true)
    }

    /// Draws the total depth, the depth of the water and the scale as fields, and remarks that have
    /// no layer.
    private mutating func drawDepths(_ log: LogContent, _ ratio: Int) throws {
        let words = draft.head.words
        var items = [(words("sheet.depth"), log.total), (words("sheet.water"), log.water)].compactMap { label, depth in
            depth.map {
                FieldsContent.Item(label: label, cell: ReportCell(.number($0, decimals: 2), text: "00.00 m"), span: 1)
            }
        }
        items.append(
            .init(
                label: words("sheet.scale"), cell: .text(words("sheet.scale.at_least", ["ratio": String(ratio)])),
                span: 1))
        if log.total == nil || !log.unplaced.isEmpty {
            try draw(text: log.ending(words) { "\(($0 * 100).rounded() / 100) m" }, .note)
        }
        try draw(FieldsContent(columns: 3, items: items))
    }
}

extension LogContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self, spans: pen.mainSpans) }
    func columns(usable: Double, fit: TextFit) -> [Double] { LogColumns(self, usable: usable, fit: fit).widths }
    /// Three fields are below the log.
    var leastColumns: Int { 6 }
    /// The strip is a picture over the cells, so the log cannot be filtered as a table.
    var tables: Int { 2 }
}
