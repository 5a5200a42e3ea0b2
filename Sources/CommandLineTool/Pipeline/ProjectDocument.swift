import Blocks
import Canvas
import Exporting
import Foundation
import Model
import Photos
import Recording
import Replica
import Reporting

/// One report of one project, from its selection to its registration.
final class ProjectDocument: ProjectFiles {
    let scope: RunScope
    let request: DocumentRequest
    let reading: ReadSession
    let kind: RecordKind
    /// Records of the last version on the line that are not in this one.
    private var missing: [MissingRecord] = []

    init(scope: RunScope, request: DocumentRequest, reading: ReadSession, kind: RecordKind) {
        (self.scope, self.request, self.reading, self.kind) = (scope, request, reading, kind)
    }

    func run(_ project: ReadSession.Project) throws -> ExportOutcome.Project {
        let summary = try select(kind, in: project, request.selection)
        try reading.setFindingsAside()
        try reading.prepareReport(request.definition)
        var outcome = try outcome(of: project, summary, isDraft: isDraft)
        if request.definition.readsSelection, !request.isPreview { try tellMissing(&outcome, project) }
        missing = outcome.missing
        guard !isEmpty(summary) || !request.definition.readsSelection else {
            outcome.state = .empty
            return outcome
        }
        let findings = try session.counts(reading.findings.counts(project: project.id))
        if isWithheld(findings) {
            outcome.state = .withheld
            return outcome
        }
        let registrar = Registrar(scope: scope, request: request, project: project, isDraft: isDraft)
        let fingerprint = try fingerprint(project)
        let standing = try request.isPreview
            ? Registrar.Standing(version: 0, made: [], missing: request.formats) : registrar.standing(fingerprint, again: request.again)
        outcome.files = standing.made
        guard !standing.missing.isEmpty else {
            outcome.state = .unchanged
            try mark(&outcome, standing, by: request.formats.first)
            return outcome
        }
        let products = try write(standing, project, summary, findings)
        if request.isPreview {
            outcome.files = try products.map(published)
            return outcome
        }
        if request.isDraft {
            outcome.files = try registrar.publishDrafts(products)
            return outcome
        }
        let registered = try registrar.register(
            products, fingerprint: fingerprint, findings: findings, numbers: [], records: request.definition.readsSelection ? lineChanges : nil,
            marks: try marks(), markedBy: request.formats.first)
        outcome.files += registered.files
        outcome.marked = registered.marked
        try mark(&outcome, standing, by: request.formats.first)
        return outcome
    }

    /// Whether the pages say that they are a draft.
    var isDraft: Bool { request.isDraft || Handover.isDraft(request.definition, request.selection, session.pack) }

    // MARK: Writing

    private func write(
        _ standing: Registrar.Standing, _ project: ReadSession.Project, _ summary: SelectionSummary, _ findings: [FindingCount]
    ) throws -> [FileProduction.Product] {
        let head = head(of: project, title: session.title(of: request.definition))
        let version = standing.version
        let targets = try standing.missing.map { format in
            let stem = try request.stem(format, version: version, project: project, context: context)
            return (format: format, version: version, path: (request.isPreview ? stem + "-preview" : stem) + "." + format.rawValue)
        }
        if !request.isPreview {
            try scope.replica.plan(targets.map { RunOutput(step: request.step, temporaryPath: "", finalPath: $0.path) }, run: context.id)
        }
        session.progress.begin(request.name, total: nil)
        defer { session.progress.end() }
        if let delivery = request.definition.delivery, let target = targets.first {
            let file = try DeliveryProduction(document: self, delivery: delivery, project: project, summary: summary, findings: findings)
                .write(to: target.path)
            return try planned([FileProduction.Product(file: file, format: .zip, document: request.name + ".zip", version: target.version)])
        }
        let renderers = try targets.map { try $0.format.renderer(of: request.definition, head: head, to: $0.path) }
        let assembler = ReportAssembler(
            request.definition, pack: session.pack, head: head, source: reading, photos: session.photoShelf(head.words),
            scope: try scopeSection(project, summary, findings, head))
        var count = 0
        try assembler.forEachSectionAhead(isPreview: request.isPreview) { section in
            for renderer in renderers { try renderer.add(section) }
            count += 1
            session.progress.report(count)
        }
        var products: [FileProduction.Product] = []
        do {
            for (target, renderer) in zip(targets, renderers) {
                let ending = "." + target.format.rawValue
                products.append(FileProduction.Product(
                    file: try renderer.finish(), format: target.format, document: request.name + ending, version: target.version))
            }
        } catch {
            try? OutputCommit.removeLeftovers(products.map(\.file.temporaryPath))
            throw error
        }
        return try planned(products)
    }

    /// Notes written files in the run's journal.
    private func planned(_ products: [FileProduction.Product]) throws -> [FileProduction.Product] {
        guard !request.isPreview else { return products }
        do {
            try scope.replica.plan(
                products.map { RunOutput(step: request.step, temporaryPath: $0.file.temporaryPath, finalPath: $0.file.finalPath, state: .written) },
                run: context.id)
        } catch {
            try? OutputCommit.removeLeftovers(products.map(\.file.temporaryPath))
            throw error
        }
        return products
    }

    /// A preview takes its name and is registered nowhere.
    private func published(_ product: FileProduction.Product) throws -> ExportOutcome.File {
        let file = product.file
        try OutputCommit.publish(temporary: file.temporaryPath, final: file.finalPath, replacing: .anything)
        return ExportOutcome.File(
            path: file.finalPath, format: product.format.rawValue, rows: file.rows, bytes: file.bytes, sha256: file.sha256, version: 0,
            exportID: "", storagePath: "")
    }

    func head(of project: ReadSession.Project, title: String) -> DocumentHead {
        let isMostSerious = context.environment == session.pack.environments.last
        let pack = session.pack, language = session.language
        var head = DocumentHead(
            title: title, project: project.code == project.name ? project.name : "\(project.code) · \(project.name)",
            brand: request.brand,
            environmentBanner: isMostSerious ? nil : session.text("cover.environment_banner", ["environment": context.environment]),
            draftBanner: request.isPreview ? session.text("word.report.preview") : isDraft ? session.text("cover.draft_banner") : nil, language: language, timeZone: session.timeZone,
            asOf: context.asOf, day: OfficeDay.text(of: context.asOf, in: context.timeZone), author: context.actor.fullName ?? context.actor.email,
            words: ReportWords { pack.texts.text($0, in: language) })
        head.isWhole = !request.isPreview
        return head
    }

    /// The last page: what was asked, what was left out and why, what was found.
    func scopeSection(
        _ project: ReadSession.Project, _ summary: SelectionSummary, _ findings: [FindingCount], _ head: DocumentHead
    ) throws -> SectionContent {
        let builder = CoverBuilder(
            session: session, context: context, selection: request.selection, policy: request.policy, title: head.title,
            hiddenFields: reading.hiddenFields.map { session.label(ofField: $0.field, in: $0.entity) })
        let cover = builder.cover(project: project, summary: summary, sheets: [], findings: findings, missing: missing, isDraft: isDraft)
        let fields = FieldsContent(columns: 2, items: cover.lines.map { .init(label: $0.label, cell: .text($0.value), span: 1) })
        let tables = cover.tables.map { table in
            TableContent(
                title: table.title, columns: table.headers.map { .init(label: $0, isNumeric: false, width: nil, decimals: nil) },
                rows: table.rows.map { .init(.data, $0.map { .text($0) }) }, empty: nil)
        }
        let title = head.words("scope")
        let leftOut = try leftOutList(summary)
        return SectionContent(
            name: "scope", title: title, anchor: "scope", isOfRow: false, paper: request.definition.paper,
            blocks: [TitleContent(title, level: 2), fields] + tables + leftOut)
    }

    /// Of what hands records over, each record that is not in it, with the reason.
    private func leftOutList(_ summary: SelectionSummary) throws -> [any BlockContent] {
        guard request.definition.delivers, !summary.leftOut.isEmpty else { return [] }
        let columns = ["record", "reason", "detail"].map {
            TableContent.Column(label: session.text("sheet.left_out." + $0), isNumeric: false, width: nil, decimals: nil)
        }
        let rows = try reading.leftOut(limit: 2_000).map { record in
            TableContent.Row(.data, [.text(record.key), .text(session.text("reason." + record.reason.rawValue)), .text(record.detail)])
        }
        return [TableContent(title: session.text("sheet.left_out"), columns: columns, rows: rows, empty: nil)]
    }

    // MARK: Registering

    /// Stands for what was asked and for the state of the data that it found: the same again is recognised.
    private func fingerprint(_ project: ReadSession.Project) throws -> String {
        var facts = requestFacts + [request.brand.fingerprint]
        facts += try acceptedFacts(project) + reading.facts(of: request.definition)
        // What a query counts from today on is another tomorrow.
        let inner = request.definition.delivery?.reports.compactMap { session.pack.report($0) } ?? []
        if ([request.definition] + inner).contains(where: \.asksForToday) { facts.append("today \(OfficeDay.text(of: context.asOf, in: context.timeZone))") }
        if let delivery = request.definition.delivery {
            for report in delivery.reports.compactMap({ session.pack.report($0) }) { facts += [report.name] + (try reading.facts(of: report)) }
            for export in delivery.exports.compactMap({ session.pack.export($0) }) { facts += [export.name] + (try reading.facts(of: export)) }
            if delivery.photoEntity != nil { facts += try reading.photoFacts(of: DeliveryProduction.photoExport(delivery, request.definition)) }
        }
        return Fingerprint.of(facts)
    }
}
