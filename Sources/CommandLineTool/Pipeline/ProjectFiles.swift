import Foundation
import Model
import Replica

/// What an export and a report of one project have in common: which records go in, what is told of them, what the files stand for.
protocol ProjectFiles {
    associatedtype Request: FileRequest
    var scope: RunScope { get }
    var request: Request { get }
    var reading: ReadSession { get }
    /// The kind of record that is selected.
    var kind: RecordKind { get }
}

extension CommandSession {
    /// Why a record is missing that was delivered before: `Because of its state: OBSERVADO`.
    func reason(of record: MissingRecord) -> String {
        guard let reason = record.reason else { return text("reason.gone") }
        return ([text("reason." + reason.rawValue)] + (record.detail.isEmpty ? [] : [record.detail])).joined(separator: ": ")
    }
}

extension ProjectFiles {
    var session: CommandSession { scope.session }
    var context: RunContext { scope.context }

    /// Selects records; under the policy that withholds them, not those with errors.
    func select(_ kind: RecordKind, in project: ReadSession.Project, _ wanted: SelectionRequest) throws -> SelectionSummary {
        var summary = try reading.select(kind, in: project, wanted, hasRemote: session.hasRemote)
        guard request.validates, request.policy == .withholdRecords else { return summary }
        let withheld = try reading.withholdRecordsWithErrors()
        if withheld > 0 {
            summary.selected -= withheld
            summary.leftOut[.findings] = withheld
        }
        return summary
    }

    /// What came of a project whose files are not made yet.
    func outcome(of project: ReadSession.Project, _ summary: SelectionSummary, isDraft: Bool) throws -> ExportOutcome.Project {
        ExportOutcome.Project(
            id: project.id, code: project.code, name: project.name, state: .written, isDraft: isDraft, selected: summary.selected,
            leftOut: Dictionary(uniqueKeysWithValues: summary.leftOut.map { ($0.key.rawValue, $0.value) }),
            leftOutRecords: try reading.leftOut(limit: 100), files: [], marked: 0)
    }

    /// Tells what the last version on the line held and this one does not: in the result, as a finding, and on the first sheet.
    func tellMissing(_ outcome: inout ExportOutcome.Project, _ project: ReadSession.Project) throws {
        let (missing, count) = try reading.missingRecords(line: request.line.name, export: request.name, limit: 500)
        guard count > 0 else { return }
        (outcome.missing, outcome.missingCount) = (missing, count)
        let version = try scope.replica.lastVersion(projectID: project.id, line: request.line.name, exportName: request.name)
        for record in missing {
            try reading.findings.report(Finding(
                "DELIVERY-MISSING", place: Place(table: kind.root, id: record.id, key: record.key),
                arguments: ["name": record.key, "version": String(version), "export": request.name, "reason": session.reason(of: record)]))
        }
    }

    /// By what the line's list of records has to be changed, once the files are registered.
    var lineChanges: Replica.LineChanges {
        { [reading, request] body in try reading.forEachChange(ofLine: request.line.name, export: request.name, body) }
    }

    /// Whether there is nothing to make a file of.
    func isEmpty(_ summary: SelectionSummary) -> Bool { summary.selected == 0 && !request.allowsEmpty }

    /// Whether findings keep the whole file back.
    func isWithheld(_ findings: [FindingCount]) -> Bool {
        request.policy == .withholdFile && findings.contains { $0.severity == .error && $0.open > 0 }
    }

    /// What was asked, in whose eyes: the beginning of a fingerprint, by which the same again over unchanged data is recognised.
    var requestFacts: [String] {
        [
            request.name, session.pack.fingerprint, session.language.rawValue, session.timeZone.identifier, context.environment,
            request.policy.rawValue, String(request.validates), context.actor.role.sees.sorted().joined(separator: " "), request.selection.parts.joined(separator: ";"),
            // A delivery for another period is another one, though nothing has changed.
            request.selection.period ?? "",
        ]
    }

    /// What somebody accepted no longer withholds a record, and is counted apart.
    func acceptedFacts(_ project: ReadSession.Project) throws -> [String] {
        try reading.findings.counts(project: project.id).filter { $0.accepted > 0 }.map { "\($0.code) \($0.accepted)" }
    }

    /// Marks records whose files were there already, and says why none was moved.
    func mark(_ outcome: inout ExportOutcome.Project, _ standing: Registrar.Standing, by format: ExportFormat?) throws {
        guard request.markExported, !request.isDraft else { return }
        let hasDocument = format.map { format in outcome.files.contains { $0.format == format.rawValue } } ?? false
        let wasMade = standing.made.contains { $0.format == format?.rawValue }
        if wasMade, let marks = try marks(), !marks.ids.isEmpty { outcome.marked += try scope.replica.mark(marks, context, at: context.asOf) }
        if outcome.marked == 0 { outcome.markNote = hasDocument ? .already : .noDocument }
    }

    /// Records that registering the files makes official, where that was asked for.
    func marks() throws -> ExportRegistration.Marks? {
        guard request.markExported, let move = session.pack.entity(kind.root)?.states?.exported else { return nil }
        return ExportRegistration.Marks(entity: kind.root, ids: try reading.selectedRecordIDs(inState: move.from))
    }
}
