import Exporting
import Model

/// Reads the rows of a photo query one by one: name, path (relative to the replica's folder),
/// SHA-256.
final class PhotoReader {
    private let rows: any RowSource
    private let base: String
    private var batch = RowBatch(columnCount: 3)
    private var position = 0

    init(_ rows: any RowSource, base: String) {
        self.rows = rows
        self.base = base
    }

    func next() throws -> BundlePhoto? {
        if position == batch.rowCount {
            try rows.fill(&batch)
            position = 0
            if batch.rowCount == 0 { return nil }
        }
        defer { position += 1 }
        let path = batch.string(position, 1).map { $0.hasPrefix("/") ? $0 : base + "/" + $0 }
        return BundlePhoto(name: batch.string(position, 0) ?? "", path: path, sha256: batch.string(position, 2))
    }
}
