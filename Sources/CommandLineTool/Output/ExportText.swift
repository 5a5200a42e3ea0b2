import Model
import Pipeline
import Replica

/// An export's outcome, formatted for display: its files, the records left out with reasons, its
/// findings.
struct ExportText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ outcome: ExportOutcome) -> String {
        var blocks: [String] = ["[\(outcome.environment)] " + outcome.title]
        if outcome.projects.isEmpty { blocks.append(session.text("cli.export.none")) }
        blocks += outcome.projects.map(project)
        if !outcome.findings.isEmpty {
            var table = TextTable(
                ["cover.code", "cover.severity", "cover.count", "cover.what"].map { session.text($0) },
                [.left, .left, .right, .left])
            for finding in outcome.findings {
                table.add([
                    finding.code, session.text("severity." + finding.severity.rawValue),
                    session.shownCount(of: finding), finding.title,
                ])
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
            lines += shown.map {
                "    \($0.key): \(session.reason(of: $0))" + ($0.fingerprint.map { "  [\($0.prefix(8))]" } ?? "")
            }
            if project.missingCount > shown.count { lines.append("    … + \(project.missingCount - shown.count)") }
        }
        if !project.replacedSigned.isEmpty {
            lines.append("  " + session.text(
                "cli.export.replaces_signed", ["files": project.replacedSigned.joined(separator: ", ")]))
        }
        if let note = project.markNote { lines.append("  " + session.text("cli.export.unmarked." + note.rawValue)) }
        if project.marked > 0 {
            lines.append("  " + session.text("cli.export.marked", ["count": String(project.marked)]))
        }
        if !project.files.isEmpty {
            var table = TextTable(
                ["cli.columns.path", "cli.columns.rows", "cli.columns.bytes", "cli.columns.sha256"].map {
                    session.text($0)
                },
                [.left, .right, .right, .left])
            for file in project.files {
                table.add([file.path, String(file.rows), String(file.bytes), file.sha256])
            }
            lines += table.text.split(separator: "\n").map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }
}

/// Accepted findings, formatted for display: code, place, last day, person and reason.
struct AcceptanceText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ acceptances: [StoredAcceptance]) -> String {
        guard !acceptances.isEmpty else { return session.text("cli.accept.none") }
        var table = TextTable(
            ["code", "where", "state", "until", "who", "reason", "fingerprint"].map {
                session.text("cli.columns." + $0)
            },
            Array(repeating: .left, count: 7))
        for acceptance in acceptances {
            table.add([
                acceptance.code,
                [acceptance.key ?? acceptance.table, acceptance.field].compactMap { $0 }.joined(separator: " · "),
                session.text("cli.accept.state." + acceptance.state.rawValue), acceptance.until, acceptance.actor,
                acceptance.reason,
                String(acceptance.fingerprint.prefix(8)),
            ])
        }
        return table.text
    }
}

/// A table in plain text: columns as wide as their widest cell, numbers to the right.
struct TextTable {
    enum Alignment {
        case left, right
    }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    init(_ headers: [String], _ alignments: [Alignment]) {
        self.alignments = alignments
        rows = [headers]
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    var isEmpty: Bool { rows.count == 1 }

    /// The first rows, and how many more there are.
    func text(first limit: Int, _ session: WorkSession) -> String {
        guard rows.count - 1 > limit else { return text }
        var first = self
        first.rows = Array(rows.prefix(limit + 1))
        return first.text + "\n" + session.text("cli.more", ["count": String(rows.count - 1 - limit)])
    }

    var text: String {
        let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return alignments[column] == .left ? row[column] + padding : padding + row[column]
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}

/// Conflicts, formatted for display.
struct ConflictsText {
    private let session: WorkSession
    private var words: RecordWords { RecordWords(session) }

    init(_ session: WorkSession) {
        self.session = session
    }

    func list(_ conflicts: [RowConflict]) -> String {
        guard !conflicts.isEmpty else { return session.text("cli.conflicts.none") }
        var table = TextTable(
            ["id", "entity", "key", "when", "state", "field"].map { session.text("cli.columns." + $0) },
            Array(repeating: .left, count: 6))
        for conflict in conflicts {
            table.add([
                String(conflict.id.suffix(8)), words.table(conflict.entity), conflict.key ?? conflict.rowID,
                time(conflict.detectedAt), state(conflict),
                [
                    conflict.differences.map { words.label(of: $0.field, in: conflict.entity) }.joined(separator: ", "),
                    conflict.isDeletion || conflict.differences.isEmpty ? sentence(conflict) ?? "" : "",
                ].filter { !$0.isEmpty }.joined(separator: ". "),
            ])
        }
        return table.text
    }

    /// Both versions side by side, with their common earlier version if it is known.
    func whole(_ conflict: RowConflict) -> String {
        let head =
            """
            \(words.table(conflict.entity)) \(conflict.key ?? conflict.rowID)  \(conflict.id)  \
            \(time(conflict.detectedAt))  \
            \(state(conflict))
            """
        if conflict.isDeletion, conflict.differences.isEmpty {
            return [head, sentence(conflict)].compactMap(\.self).joined(separator: "\n\n")
        }
        let sides = (conflict.hasBase ? ["base"] : []) + ["local", "remote"]
        var table = TextTable(
            [session.text("cli.columns.field")] + sides.map { session.text("cli.conflicts." + $0) },
            Array(repeating: .left, count: sides.count + 1))
        for difference in conflict.differences {
            let values = (conflict.hasBase ? [difference.base] : []) + [difference.local, difference.remote]
            table.add(
                [words.label(of: difference.field, in: conflict.entity)]
                    + values.map { words.value($0, of: difference.field, in: conflict.entity) })
        }
        return [head, sentence(conflict), table.text].compactMap(\.self).joined(separator: "\n\n")
    }

    /// A sentence about the side that deleted the row; nil if both sides have the row.
    private func sentence(_ conflict: RowConflict) -> String? {
        if conflict.isDeletion { return session.text("cli.conflicts.deleted") }
        return conflict.isRemovedHere && conflict.status == "open" ? session.text("cli.conflicts.removed") : nil
    }

    private func state(_ conflict: RowConflict) -> String { session.text("cli.conflicts.status." + conflict.status) }

    private func time(_ stored: String) -> String {
        Timestamp.parse(stored).map { OfficeDay.time(of: $0, in: session.timeZone) } ?? stored
    }
}

extension JobPlan.Plan {
    /// The plan, formatted for display.
    func text(_ session: WorkSession) -> String {
        var lines = ["[\(environment)] " + session.text("cli.run.plan", ["job": job])]
        lines += syncs.map { session.text("cli.run.sync." + $0) }
        for step in steps {
            lines.append("")
            lines.append(
                "\(step.title) (\(step.formats.joined(separator: ", "))), \(session.text("policy." + step.policy))")
            for project in step.projects {
                lines.append("  \(project.code)  \(session.text("cover.records_selected")): \(project.selected)")
                lines += project.files.map { "    → " + $0 }
                for (reason, count) in project.leftOut.sorted(by: { $0.key < $1.key }) {
                    lines.append(
                        "    "
                            + session.text(
                                "cli.export.left_out",
                                ["count": String(count), "reason": session.text("reason." + reason)]))
                }
            }
        }
        return lines.joined(separator: "\n")
    }
}
