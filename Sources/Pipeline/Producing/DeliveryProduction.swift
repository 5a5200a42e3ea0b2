import Blocks
import Exporting
import Foundation
package import Model
import Recording
import Replica
import Reporting

/// Makes the client's package of a delivery: reports, exports, photos and an index with checksums
/// in one ZIP, with a cover. The single files exist only while the package is made.
struct DeliveryProduction {
    let document: ProjectDocument
    let delivery: ReportDelivery
    let project: ReadSession.Project
    let summary: SelectionSummary
    let findings: [FindingCount]

    private var session: WorkSession { document.scope.session }
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
        let cover = try renderCover(
            written.map { BundleFile($0.file, in: $0.folder) },
            to: "\(folder)/\(session.text("word.report.cover_file")).pdf")
        written.append((cover, ""))
        var files = written.dropLast().map { BundleFile($0.file, in: $0.folder) }
        files.insert(
            BundleFile(
                name: URL(fileURLWithPath: cover.finalPath).lastPathComponent, path: cover.temporaryPath,
                sha256: cover.sha256, rows: 0), at: 0)
        let photos = try delivery.photoEntity.map { entity in
            PhotoReader(
                try reading.photos(of: entity, named: delivery.photoName), base: session.replicaFolder,
                absent: document.absent)
        }
        return try BundleWriter().write(
            files: files, nextPhoto: { try photos?.next() }, finalPath: path, findings: reading.findings,
            progress: session.display.show)
    }

    private func render(_ report: ReportDefinition, as format: ExportFormat, to path: String) throws -> WrittenFile {
        let head = document.head(of: project, title: session.title(of: report))
        let renderer = try format.renderer(of: report, head: head, to: path)
        // The document looks the same as outside a delivery, on its own paper.
        let scope = try document.scopeSection(project, summary, findings, head, on: report.paper)
        let assembler = ReportAssembler(
            report, pack: session.pack, head: head, source: reading, photos: session.photoShelf(head.words),
            scope: scope)
        // SQL statements of the last report must not be reused for this report.
        try reading.prepareReport(report)
        try assembler.forEachSectionAhead { try renderer.add($0) }
        return try renderer.finish()
    }

    private func write(_ export: ExportDefinition, linkedTo photos: PhotoLinks?, in folder: String) throws
        -> [WrittenFile]
    {
        let content = ExportContent(scope: document.scope, reading: reading, files: document.files, photos: photos)
        return try XLSXWriter().write(
            content.document(export, as: .xlsx, project, summary, findings, isDraft: document.isDraft),
            stem: "\(folder)/\(export.name)",
            findings: reading.findings, progress: session.display.show)
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
            TableContent.Row(
                .data,
                [
                    .text(file.name), ReportCell(.number(Double(file.rows), decimals: 0), text: String(file.rows)),
                    .text(file.sha256),
                ])
        }
        let columns = [("name", false), ("rows", true), ("checksum", false)].map {
            TableContent.Column(label: words("cover_" + $0.0), isNumeric: $0.1, width: nil, decimals: 0)
        }
        let cover: [any BlockContent] = [
            TitleContent(head.title, level: 1), TextContent(words("cover_text")),
            TitleContent(words("cover_content"), level: 2),
            TableContent(title: nil, columns: columns, rows: rows, empty: nil),
        ]
        scope.blocks = cover + scope.blocks
        let renderer = try PDFRenderer(head, to: path, numbersBySection: false)
        try renderer.add(scope)
        return try renderer.finish()
    }
}

extension ExportFormat {
    /// The renderer that writes a report in this format.
    func renderer(of report: ReportDefinition, head: DocumentHead, to path: String) throws -> any ReportRenderer {
        switch self {
        case .xlsx: try WorkbookRenderer(head: head, path: path)
        case .pdf: try PDFRenderer(head, to: path, numbersBySection: report.numbersBySection)
        // The check of a pack allows no other format for a report. A delivery in an archive chooses
        // one of these two for each report.
        default: preconditionFailure("\(self) is not a format of pages")
        }
    }
}

/// The conditions for handing records over: the pack allows it for this export or report, and the
/// records are approved.
package struct DeliveryConditions {
    package var name: String
    package var record: String
    var delivers: Bool
    /// Whether the product is a package for the client.
    var isPackage: Bool
    /// Whether the records are to be marked as exported.
    package var marks: Bool

    package init(_ export: ExportDefinition, marks: Bool) {
        (name, record, delivers, isPackage, self.marks) = (export.name, export.record, export.delivers, false, marks)
    }

    package init(_ report: ReportDefinition, marks: Bool) {
        (name, record, delivers, isPackage, self.marks) = (
            report.name, report.record, report.delivers, report.delivery != nil, marks
        )
    }

    /// The selection of a document that hands records over: approved records, if the pack has
    /// approval states.
    ///
    /// A client's package contains other records only if their state is requested, and then it is
    /// labelled as a draft.
    package func selection(_ stated: SelectionRequest, _ session: WorkSession) throws -> SelectionRequest {
        let states = session.pack.record(record).flatMap { session.pack.entity($0.root) }?.states
        if marks {
            let known =
                session.pack.exports.filter(\.delivers).map(\.name)
                + session.pack.reports.filter(\.delivers).map(\.name)
            guard delivers, states?.exported != nil else { throw DeliveryFailure.noDelivery(name, known: known) }
        }
        guard delivers, marks || isPackage, let approved = states?.approved, !approved.isEmpty else { return stated }
        var selection = stated
        if stated.states.isEmpty { selection.states = approved }
        if marks, let other = stated.states.first(where: { !approved.contains($0) }) {
            throw DeliveryFailure.notApproved(other, known: approved)
        }
        return selection
    }

    /// Whether a client's package contains records that are not approved.
    package static func isDraft(_ definition: ReportDefinition, _ selection: SelectionRequest, _ pack: Pack) -> Bool {
        guard definition.delivers, let root = pack.record(definition.record)?.root,
            let approved = pack.entity(root)?.states?.approved
        else { return false }
        return !approved.isEmpty && definition.delivery != nil && !selection.states.allSatisfy(approved.contains)
    }
}

/// Reason why records cannot be handed over.
typealias DeliveryFailure = DeclaredFailure<DeliveryProduction>

extension DeliveryFailure {
    static func noDelivery(_ value: String, known: [String]) -> Self {
        Self("DELIVERY-NONE", .usage, ["value": value, "known": known])
    }
    static func notApproved(_ value: String, known: [String]) -> Self {
        Self("DELIVERY-STATE", .usage, ["value": value, "known": known])
    }
}
