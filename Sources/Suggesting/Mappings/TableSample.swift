import Foundation
import Importing
import Model

/// The first rows of an external table under their headings, from which a mapping is suggested.
struct TableSample {
    struct Cell: Hashable {
        let text: String
        let kind: ForeignBatch.Kind
    }

    struct Column {
        /// The column's name in a mapping: the heading, or the column letters if the table has no
        /// headings. Empty if only this column has none.
        let heading: String
        /// The lowest word of a heading with several rows.
        var last: String? = nil
        /// How the values are derived, if the file lacks the column.
        var derived: Derived? = nil
        /// The cells by row; nil if a cell is empty or blank.
        var cells: [Cell?] = []

        var filled: [Cell] { cells.compactMap(\.self) }
        /// Whether every value is a UUID, such as programs assign to rows.
        var isOfIDs: Bool {
            var isFilled = false
            return cells.allSatisfy { cell in
                guard let cell else { return true }
                isFilled = true
                return cell.text.utf8.count == 36 && UUID(uuidString: cell.text) != nil
            } && isFilled
        }
    }

    let name: String
    /// Whether the table has headings at all.
    let hasHeading: Bool
    private(set) var columns: [Column]
    /// The rows of the heading, if there are several.
    private(set) var headingRows: ClosedRange<Int>?
    private(set) var rows = 0
    /// Whether the table is one of several on its sheet.
    private(set) var isBlock = false

    static let maximumRows = 300
    private static let headingRows = 30

    /// Uses the row with the most field names as the heading.
    init(_ table: ForeignTable, pack: Pack, words: HeadingWords) throws {
        try self.init(table, isName: words.isName)
        deriveLayers(pack, words)
    }

    /// A sample made of parts: full column names with their lowest words, and rows of cells.
    ///
    /// - Parameter lines: indices of the columns that come from a form's table.
    init(
        name: String, columns: [(heading: String, last: String)], rows: [[FormCell?]], lines: Range<Int>? = nil,
        pack: Pack, words: HeadingWords
    ) {
        self.name = name
        hasHeading = true
        self.rows = min(rows.count, Self.maximumRows)
        self.columns = columns.enumerated().map { index, column in
            Column(
                heading: column.heading, last: column.last,
                cells: rows.prefix(Self.maximumRows).map { row in
                    row[index].flatMap { $0.isBlank ? nil : Cell(text: String($0.text.prefix(400)), kind: $0.kind) }
                })
        }
        deriveLayers(pack, words, lines: lines)
    }

    /// One of several tables on a sheet.
    init(_ block: FormSurvey.Block, on sheet: String, pack: Pack, words: HeadingWords) {
        self.init(
            name: sheet, columns: block.columns.map { ($0.heading, $0.last) }, rows: block.lines, pack: pack,
            words: words)
        isBlock = true
        if block.headingLines > 1 { headingRows = block.first.row + 1...block.first.row + block.headingLines }
    }

    mutating func add(_ heading: String, _ derived: Derived, _ cells: [Cell?]) {
        columns.append(Column(heading: heading, derived: derived, cells: cells))
    }

    /// - Parameter isName: whether a text is a known heading.
    init(_ table: ForeignTable, isName: (String) -> Bool = { _ in false }) throws {
        name = table.name
        let heading = try Self.heading(table, isName)
        hasHeading = table.columns != nil || heading != nil
        columns = (heading?.names ?? table.columns ?? []).enumerated().map { index, name in
            Column(
                heading: name.allSatisfy(\.isWhitespace) ? "" : name,
                last: heading?.lasts.map { $0.indices.contains(index) ? $0[index] : "" })
        }
        headingRows = heading.flatMap { $0.lasts == nil ? nil : $0.row - 1...$0.row }
        let source = try table.open()
        var batch = ForeignBatch()
        while rows < Self.maximumRows {
            try source.fill(&batch)
            guard batch.rowCount > 0 else { return }
            for index in 0..<batch.rowCount where table.columns != nil || batch.rows[index].number > (heading?.row ?? 0)
            {
                guard rows < Self.maximumRows else { return }
                take(ForeignRow(batch: batch, index: index), hasNames: table.columns != nil)
            }
        }
    }

    /// Adds a row to the sample.
    private mutating func take(_ row: ForeignRow, hasNames: Bool) {
        guard !row.isBlank else { return }
        let width = hasNames ? 0 : (0..<row.batch.width(row.index)).last { row.text($0) != nil }.map { $0 + 1 } ?? 0
        for column in columns.count..<max(columns.count, width) {
            // A mapping cannot name a column beyond the heading; the column is reported.
            columns.append(
                Column(heading: hasHeading ? "" : ColumnName.letters(column), cells: Array(repeating: nil, count: rows))
            )
        }
        for column in columns.indices {
            columns[column].cells.append(
                row.text(column).map { Cell(text: String($0.prefix(400)), kind: row.kind(column)) })
        }
        rows += 1
    }

    /// The same sample, in which the values of some columns (the outermost first) are filled down
    /// to the rows below, as `DownValues` does.
    func filledDown(_ down: [Int]) -> TableSample {
        var sample = self
        var held: [Cell?] = down.map { _ in nil }
        for row in 0..<rows {
            for (index, column) in down.enumerated() {
                if let cell = columns[column].cells[row] {
                    held[index] = cell
                    for later in held.indices where later > index { held[later] = nil }
                } else {
                    sample.columns[column].cells[row] = held[index]
                }
            }
        }
        return sample
    }

    /// The same sample without some columns and those that were derived from them.
    ///
    /// - Parameter lasts: the lowest words of headings, by heading.
    func leavingOut(_ indices: Set<Int>, calling lasts: [String: String]) -> TableSample {
        let sources = Set(indices.map { columns[$0].heading })
        var sample = self
        sample.columns = columns.enumerated().filter { index, column in
            !indices.contains(index) && column.derived.map { sources.contains($0.source) } != true
        }.map { _, column in
            var column = column
            column.last = lasts[column.heading] ?? column.last
            return column
        }
        return sample
    }

    /// The row with the most known names, at least two; otherwise a row that looks like names.
    private static func heading(_ table: ForeignTable, _ isName: (String) -> Bool) throws -> (
        row: Int, names: [String], lasts: [String]?
    )? {
        guard table.columns == nil else { return nil }
        var batch = ForeignBatch()
        try table.open().fill(&batch)
        var best = (count: 1, index: -1)
        for row in 0..<min(batch.rowCount, headingRows) {
            let count = (0..<batch.width(row)).count { column in batch.string(row, column).map(isName) ?? false }
            if count > best.count { best = (count, row) }
        }
        if let two = twoRows(batch, isName), two.count > best.count { return (two.row, two.names, two.lasts) }
        if best.index < 0 { best.index = HeaderGuess.guess(batch)?.index ?? -1 }
        guard best.index >= 0 else { return nil }
        return (
            batch.rows[best.index].number, (0..<batch.width(best.index)).map { batch.string(best.index, $0) ?? "" }, nil
        )
    }

    /// Finds a heading of two rows: its lower words are in columns without a word above.
    private static func twoRows(_ batch: ForeignBatch, _ isName: (String) -> Bool) -> (
        row: Int, count: Int, names: [String], lasts: [String]
    )? {
        var best: (row: Int, count: Int, names: [String], lasts: [String])?
        for row in 0..<max(0, min(batch.rowCount - 1, headingRows))
        where batch.rows[row].number + 1 == batch.rows[row + 1].number {
            let lines = [row, row + 1].map { row in (0..<batch.width(row)).map { batch.string(row, $0) ?? "" } }
            func isWords(_ row: Int) -> Bool {
                (0..<batch.width(row)).allSatisfy { column in
                    let cell = batch.cell(row, column)
                    return cell.kind == .empty
                        || (cell.kind == .text && ApparentType(batch.text.span.extracting(cell.range)) == .text)
                }
            }
            func isFilled(_ line: Int, _ column: Int) -> Bool {
                lines[line].indices.contains(column) && !lines[line][column].allSatisfy(\.isWhitespace)
            }
            let width = lines.map(\.count).max() ?? 0
            guard isWords(row), isWords(row + 1), (0..<width).contains(where: { isFilled(1, $0) && !isFilled(0, $0) }),
                (0..<width).contains(where: { isFilled(0, $0) && !isFilled(1, $0) })
            else { continue }
            let (names, lasts) = (HeadingLines.names(lines), HeadingLines.lastNames(lines))
            let count = (0..<width).count { isName(names[$0]) || isName(lasts[$0]) }
            if count > best?.count ?? 1 { best = (batch.rows[row + 1].number, count, names, lasts) }
        }
        return best
    }
}
