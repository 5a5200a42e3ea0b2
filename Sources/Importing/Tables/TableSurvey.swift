/// Describes a table: its columns with the types of their values, its number of rows, and the first
/// rows.
package struct TableSurvey: Sendable {
    package enum CellType: String, Sendable {
        case empty, text, number, boolean, date, time, dateTime, error
        /// Values of several types.
        case mixed
    }

    package struct Column: Sendable {
        /// The name in the header row or in the file's definition, if any.
        package var name: String?
        package var type: CellType
        /// Number of cells with a value.
        package var filled: Int
    }

    package private(set) var columns: [Column] = []
    package private(set) var header: HeaderGuess?
    /// Number of rows with values, below the header if there is one.
    package private(set) var rows = 0
    /// The first rows as text; nil for empty cells.
    package private(set) var samples: [[String?]] = []

    /// Number of cells of each type by column: `stride` counters a column. A text that looks like
    /// another type counts as that type.
    private var counts: [Int] = []
    private static let stride = 8
    private static let sampleRows = 3
    /// The share of a column's values that one type must have.
    private static let majority = 0.95

    /// Reads a table to its end.
    package init(_ table: ForeignTable) throws {
        let source = try table.open()
        var batch = ForeignBatch()
        var isFirst = true
        while true {
            try source.fill(&batch)
            guard batch.rowCount > 0 else { break }
            var first = 0
            if isFirst, table.columns == nil {
                header = HeaderGuess.guess(batch)
                first = header.map { $0.index + 1 } ?? 0
            }
            if isFirst { takeNames(batch, table) }
            isFirst = false
            take(batch, from: first)
        }
        summarise()
    }

    private mutating func takeNames(_ batch: ForeignBatch, _ table: ForeignTable) {
        let names =
            table.columns ?? header.map { header in
                (0..<batch.width(header.index)).map { batch.string(header.index, $0) ?? "" }
            } ?? []
        columns = names.map { Column(name: $0.isEmpty ? nil : $0, type: .empty, filled: 0) }
    }

    /// Counts the rows and types of a batch, from its row `first` on.
    private mutating func take(_ batch: ForeignBatch, from first: Int) {
        guard first < batch.rowCount else { return }
        rows += batch.rowCount - first
        let text = batch.text.span
        for row in first..<batch.rowCount {
            let width = batch.width(row)
            if counts.count < width * Self.stride {
                counts.append(contentsOf: repeatElement(0, count: width * Self.stride - counts.count))
            }
            for column in 0..<width {
                let cell = batch.cell(row, column)
                let base = column * Self.stride
                guard cell.kind == .text else {
                    if cell.kind != .empty { counts[base + Int(cell.kind.rawValue)] += 1 }
                    continue
                }
                // Once a column contains enough plain text, all its texts count as plain.
                if counts[base + 1] > 100 {
                    counts[base + 1] += 1
                } else {
                    counts[base + Int(Self.kind(of: ApparentType(text.extracting(cell.range))).rawValue)] += 1
                }
            }
        }
        for row in first..<batch.rowCount where samples.count < Self.sampleRows {
            samples.append((0..<batch.width(row)).map { batch.string(row, $0) })
        }
    }

    private static func kind(of look: ApparentType) -> ForeignBatch.Kind {
        switch look {
        case .text: .text
        case .number: .number
        case .date: .date
        case .time: .time
        case .dateTime: .dateTime
        }
    }

    private mutating func summarise() {
        let types: [CellType] = [.empty, .text, .number, .boolean, .date, .dateTime, .time, .error]
        for column in 0..<max(columns.count, counts.count / Self.stride) {
            if column == columns.count { columns.append(Column(name: nil, type: .empty, filled: 0)) }
            guard (column + 1) * Self.stride <= counts.count else { continue }
            let own = counts[(column * Self.stride)..<((column + 1) * Self.stride)]
            let filled = own.reduce(0, +)
            columns[column].filled = filled
            guard filled > 0, let most = own.indices.max(by: { own[$0] < own[$1] }) else { continue }
            columns[column].type =
                Double(own[most]) >= Double(filled) * Self.majority ? types[most - own.startIndex] : .mixed
        }
    }
}

/// A guess which row of a table contains the column names, based on its first rows. A mapping or a
/// person decides.
package struct HeaderGuess: Sendable, Equatable {
    /// Index of the row in the batch.
    package var index: Int
    /// Row of the sheet, or line of the file.
    package var row: Int
    /// Confidence from 0 to 1.
    package var confidence: Double

    /// Number of rows that are examined.
    private static let reach = 30

    /// The first row that is as wide as the widest one, has only words, and is above rows that
    /// differ; nil if there is none.
    package static func guess(_ batch: ForeignBatch) -> HeaderGuess? {
        let count = min(batch.rowCount, reach)
        guard count > 0 else { return nil }
        let filled = (0..<count).map { row in (0..<batch.width(row)).count { batch.cell(row, $0).kind != .empty } }
        guard let widest = filled.max(), widest > 0 else { return nil }
        var best: HeaderGuess?
        for row in 0..<count {
            let score =
                score(batch, row, filled: filled[row], widest: widest) * (isBelowDifferent(batch, row, count) ? 1 : 0.7)
            guard score >= 0.5, score > (best?.confidence ?? 0) + 0.1 else { continue }
            best = HeaderGuess(index: row, row: batch.rows[row].number, confidence: score)
        }
        return best
    }

    /// The share of columns with a name, reduced if names are duplicate or long.
    private static func score(_ batch: ForeignBatch, _ row: Int, filled: Int, widest: Int) -> Double {
        var names: Set<String> = []
        var words = 0
        for column in 0..<batch.width(row) {
            let cell = batch.cell(row, column)
            guard cell.kind == .text, cell.range.count <= 120,
                ApparentType(batch.text.span.extracting(cell.range)) == .text
            else { continue }
            words += 1
            names.insert(batch.string(row, column)?.lowercased() ?? "")
        }
        guard filled > 0, words > 0 else { return 0 }
        return Double(words) / Double(filled) * Double(filled) / Double(widest)
            * (0.5 + 0.5 * Double(names.count) / Double(words))
    }

    /// Whether a value below the row is not plain text.
    private static func isBelowDifferent(_ batch: ForeignBatch, _ row: Int, _ count: Int) -> Bool {
        for below in (row + 1)..<max(row + 1, count) {
            for column in 0..<batch.width(below) {
                let cell = batch.cell(below, column)
                switch cell.kind {
                case .empty: continue
                case .text: if ApparentType(batch.text.span.extracting(cell.range)) != .text { return true }
                default: return true
                }
            }
        }
        return false
    }
}
