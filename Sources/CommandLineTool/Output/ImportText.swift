import Model
import Replica

/// An import's outcome for people: every row that was read, accounted for.
struct ImportText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func text(_ result: ImportCommand.Result) -> String {
        if result.refused == true {
            return [session.text("cli.import.refused", ["source": result.source]), FindingLines(session).text(result.findings, limit: 20)].joined(separator: "\n\n")
        }
        var blocks = [session.text(result.dryRun ? "cli.import.dry_run" : "cli.import.done", ["source": result.source]), table(result)]
        if !result.findings.isEmpty {
            blocks.append(FindingLines(session).text(result.findings, limit: 20))
        }
        // Validating after a large import takes time, so the user is only told how to do it.
        if !result.dryRun, result.report.changesSomething { blocks.append(session.text("cli.import.validate")) }
        return blocks.joined(separator: "\n\n")
    }

    /// Which files came in and which did not, where several were read and some did not, or were left out.
    func ledger(_ results: [ImportCommand.Result]) -> String? {
        let leftOut = results.flatMap(\.findings).filter { $0.code == "IMPORT-FILE-LEFT-OUT" }
        guard results.count > 1, !leftOut.isEmpty || results.contains(where: { $0.refused == true }) else { return nil }
        var table = TextTable(["file", "state"].map { session.text("cli.import.ledger." + $0) }, [.left, .left])
        for result in results {
            let isPending = result.findings.contains { ["IMPORT-FILE-PENDING", "IMPORT-BELOW"].contains($0.code) }
            let state = result.refused != true ? "done" : isPending ? "pending" : "refused"
            table.add([result.source, session.text("cli.import.ledger." + state)])
        }
        for finding in leftOut {
            table.add([finding.arguments["name"] ?? "", session.text("cli.import.ledger.left_out")])
        }
        return table.text
    }

    /// Rows read, by table and outcome.
    func table(_ result: ImportCommand.Result) -> String {
        // Most imports skip no row and leave none waiting; then these columns are left out.
        let total = result.report.total
        let outcomes = ImportOutcome.allCases.filter { $0 != .skipped && $0 != .waiting || total[$0] > 0 }
        let names = ["entity", "read"] + outcomes.map(\.rawValue)
        var table = TextTable(
            names.map { session.text("cli.import.columns." + $0) }, [.left] + Array(repeating: .right, count: names.count - 1))
        for line in result.report.lines {
            let counts = line.counts
            table.add([line.entity, String(counts.read)] + outcomes.map { String(counts[$0]) })
        }
        return table.text
    }
}
