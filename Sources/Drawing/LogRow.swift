internal import Canvas

/// A stratum's texts in their columns: all of them, or the lines that an earlier page left over.
struct LogRow {
    static let padding = 2.2

    let stratum: Int?
    let cells: [TextLayout]
    /// The first line of each cell that is not drawn yet.
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

    /// Divides the row into the part that fits a height and the rest. Returns nil when the head
    /// would leave a cell empty, or with a single line of several; `forced` takes at least one
    /// line.
    func split(at height: Double, forced: Bool) -> (head: LogRow, rest: LogRow)? {
        var (head, rest) = (self, self)
        for index in cells.indices where firstLines[index] < endLines[index] {
            var count = min(cells[index].count(fitting: height - 2 * Self.padding, from: firstLines[index]), endLines[index] - firstLines[index])
            let left = endLines[index] - firstLines[index]
            // A single line must not stand alone at the foot of a page.
            if count < min(2, left) {
                guard forced else { return nil }
                count = max(1, count)
            }
            head.endLines[index] = firstLines[index] + count
            rest.firstLines[index] = firstLines[index] + count
        }
        return (head, rest)
    }

    /// The row with its first cell, which names the stratum, repeated.
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
            canvas.draw(layout, lines: firstLines[index]..<endLines[index], at: Point(x: x + LogRow.padding, y: corner.y + LogRow.padding))
            x += widths[index]
        }
    }
}
