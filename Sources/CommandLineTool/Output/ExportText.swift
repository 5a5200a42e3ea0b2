import Model
import Replica

/// An export's outcome for people: what was written, what was left out and why, what was found.
struct ExportText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ outcome: ExportOutcome) -> String {
        var blocks: [String] = ["[\(outcome.environment)] " + outcome.title]
        if outcome.projects.isEmpty { blocks.append(session.text("cli.export.none")) }
        blocks += outcome.projects.map(project)
        if !outcome.findings.isEmpty {
            var table = TextTable(
                ["cover.code", "cover.severity", "cover.count", "cover.what"].map { session.text($0) }, [.left, .left, .right, .left])
            for finding in outcome.findings {
                table.add([finding.code, session.text("severity." + finding.severity.rawValue), session.shownCount(of: finding), finding.title])
            }
            blocks.append(table.text)
        }
        return blocks.joined(separator: "\n\n")
    }

    private func project(_ project: ExportOutcome.Project) -> String {
        let name = project.code == project.name ? project.name : "\(project.code) · \(project.name)"
        var lines = [session.text("cli.export." + project.state.rawValue, ["project": name])]
        if project.isDraft { lines.append("  " + session.text("cover.draft_banner")) }
        lines.append("  " + session.text("cover.records_selected") + ": \(project.selected)")
        for reason in LeftOutReason.allCases {
            guard let count = project.leftOut[reason.rawValue] else { continue }
            lines.append("  " + session.text(
                "cli.export.left_out", ["count": String(count), "reason": session.text("reason." + reason.rawValue)]))
        }
        if project.missingCount > 0 {
            lines.append("  " + session.text("cli.export.missing", ["count": String(project.missingCount)]))
            let shown = project.missing.prefix(20)
            lines += shown.map { "    \($0.key): \(session.reason(of: $0))" + ($0.fingerprint.map { "  [\($0.prefix(8))]" } ?? "") }
            if project.missingCount > shown.count { lines.append("    … + \(project.missingCount - shown.count)") }
        }
        if let note = project.markNote { lines.append("  " + session.text("cli.export.unmarked." + note.rawValue)) }
        if project.marked > 0 { lines.append("  " + session.text("cli.export.marked", ["count": String(project.marked)])) }
        if !project.files.isEmpty {
            var table = TextTable(
                ["cli.columns.path", "cli.columns.rows", "cli.columns.bytes", "cli.columns.sha256"].map { session.text($0) },
                [.left, .right, .right, .left])
            for file in project.files {
                table.add([file.path, String(file.rows), String(file.bytes), file.sha256])
            }
            lines += table.text.split(separator: "\n").map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
