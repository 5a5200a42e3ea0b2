import Foundation
import Model
import Pipeline
import Replica

/// The result of a sync, formatted for display.
struct SyncText {
    private let session: WorkSession
    private var words: RecordWords { RecordWords(session) }

    init(_ session: WorkSession) { self.session = session }

    func text(_ result: SyncResult) -> String {
        var parts = [session.text("cli.sync.head", ["environment": result.environment, "remote": result.remote])]
        if let waiting = result.waiting, !waiting.waiting.isEmpty || waiting.logs > 0 { parts.append(table(waiting)) }
        if result.packages == nil, !result.sent.isEmpty { parts.append(told(result.sent)) }
        if let packages = result.packages { parts.append(told(packages, result)) }
        if !result.files.isEmpty { parts.append(told(result.files)) }
        if let expected = result.expected, !expected.isEmpty || result.isWithRecords {
            parts.append(expected.isEmpty ? session.text("cli.sync.nothing") : table(expected))
        } else if result.pulled.lines.contains(where: \.isTold) {
            parts.append(table(result.pulled, withRefused: result.packages != nil))
        } else if result.packages == nil {
            parts.append(session.text(result.isWithRecords ? "cli.sync.nothing" : "cli.sync.notAsked"))
        }
        if !result.pulled.withdrawn.isEmpty {
            parts.append(session.text("cli.sync.withdrawn", ["count": String(result.pulled.withdrawn.count)]))
        }
        if result.projects.isEmpty, result.packages == nil { parts.append(session.text("cli.sync.noProjects")) }
        if let proof = result.proof {
            parts.append(([proven(proof, withValues: result.isDeep)] + result.documents).joined(separator: "\n"))
        }
        if !result.findings.isEmpty {
            parts.append(FindingLines(session).text(result.findings, limit: 20, ofCommand: true))
        }
        return parts.joined(separator: "\n\n")
    }

    private func table(_ expected: [SyncResult.Expected]) -> String {
        var table = TextTable(
            ["project", "entity", "rows"].map { session.text("cli.columns." + $0) } + [
                session.text("cli.sync.columns.removed")
            ], [.left, .left, .right, .right])
        for line in expected {
            let name = words.tables(line.entity)
            table.add([line.project ?? "—", name, String(line.rows), String(line.removed)])
        }
        return table.text
    }

    private func table(_ summary: PushSummary) -> String {
        var table = TextTable(
            [
                session.text("cli.columns.entity"), session.text("cli.sync.columns.operation"),
                session.text("cli.sync.columns.waiting"),
            ], [.left, .left, .right])
        for line in summary.waiting {
            let operation = words.word(line.operation.rawValue, of: "operation")
            table.add([words.tables(line.entity), operation, String(line.count)])
        }
        if summary.logs > 0 { table.add([session.text("cli.status.sync.logs"), "", String(summary.logs)]) }
        let held = SyncStatusText(session).held(summary).map {
            "\($0.text): \($0.count)" + ($0.until.isEmpty ? "" : " (\($0.until))")
        }
        guard !held.isEmpty else { return table.text }
        return ([table.text, session.text("cli.sync.ofThese")] + held.map { "  " + $0 }).joined(separator: "\n")
    }

    /// The numbers of changes that were sent, that failed, and that were not sent yet.
    private func told(_ sent: SentChanges) -> String {
        if let held = sent.held[PushHoldReason.role.rawValue] {
            return session.text("cli.sync.heldByRole", ["count": String(held)])
        }
        var lines = [session.text("cli.sync.sent", ["count": String(sent.count), "logs": String(sent.logs)])]
        if sent.failures > 0 { lines.append(session.text("cli.sync.failed", ["count": String(sent.failures)])) }
        let waiting = sent.held[PushHoldReason.waiting.rawValue] ?? 0
        if waiting > 0, let next = sent.nextAttempt.flatMap(Timestamp.parse) {
            lines.append(
                session.text(
                    "cli.sync.refused",
                    ["count": String(waiting), "time": OfficeDay.minute(after: next, in: session.timeZone)]))
        }
        let held = sent.held.values.reduce(0, +) - waiting
        if held > 0 { lines.append(session.text("cli.sync.held", ["count": String(held)])) }
        return lines.joined(separator: "\n")
    }

    private func told(_ packages: PackageExchange, _ result: SyncResult) -> String {
        var lines: [String] = []
        if result.isPlan {
            lines += packages.received.map { session.text("cli.sync.packages.unread", ["file": $0]) }
        } else {
            lines += packages.received.map { session.text("cli.sync.packages.received", ["file": $0]) }
            if packages.acknowledged > 0 {
                lines.append(session.text("cli.sync.packages.acknowledged", ["count": String(packages.acknowledged)]))
            }
            lines += packages.sent.map {
                session.text("cli.sync.packages.sent", ["file": $0.file, "count": String($0.waiting)])
            }
            let held = result.sent.held.values.reduce(0, +)
            if held > 0 { lines.append(session.text("cli.sync.held", ["count": String(held)])) }
        }
        if packages.untaken > 0 {
            lines.append(session.text("cli.sync.packages.untaken", ["count": String(packages.untaken)]))
        }
        return lines.isEmpty ? session.text("cli.sync.packages.nothing") : lines.joined(separator: "\n")
    }

    private func told(_ files: SyncedFiles) -> String {
        var lines: [String] = []
        for (key, count, bytes) in [
            ("sent", files.sent, files.sentBytes), ("fetched", files.fetched, files.fetchedBytes),
        ] where count > 0 {
            lines.append(
                session.text(
                    "cli.sync.files." + key, ["count": String(count), "kilobytes": String((bytes + 1023) / 1024)]))
        }
        if files.failures > 0 { lines.append(session.text("cli.sync.files.failed", ["count": String(files.failures)])) }
        if let waiting = files.waiting {
            var counts = ["send": String(waiting.send), "fetch": String(waiting.fetch)]
            counts["reason"] = waiting.reason.map { TransferObstacle(session)?.text(session) ?? $0 }
            lines.append(
                session.text(waiting.reason == nil ? "cli.sync.files.planned" : "cli.sync.files.waiting", counts))
        }
        return lines.joined(separator: "\n")
    }

    /// - Parameter withRefused: whether to show a column of refused rows, which only packages have.
    private func table(_ account: PullAccount, withRefused: Bool) -> String {
        let columns =
            (["new", "changed", "unchanged", "conflict", "kept"] + (withRefused ? ["refused"] : []) + ["removed"]).map {
                session.text("cli.sync.columns." + $0)
            }
        var table = TextTable([session.text("cli.columns.entity")] + columns, [.left] + columns.map { _ in .right })
        for line in account.lines where line.isTold {
            table.add(
                [words.tables(line.entity)]
                    + ([line.new, line.changed, line.unchanged, line.conflict, line.kept]
                    + (withRefused ? [line.refused] : []) + [line.removed]).map(String.init))
        }
        return table.text
    }

    /// The result of a comparison with the server, in one line; without numbers if it found
    /// differences.
    func sentence(_ proof: [SyncResult.Proof], withValues: Bool) -> String {
        let differing = proof.filter { !$0.isEqual }
        return differing.isEmpty
            ? proven(proof, withValues: withValues).replacing("\n", with: " ")
            : session.text("cli.sync.unproven") + " " + Set(differing.map(\.entity)).sorted().joined(separator: ", ")
                + "."
    }

    private func proven(_ proof: [SyncResult.Proof], withValues: Bool) -> String {
        let rows = proof.reduce(0) { $0 + $1.there.rows }
        let differing = proof.filter { !$0.isEqual }
        guard !differing.isEmpty else {
            let waiting = proof.reduce(0) { $0 + $1.waiting }
            let proven = session.text(
                withValues ? "cli.sync.provenDeep" : "cli.sync.proven",
                ["rows": String(rows), "tables": String(proof.count)])
            return waiting == 0
                ? proven : proven + "\n" + session.text("cli.sync.provenWaiting", ["count": String(waiting)])
        }
        var table = TextTable(
            ["project", "entity", "here", "there"].map {
                session.text($0 == "here" || $0 == "there" ? "cli.sync.columns." + $0 : "cli.columns." + $0)
            }, [.left, .left, .right, .right])
        for line in differing {
            table.add([line.project ?? "—", line.entity, String(line.here.rows), String(line.there.rows)])
        }
        return [session.text("cli.sync.unproven"), table.text, session.text("cli.sync.unprovenRemedy")].joined(
            separator: "\n")
    }
}

extension PullAccount.Line {
    /// Whether there is more to report than unchanged rows.
    fileprivate var isTold: Bool { new + changed + conflict + kept + refused + removed > 0 }
}

/// The result of a round of `sync --watch`, in one line: on standard output, or on standard error
/// if the round failed. A quiet watch reports only failures.
struct SyncRoundText {
    /// The session of this round.
    let session: WorkSession
    let output: ResultOutput

    func show(_ result: SyncResult) {
        if output.isJSON {
            StandardOutput.write(JSONString.line(result) + "\n")
        } else if !output.isQuiet {
            StandardOutput.write(line(result) + "\n")
        } else if result.exitCode != .done {
            StandardError.write("fichero sync: " + line(result) + "\n")
        }
    }

    private func line(_ result: SyncResult) -> String {
        let came = result.pulled.lines.reduce(0) { $0 + $1.new + $1.changed + $1.conflict }
        let counts = [
            "sent": result.sent.count, "came": came, "removed": result.pulled.lines.reduce(0) { $0 + $1.removed },
            "files": result.files.sent + result.files.fetched,
        ]
        var sentences = [
            session.text(
                "cli.sync.round",
                counts.mapValues(String.init).merging(["time": Self.time(session.asOf, session)]) { $1 })
        ]
        if let proof = result.proof { sentences.append(SyncText(session).sentence(proof, withValues: result.isDeep)) }
        let found = Dictionary(grouping: result.findings, by: \.code).sorted { $0.key < $1.key }
        if !found.isEmpty {
            sentences.append(found.map { "\($0.key): \($0.value.count)" }.joined(separator: ", ") + ".")
        }
        return sentences.joined(separator: " ")
    }

    /// Reports a temporary failure, which may not occur in the next round.
    ///
    /// - Parameters:
    ///   - session: the session of the first round.
    ///   - time: the time of the failure.
    static func show(
        _ failure: any Failure, at time: Date, again next: Date, _ session: WorkSession, _ output: ResultOutput
    ) {
        let text = FailureText(failure, texts: session.pack.texts, language: session.language)
        if output.isJSON { StandardOutput.write(text.jsonLine + "\n") }
        let arguments = [
            "time": Self.time(time, session), "failure": ErrorOutput.inOneLine(text.text),
            "next": OfficeDay.minute(after: next, in: session.timeZone),
        ]
        StandardError.write(
            (output.isQuiet ? "fichero sync: " : "") + session.text("cli.sync.again", arguments) + "\n")
    }

    private static func time(_ instant: Date, _ session: WorkSession) -> String {
        OfficeDay.time(of: instant, in: session.timeZone)
    }
}
