import Foundation
import Model
import Replica

/// The outcome of a person's change, for people.
struct ChangeText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ result: ChangeRun.Result) -> String {
        var blocks: [String] = []
        let lines = result.records.map(line) + (result.removed ?? [:]).sorted { $0.key < $1.key }.map { entity, count in
            session.text(result.dryRun ? "cli.change.would_remove" : "cli.change.removed", ["name": entity, "count": String(count)])
        }
        if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
        if !result.findings.isEmpty { blocks.append(FindingLines(session).text(result.findings, limit: 20, ofCommand: true)) }
        if let new = result.newFindings, !new.isEmpty {
            blocks.append(session.text("cli.change.findings") + "\n" + FindingLines(session).text(new, limit: 20).trimmingCharacters(in: .newlines))
        }
        if let change = result.change {
            blocks.append(session.text("cli.change.done", ["change": String(change.suffix(8))]))
        } else if result.findings.isEmpty {
            blocks.append(session.text(result.dryRun ? "cli.import.dry_run" : "cli.change.nothing"))
        }
        return blocks.joined(separator: "\n\n")
    }

    private func line(_ record: ImportRecord) -> String {
        let name = record.key.flatMap { $0.isEmpty ? nil : $0 } ?? record.id ?? ""
        let head = [session.text("cli.import.columns." + record.outcome.rawValue), record.entity, name].joined(separator: "  ")
        return ([head] + record.changes.filter { $0.field != "updated_at" }.map { "    \($0.field): \($0.before ?? "∅") → \($0.after ?? "∅")" }).joined(separator: "\n")
    }
}
