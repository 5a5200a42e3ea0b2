import Model
import OutputFiles

/// Distributes the rows of one table to the sheets that they fill, and counts them.
final class SheetRows {
    private let source: any RowSource
    private let title: String
    private let expected: Int
    private(set) var batch: RowBatch
    private var next = 0
    private var total = 0

    init(_ source: any RowSource, title: String, expected: Int, columns: Int) {
        precondition(source.columnCount == columns, "a source of other columns than its sheet's")
        // A batch or two are not worth a thread.
        self.source = expected > 1024 ? PrefetchingRows(source) : source
        self.title = title
        self.expected = expected
        batch = RowBatch(columnCount: columns)
    }

    /// Makes sure that rows wait in `batch`, where there are more.
    func fetchIfEmpty() throws {
        guard next == batch.rowCount, total < expected else { return }
        try source.fill(&batch)
        next = 0
    }

    /// The rows of `batch` that are not taken yet.
    var waiting: Range<Int> { next..<batch.rowCount }

    /// The next rows of `batch`, at most `limit`. Throws when there are fewer rows than were
    /// counted.
    func take(_ limit: Int) throws -> Range<Int> {
        if next == batch.rowCount {
            try source.fill(&batch)
            next = 0
            guard batch.rowCount > 0 else { throw OutputFailure.rowCount(sheet: title, expected: expected, found: total) }
        }
        let end = min(batch.rowCount, next + limit)
        defer {
            total += end - next
            next = end
        }
        return next..<end
    }

    /// Makes sure that no row is left over.
    func finish() throws {
        if next == batch.rowCount {
            try source.fill(&batch)
            next = 0
        }
        let left = batch.rowCount - next
        guard left == 0 else { throw OutputFailure.rowCount(sheet: title, expected: expected, found: total + left) }
    }
}
