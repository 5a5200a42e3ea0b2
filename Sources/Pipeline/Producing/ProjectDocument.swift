import Blocks
import Canvas
import Exporting
import Foundation
import Model
import Photos
import Recording
import Replica
import Reporting

/// One report of one project.
final class ProjectDocument: ProjectFiles {
    let scope: RunScope
    let request: DocumentRequest
    let reading: ReadSession
    let kind: RecordKind
    var missing: [MissingRecord] = []
    var absent = AbsentPhotos()
    /// The names of the signed files that this version follows: of the last version that was signed.
    private var followed: [String] = []
    var holdsSelection: Bool { request.definition.readsSelection }
    var marking: ExportFormat? { files.formats.first }

    init(scope: RunScope, request: DocumentRequest, reading: ReadSession, kind: RecordKind) {
        (self.scope, self.request, self.reading, self.kind) = (scope, request, reading, kind)
    }

    func prepare() throws { try reading.prepareReport(request.definition) }

    /// Whether the pages are labelled as a draft.
    var isDraft: Bool { files.isDraft || DeliveryConditions.isDraft(request.definition, files.selection, session.pack) }

    func isDraft(of project: ReadSession.Project) -> Bool { isDraft }

    func numbers() -> [(String, [(rowID: String, number: Int64)])] { [] }

    // MARK: Writing

    func write(
        _ standing: Registrar.Standing, _ project: ReadSession.Project, _ summary: SelectionSummary,
        _ findings: [FindingCount], isDraft: Bool
    ) throws -> [FileProduction.Product] {
        let version = standing.version
        if !files.isPreview { followed = try lastSigned(of: project, before: version) }
        let head = head(of: project, title: session.title(of: request.definition))
        let targets = try standing.missing.map { format in
            let stem = try files.stem(format, version: version, project: project, context: context)
            return (format: format, version: version, path: stem + "." + format.rawValue)
        }
        if !files.isPreview {
            try scope.replica.plan(
                targets.map { RunOutput(step: files.step, temporaryPath: "", finalPath: $0.path) }, run: context.id)
        }
        session.display.begin(files.name, total: nil)
        defer { session.display.end() }
        if let delivery = request.definition.delivery, let target = targets.first {
            let file = try DeliveryProduction(
                document: self, delivery: delivery, project: project, summary: summary, findings: findings
            ).write(to: target.path)
            return try planned([
                FileProduction.Product(file: file, format: .zip, document: files.name + ".zip", version: target.version)
            ])
        }
        let renderers = try targets.map { try $0.format.renderer(of: request.definition, head: head, to: $0.path) }
        let assembler = ReportAssembler(
            request.definition, pack: session.pack, head: head, source: reading, photos: session.photoShelf(head.words),
            scope: try scopeSection(project, summary, findings, head))
        var count = 0
        try assembler.forEachSectionAhead(isPreview: files.isPreview) { section in
            for renderer in renderers { try renderer.add(section) }
            count += 1
            session.display.show(count)
        }
        var products: [FileProduction.Product] = []
        do {
            for (target, renderer) in zip(targets, renderers) {
                let ending = "." + target.format.rawValue
                products.append(
                    FileProduction.Product(
                        file: try renderer.finish(), format: target.format, document: files.name + ending,
                        version: target.version))
            }
        } catch {
            try? OutputCommit.removeLeftovers(products.map(\.file.temporaryPath))
            throw error
        }
        return try planned(products)
    }

    /// The names of the files of the last version that was signed.
    private func lastSigned(of project: ReadSession.Project, before version: Int) throws -> [String] {
        let signed = try scope.replica.signedCopies(
            projectID: project.id, line: files.line.name, exportName: files.name, before: version)
        let last = signed.map(\.version).max()
        return signed.filter { $0.version == last }.map(\.fileName).sorted()
    }

    /// Records written files in the run's journal.
    private func planned(_ products: [FileProduction.Product]) throws -> [FileProduction.Product] {
        guard !files.isPreview else { return products }
        do {
            try scope.replica.plan(
                products.map {
                    RunOutput(
                        step: files.step, temporaryPath: $0.file.temporaryPath, finalPath: $0.file.finalPath,
                        state: .written)
                },
                run: context.id)
        } catch {
            try? OutputCommit.removeLeftovers(products.map(\.file.temporaryPath))
            throw error
        }
        return products
    }

    func head(of project: ReadSession.Project, title: String) -> DocumentHead {
        let isMostSerious = context.environment == session.pack.environments.last
        let pack = session.pack, language = session.language
        let day = OfficeDay.text(of: context.asOf, in: context.timeZone)
        var head = DocumentHead(
            title: title, project: project.code == project.name ? project.name : "\(project.code) · \(project.name)",
            brand: request.brand,
            environmentBanner: isMostSerious
                ? nil : session.text("cover.environment_banner", ["environment": context.environment]),
            draftBanner: files.isPreview
                ? session.text("word.report.preview") : isDraft ? session.text("cover.draft_banner") : nil,
            language: language, timeZone: session.timeZone,
            asOf: context.asOf, day: language.day(day) ?? day, author: context.actor.fullName ?? context.actor.email,
            words: ReportWords { pack.texts.text($0, in: language) })
        head.isWhole = !files.isPreview
        if !followed.isEmpty {
            head.follows = head.words("follows_signed", ["files": followed.joined(separator: ", ")])
        }
        return head
    }

    /// The last page: the request, the records left out with the reasons, the findings.
    /// - Parameter paper: the paper of the document; nil: that of the requested report.
    func scopeSection(
        _ project: ReadSession.Project, _ summary: SelectionSummary, _ findings: [FindingCount], _ head: DocumentHead,
        on paper: ReportPaper? = nil
    ) throws -> SectionContent {
        let paper = paper ?? request.definition.paper
        let builder = CoverBuilder(
            session: session, context: context, selection: files.selection, policy: files.policy, title: head.title,
            hiddenFields: reading.hiddenFields.map { session.label(ofField: $0.field, in: $0.entity) })
        let cover = builder.cover(
            project: project, summary: summary, sheets: [], findings: findings, missing: missing, isDraft: isDraft)
        let fields = FieldsContent(
            columns: max(2, Int(paper.width / Self.fieldWidth)),
            items: cover.lines.map { .init(label: $0.label, cell: .text($0.value), span: 1) })
        let tables = cover.tables.map { table in
            TableContent(
                title: table.title,
                columns: table.headers.map { .init(label: $0, isNumeric: false, width: nil, decimals: nil) },
                rows: table.rows.map { .init(.data, $0.map { .text($0) }) }, empty: nil)
        }
        let title = head.words("scope")
        let leftOut = try leftOutList(summary)
        return SectionContent(
            name: "scope", title: title, anchor: "scope", isOfRow: false, paper: paper,
            begins: .anywhere,
            blocks: [TitleContent(title, level: 2), fields] + tables + leftOut)
    }

    /// Fields on the last page are at least so wide, in millimetres of the paper.
    private static let fieldWidth = 66.0

    /// The records that a document for delivery leaves out, with the reasons.
    private func leftOutList(_ summary: SelectionSummary) throws -> [any BlockContent] {
        guard request.definition.delivers, !summary.leftOut.isEmpty else { return [] }
        let columns = ["record", "reason", "detail"].map {
            TableContent.Column(
                label: session.text("sheet.left_out." + $0), isNumeric: false, width: nil, decimals: nil)
        }
        let labels = session.leftOutLabels
        let rows = try reading.leftOut(limit: 2_000).map { record in
            TableContent.Row(
                .data,
                [
                    .text(record.key), .text(session.text("reason." + record.reason.rawValue)),
                    .text(labels[record.reason]?[record.detail] ?? record.detail),
                ])
        }
        return [TableContent(title: session.text("sheet.left_out"), columns: columns, rows: rows, empty: nil)]
    }

    // MARK: Registering

    func fingerprint(_ project: ReadSession.Project) throws -> String {
        var facts = try requestFacts(project) + [request.brand.fingerprint] + reading.facts(of: request.definition)
        // The results of queries that use today's date change from day to day.
        if request.contents(in: session.pack).reports.contains(where: \.asksForToday) {
            facts.append("today \(OfficeDay.text(of: context.asOf, in: context.timeZone))")
        }
        if let delivery = request.definition.delivery {
            for report in delivery.reports.compactMap({ session.pack.report($0) }) {
                facts += [report.name] + (try reading.facts(of: report))
            }
            for export in delivery.exports.compactMap({ session.pack.export($0) }) {
                facts += [export.name] + (try reading.facts(of: export))
            }
            facts += try reading.photoFacts(of: delivery.photoEntity, named: delivery.photoName)
        }
        return Fingerprint.of(facts)
    }
}
