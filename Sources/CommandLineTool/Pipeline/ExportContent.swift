import Foundation
import Model
import Replica

/// The content of an export's files: its sheets of rows, the records left out, the findings, and
/// the cover.
struct ExportContent {
    let scope: RunScope
    let reading: ReadSession
    let files: FileRequest
    /// Records of the last version that are not in this one.
    var missing: [MissingRecord] = []

    /// What the workbooks of a package link to.
    var photos: PhotoLinks?

    private var session: CommandSession { scope.session }

    func document(
        _ definition: ExportDefinition, as format: ExportFormat, _ project: ReadSession.Project, _ summary: SelectionSummary, _ findings: [FindingCount], isDraft: Bool
    ) throws -> ExportDocument {
        var sheets = try reading.sheets(of: definition, language: session.language, labelled: definition.hasLabels && format.isForPeople)
        if format == .xlsx, let photos { sheets = sheets.map(photos.added) }
        let data = sheets
        // Lists that name records have no place among rows that must not lead to any.
        let names = !definition.isAnonymous
        if names, !summary.leftOut.isEmpty { sheets.append(leftOutSheet(summary)) }
        if names, files.policy == .mark, findings.contains(where: { $0.severity == .error }) { sheets.append(try findingsSheet(project)) }
        let builder = CoverBuilder(
            session: session, context: scope.context, selection: files.selection, policy: files.policy,
            title: session.text("export." + definition.name), isAnonymous: definition.isAnonymous,
            hiddenFields: reading.hiddenFields.map { session.label(ofField: $0.field, in: $0.entity) })
        return ExportDocument(
            name: definition.name, packName: session.pack.name, packVersion: session.pack.version,
            cover: builder.cover(project: project, summary: summary, sheets: data, findings: findings, missing: missing, isDraft: isDraft), sheets: sheets,
            language: session.language, timeZone: session.timeZone, asOf: scope.context.asOf, texts: session.pack.texts)
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

    /// Under the policy `mark`: the findings about records that are in the file all the same.
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
}
