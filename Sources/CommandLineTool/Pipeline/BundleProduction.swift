import Exporting
import Foundation
import Model
import Recording
import Replica

/// Makes the client package: the bundled exports in every format and the photos, in one ZIP. The
/// single files exist only while it is made.
struct BundleProduction {
    let scope: RunScope
    let request: ExportRequest

    func write(
        stem: String, findings: any FindingSink, document: (ExportDefinition, ExportFormat) throws -> ExportDocument, photos: () throws -> PhotoReader
    ) throws -> [WrittenFile] {
        guard let bundle = request.definition.bundle else { return [] }
        let folder = URL(fileURLWithPath: stem).deletingLastPathComponent().path
        var written: [WrittenFile] = []
        defer { try? OutputCommit.removeLeftovers(written.map(\.temporaryPath)) }
        for name in bundle.exports {
            guard let definition = scope.session.pack.export(name) else { continue }
            for format in bundle.formats {
                scope.session.progress.begin("\(name).\(format.rawValue)", total: nil)
                written += try format.writer(dialect: request.dialect, zipped: request.zipped).write(
                    document(definition, format), stem: folder + "/" + name, findings: findings, progress: scope.session.progress.show)
                scope.session.progress.end()
            }
        }
        let file = try BundleWriter().write(
            files: written.map { BundleFile($0) }, nextPhoto: photos().next, finalPath: stem + ".zip", findings: findings,
            progress: scope.session.progress.show)
        return [file]
    }
}
