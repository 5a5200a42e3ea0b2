import Exporting
import Foundation
package import Model
import OutputFiles
import Recording
package import Replica

/// The files of an existing delivery, at the paths that are requested now. A file at another path
/// is copied, and registered as another document of the same version, like a signed copy.
package struct FileCopies {
    /// A file, and the additional path that it should have.
    package struct Copy {
        package var file: RegisteredExport
        package var path: String
        /// The copy's document name.
        package var document: String
    }

    private let registered: [RegisteredExport]
    private let request: any ProductRequest
    private let project: ReadSession.Project
    private let context: RunContext

    init(
        _ registered: [RegisteredExport], of request: any ProductRequest, project: ReadSession.Project,
        context: RunContext
    ) {
        (self.registered, self.request, self.project, self.context) = (registered, request, project, context)
    }

    /// The files that are already at the requested paths, and those to be copied to them. Nil if
    /// one of the files no longer exists as it was registered.
    func standing(_ files: [RegisteredExport]) throws -> (here: [RegisteredExport], elsewhere: [Copy])? {
        var here: [RegisteredExport] = [], elsewhere: [Copy] = []
        for (sum, places) in Dictionary(grouping: files, by: \.sha256).sorted(by: { $0.key < $1.key }) {
            // Copies have longer document names, so the shortest name is that of the original.
            guard let first = places.min(by: { $0.document.utf8.count < $1.document.utf8.count }) else { continue }
            let path = try path(of: first)
            func isSound(_ file: RegisteredExport) -> Bool { (try? FileChecksum(of: file.localPath))?.sha256 == sum }
            if let file = places.first(where: { FileName.resolved($0.localPath) == FileName.resolved(path) }) {
                guard isSound(file) else { return nil }
                here.append(file)
            } else if let file = places.first(where: isSound) {
                elsewhere.append(Copy(file: file, path: path, document: copyName(of: first.document)))
            } else {
                return nil
            }
        }
        return (here, elsewhere)
    }

    /// The requested path of a file. A signed copy is never requested, so it keeps its path.
    private func path(of file: RegisteredExport) throws -> String {
        guard let format = ExportFormat(rawValue: file.format), file.document.hasPrefix(request.files.name),
            !file.document.contains(".signed")
        else { return file.localPath }
        let stem = try request.files.plannedStem(
            format, version: file.version, project: project, context: context, asOf: Timestamp.parse(file.asOf))
        return stem + file.document.dropFirst(request.files.name.count)
    }

    /// `calicatas.xlsx`, copied: `calicatas.copy.xlsx`, `calicatas.copy-2.xlsx`.
    private func copyName(of document: String) -> String {
        let url = URL(fileURLWithPath: document), stem = url.deletingPathExtension().lastPathComponent
        let documents = Set(registered.map(\.document))
        let names = (1...).lazy.map { "\(stem).copy\($0 == 1 ? "" : "-\($0)").\(url.pathExtension)" }
        return names.first { !documents.contains($0) } ?? document
    }

    /// Copies files under temporary names, which are in the run's journal. A file that changes
    /// while it is copied is not renamed.
    package static func write(_ copies: [Copy], step: Int, in scope: RunScope) throws -> [FileProduction.Product] {
        let planned = copies.map { RunOutput(step: step, temporaryPath: "", finalPath: $0.path) }
        try scope.replica.plan(planned, run: scope.context.id)
        let products = try copies.map { copy in
            try OutputCommit.makeDirectory(for: copy.path)
            var output = try OutputFile(finalPath: copy.path)
            let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: copy.file.localPath))
            while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
                try output.write(Array(piece).span)
            }
            let file = try output.close(rows: copy.file.rows)
            guard file.sha256 == copy.file.sha256, let format = ExportFormat(rawValue: copy.file.format) else {
                throw RecordingFailure.outputChanged(path: copy.file.localPath, version: copy.file.version)
            }
            return FileProduction.Product(
                file: file, format: format, document: copy.document, version: copy.file.version)
        }
        let written = products.map { product in
            RunOutput(
                step: step, temporaryPath: product.file.temporaryPath, finalPath: product.file.finalPath,
                state: .written)
        }
        try scope.replica.plan(written, run: scope.context.id)
        return products
    }
}

/// Files as the command line or a job's step requests them, for an export or a report: their
/// selection, their names, and the way of registering them.
package struct FileRequest {
    /// The export's or report's name.
    package var name: String
    package var formats: [ExportFormat]
    package var selection: SelectionRequest
    package var policy: FindingsPolicy
    /// Whether files are made again although the same selection over unchanged data is registered
    /// already.
    package var again = false
    package var markExported = false
    /// Whether rows are validated first; false only in timing tests of writers, and in previews.
    package var validates = true
    /// Whether to make only the first of each kind of page, unregistered.
    package var isPreview = false
    package var outputDirectory: String
    package var pattern: String
    /// The line of which the files are the next version.
    package var line: DeliveryLine
    /// The suffix of drafts' names; nil when the files are registered.
    package var draftName: String?
    /// Whether files are made although no record is selected.
    package var allowsEmpty = false
    package var maximumErrors: Int?
    /// Number of the step in its run, from 0.
    package var step = 0

    package static let defaultPattern = OutputName.standard

    package init(
        name: String, formats: [ExportFormat], selection: SelectionRequest, policy: FindingsPolicy,
        outputDirectory: String, pattern: String = Self.defaultPattern, line: DeliveryLine
    ) {
        (self.name, self.formats, self.selection, self.policy) = (name, formats, selection, policy)
        (self.outputDirectory, self.pattern, self.line) = (outputDirectory, pattern, line)
    }

    package var isDraft: Bool { draftName != nil }

    /// The final path without its ending, which the writer adds. Its folder is created.
    func stem(_ format: ExportFormat, version: Int, project: ReadSession.Project, context: RunContext) throws -> String
    {
        let path = try plannedStem(format, version: version, project: project, context: context)
        try OutputCommit.makeDirectory(for: path)
        return path
    }

    /// The final path without its ending, for a file that may never be made; creates no folder.
    ///
    /// - Parameter asOf: the time of a file that was made already.
    func plannedStem(
        _ format: ExportFormat, version: Int, project: ReadSession.Project, context: RunContext, asOf: Date? = nil
    ) throws -> String {
        let name = try OutputName(pattern: pattern).stem(
            OutputName.Values(
                export: name, project: project.code, name: project.name,
                date: OfficeDay.text(of: asOf ?? context.asOf, in: context.timeZone),
                version: version, format: format.rawValue, line: line.label, period: selection.period))
        let directory = URL(fileURLWithPath: outputDirectory).standardizedFileURL.path
        return directory + "/" + name + (draftName.map { "-" + $0 } ?? "") + (isPreview ? "-preview" : "")
    }
}
