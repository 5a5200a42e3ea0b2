import Foundation
import Model
import Signing

/// Signatures for people.
struct SignatureText {
    private let session: CommandSession

    init(_ session: CommandSession) { self.session = session }

    func text(_ outcome: SignOutcome) -> String {
        var table = TextTable(["cli.columns.path", "cli.columns.bytes", "cli.columns.sha256"].map { session.text($0) }, [.left, .right, .left])
        table.add([outcome.path, String(outcome.bytes), outcome.sha256])
        let said = session.text("cli.sign.done", ["signer": outcome.signer, "level": outcome.level])
        if outcome.isThere { return [table.text, said, session.text("cli.sign.there")].joined(separator: "\n") }
        return [table.text, said, session.text(outcome.exportID == nil ? "cli.sign.unregistered" : "cli.sign.registered")].joined(separator: "\n")
    }

    /// A line for each earlier signature that nobody could judge.
    func warnings(of unjudged: [DocumentSignature]) -> [String] {
        unjudged.map { signature in
            let text = session.text("cli.sign.unjudged", ["signer": signature.signer ?? signature.field, "reason": reason(signature)])
            return (session.output.isQuiet ? "fichero sign: " : "") + text + "\n"
        }
    }

    /// Those that could be read.
    func text(_ documents: [VerifiedDocument]) -> String { documents.filter { $0.error == nil }.map(text).joined(separator: "\n\n") }

    private func text(_ document: VerifiedDocument) -> String {
        var parts = ["\(document.path): \(session.text("cli.signatures.none"))"]
        if !document.signatures.isEmpty {
            parts = [document.path]
            for (index, signature) in document.signatures.enumerated() {
                parts.append("\(index + 1). " + head(signature))
                parts += details(of: signature).map { "   " + $0 }
            }
        }
        if !document.findings.isEmpty { parts.append(FindingLines(session).text(document.findings, limit: 5).trimmingCharacters(in: .newlines)) }
        return parts.joined(separator: "\n")
    }

    private func head(_ signature: DocumentSignature) -> String {
        guard signature.isJudged else { return session.text("cli.signatures.unjudged", ["signer": signature.signer ?? signature.field]) }
        let signer = signature.signer ?? session.text("cli.signatures.nobody")
        return session.text(signature.holds ? "cli.signatures.holds" : signature.isUnchanged ? "cli.signatures.unproven" : "cli.signatures.fails", ["signer": signer])
    }

    private func details(of signature: DocumentSignature) -> [String] {
        var lines = [session.text("cli.signatures.kind", ["kind": signature.level.map { "PAdES " + $0 } ?? (signature.kind.isEmpty ? "—" : signature.kind), "field": signature.field])]
        if let time = signature.claimedTime { lines.append(session.text("cli.signatures.claimed", ["time": time])) }
        if let stamp = signature.timestamp {
            lines.append(session.text("cli.signatures.stamped", ["time": stamp.time, "authority": stamp.authority]))
            if !stamp.isWhole { lines.append(session.text("cli.signatures.stamp_wrong")) }
            if stamp.isWhole, stamp.trust != .trusted { lines.append(session.text("cli.signatures.stamp." + stamp.trust.rawValue)) }
        }
        for (key, value) in [("reason", signature.reason), ("place", signature.place)] {
            if let value, !value.isEmpty { lines.append(session.text("cli.signatures." + key, ["text": value])) }
        }
        guard signature.isJudged else {
            lines.append(session.text("cli.signatures.unreadable", ["reason": reason(signature)]))
            return signature.later == .changes ? lines + [session.text("cli.signatures.later.changes")] : lines
        }
        guard signature.isWhole else { return lines + [session.text("cli.signatures.broken", ["reason": signature.objection ?? "—"])] }
        lines.append(session.text("cli.signatures.later." + signature.later.rawValue))
        lines.append(session.text("cli.signatures.trust." + signature.trust.rawValue, ["issuer": signature.issuer ?? "—"]))
        return lines
    }

    /// What could not be judged: the kind, else what the reader objects to.
    private func reason(_ signature: DocumentSignature) -> String {
        signature.objection == "/SubFilter" && !signature.kind.isEmpty ? signature.kind : signature.objection ?? "—"
    }
}
