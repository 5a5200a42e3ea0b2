import Exporting
import Foundation
package import Model
import Recording
package import Replica

/// Writes the files of one export of one project, under temporary names that are journaled before
/// the first byte.
package struct FileProduction {
    package let scope: RunScope
    package let request: ExportRequest
    package let formats: [ExportFormat]
    package let version: Int
    package let project: ReadSession.Project

    /// A written file with the other facts for its registration.
    package struct Product {
        package var file: WrittenFile
        package var format: ExportFormat
        /// The document's name, the same from version to version.
        package var document: String
        package var version: Int
    }

    /// - Parameters:
    ///   - document: makes the document of an export definition in a format; called once for each file, since
    ///     rows can be read once.
    ///   - photos: the photos of a bundle.
    package func write(
        findings: any FindingSink, document: (ExportDefinition, ExportFormat) throws -> ExportDocument,
        photos: () throws -> PhotoReader
    ) throws -> [Product] {
        var products: [Product] = []
        do {
            for format in formats {
                let stem = try request.files.stem(format, version: version, project: project, context: scope.context)
                // The contents of a bundle are written beside it, under separate names, until the
                // bundle is complete.
                let folder = URL(fileURLWithPath: stem).deletingLastPathComponent().path
                let growing =
                    [stem + "." + format.rawValue]
                    + (request.definition.bundle?.exports ?? []).map { folder + "/" + $0 + ".part" }
                try scope.replica.plan(
                    growing.map { RunOutput(step: request.files.step, temporaryPath: "", finalPath: $0) },
                    run: scope.context.id)
                let files = request.definition.bundle == nil
                    ? try write(document(request.definition, format), as: format, stem: stem, findings)
                    : try BundleProduction(scope: scope, request: request).write(
                        stem: stem, findings: findings, document: document, photos: photos)
                try scope.replica.plan(
                    files.map {
                        RunOutput(
                            step: request.files.step, temporaryPath: $0.temporaryPath, finalPath: $0.finalPath,
                            state: .written)
                    },
                    insteadOf: growing, run: scope.context.id)
                let name = URL(fileURLWithPath: stem).lastPathComponent
                products += files.map { file in
                    let ending = URL(fileURLWithPath: file.finalPath).lastPathComponent.dropFirst(name.count)
                    return Product(
                        file: file, format: format, document: request.definition.name + ending, version: version)
                }
            }
        } catch {
            try? OutputCommit.removeLeftovers(products.map(\.file.temporaryPath))
            throw error
        }
        return products
    }

    private func write(
        _ content: ExportDocument, as format: ExportFormat, stem: String, _ findings: any FindingSink
    ) throws -> [WrittenFile] {
        scope.session.display.begin(
            "\(content.name).\(format.rawValue)", total: content.sheets.reduce(0) { $0 + $1.rowCount })
        defer { scope.session.display.end() }
        return try format.writer(dialect: request.dialect, zipped: request.zipped).write(
            content, stem: stem, findings: findings, progress: scope.session.display.show)
    }
}

/// Makes the client package: the bundled exports in every format and the photos, in one ZIP. The
/// single files exist only while the package is made.
struct BundleProduction {
    let scope: RunScope
    let request: ExportRequest

    func write(
        stem: String, findings: any FindingSink, document: (ExportDefinition, ExportFormat) throws -> ExportDocument,
        photos: () throws -> PhotoReader
    ) throws -> [WrittenFile] {
        guard let bundle = request.definition.bundle else { return [] }
        let folder = URL(fileURLWithPath: stem).deletingLastPathComponent().path
        var written: [WrittenFile] = []
        defer { try? OutputCommit.removeLeftovers(written.map(\.temporaryPath)) }
        for name in bundle.exports {
            guard let definition = scope.session.pack.export(name) else { continue }
            for format in bundle.formats {
                scope.session.display.begin("\(name).\(format.rawValue)", total: nil)
                written += try format.writer(dialect: request.dialect, zipped: request.zipped).write(
                    document(definition, format), stem: folder + "/" + name, findings: findings,
                    progress: scope.session.display.show)
                scope.session.display.end()
            }
        }
        let file = try BundleWriter().write(
            files: written.map { BundleFile($0) }, nextPhoto: photos().next, finalPath: stem + ".zip",
            findings: findings,
            progress: scope.session.display.show)
        return [file]
    }
}
