import Foundation
package import Model

/// Steps another source on its own thread, a few batches ahead of whoever formats them.
///
/// The wrapped source must not be touched by anybody else until this object is gone; its deinitialiser waits for the thread.
package final class PrefetchingRows: RowSource {
    package let columnCount: Int
    private let source: Source
    private let batches: HandOver<RowBatch>
    private var isAtEnd = false

    package init(_ source: any RowSource, depth: Int = 3) {
        columnCount = source.columnCount
        self.source = Source(source)
        batches = HandOver([RowBatch](repeating: RowBatch(columnCount: source.columnCount), count: max(1, depth)))
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

    /// The source on its thread.
    private final class Source: Sendable {
        // `any RowSource` is not Sendable. After `init` only the thread uses it, and `drop` comes when that has ended: the statement is
        // finalised there and not by whichever thread lets go last.
        nonisolated(unsafe) private var rows: (any RowSource)?

        init(_ rows: any RowSource) { unsafe self.rows = rows }

        func drop() { unsafe rows = nil }

        func fill(_ batches: HandOver<RowBatch>) {
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
