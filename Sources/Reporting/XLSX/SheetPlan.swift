import Blocks
import Model
import Spreadsheets

/// The layout of a section on its sheet: the columns, and their part of the paper.
struct SheetPlan {
    let grid: SheetGrid
    /// The index of the block whose columns are the sheet's columns, and the span of each of these.
    let main: Int?
    let mainSpans: [Range<Int>]
    /// Whether the sheet is one table. It can then be filtered, and its header is frozen.
    let isTable: Bool
    /// The maximum width of columns, and the height between the paper's margins, in points.
    let usable: (width: Double, height: Double)
    /// The scale of the sheet on paper: 1, or less if its columns are wider than the page.
    let scale: Double
    /// The scale in per cent, for a sheet that is printed at a fixed scale and not fitted to the
    /// page's width.
    let percent: Int
    /// Whether a drawing on the sheet is to scale, which fitting to the page's width would change.
    let isToScale: Bool
    /// LibreOffice's columns are slightly wider than Excel's, so only this part of a page is used.
    private static let room = 0.93

    init(_ page: ReportPaper, _ blocks: [any SheetDrawable], fit: TextFit) {
        let paper = page.size.millimetres
        let across = page.isLandscape ? paper.height : paper.width
        let down = page.isLandscape ? paper.width : paper.height
        isToScale = blocks.contains { $0 is LogContent || $0 is ProfileContent }
        let part = isToScale ? Self.room : 1
        usable = (
            Self.points(across - 2 * page.margin) * part,
            (Self.points(down - 2 * page.margin) - Workbook.headAndFoot) * part
        )
        var best: (block: Int, widths: [Double])?
        var tables = 0
        var need = 1
        for (index, block) in blocks.enumerated() {
            let widths = block.columns(usable: usable.width, fit: fit)
            tables += block.tables
            need = max(need, block.leastColumns)
            if widths.count > best?.widths.count ?? 0 { best = (index, widths) }
        }
        let isTable = tables == 1 && best.map { $0.widths.count >= need } == true
        self.isTable = isTable
        main = best?.block
        let widths = best?.widths ?? [Double](repeating: usable.width / 8, count: 8)
        let (columns, spans) = isTable ? Self.split(widths, into: widths.count, widest: .infinity) : Self.split(
            widths, into: max(8, need, widths.count), widest: usable.width / 18)
        grid = SheetGrid(points: columns)
        mainSpans = spans
        let ratio = usable.width / grid.width
        // Columns are whole pixels. The sheet is not shrunk for a few excess pixels.
        let scale = ratio > 0.985 ? 1 : ratio
        percent = max(10, Int(scale * (isToScale ? 100 : 100 * Self.room)))
        self.scale = isToScale ? Double(percent) / 100 : scale
    }

    static func points(_ millimetres: Double) -> Double { millimetres * 72 / 25.4 }

    /// Converts a length on paper to points on the unscaled sheet.
    func points(onPaper millimetres: Double) -> Double { Self.points(millimetres) / scale }

    /// Splits wide columns into equal parts. First, each column wider than 2 × `most` is split
    /// until no part is wider than `most`. Then the widest are split until there are `count`
    /// columns. Blocks above and below a table can then be laid out evenly.
    private static func split(_ widths: [Double], into count: Int, widest most: Double) -> (
        columns: [Double], spans: [Range<Int>]
    ) {
        var parts = [Int](repeating: 1, count: widths.count)
        func widest(_ places: some Collection<Int>) -> Int? {
            places.max { widths[$0] / Double(parts[$0]) < widths[$1] / Double(parts[$1]) }
        }
        // The first loop divides only columns that are more than twice as wide as `most`.
        let broad = widths.indices.filter { widths[$0] > 2 * most }
        for _ in 0..<24 {
            guard let place = widest(broad), widths[place] / Double(parts[place]) > most else { break }
            parts[place] += 1
        }
        while parts.reduce(0, +) < count, let place = widest(widths.indices) { parts[place] += 1 }
        var columns: [Double] = []
        var spans: [Range<Int>] = []
        for (width, parts) in zip(widths, parts) {
            spans.append(columns.count..<columns.count + parts)
            columns += [Double](repeating: width / Double(parts), count: parts)
        }
        return (columns, spans)
    }

    // MARK: Tables

    /// The number of rows measured for the width of a column.
    private static let sample = 400

    /// The required widths of a table's columns, in points. Their sum is the page's width, or more
    /// if that does not suffice.
    static func widths(_ table: TableContent, usable: Double, fit: TextFit) -> [Double] {
        guard !table.columns.isEmpty else { return [] }
        let needs = table.columns.indices.map { Self.needs(of: $0, in: table, fit: fit) }
        let least = needs.map(\.least)
        var wanted = needs.map(\.wanted)
        // As on pages: if every column has a share, only the proportions count; a single share
        // multiplies its column's natural width.
        let shares = table.columns.compactMap(\.width)
        let shared = shares.reduce(0, +)
        if shares.count == table.columns.count, shared > 0 {
            return zip(shares, least).map { max(usable * $0 / shared, $1) }
        }
        for (index, column) in table.columns.enumerated() {
            guard let share = column.width else { continue }
            wanted[index] = max(wanted[index] * share, least[index])
        }
        let total = wanted.reduce(0, +)
        if total > usable {
            // Columns of long texts become narrower first.
            let spare = zip(wanted, least).reduce(0) { $0 + $1.0 - $1.1 }
            let cut = min((total - usable) / max(spare, 1), 1)
            return zip(wanted, least).map { $0 - ($0 - $1) * cut }
        }
        let weights = zip(wanted, table.columns).map { $0 * ($1.isNumeric ? 0.4 : 1) }
        let whole = weights.reduce(0, +)
        return zip(wanted, weights).map { $0 + (usable - total) * $1 / whole }
    }

    /// The width of a column on a sheet with room for everything, and the least in which it is
    /// readable.
    private static func needs(of index: Int, in table: TableContent, fit: TextFit) -> (wanted: Double, least: Double) {
        let column = table.columns[index]
        let size = ReportStyles.bodySize
        var widest = 0.0
        var word = 0.0
        // Numbers and days do not wrap: a spreadsheet shows them as `###` if they do not fit.
        var isWhole = column.isNumeric
        for row in table.rows.prefix(sample) where row.cells.indices.contains(index) {
            if case .group = row.kind { continue }
            let cell = row.cells[index]
            let text = (ReportStyles.mark(row.tone ?? cell.tone) ?? "") + cell.text
            let isBold = row.kind != .data || cell.tone != nil || row.tone != nil
            widest = max(widest, fit.width(text, size: size + (isBold ? 0.5 : 0), isBold: isBold))
            word = max(word, cell.mayWrap ? fit.longestWord(text, size: size, isBold: isBold) : widest)
            isWhole = isWhole || !cell.mayWrap
        }
        // The arrow of the filter covers part of the width.
        let header = fit.longestWord(column.label, size: size, isBold: true) + 12
        let room = TextFit.padding + 11
        // A long text must be readable, even if the page has to shrink.
        let readable = widest > 400 ? 120.0 : 0
        let least = max(min(max(word, header), isWhole ? 400 : 130) + room, readable, 36)
        let titled = min(fit.width(column.label, size: size, isBold: true) + room, 70)
        return (max(min(widest, 240) + room, least, titled), least)
    }
}

/// The columns of a sheet, on which all content is laid out.
struct SheetGrid {
    /// The widths in pixels, at 96 per inch.
    let pixels: [Int]

    init(points: [Double]) {
        pixels = points.map { max(Int(($0 / 0.75).rounded()), 16) }
    }

    var count: Int { pixels.count }
    var all: Range<Int> { 0..<count }
    /// The whole width in points.
    var width: Double { points(of: all) }

    func points(of span: Range<Int>) -> Double { Double(pixels[span].reduce(0, +)) * 0.75 }

    /// Divides the columns into adjacent spans whose widths are as close as possible to `weights`.
    /// There must not be more weights than columns.
    func spans(_ weights: [Double], in range: Range<Int>? = nil) -> [Range<Int>] {
        let range = range ?? all
        let whole = points(of: range)
        let total = max(weights.reduce(0, +), .leastNonzeroMagnitude)
        var spans: [Range<Int>] = []
        var start = range.lowerBound
        var wanted = 0.0
        for (index, weight) in weights.enumerated() {
            wanted += weight / total * whole
            let last = range.upperBound - (weights.count - 1 - index)
            var end = start + 1
            while end < last,
                abs(points(of: range.lowerBound..<end + 1) - wanted) <= abs(points(of: range.lowerBound..<end) - wanted)
            { end += 1 }
            if index == weights.count - 1 { end = range.upperBound }
            spans.append(start..<end)
            start = end
        }
        return spans
    }

    /// Adjacent spans from the left, each at least as wide as it needs, for as many as there is room for. The last
    /// one extends to the edge.
    /// - Parameter fewest: the number of spans that there are even without room.
    func spans(atLeast needs: [Double], fewest: Int) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        for need in needs {
            let start = spans.last?.upperBound ?? 0
            var end = start + 1
            while end < count, points(of: start..<end) < need { end += 1 }
            guard start < count, points(of: start..<end) >= need else { break }
            spans.append(start..<end)
        }
        guard spans.count >= fewest else { return self.spans(Array(needs.prefix(fewest))) }
        spans[spans.count - 1] = spans[spans.count - 1].lowerBound..<count
        return spans
    }

    /// The fewest columns from the left, or from the right, that are `points` wide.
    func span(of points: Double, fromRight: Bool) -> Range<Int> {
        var width = 1
        while width < count, self.points(of: fromRight ? count - width..<count : 0..<width) < points { width += 1 }
        return fromRight ? count - width..<count : 0..<width
    }
}
