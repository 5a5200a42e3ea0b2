import Foundation
import Model
import Replica
import Validating

/// A validation's outcome: grouped text with the first findings of each code, or one JSON document with all of them, written as they come.
struct ValidationOutput {
    let session: CommandSession
    let store: FindingStore
    let reading: ReadSession
    let summary: ValidationSummary
    let limit: Int
    let reports: [ReportOutcome]

    func show() throws {
        if session.output.isJSON { return try showJSON() }
        guard !session.output.isQuiet else { return }
        let rows = String(summary.rows.values.reduce(0, +))
        if summary.total == 0 {
            StandardOutput.write(session.text("cli.validate.clean", ["rows": rows]) + "\n")
            return showReports()
        }
        let report = FindingReport(session.findingText, first: limit)
        try store.forEach { report.report($0) }
        StandardOutput.write(report.render())
        StandardOutput.write(session.text("cli.validate.summary", [
            "rows": rows, "errors": String(summary.severities[.error] ?? 0), "warnings": String(summary.severities[.warning] ?? 0),
            "notes": String(summary.severities[.note] ?? 0),
        ]) + "\n")
        showReports()
    }

    private func showReports() {
        guard !reports.isEmpty else { return }
        var table = TextTable(["report.written", "cli.columns.bytes", "cli.columns.sha256"].map { session.text($0) }, [.left, .right, .left])
        for report in reports { table.add([report.path, String(report.bytes), report.sha256]) }
        StandardOutput.write("\n" + table.text + "\n")
    }

    private func showJSON() throws {
        let written = reports.isEmpty ? "" : "\"reports\":\n\(ResultOutput.json(reports)),\n"
        StandardOutput.write("{\"summary\":\n\(ResultOutput.json(summary)),\n\(written)\"findings\":\n")
        let writer = FindingJSON(session.findingText) { StandardOutput.write($0) }
        try FindingReportSource(reading, language: session.language).forEach { try writer.report($0) }
        try writer.finish()
        StandardOutput.write("}\n")
    }
}
