internal import Canvas
internal import Model

/// Divides a log into pages: the depths on each page, and the places of its rows. A page ends at
/// the first stratum whose row does not fit, so that every row has its stratum beside it.
struct LogPagination {
    struct Page {
        /// The depths in metres; nil if the page contains only texts.
        var range: ClosedRange<Double>?
        /// The height of the body without the header, in points.
        var room: Double
        /// The space above the strip, for the mark of water at the surface.
        var air = 0.0
        var rows: [LogRow] = []
        /// The upper edges of the rows, from the body's upper edge.
        var starts: [Double] = []
        /// The lower edge of the last row.
        var end = 0.0
    }

    let log: ExcavationLog
    let measures: LogMeasures
    /// The heights in points of the body on the first page and on the other pages.
    let rooms: (first: Double, others: Double)
    let perMetre: Double
    let typesetter: Typesetter

    /// The space above the ground.
    static let air = 9.0
    private static let maximumPages = 500
    private static let tolerance = 1e-9

    /// The pages in the largest letters that need no more pages than the smallest.
    func pages() -> (pages: [Page], textSize: Double) {
        let smallest = pages(textSize: log.minimumTextSize)
        var size = log.style.textSize
        while size > log.minimumTextSize {
            let pages = pages(textSize: size)
            if pages.count <= smallest.count { return (pages, size) }
            size -= 0.5
        }
        return (smallest, log.minimumTextSize)
    }

    private func pages(textSize: Double) -> [Page] {
        var filling = PageFilling(self, textSize: textSize)
        var pages: [Page] = []
        while !filling.isEnded, pages.count < Self.maximumPages {
            pages.append(filling.nextPage(isFirst: pages.isEmpty))
        }
        return pages
    }

    /// Places a page's rows as near to their strata as their heights permit.
    private func place(on page: inout Page) {
        let sizes = page.rows.map(\.height)
        let height = max(page.room, sizes.reduce(0, +))
        func y(_ depth: Double) -> Double {
            page.range.map { max(0, (depth - $0.lowerBound) * perMetre + page.air) } ?? 0
        }
        let targets = page.rows.enumerated().map { index, row in
            index == 0 ? min(y(top(of: row)), page.air) : y(top(of: row))
        }
        page.starts = Spread.starts(targets: targets, sizes: sizes, from: 0, to: height) ?? []
        let wanted =
            page.range.flatMap { range in
                (page.rows.last?.stratum).map { y(min(log.strata[$0].bottom, range.upperBound)) }
            } ?? 0
        page.end = min(height, max((page.starts.last ?? 0) + (sizes.last ?? 0), wanted))
    }

    private func top(of row: LogRow) -> Double { row.stratum.map { log.strata[$0].top } ?? log.length }

    private func row(_ number: Int, _ size: Double, isContinued: Bool = false) -> LogRow {
        let cells = log.columns.indices.map { index in
            let texts = log.cells[number]
            let text = index < texts.count ? texts[index] : ""
            // Short texts are repeated to identify the stratum; long ones are not.
            let isLong = log.columns[index].width == nil
            return layout(
                isContinued && isLong ? log.words.continued : text, index, size,
                isItalic: isLong && (isContinued || log.unlogged.contains(number)))
        }
        return LogRow(stratum: number, cells: cells)
    }

    private func endRow(_ size: Double) -> LogRow {
        let wide = measures.columns.indices.max { measures.columns[$0] < measures.columns[$1] }
        return LogRow(
            stratum: nil,
            cells: log.columns.indices.map { layout($0 == wide ? log.words.end : "", $0, size, isItalic: true) })
    }

    private func layout(_ text: String, _ index: Int, _ size: Double, isItalic: Bool = false) -> TextLayout {
        let column = log.columns[index]
        let width = measures.columns[index] - 2 * LogRow.padding
        var size = size
        if column.width != nil {
            // Codes and numbers are set in smaller letters if they then fit without being broken.
            func widest(_ parts: [Substring]) -> Double {
                parts.map {
                    TextLayout(String($0), log.style.text(1, column.isBold ? .bold : .regular), typesetter: typesetter)
                        .width * size / log.style.textSize
                }.max() ?? 0
            }
            let line = widest(text.split(whereSeparator: \.isNewline))
            // A line that does not fit even in the smallest letters is broken between its words.
            let needed =
                line * DrawingStyle.least / size <= width ? line : widest(text.split(whereSeparator: \.isWhitespace))
            if needed > width { size = max(DrawingStyle.least, size * width / needed * 0.99) }
        }
        let style = TextStyle(
            family: log.style.family, size: size, weight: column.isBold ? .bold : .regular, isItalic: isItalic,
            colour: log.style.ink,
            alignment: column.isCentred ? .centre : .leading)
        return TextLayout(text, style, width: width, typesetter: typesetter)
    }
}

extension LogPagination {
    /// Fills one page after the other, and keeps what the next page continues.
    private struct PageFilling {
        private let pagination: LogPagination
        private let textSize: Double
        /// The row below the last stratum; nil if the log has none.
        private let endRow: LogRow?
        /// The strata without a row yet, from the top down.
        private var queue: ArraySlice<Int>
        /// The strata with a row on this page or an earlier one.
        private var begun: [Int] = []
        /// The lines of a row higher than its page that continue on the next page.
        private var rest: LogRow?
        private var page = Page(room: 0)
        /// The depths at which the page begins and ends.
        private var from = 0.0
        private var to = 0.0
        /// The height of the page's rows.
        private var used = 0.0
        private(set) var isEnded = false

        init(_ pagination: LogPagination, textSize: Double) {
            let log = pagination.log
            self.pagination = pagination
            self.textSize = textSize
            endRow = log.words.end.isEmpty || log.strata.isEmpty ? nil : pagination.endRow(textSize)
            // Recorded strata may be out of order.
            queue = log.strata.indices.sorted { (log.strata[$0].top, $0) < (log.strata[$1].top, $1) }[...]
        }

        private var log: ExcavationLog { pagination.log }
        private var reachesEnd: Bool { to >= log.length - LogPagination.tolerance }

        mutating func nextPage(isFirst: Bool) -> Page {
            let rooms = pagination.rooms
            page = Page(room: isFirst ? rooms.first : rooms.others, air: isFirst ? LogPagination.air : 0)
            used = 0
            to = min(from + max(page.room - page.air, 1) / pagination.perMetre, log.length)
            if let left = rest.take() { addWhatFits(of: left) }
            addContinuedRows()
            addNewRows()
            if from < log.length - LogPagination.tolerance || isFirst { page.range = from...max(from, to) }
            addEndRow()
            pagination.place(on: &page)
            from = to
            return page
        }

        private mutating func add(_ row: LogRow) {
            page.rows.append(row)
            used += row.height
        }

        /// Adds a row. If it is higher than the page, the next page continues it.
        /// - Returns: whether the row was split.
        @discardableResult
        private mutating func addWhatFits(of row: LogRow) -> Bool {
            guard row.height > page.room, let (head, tail) = row.split(at: page.room, forced: true), !head.isEmpty
            else {
                add(row)
                return false
            }
            add(head)
            rest = tail.isEmpty ? nil : tail.named
            return true
        }

        /// Repeats the rows of strata from earlier pages that reach into this one.
        private mutating func addContinuedRows() {
            for stratum in begun
            where log.strata[stratum].bottom > from + LogPagination.tolerance
                && !page.rows.contains(where: { $0.stratum == stratum })
            {
                let row = pagination.row(stratum, textSize, isContinued: true)
                if used + row.height <= page.room { add(row) }
            }
        }

        /// Adds the rows of strata that begin on the page, until one does not fit.
        private mutating func addNewRows() {
            // The depth that counts is the one before rows shorten the page.
            let reachesEnd = reachesEnd
            while rest == nil, let stratum = queue.first,
                reachesEnd || log.strata[stratum].top < to - LogPagination.tolerance
            {
                let row = pagination.row(stratum, textSize)
                let below = queue.count == 1 && reachesEnd ? endRow?.height ?? 0 : 0
                if used + row.height + below > page.room + 1e-6, !page.rows.isEmpty {
                    // The row moves to the next page, and the stratum's part of the strip moves
                    // with the row.
                    to = min(to, max(from, log.strata[stratum].top))
                    break
                }
                queue.removeFirst()
                begun.append(stratum)
                if addWhatFits(of: row) { to = min(to, max(from, log.strata[stratum].bottom)) }
            }
        }

        /// Ends the log, with its end text, if no row is left.
        private mutating func addEndRow() {
            guard queue.isEmpty, rest == nil, reachesEnd else { return }
            // Only a row as high as its page leaves no room for the end text, which then follows
            // later.
            if let endRow, used + endRow.height > page.room, !page.rows.isEmpty { return }
            if let endRow { add(endRow) }
            isEnded = true
        }
    }
}

/// A stratum's texts in their columns: all of them, or the lines left by an earlier page.
struct LogRow {
    static let padding = 2.2

    let stratum: Int?
    let cells: [TextLayout]
    /// The first line of each cell that is not yet drawn.
    var firstLines: [Int]
    /// For each cell, the line after its last one.
    var endLines: [Int]

    init(stratum: Int?, cells: [TextLayout]) {
        self.stratum = stratum
        self.cells = cells
        firstLines = cells.map { _ in 0 }
        endLines = cells.map(\.lines.count)
    }

    var height: Double {
        let texts = cells.indices.map { cells[$0].height(of: firstLines[$0]..<endLines[$0]) }
        return (texts.max() ?? 0) + 2 * Self.padding
    }

    /// Divides the row into a head that fits into a height, and the rest. Returns nil if the head
    /// would have an empty cell, or one line of several; if `forced`, the head has at least one
    /// line.
    func split(at height: Double, forced: Bool) -> (head: LogRow, rest: LogRow)? {
        var (head, rest) = (self, self)
        for index in cells.indices where firstLines[index] < endLines[index] {
            var count = min(
                cells[index].count(fitting: height - 2 * Self.padding, from: firstLines[index]),
                endLines[index] - firstLines[index])
            let left = endLines[index] - firstLines[index]
            // A single line must not be alone at the foot of a page.
            if count < min(2, left) {
                guard forced else { return nil }
                count = max(1, count)
            }
            head.endLines[index] = firstLines[index] + count
            rest.firstLines[index] = firstLines[index] + count
        }
        return (head, rest)
    }

    /// The row with its first cell, which identifies the stratum, repeated.
    var named: LogRow {
        var row = self
        if cells.count > 1, let first = cells.first, first.lines.count <= 2 { row.firstLines[0] = 0 }
        return row
    }

    var isEmpty: Bool { zip(firstLines, endLines).allSatisfy { $0 >= $1 } }

    func draw(on canvas: Canvas, widths: [Double], at corner: Point) {
        var x = corner.x
        for (index, layout) in cells.enumerated() {
            // The alignment of a line is relative to the width of its layout.
            canvas.draw(
                layout, lines: firstLines[index]..<endLines[index],
                at: Point(x: x + LogRow.padding, y: corner.y + LogRow.padding))
            x += widths[index]
        }
    }
}
