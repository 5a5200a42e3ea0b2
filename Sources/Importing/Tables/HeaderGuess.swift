/// A guess which row of a table contains the column names, based on its first rows. It is a
/// suggestion: a mapping or a person decides.
package struct HeaderGuess: Sendable, Equatable {
    /// Index of the row in the batch.
    package var index: Int
    /// Row of the sheet, or line of the file.
    package var row: Int
    /// From 0 to 1.
    package var confidence: Double

    /// How many rows are examined.
    private static let reach = 30

    /// The first row that is as wide as the widest one and contains only words, above rows that
    /// differ; nil if there is no such row.
    package static func guess(_ batch: ForeignBatch) -> HeaderGuess? {
        let count = min(batch.rowCount, reach)
        guard count > 0 else { return nil }
        let filled = (0..<count).map { row in (0..<batch.width(row)).count { batch.cell(row, $0).kind != .empty } }
        guard let widest = filled.max(), widest > 0 else { return nil }
        var best: HeaderGuess?
        for row in 0..<count {
            let score = score(batch, row, filled: filled[row], widest: widest) * (isBelowDifferent(batch, row, count) ? 1 : 0.7)
            guard score >= 0.5, score > (best?.confidence ?? 0) + 0.1 else { continue }
            best = HeaderGuess(index: row, row: batch.rows[row].number, confidence: score)
        }
        return best
    }

    /// The share of columns with a name, reduced for duplicate or long names.
    private static func score(_ batch: ForeignBatch, _ row: Int, filled: Int, widest: Int) -> Double {
        var names: Set<String> = []
        var words = 0
        for column in 0..<batch.width(row) {
            let cell = batch.cell(row, column)
            guard cell.kind == .text, cell.range.count <= 120, TextLook(batch.text.span.extracting(cell.range)) == .text else { continue }
            words += 1
            names.insert(batch.string(row, column)?.lowercased() ?? "")
        }
        guard filled > 0, words > 0 else { return 0 }
        return Double(words) / Double(filled) * Double(filled) / Double(widest) * (0.5 + 0.5 * Double(names.count) / Double(words))
    }

    /// Whether a value further down has a different kind from the word above it.
    private static func isBelowDifferent(_ batch: ForeignBatch, _ row: Int, _ count: Int) -> Bool {
        for below in (row + 1)..<max(row + 1, count) {
            for column in 0..<batch.width(below) {
                let cell = batch.cell(below, column)
                switch cell.kind {
                case .empty: continue
                case .text: if TextLook(batch.text.span.extracting(cell.range)) != .text { return true }
                default: return true
                }
            }
        }
        return false
    }
}
