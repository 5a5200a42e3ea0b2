import Blocks
import Exporting
import Foundation
import Model
import Recording
import Replica
import Reporting

/// Makes the client's package of a delivery: reports, exports, photos and an index with checksums
/// in one ZIP, with a cover. The single files exist only while it is made.
struct DeliveryProduction {
    let document: ProjectDocument
    let delivery: ReportDelivery
    let project: ReadSession.Project
    let summary: SelectionSummary
    let findings: [FindingCount]

    private var session: CommandSession { document.scope.session }
    private var reading: ReadSession { document.reading }

    /// - Parameter path: the package's final path.
    func write(to path: String) throws -> WrittenFile {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var written: [(file: WrittenFile, folder: String)] = []
        defer { try? OutputCommit.removeLeftovers(written.map(\.file.temporaryPath)) }
        for name in delivery.reports {
            guard let report = session.pack.report(name) else { continue }
            let format: ExportFormat = report.formats.contains(.pdf) ? .pdf : .xlsx
            written.append((try render(report, as: format, to: "\(folder)/\(name).\(format.rawValue)"), "documents"))
        }
        let links = PhotoLinks(to: document.request.packedPhotos, without: document.absent)
        for name in delivery.exports {
            guard let export = session.pack.export(name) else { continue }
            written += try self.write(export, linkedTo: links, in: folder).map { ($0, "data") }
        }
        let cover = try renderCover(written.map { BundleFile($0.file, in: $0.folder) }, to: "\(folder)/\(session.text("word.report.cover_file")).pdf")
        written.append((cover, ""))
        var files = written.dropLast().map { BundleFile($0.file, in: $0.folder) }
        files.insert(BundleFile(name: URL(fileURLWithPath: cover.finalPath).lastPathComponent, path: cover.temporaryPath, sha256: cover.sha256, rows: 0), at: 0)
        let photos = try delivery.photoEntity.map { entity in
            PhotoReader(try reading.photos(of: entity, named: delivery.photoName), base: session.replicaFolder, absent: document.absent)
        }
        return try BundleWriter().write(
            files: files, nextPhoto: { try photos?.next() }, finalPath: path, findings: reading.findings, progress: session.progress.show)
    }

    private func render(_ report: ReportDefinition, as format: ExportFormat, to path: String) throws -> WrittenFile {
        let head = document.head(of: project, title: session.title(of: report))
        let renderer = try format.renderer(of: report, head: head, to: path)
        // The document looks as it does alone, on its own paper.
        var scope = try document.scopeSection(project, summary, findings, head)
        scope.paper = report.paper
        let assembler = ReportAssembler(
            report, pack: session.pack, head: head, source: reading, photos: session.photoShelf(head.words),
            scope: scope)
        // Statements of the last report must not be reused for this one.
        try reading.prepareReport(report)
        try assembler.forEachSectionAhead { try renderer.add($0) }
        return try renderer.finish()
    }

    private func write(_ export: ExportDefinition, linkedTo photos: PhotoLinks?, in folder: String) throws -> [WrittenFile] {
        let content = ExportContent(scope: document.scope, reading: reading, files: document.files, photos: photos)
        return try XLSXWriter().write(
            content.document(export, as: .xlsx, project, summary, findings, isDraft: document.isDraft), stem: "\(folder)/\(export.name)",
            findings: reading.findings, progress: session.progress.show)
    }

    /// The first page: title, project, date, and the content of the package.
    private func renderCover(_ files: [BundleFile], to path: String) throws -> WrittenFile {
        let head = document.head(of: project, title: session.title(of: document.request.definition))
        let words = head.words
        var scope = try document.scopeSection(project, summary, findings, head)
        scope.name = "cover"
        scope.title = head.title
        scope.anchor = "cover"
        let rows = files.map { file in
            TableContent.Row(.data, [.text(file.name), ReportCell(.number(Double(file.rows), decimals: 0), text: String(file.rows)), .text(file.sha256)])
        }
        let columns = [("name", false), ("rows", true), ("checksum", false)].map {
            TableContent.Column(label: words("cover_" + $0.0), isNumeric: $0.1, width: nil, decimals: 0)
        }
        let cover: [any BlockContent] = [
            TitleContent(head.title, level: 1), TextContent(words("cover_text")), TitleContent(words("cover_content"), level: 2),
            TableContent(title: nil, columns: columns, rows: rows, empty: nil),
        ]
        scope.blocks = cover + scope.blocks
        let renderer = try PDFRenderer(head, to: path, numbersBySection: false)
        try renderer.add(scope)
        return try renderer.finish()
    }
}
