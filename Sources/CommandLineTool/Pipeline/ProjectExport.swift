import Exporting
import Foundation
import Model
import Recording
import Replica

/// One export of one project, from its selection to its registration.
final class ProjectExport: ProjectFiles {
    let scope: RunScope
    let request: ExportRequest
    let reading: ReadSession
    let kind: RecordKind
    /// Records of the last version on the line that are not in this one.
    private var missing: [MissingRecord] = []

    init(scope: RunScope, request: ExportRequest, reading: ReadSession, kind: RecordKind) {
        (self.scope, self.request, self.reading, self.kind) = (scope, request, reading, kind)
    }

    func run(_ project: ReadSession.Project) throws -> ExportOutcome.Project {
        let summary = try select(project, kind: kind)
        try reading.setFindingsAside()
        let isDraft = try request.isDraft || request.definition.finalWhen.map { try !reading.isTrue($0, of: project) } ?? false
        var outcome = try outcome(of: project, summary, isDraft: isDraft)
        try tellMissing(&outcome, project)
        missing = outcome.missing
        guard !isEmpty(summary) else {
            outcome.state = .empty
            return outcome
        }
        let findings = try session.counts(reading.findings.counts(project: project.id))
        if isWithheld(findings) {
            outcome.state = .withheld
            return outcome
        }
        // A draft gives no numbers: they would be somebody else's tomorrow.
        let numbers = try session.pack.numberings.filter { isUsed($0) && !request.isDraft }.map { ($0.name, try reading.giveNumbers($0)) }
        let registrar = Registrar(scope: scope, request: request, project: project, isDraft: isDraft)
        let fingerprint = try fingerprint(project)
        let standing = try registrar.standing(fingerprint, again: request.again)
        outcome.files = standing.made
        guard !standing.missing.isEmpty else {
            outcome.state = .unchanged
            try mark(&outcome, standing, by: .xlsx)
            return outcome
        }
        let production = FileProduction(
            scope: scope, request: request, formats: standing.missing, version: standing.version, project: project, plan: { outputs in try self.scope.replica.plan(outputs, run: self.context.id) })
        let products = try production.write(findings: reading.findings) { definition in
            // What a bundle takes in may speak of records of another kind: rooms beside assets.
            let own = definition.record == kind.name ? summary : try select(project, kind: session.pack.record(definition.record) ?? kind)
            return try document(definition, project, own, findings, isDraft: isDraft)
        } photos: {
            _ = try select(project, kind: kind)
            return try reading.photos(of: request.definition)
        }
        if request.isDraft {
            outcome.files = try registrar.publishDrafts(products)
            return outcome
        }
        // The line's list is of the export's own records, whatever was selected for what it takes in.
        if request.definition.bundle != nil { _ = try select(project, kind: kind) }
        let registered = try registrar.register(
            products, fingerprint: fingerprint, findings: findings, numbers: numbers, records: lineChanges, marks: products.contains { $0.format == .xlsx } ? try marks() : nil)
        outcome.files += registered.files
        outcome.marked = registered.marked
        try mark(&outcome, standing, by: .xlsx)
        return outcome
    }

    /// Selects records of a kind. States, dates and a filter are said of the export's own kind; others follow by project and sync state.
    private func select(_ project: ReadSession.Project, kind selected: RecordKind) throws -> SelectionSummary {
        var wanted = request.selection
        if selected.name != kind.name { wanted = SelectionRequest(projects: wanted.projects, syncStates: wanted.syncStates) }
        return try select(selected, in: project, wanted)
    }

    /// The exports whose sheets this one needs: itself, or those that it bundles.
    private var definitions: [ExportDefinition] {
        guard let bundle = request.definition.bundle else { return [request.definition] }
        return bundle.exports.compactMap { session.pack.export($0) }
    }

    private func isUsed(_ numbering: Numbering) -> Bool {
        definitions.flatMap(\.sheets).flatMap(\.columns).contains { column in
            if case .number(let name, _, _) = column { return name == numbering.name }
            return false
        }
    }

    func document(
        _ definition: ExportDefinition, _ project: ReadSession.Project, _ summary: SelectionSummary, _ findings: [FindingCount], isDraft: Bool
    ) throws -> ExportDocument {
        var sheets = try reading.sheets(of: definition, language: session.language)
        let data = sheets
        if !summary.leftOut.isEmpty { sheets.append(leftOutSheet(summary)) }
        if request.policy == .mark, findings.contains(where: { $0.severity == .error }) { sheets.append(try findingsSheet(project)) }
        let builder = CoverBuilder(
            session: session, context: context, selection: request.selection, policy: request.policy,
            title: session.text("export." + definition.name),
            hiddenFields: reading.hiddenFields.map { session.label(ofField: $0.field, in: $0.entity) })
        return ExportDocument(
            name: definition.name, packName: session.pack.name, packVersion: session.pack.version,
            cover: builder.cover(project: project, summary: summary, sheets: data, findings: findings, missing: missing, isDraft: isDraft), sheets: sheets,
            language: session.language, timeZone: session.timeZone, asOf: context.asOf, texts: session.pack.texts)
    }

    /// Every record that was left out, with the reason: nothing is dropped in silence.
    private func leftOutSheet(_ summary: SelectionSummary) -> Sheet {
        let words = Dictionary(uniqueKeysWithValues: LeftOutReason.allCases.map { ($0, session.text("reason." + $0.rawValue)) })
        return Sheet(
            name: "left-out", rowName: "record", title: session.text("sheet.left_out"),
            columns: ["record", "reason", "detail"].map {
                SheetColumn(name: $0, label: session.text("sheet.left_out." + $0), kind: .text)
            },
            rowCount: summary.leftOut.values.reduce(0, +), open: { try self.reading.leftOutRows(words: words) })
    }

    /// Under the policy `mark`: what is wrong with the records that stand in the file all the same.
    private func findingsSheet(_ project: ReadSession.Project) throws -> Sheet {
        let counts = try reading.findings.counts(project: project.id)
        return Sheet(
            name: "findings", rowName: "finding", title: session.text("cover.findings"),
            columns: [("code", "cover.code"), ("severity", "cover.severity"), ("record", "sheet.left_out.record"), ("message", "cover.what")].map {
                SheetColumn(name: $0.0, label: session.text($0.1), kind: .text, expectedWidth: $0.0 == "message" ? 80 : nil)
            },
            rowCount: counts.reduce(0) { $0 + $1.count },
            open: { try self.reading.findings.rows(project: project.id, columnCount: 4) { self.session.findingRow($0) } })
    }

    /// Stands for what was asked and for the state of the data that it found: the same again is recognised.
    private func fingerprint(_ project: ReadSession.Project) throws -> String {
        var facts = try requestFacts + acceptedFacts(project)
        for definition in definitions {
            if definition.record != kind.name { _ = try select(project, kind: session.pack.record(definition.record) ?? kind) }
            facts += [definition.name] + (try reading.facts(of: definition))
        }
        if request.definition.bundle != nil {
            _ = try select(project, kind: kind)
            facts += try reading.photoFacts(of: request.definition)
        }
        return Fingerprint.of(facts)
    }
}
