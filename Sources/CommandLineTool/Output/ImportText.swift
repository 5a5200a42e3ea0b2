import FindingDocuments
import Foundation
import Model
import Pipeline
import Replica
import Validating

/// An import's outcome, formatted for display: every row that was read is counted.
struct ImportText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ result: ImportResult) -> String {
        if result.refused == true {
            return [
                session.text("cli.import.refused", ["source": result.source]),
                FindingLines(session).text(result.findings, limit: 20),
            ].joined(separator: "\n\n")
        }
        var blocks = [
            session.text(result.dryRun ? "cli.import.dry_run" : "cli.import.done", ["source": result.source]),
            table(result),
        ]
        if let counts = result.corrected { blocks.append(text(counts)) }
        if !result.findings.isEmpty {
            blocks.append(FindingLines(session).text(result.findings, limit: 20))
        }
        // Validating after a large import takes time, so the text only explains how to do it.
        if !result.dryRun, result.report.changesSomething { blocks.append(session.text("cli.import.validate")) }
        return blocks.joined(separator: "\n\n")
    }

    /// What became of a corrected workbook's rows and cells, a line for each kind that occurs.
    private func text(_ counts: CorrectionCounts) -> String {
        let numbers = [
            ("changed", counts.changedCells), ("new", counts.newRows), ("removed", counts.removedRows),
            ("conflicts", counts.conflicts), ("refused", counts.refusedCells + counts.refusedRows),
            ("untouched", counts.untouchedRows),
        ]
        return numbers.filter { $0.1 > 0 }.map { session.text("answer." + $0.0) + ": \($0.1)" }.joined(separator: "\n")
    }

    /// List of imported and refused files; nil for a single file, or if no file was refused or left
    /// out.
    func ledger(_ results: [ImportResult]) -> String? {
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
    func table(_ result: ImportResult) -> String {
        // The columns for skipped and waiting rows are left out if all their counts are zero.
        let total = result.report.total
        let outcomes = ImportOutcome.allCases.filter { $0 != .skipped && $0 != .waiting || total[$0] > 0 }
        let names = ["entity", "read"] + outcomes.map(\.rawValue)
        var table = TextTable(
            names.map { session.text("cli.import.columns." + $0) },
            [.left] + Array(repeating: .right, count: names.count - 1))
        for line in result.report.lines {
            let counts = line.counts
            let name = RecordWords(session).tables(line.entity)
            table.add([name, String(counts.read)] + outcomes.map { String(counts[$0]) })
        }
        return table.text
    }
}

/// The findings that an import of the files would cause, formatted for display.
struct FileCheckText {
    private let session: WorkSession
    private let limit: Int

    init(_ session: WorkSession, limit: Int) {
        self.session = session
        self.limit = limit
    }

    func text(_ outcome: FileCheck.Outcome) -> String {
        var blocks = outcome.imports.map { result in
            ImportText(session).table(result) + "\n\n"
                + (outcome.all.isEmpty
                    ? session.text(
                        "cli.check.clean", ["source": result.source, "rows": String(result.report.total.read)])
                    : FindingLines(session).text(result.findings, limit: limit).trimmingCharacters(in: .newlines))
        }
        if !outcome.findings.isEmpty {
            blocks.append(FindingLines(session).text(outcome.findings, limit: limit).trimmingCharacters(in: .newlines))
        }
        blocks.append(session.text("cli.check.unchanged"))
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}

/// Findings as text for a terminal.
struct FindingLines {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    /// - Parameter ofCommand: whether the findings come from a person's command and not from a
    ///   file.
    func text(_ findings: [Finding], limit: Int, ofCommand: Bool = false) -> String {
        let report = FindingListing(
            FindingText(
                session.pack.texts, of: session.pack, in: session.language, isCommand: ofCommand,
                zone: session.timeZone), first: limit)
        for finding in findings { report.add(finding) }
        return report.render()
    }
}

/// The outcome of a change command, formatted for display.
struct ChangeText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func text(_ result: ChangeRun.Result) -> String {
        var blocks: [String] = []
        let words = RecordWords(session)
        let removed = (result.removed ?? [:]).sorted { $0.key < $1.key }
        let lines = result.records.map { words.text($0) }
            + removed.map { entity, count in
                session.text(
                    result.dryRun ? "cli.change.would_remove" : "cli.change.removed",
                    ["name": words.tables(entity), "count": String(count)])
            }
        if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
        if !result.findings.isEmpty {
            blocks.append(FindingLines(session).text(result.findings, limit: 20, ofCommand: true))
        }
        if let new = result.newFindings, !new.isEmpty {
            blocks.append(
                session.text("cli.change.findings") + "\n"
                    + FindingLines(session).text(new, limit: 20).trimmingCharacters(in: .newlines))
        }
        if let change = result.change {
            blocks.append(session.text("cli.change.done", ["change": String(change.suffix(8))]))
        } else if result.findings.isEmpty {
            blocks.append(session.text(result.dryRun ? "cli.import.dry_run" : "cli.change.nothing"))
        }
        return blocks.joined(separator: "\n\n")
    }
}

/// Rejected rows, formatted for display.
struct RejectsText {
    private let session: WorkSession

    init(_ session: WorkSession) {
        self.session = session
    }

    func list(_ rows: [RejectedRow]) -> String {
        guard !rows.isEmpty else { return session.text("cli.rejects.none") }
        // The column of waiting rows is left out if no rejected row has any.
        let hasWaiting = rows.contains { $0.waiting > 0 }
        let names = ["id", "entity", "key", "where", "code", "state"].map { session.text("cli.columns." + $0) }
        var table = TextTable(
            names + (hasWaiting ? [session.text("cli.rejects.waiting_rows")] : []),
            Array(repeating: .left, count: 6) + (hasWaiting ? [.right] : []))
        for row in rows {
            table.add(
                [
                    String(row.id.suffix(8)), (row.entity ?? row.place.table).map(RecordWords(session).tables) ?? "",
                    row.findings.lazy.compactMap(\.place.key).first ?? "", place(row),
                    row.findings.map(\.code).joined(separator: ", "), session.text("cli.rejects." + row.state.rawValue),
                ] + (hasWaiting ? [String(row.waiting)] : []))
        }
        return table.text
    }

    /// - Parameter waiting: other rejected rows that depend on this row.
    func whole(_ row: RejectedRow, _ waiting: [RejectedRow] = []) -> String {
        var blocks = [
            list([row]), row.raw, FindingLines(session).text(row.findings, limit: 20).trimmingCharacters(in: .newlines),
        ]
        if !waiting.isEmpty {
            blocks += [session.text("cli.rejects.wait_for_it", ["count": String(waiting.count)]), list(waiting)]
        }
        return blocks.joined(separator: "\n\n")
    }

    /// The file's name alone, because its folder may have moved since.
    private func place(_ row: RejectedRow) -> String {
        let file = row.place.file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? row.source
        return [file, row.place.line.map(String.init), row.place.pointer].compactMap { $0 }.joined(separator: ":")
    }
}
