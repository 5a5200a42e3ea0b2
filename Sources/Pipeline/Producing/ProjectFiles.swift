import Foundation
package import Model
package import Replica

/// Production of one project's files, from the selection of records to the registration: the common
/// steps of exports and reports, and the steps in which they differ.
package protocol ProjectFiles: AnyObject {
    associatedtype Request: ProductRequest
    var scope: RunScope { get }
    var request: Request { get }
    var reading: ReadSession { get }
    /// The kind of record that is selected.
    var kind: RecordKind { get }
    /// Records of the last version on the delivery line that are not in this version.
    var missing: [MissingRecord] { get set }
    /// Photos that the files lack.
    var absent: AbsentPhotos { get set }
    /// Whether the files contain the selection.
    var holdsSelection: Bool { get }
    /// The format whose registration marks the records as exported.
    var marking: ExportFormat? { get }

    /// Prepares the session before rows are read.
    func prepare() throws

    /// Whether the files are labelled as drafts, registered or not.
    func isDraft(of project: ReadSession.Project) throws -> Bool

    /// Client numbers that the files show for the first time.
    func numbers() throws -> [(String, [(rowID: String, number: Int64)])]

    /// Identifies the request and the state of its data, so that a repeated request is recognised.
    func fingerprint(_ project: ReadSession.Project) throws -> String

    /// Writes the missing files, under temporary names that the run's journal records.
    func write(
        _ standing: Registrar.Standing, _ project: ReadSession.Project, _ summary: SelectionSummary,
        _ findings: [FindingCount], isDraft: Bool
    ) throws -> [FileProduction.Product]
}

extension ProjectFiles {
    package var session: WorkSession { scope.session }
    package var context: RunContext { scope.context }
    package var files: FileRequest { request.files }

    package func run(_ project: ReadSession.Project) throws -> ExportOutcome.Project {
        let summary = try select(kind, in: project, files.selection)
        try reading.setFindingsAside(showing: request.shown(beside: kind, in: session.pack))
        try prepare()
        var outcome = try untouched(project, summary)
        if holdsSelection, !files.isPreview { try reportMissing(&outcome, project) }
        if holdsSelection, summary.selected == 0, !files.allowsEmpty {
            outcome.state = .empty
            return outcome
        }
        let findings = try session.counts(reading.findings.counts(project: project.id))
        if files.policy == .withholdFile, findings.contains(where: { $0.severity == .error && $0.open > 0 }) {
            outcome.state = .withheld
            return outcome
        }
        try reportAbsentPhotos()
        let preparation = try preparation(project, findings, isDraft: outcome.isDraft)
        let standing = preparation.standing
        outcome.files = try standing.made + registerCopies(preparation)
        guard !standing.missing.isEmpty else {
            if standing.elsewhere.isEmpty { outcome.state = .unchanged }
            try mark(&outcome, standing)
            return outcome
        }
        let products = try write(standing, project, summary, findings, isDraft: outcome.isDraft)
        if files.isPreview || files.isDraft {
            outcome.files = try publish(products, preparation.registrar)
            return outcome
        }
        try register(products, preparation, &outcome)
        try mark(&outcome, standing)
        return outcome
    }

    /// The outcome before any file is made, to which the later steps add what they do.
    private func untouched(_ project: ReadSession.Project, _ summary: SelectionSummary) throws
        -> ExportOutcome.Project
    {
        let isDraft = try isDraft(of: project)
        return ExportOutcome.Project(
            id: project.id, code: project.code, name: project.name, state: .written, isDraft: isDraft,
            selected: summary.selected,
            leftOut: Dictionary(uniqueKeysWithValues: summary.leftOut.map { ($0.key.rawValue, $0.value) }),
            leftOutRecords: try reading.leftOut(limit: 100), files: [], marked: 0)
    }

    /// Reports photos that the files lack. A preview shows only some pages, so it does not ask for all photos.
    private func reportAbsentPhotos() throws {
        guard !files.isPreview else { return }
        absent = try AbsentPhotos(of: request, in: reading, session)
        try absent.report(reading.findings)
    }

    /// Determines the numbers before the fingerprint and the standing, which show whether files are missing.
    private func preparation(_ project: ReadSession.Project, _ findings: [FindingCount], isDraft: Bool) throws
        -> PreparedRegistration
    {
        let numbers = try numbers()
        let registrar = Registrar(scope: scope, request: request, project: project, isDraft: isDraft)
        let fingerprint = try fingerprint(project)
        return PreparedRegistration(
            registrar: registrar, standing: try registrar.standing(fingerprint), fingerprint: fingerprint,
            findings: findings, numbers: numbers)
    }

    /// Copies files that exist under another path to the requested one. Their numbers are registered already.
    private func registerCopies(_ preparation: PreparedRegistration) throws -> [ExportOutcome.File] {
        let elsewhere = preparation.standing.elsewhere
        guard !elsewhere.isEmpty else { return [] }
        let copies = try FileCopies.write(elsewhere, step: files.step, in: scope)
        return try preparation.registrar.register(
            copies, fingerprint: preparation.fingerprint, findings: preparation.findings, numbers: [], records: nil,
            marks: nil, markedBy: nil
        ).files
    }

    /// Gives previews and drafts their final names, without registering them.
    private func publish(_ products: [FileProduction.Product], _ registrar: Registrar) throws -> [ExportOutcome.File] {
        try files.isPreview ? registrar.publishPreviews(products) : registrar.publishDrafts(products)
    }

    /// Registers new files together with the numbers, the line's records and the marks that depend on them.
    private func register(
        _ products: [FileProduction.Product], _ preparation: PreparedRegistration,
        _ outcome: inout ExportOutcome.Project
    ) throws {
        let registered = try preparation.registrar.register(
            products, fingerprint: preparation.fingerprint, findings: preparation.findings,
            numbers: preparation.numbers, records: holdsSelection ? lineChanges : nil,
            marks: try marks(), markedBy: marking)
        outcome.files += registered.files
        (outcome.marked, outcome.replacedSigned) = (registered.marked, registered.replacedSigned)
    }

    package func select(_ kind: RecordKind, in project: ReadSession.Project, _ wanted: SelectionRequest) throws
        -> SelectionSummary
    {
        try request.select(kind, in: project, wanted, from: reading, session)
    }

    /// Reports the records of the line's last version that are missing in this one: in the result,
    /// as a finding, and on the first sheet.
    private func reportMissing(_ outcome: inout ExportOutcome.Project, _ project: ReadSession.Project) throws {
        let line = try reading.formerLine(files.line, export: files.name), count: Int
        (missing, count) = try reading.missingRecords(line: line, export: files.name, limit: 500)
        guard count > 0 else { return }
        for index in missing.indices {
            let record = missing[index]
            let finding = Finding(
                "DELIVERY-MISSING", place: Place(table: kind.root, id: record.id, key: record.key),
                arguments: ["name": record.key, "export": files.name, "reason": session.reason(of: record)])
            missing[index].fingerprint = finding.fingerprint
            try reading.findings.add(finding)
        }
        (outcome.missing, outcome.missingCount) = (missing, count)
    }

    /// The changes to the line's list of records, to be made when the files are registered.
    private var lineChanges: Replica.LineChanges {
        { [reading, files] body in
            let former = try reading.formerLine(files.line, export: files.name)
            try reading.forEachNew(inLine: files.line.name, after: former, export: files.name, body)
        }
    }

    /// The request, the actor's visibility, and the acceptances: the beginning of a fingerprint.
    func requestFacts(_ project: ReadSession.Project) throws -> [String] {
        [
            files.name, session.pack.fingerprint, session.language.rawValue, session.timeZone.identifier,
            context.environment,
            files.policy.rawValue, String(files.validates), context.actor.role.sees.sorted().joined(separator: " "),
            files.selection.parts.joined(separator: ";"),
            // A delivery for another period is a different delivery, even if no data has changed.
            files.selection.period ?? "",
        ] + absent.facts
            + (try reading.findings.counts(project: project.id).filter { $0.accepted > 0 }.map {
                "\($0.code) \($0.accepted)"
            })
    }

    /// Marks records whose files existed already, and reports the reason if none was marked.
    private func mark(_ outcome: inout ExportOutcome.Project, _ standing: Registrar.Standing) throws {
        guard files.markExported, !files.isDraft else { return }
        let hasDocument = marking.map { format in outcome.files.contains { $0.format == format.rawValue } } ?? false
        let wasMade = standing.made.contains { $0.format == marking?.rawValue }
        if wasMade, let marks = try marks(), !marks.ids.isEmpty {
            outcome.marked += try scope.replica.mark(marks, context, at: context.asOf)
        }
        if outcome.marked == 0 { outcome.markNote = hasDocument ? .already : .noDocument }
    }

    /// Records to mark as exported when the files are registered, if requested.
    private func marks() throws -> ExportRegistration.Marks? {
        guard files.markExported, let move = session.pack.entity(kind.root)?.states?.exported else { return nil }
        return ExportRegistration.Marks(entity: kind.root, ids: try reading.selectedRecordIDs(inState: move.from))
    }
}

/// What a registration must know before any file is written.
private struct PreparedRegistration {
    let registrar: Registrar
    let standing: Registrar.Standing
    let fingerprint: String
    let findings: [FindingCount]
    let numbers: [(String, [(rowID: String, number: Int64)])]
}

extension WorkSession {
    /// Reason why a delivered record is missing now: `Because of its state: OBSERVADO`.
    package func reason(of record: MissingRecord) -> String {
        guard let reason = record.reason else { return text("reason.gone") }
        return ([text("reason." + reason.rawValue)] + (record.detail.isEmpty ? [] : [record.detail])).joined(
            separator: ": ")
    }
}
