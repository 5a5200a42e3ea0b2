import Model

/// Finds the tables of a form by the appearance of their cells: words above numbers, or words to
/// the left of several rows of numbers.
struct FormBlockSearch {
    private let cells: SurveyCells
    private var sheet: FormSheet { cells.sheet }
    private let starts: [Int: [SheetCell]]

    /// The largest number of rows that a heading may have.
    private static let highest = 4

    init(_ cells: SurveyCells) {
        self.cells = cells
        starts = Dictionary(grouping: cells.sheet.filled, by: \.row)
    }

    func blocks() -> [FormSurvey.Block] {
        var taken: Set<SheetCell> = []
        var blocks: [FormSurvey.Block] = []
        for cell in sheet.filled where !taken.contains(cell) {
            guard let block = sideways(from: cell, taken) else { continue }
            taken.formUnion(cells.inside(block))
            blocks.append(block)
        }
        for row in starts.keys.sorted() {
            for run in runs(starts[row] ?? [], taken) {
                guard let block = upright(run, taken) else { continue }
                taken.formUnion(cells.inside(block))
                blocks.append(block)
            }
        }
        return blocks
    }

    /// Groups cells that are side by side. If the first heading of a group is repeated, another
    /// table begins.
    private func runs(_ row: [SheetCell], _ taken: Set<SheetCell>) -> [[SheetCell]] {
        var runs: [[SheetCell]] = []
        for cell in row where !taken.contains(cell) {
            if let last = runs.last?.last, cell.column - sheet.last(of: last).column <= 2, let first = runs.last?.first,
                cells.text(first) != cells.text(cell) {
                runs[runs.count - 1].append(cell)
            } else {
                runs.append([cell])
            }
        }
        return runs
    }

    // MARK: Upright tables

    private func upright(_ run: [SheetCell], _ taken: Set<SheetCell>) -> FormSurvey.Block? {
        guard run.count >= 2, run.allSatisfy({ cells.isWord($0) && !cells.text($0).trimmingSpaces.hasSuffix(":") })
        else { return nil }
        let (row, first) = (run[0].row, run[0].column)
        let last = run.map { sheet.last(of: $0).column }.max() ?? first
        let span = first...max(first, min(last, sheet.columnCount - 1))
        var height = run.map { sheet.last(of: $0).row - $0.row + 1 }.filter { $0 <= Self.highest }.max() ?? 1
        if height == 1, isSecondLine(row + 1, below: run, span) { height = 2 }
        let heading = (row..<row + height).flatMap { starts[$0] ?? [] }.filter { span.contains($0.column) }
        // Below a wide heading, grain sizes may be column names although they are numbers; merged
        // cells beside them show that.
        guard heading.allSatisfy({ ($0.row > row || cells.isWord($0)) && !taken.contains($0) }) else { return nil }
        let columns = columns(of: heading, above: row + height)
        guard columns.count >= 2 else { return nil }
        var lines: [[FormCell?]] = []
        var end = row + height
        while end < sheet.rowCount {
            let own = (starts[end] ?? []).filter { span.contains($0.column) }
            // If the cells are merged with those of the row above, they continue that row.
            if own.isEmpty, sheet.first(of: SheetCell(row: end, column: columns[0].place)).row >= row + height,
                sheet.value(at: SheetCell(row: end, column: columns[0].place)) != nil {
                end += 1
                continue
            }
            guard !own.isEmpty, !own.contains(where: taken.contains), !cells.isStrongLabel(own[0]) else { break }
            guard own.count(where: cells.isKnown) < 2 else { break }
            lines.append(columns.map { column in
                let place = SheetCell(row: end, column: column.place)
                return sheet.value(at: place).flatMap { ($0.place?.row ?? end) >= row + height ? $0 : nil }
            })
            end += 1
        }
        let known = heading.count(where: cells.isKnown)
        let figures = columns.indices.contains { column in
            let filled = lines.compactMap { $0[column] }
            return filled.count >= 2 && filled.allSatisfy(cells.isFigure)
        }
        guard lines.count >= 2 || (lines.count == 1 && known >= 3 && height > 1), figures || known * 2 >= heading.count,
            known >= 2 || (columns.count >= 3 && figures)
        else { return nil }
        return .init(
            first: SheetCell(row: row, column: first), last: SheetCell(row: end - 1, column: span.upperBound),
            isSideways: false, headingLines: height,
            columns: columns, lines: lines)
    }

    /// Whether a row is the second line of a heading: it contains only words, below wide cells or
    /// gaps of the first line.
    private func isSecondLine(_ row: Int, below run: [SheetCell], _ span: ClosedRange<Int>) -> Bool {
        let own = (starts[row] ?? []).filter { span.contains($0.column) }
        guard !own.isEmpty, own.count < span.count, own.allSatisfy(cells.isWord) else { return false }
        let narrow = Set(run.filter { sheet.last(of: $0).column == $0.column }.map(\.column))
        // Without merged cells, even a narrow word may cover several words below: the first one is
        // then directly below it.
        let doubled = own.count { narrow.contains($0.column) }
        return doubled == 0 || (doubled < own.count && own.contains { !run.map(\.column).contains($0.column) })
    }

    /// - Parameter line: the first row below the heading.
    private func columns(of heading: [SheetCell], above line: Int) -> [FormSurvey.Block.Column] {
        var words: [Int: [(row: Int, word: String)]] = [:]
        for cell in heading {
            for column in cell.column...max(cell.column, sheet.last(of: cell).column) {
                words[column, default: []].append((cell.row, cells.text(cell).trimmingSpaces))
            }
        }
        return Set(heading.map(\.column)).sorted().map { column in
            let own = (words[column] ?? []).sorted { $0.row < $1.row }.map(\.word)
            let wide = heading.filter { $0.column == column }.map { sheet.last(of: $0).column }.min() ?? column
            let place = sheet.valuePlace(under: column...max(column, wide)) { SheetCell(row: line, column: $0) }
            return .init(heading: own.joined(separator: " "), last: own.last ?? "", place: place)
        }
    }

    // MARK: Sideways tables

    private func sideways(from start: SheetCell, _ taken: Set<SheetCell>) -> FormSurvey.Block? {
        guard cells.isWord(start), cells.isKnown(start) else { return nil }
        var labels: [SheetCell] = []
        var width = 0
        var row = start.row
        while true {
            let cell = SheetCell(row: row, column: start.column)
            guard sheet.first(of: cell) == cell, sheet.value(at: cell) != nil, cells.isWord(cell), !taken.contains(cell)
            else { break }
            let own = values(rightOf: cell)
            guard own.count >= 2, width == 0 || own.count <= width else { break }
            width = max(width, own.count)
            labels.append(cell)
            row = sheet.last(of: cell).row + 1
        }
        guard labels.count >= 3, labels.count(where: cells.isKnown) >= 2,
            labels.contains(where: { values(rightOf: $0).allSatisfy { cells.isFigure(sheet.value(at: $0)) } })
        else { return nil }
        let first = labels.map { sheet.last(of: $0).column }.max() ?? start.column
        let columns = labels.map {
            FormSurvey.Block.Column(
                heading: cells.text($0).trimmingSpaces, last: cells.text($0).trimmingSpaces, place: $0.row)
        }
        let lines = (first + 1...first + width).map { column in
            labels.map { sheet.value(at: SheetCell(row: $0.row, column: column)) }
        }
        return .init(
            first: start, last: SheetCell(row: row - 1, column: first + width), isSideways: true,
            headingLines: first - start.column + 1, columns: columns,
            lines: lines)
    }

    /// The cells to the right of a word, up to the first empty one; none if another label is among
    /// them.
    private func values(rightOf cell: SheetCell) -> [SheetCell] {
        var found: [SheetCell] = []
        var next = SheetCell(row: cell.row, column: sheet.last(of: cell).column + 1)
        while sheet.value(at: next) != nil, sheet.first(of: next) == next {
            if cells.isStrongLabel(next) { return [] }
            found.append(next)
            next.column = sheet.last(of: next).column + 1
        }
        return found
    }
}
