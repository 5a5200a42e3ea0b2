import Foundation
import Model
import Replica

/// What a round of `sync --watch` did, in one line: on standard output, or on standard error if it
/// could not be done. A quiet watch says only what went wrong.
struct SyncRoundText {
    /// Of this round.
    let session: CommandSession

    func show(_ result: SyncResult) {
        if session.options.json {
            StandardOutput.write(JSONString.line(result) + "\n")
        } else if !session.options.quiet {
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
        var sentences = [session.text("cli.sync.round", counts.mapValues(String.init).merging(["time": Self.time(session.asOf, session)]) { $1 })]
        if let proof = result.proof { sentences.append(SyncText(session).sentence(proof, withValues: result.isDeep)) }
        let found = Dictionary(grouping: result.findings, by: \.code).sorted { $0.key < $1.key }
        if !found.isEmpty { sentences.append(found.map { "\($0.key): \($0.value.count)" }.joined(separator: ", ") + ".") }
        return sentences.joined(separator: " ")
    }

    /// Tells a failure that the next round may not meet.
    ///
    /// - Parameters:
    ///   - session: of the first round.
    ///   - time: when it was met.
    static func show(_ failure: any Failure, at time: Date, again next: Date, _ session: CommandSession) {
        let text = FailureText(failure, texts: session.pack.texts, language: session.language)
        if session.options.json { StandardOutput.write(text.jsonLine + "\n") }
        let arguments = ["time": Self.time(time, session), "failure": ErrorOutput.inOneLine(text.text), "next": OfficeDay.minute(after: next, in: session.timeZone)]
        StandardError.write((session.options.quiet ? "fichero sync: " : "") + session.text("cli.sync.again", arguments) + "\n")
    }

    private static func time(_ instant: Date, _ session: CommandSession) -> String { OfficeDay.time(of: instant, in: session.timeZone) }
}
