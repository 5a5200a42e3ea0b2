import Foundation
package import Model
import OutputFiles

/// Reads another source on a separate thread, a few batches ahead of the consumer.
///
/// No other code may use the wrapped source while this object exists. The deinitialiser waits for
/// the thread.
package final class PrefetchingRows: RowSource {
    package let columnCount: Int
    private let source: Source
    private let batches: BoundedQueue<RowBatch>
    private var isAtEnd = false

    package init(_ source: any RowSource, depth: Int = 3) {
        columnCount = source.columnCount
        self.source = Source(source)
        batches = BoundedQueue([RowBatch](repeating: RowBatch(columnCount: source.columnCount), count: max(1, depth)))
        let thread = Thread { [source = self.source, batches] in source.fill(batches) }
        thread.name = "fichero.rows"
        thread.start()
    }

    deinit {
        batches.stop()
        source.drop()
    }

    package func fill(_ batch: inout RowBatch) throws {
        var isThere = false
        defer {
            if !isThere {
                isAtEnd = true
                batch.removeAll()
            }
        }
        if !isAtEnd { isThere = try batches.take(&batch) }
    }

    /// Wraps the source for use on its thread.
    private final class Source: Sendable {
        // `any RowSource` is not Sendable. After `init` only the thread uses it, and `drop` is
        // called after the thread has ended. The statement is then finalised on the reading thread,
        // and not by the thread that happens to release it last.
        nonisolated(unsafe) private var rows: (any RowSource)?

        init(_ rows: any RowSource) { unsafe self.rows = rows }

        func drop() { unsafe rows = nil }

        func fill(_ batches: BoundedQueue<RowBatch>) {
            do {
                var batch = RowBatch(columnCount: unsafe rows?.columnCount ?? 0)
                repeat { unsafe try rows?.fill(&batch) } while try batch.rowCount > 0 && batches.give(&batch)
                batches.end()
            } catch {
                batches.end(error)
            }
        }
    }
}

extension Sheet {
    /// Calls the body with the sheet's rows in batches, which a separate thread reads ahead. After
    /// each batch, reports the number of rows so far.
    ///
    /// - Parameter source: the rows, if they have more than the sheet's columns.
    /// - Returns: the number of rows.
    /// - Throws: `OutputFailure.rowCount` if the number differs from the sheet's row count.
    func forEachBatch(
        of source: (any RowSource)? = nil, progress: (Int) -> Void, _ body: (borrowing RowBatch) throws -> Void
    ) throws -> Int {
        let rows = PrefetchingRows(try source ?? open())
        var batch = RowBatch(columnCount: rows.columnCount)
        var count = 0
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { break }
            try body(batch)
            count += batch.rowCount
            progress(count)
        }
        guard count == rowCount else { throw OutputFailure.rowCount(sheet: name, expected: rowCount, found: count) }
        return count
    }
}
