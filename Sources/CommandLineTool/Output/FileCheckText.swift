import Foundation
import Model
import Replica

/// The findings that files would bring, for people.
struct FileCheckText {
    private let session: CommandSession
    private let limit: Int

    init(_ session: CommandSession, limit: Int) {
        self.session = session
        self.limit = limit
    }

    func text(_ outcome: FileCheck.Outcome) -> String {
        var blocks = outcome.imports.map { result in
            ImportText(session).table(result) + "\n\n"
                + (outcome.all.isEmpty
                    ? session.text("cli.check.clean", ["source": result.source, "rows": String(result.report.total.read)])
                    : FindingLines(session).text(result.findings, limit: limit).trimmingCharacters(in: .newlines))
        }
        if !outcome.findings.isEmpty {
            blocks.append(FindingLines(session).text(outcome.findings, limit: limit).trimmingCharacters(in: .newlines))
        }
        blocks.append(session.text("cli.check.unchanged"))
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
