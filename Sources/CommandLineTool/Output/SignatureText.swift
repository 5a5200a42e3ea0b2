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
        return [table.text, said, session.text(outcome.exportID == nil ? "cli.sign.unregistered" : "cli.sign.registered")].joined(separator: "\n")
    }

    func text(_ documents: [SignedDocument]) -> String { documents.map(text).joined(separator: "\n\n") }

    private func text(_ document: SignedDocument) -> String {
        guard !document.signatures.isEmpty else { return "\(document.path): \(session.text("cli.signatures.none"))" }
        let lines = document.signatures.enumerated().flatMap { ["\($0 + 1). " + head($1)] + details(of: $1).map { "   " + $0 } }
        return ([document.path] + lines).joined(separator: "\n")
    }

    private func head(_ signature: DocumentSignature) -> String {
        let signer = signature.signer ?? session.text("cli.signatures.nobody")
        let isUnchanged = signature.isWhole && signature.later != .changes
        return session.text(signature.holds ? "cli.signatures.holds" : isUnchanged ? "cli.signatures.unproven" : "cli.signatures.fails", ["signer": signer])
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
        guard signature.isWhole else { return lines + [session.text("cli.signatures.broken", ["reason": signature.objection ?? "—"])] }
        lines.append(session.text("cli.signatures.later." + signature.later.rawValue))
        lines.append(session.text("cli.signatures.trust." + signature.trust.rawValue, ["issuer": signature.issuer ?? "—"]))
        return lines
    }
}

/// A document with its signatures.
struct SignedDocument: Encodable {
    var path: String
    var signatures: [DocumentSignature]
    /// Whether it is signed, and every signature holds.
    var holds: Bool
}
