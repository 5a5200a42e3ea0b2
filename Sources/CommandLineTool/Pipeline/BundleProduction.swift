import Exporting
import Foundation
import Model
import Recording
import Replica

/// Makes the client package: the bundled exports in every format and the photos, in one ZIP. The single files live only while it is made.
struct BundleProduction {
    let scope: RunScope
    let request: ExportRequest

    func write(
        stem: String, findings: any FindingSink, document: (ExportDefinition) throws -> ExportDocument, photos: () throws -> any RowSource
    ) throws -> [WrittenFile] {
        guard let bundle = request.definition.bundle else { return [] }
        let folder = URL(fileURLWithPath: stem).deletingLastPathComponent().path
        var written: [WrittenFile] = []
        defer { try? OutputCommit.removeLeftovers(written.map(\.temporaryPath)) }
        for name in bundle.exports {
            guard let definition = scope.session.pack.export(name) else { continue }
            for format in bundle.formats {
                scope.session.progress.begin("\(name).\(format.rawValue)", total: nil)
                written += try format.writer(for: request).write(
                    document(definition), stem: folder + "/" + name, findings: findings, progress: scope.session.progress.report)
                scope.session.progress.end()
            }
        }
        let rows = PhotoReader(try photos(), base: URL(fileURLWithPath: scope.session.replicaPath).deletingLastPathComponent().path)
        let file = try BundleWriter().write(
            files: written.map { BundleFile($0) }, nextPhoto: rows.next, finalPath: stem + ".zip", findings: findings,
            progress: scope.session.progress.report)
        return [file]
    }
}

/// Gives the rows of a photo query one by one: name, path (relative to the replica's folder), SHA-256.
private final class PhotoReader {
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
