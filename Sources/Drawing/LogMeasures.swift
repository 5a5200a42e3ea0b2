internal import Canvas

/// Widths of a log's parts from left to right, in points.
struct LogMeasures {
    /// Zero where the ground's elevation is not known.
    var elevation: Double
    var depth: Double
    var tracks: [Double]
    var symbol: Double
    var gutter: Double
    var columns: [Double]

    var rowsStart: Double { elevation + depth + tracks.reduce(0, +) + symbol + gutter }
    var rowsWidth: Double { columns.reduce(0, +) }

    /// The part of the width that the description takes wherever the other columns leave it.
    static let described = 0.38...0.40
    /// The least width of a column; narrower ones cannot hold text.
    private static let leastColumn = 14.0
    /// Codes and numbers that need more than this are broken.
    private static let mostOfContent = 52.0

    /// The widths for a log of a given width: columns are as wide as the lines of their codes and numbers, and
    /// the description takes its part. What is then left or lacking, the other columns share.
    init(_ log: ExcavationLog, width: Double, _ typesetter: Typesetter) {
        elevation = log.elevation == nil ? 0 : 28
        depth = 25
        tracks = log.tracks.map { $0.width(log.style, typesetter) }
        symbol = 36
        gutter = 10
        let isText = log.columns.map { $0.width == nil }
        columns = log.columns.indices.map { index in
            guard let least = log.columns[index].width else { return 0 }
            let style = log.style.text(1, log.columns[index].isBold ? .bold : .regular)
            let lines = log.cells.flatMap { $0.indices.contains(index) ? $0[index].split(whereSeparator: \.isNewline) : [] }
            let widest = Set(lines).map { TextLayout(String($0), style, typesetter: typesetter).width }.max() ?? 0
            return max(Self.leastColumn, least, min(widest, Self.mostOfContent) + 2 * LogRow.padding + 0.2)
        }
        let texts = Double(isText.count { $0 })
        let rest = width - gutter
        guard texts > 0 else {
            widen(by: rest / max(1, rowsStart - gutter + rowsWidth), isText)
            return
        }
        let others = rowsStart - gutter + rowsWidth
        // The others may grow by half, and shrink by a tenth, which letters of the least size bear.
        let wanted = rest - min(max(width - others - gutter, width * Self.described.lowerBound), width * Self.described.upperBound)
        widen(by: min(max(wanted / others, 0.9), 1.5), isText)
        let room = max(Self.leastColumn * texts, rest - (rowsStart - gutter) - rowsWidth)
        for index in columns.indices where isText[index] { columns[index] = room / texts }
        // A narrow page holds its columns all the same.
        let total = rowsStart + rowsWidth
        if total > width { columns = columns.map { $0 * max(1, width - rowsStart) / rowsWidth } }
    }

    private mutating func widen(by factor: Double, _ isText: [Bool]) {
        elevation *= factor
        depth *= factor
        tracks = tracks.map { $0 * factor }
        symbol *= factor
        for index in columns.indices where !isText[index] { columns[index] *= factor }
    }
}
