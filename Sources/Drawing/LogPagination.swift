internal import Canvas
internal import Model

/// Divides a log into pages: the depths that each page shows, and the places of its rows.
struct LogPagination {
    struct Page {
        /// The depths in metres; nil when the page holds only texts.
        var range: ClosedRange<Double>?
        var rows: [LogRow] = []
        /// The upper edges of the rows, from the body's upper edge.
        var starts: [Double] = []
        /// The lower edge of the last row.
        var end = 0.0
    }

    let log: ExcavationLog
    let measures: LogMeasures
    /// The height of the body without the header, in points.
    let height: Double
    let perMetre: Double
    let typesetter: Typesetter

    /// The pages in the largest letters with which the texts fit beside their strata. Where even
    /// the smallest letters are too large, the texts continue on further pages.
    func pages() -> (pages: [Page], textSize: Double) {
        var size = log.style.textSize
        while true {
            let isLast = size <= log.minimumTextSize
            let (pages, isCrowded) = pages(textSize: size)
            if !isCrowded || isLast { return (pages, size) }
            size = max(log.minimumTextSize, size - 0.5)
        }
    }

    private func pages(textSize: Double) -> (pages: [Page], isCrowded: Bool) {
        let metres = height / perMetre
        let count = max(1, Int((log.length / metres - 1e-6).rounded(.up)))
        var pages: [Page] = []
        var isCrowded = false
        var pending: [LogRow] = []
        for index in 0..<count {
            let from = Double(index) * metres
            var page = Page(range: from...min(from + metres, log.length))
            var rows = pending
            for (number, stratum) in log.strata.enumerated() where stratum.bottom > from + 1e-9 || (index == 0 && stratum.bottom <= 0) {
                guard stratum.top < from + metres - 1e-9 || index == count - 1 else { continue }
                if stratum.top >= from - 1e-9 || index == 0 {
                    rows.append(row(number, textSize))
                } else if !pending.contains(where: { $0.stratum == number }), pages.last?.rows.contains(where: { $0.stratum == number }) == true {
                    rows.append(row(number, textSize, isContinued: true))
                }
            }
            if index == count - 1, !log.words.end.isEmpty, !log.strata.isEmpty { rows.append(endRow(textSize)) }
            pending = place(rows, on: &page)
            if !pending.isEmpty { isCrowded = true }
            pages.append(page)
        }
        while !pending.isEmpty {
            var page = Page()
            pending = place(pending, on: &page)
            pages.append(page)
        }
        return (pages, isCrowded)
    }

    /// Places rows on a page, and returns those for which there was no room.
    private func place(_ rows: [LogRow], on page: inout Page) -> [LogRow] {
        var (kept, rest): ([LogRow], [LogRow]) = ([], [])
        var used = 0.0
        for (index, row) in rows.enumerated() {
            if used + row.height <= height + 1e-6 {
                kept.append(row)
                used += row.height
                continue
            }
            if let (head, tail) = row.split(at: height - used, forced: kept.isEmpty), !head.isEmpty {
                kept.append(head)
                used += head.height
                rest = (tail.isEmpty ? [] : [tail.named]) + rows[(index + 1)...]
            } else {
                rest = Array(rows[index...])
            }
            break
        }
        let sizes = kept.map(\.height)
        let targets: [Double]
        if let range = page.range {
            targets = kept.map { row in
                let depth = row.stratum.map { log.strata[$0].top } ?? log.length
                return max(0, (depth - range.lowerBound) * perMetre)
            }
        } else {
            targets = kept.map { _ in 0 }
        }
        // A forced line may be taller than the page itself.
        page.starts = Spread.starts(targets: targets, sizes: sizes, from: 0, to: max(height, sizes.reduce(0, +))) ?? []
        page.rows = kept
        let wanted = page.range.map { range in
            (kept.last?.stratum).map { (min(log.strata[$0].bottom, range.upperBound) - range.lowerBound) * perMetre } ?? 0
        }
        page.end = min(max(height, sizes.reduce(0, +)), max((page.starts.last ?? 0) + (sizes.last ?? 0), wanted ?? 0))
        return rest
    }

    private func row(_ number: Int, _ size: Double, isContinued: Bool = false) -> LogRow {
        let cells = log.columns.indices.map { index in
            let texts = log.cells[number]
            let text = index < texts.count ? texts[index] : ""
            // Short texts say again which stratum it is; the long ones are not repeated.
            let isLong = log.columns[index].width == nil
            return layout(isContinued && isLong ? log.words.continued : text, index, size, isItalic: isContinued && isLong)
        }
        return LogRow(stratum: number, cells: cells)
    }

    private func endRow(_ size: Double) -> LogRow {
        let wide = measures.columns.indices.max { measures.columns[$0] < measures.columns[$1] }
        return LogRow(stratum: nil, cells: log.columns.indices.map { layout($0 == wide ? log.words.end : "", $0, size, isItalic: true) })
    }

    private func layout(_ text: String, _ index: Int, _ size: Double, isItalic: Bool = false) -> TextLayout {
        let column = log.columns[index]
        let width = measures.columns[index] - 2 * LogRow.padding
        var size = size
        if column.width != nil {
            // Codes and numbers are not broken: their letters shrink, down to two thirds.
            let widest = text.split(whereSeparator: \.isWhitespace).map { word in
                TextLayout(String(word), log.style.text(1, column.isBold ? .bold : .regular), typesetter: typesetter).width * size / log.style.textSize
            }.max() ?? 0
            if widest > width { size *= max(0.66, width / widest * 0.99) }
        }
        let style = TextStyle(
            family: log.style.family, size: size, weight: column.isBold ? .bold : .regular, isItalic: isItalic, colour: log.style.ink,
            alignment: column.isCentred ? .centre : .leading)
        return TextLayout(text, style, width: width, typesetter: typesetter)
    }
}
