import Exporting
import Model

/// Reads the rows of a photo query one by one: name, path (relative to the replica's folder),
/// SHA-256, id.
final class PhotoReader {
    private let rows: any RowSource
    private let base: String
    private let absent: AbsentPhotos
    private var batch = RowBatch(columnCount: 4)
    private var position = 0

    /// - Parameter absent: photos that are known not to be here; they get no path.
    init(_ rows: any RowSource, base: String, absent: AbsentPhotos = AbsentPhotos()) {
        self.rows = rows
        self.base = base
        self.absent = absent
    }

    func next() throws -> BundlePhoto? { try nextRow()?.photo }

    func nextRow() throws -> (photo: BundlePhoto, id: String)? {
        if position == batch.rowCount {
            try rows.fill(&batch)
            position = 0
            if batch.rowCount == 0 { return nil }
        }
        defer { position += 1 }
        let id = batch.string(position, 3) ?? ""
        let path = absent.ids.contains(id) ? nil : batch.string(position, 1).map { $0.hasPrefix("/") ? $0 : base + "/" + $0 }
        return (BundlePhoto(name: batch.string(position, 0) ?? "", path: path, sha256: batch.string(position, 2)), id)
    }
}
