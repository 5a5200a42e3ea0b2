import FindingDocuments
import Foundation
import Model
import Pipeline
import Replica
import Validating

/// A validation's outcome: grouped text with the first findings of each code, or one JSON document
/// with all of them, written as they are read.
struct ValidationOutput {
    let session: WorkSession
    let output: ResultOutput
    let actor: Model.Actor
    let reading: ReadSession
    let summary: ValidationSummary
    let limit: Int
    /// The run under which the findings are stored.
    let run: String?
    let comparison: FindingComparison?
    let reports: [FindingDocumentFile]

    private var store: FindingStore { reading.findings }

    func show() throws {
        if output.isJSON { return try showJSON() }
        guard !output.isQuiet else { return }
        if let comparison { try showComparison(comparison) } else { try showFindings(status: nil) }
        let rows = String(summary.rows.values.reduce(0, +))
        if reading.projects.isEmpty {
            StandardOutput.write(session.text("cli.validate.outside", ["email": actor.email]) + "\n")
        } else if summary.total == 0 {
            StandardOutput.write(session.text("cli.validate.clean", ["rows": rows]) + "\n")
        } else {
            // If only rules over whole tables were checked, no count of rows is shown.
            StandardOutput.write(
                session.text(
                    summary.rows.isEmpty ? "cli.validate.summary_tables" : "cli.validate.summary",
                    [
                        "rows": rows, "errors": String(summary.severities[.error] ?? 0),
                        "warnings": String(summary.severities[.warning] ?? 0),
                        "notes": String(summary.severities[.note] ?? 0),
                    ]) + "\n")
        }
        let accepted = try store.counts().reduce(0) { $0 + $1.accepted }
        if accepted > 0 {
            StandardOutput.write(session.text("cli.validate.accepted", ["count": String(accepted)]) + "\n")
        }
        showReports()
    }

    private func showFindings(status: FindingStatus?) throws {
        guard summary.total > 0 else { return }
        let report = FindingListing(session.findingText, first: limit)
        try store.forEach(status: status) { report.add($0) }
        StandardOutput.write(report.render())
    }

    /// Shows the new findings and the resolved ones; findings that remain are only counted.
    private func showComparison(_ comparison: FindingComparison) throws {
        let arguments = [
            "run": comparison.run, "new": String(comparison.new), "mended": String(comparison.mended),
            "remaining": String(comparison.remaining),
        ]
        if comparison.new > 0 {
            StandardOutput.write(session.text("cli.validate.new", arguments) + "\n")
            try showFindings(status: .new)
        }
        if comparison.mended > 0 {
            StandardOutput.write(session.text("cli.validate.mended", arguments) + "\n")
            let report = FindingListing(session.findingText, first: limit)
            try store.forEachMended { report.add($0) }
            StandardOutput.write(report.render())
        }
        StandardOutput.write(session.text("cli.validate.since", arguments) + "\n")
    }

    private func showReports() {
        guard !reports.isEmpty else { return }
        var table = TextTable(
            ["report.written", "cli.columns.bytes", "cli.columns.sha256"].map { session.text($0) },
            [.left, .right, .left])
        for report in reports { table.add([report.path, String(report.bytes), report.sha256]) }
        StandardOutput.write("\n" + table.text + "\n")
    }

    // MARK: JSON

    private func showJSON() throws {
        let source = SessionFindingSource(reading, language: session.language)
        StandardOutput.write(
            "{\"run\": \(run.map { "\"\($0)\"" } ?? "null"),\n\"summary\":\n\(JSONString.document(summary)),\n")
        if !reports.isEmpty { StandardOutput.write("\"reports\":\n\(JSONString.document(reports)),\n") }
        if let comparison { StandardOutput.write("\"since\":\n\(JSONString.document(comparison)),\n") }
        StandardOutput.write("\"findings\":\n")
        try showJSON { write in
            guard comparison != nil else { return try source.forEach(write) }
            for status in FindingStatus.allCases { try source.forEach(status: status, write) }
        }
        if comparison != nil {
            StandardOutput.write(",\n\"mended\":\n")
            try showJSON { write in try store.forEachMended { try write(PlacedFinding($0)) } }
        }
        StandardOutput.write("}\n")
    }

    private func showJSON(_ each: ((PlacedFinding) throws -> Void) throws -> Void) throws {
        let writer = FindingJSON(session.findingText) { StandardOutput.write($0) }
        try each { try writer.add($0) }
        try writer.finish()
    }
}
