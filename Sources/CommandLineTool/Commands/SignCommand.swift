import ArgumentParser
import Foundation
import Model
import Pipeline
import Recording
import Replica
import Signing
import Web

/// `fichero sign`: signs a PDF with a person's certificate.
struct SignCommand: FicheroCommand {
    static let task = CommandTask.handOver
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a PDF with a person's certificate (PAdES).",
        discussion: """
            The signature is added after the file's last byte, so that earlier signatures stay valid. With \
            --timestamp, a server says when it was made (PAdES B-T; without it B-B). A file that is registered in \
            the replica stays as it is: a signed copy is written beside it and registered with the same version, \
            and you need the permission to export. Any other file is signed in place, unless -o names another. No \
            page shows it, unless --line names one of the lines to sign on that a report has. A document with pages \
            that are stamped as drafts is refused, unless --allow-draft says that it is meant.

            The key's password is the first line of --password-file, FICHERO_CERTIFICATE_PASSWORD, or asked for at \
            the terminal.

            Examples:
              fichero sign out/ficha-calicata.pdf --certificate ana.p12 --reason "Revisado" --line 3
              fichero sign informe.pdf --certificate ana.pem --key ana.key --timestamp http://timestamp.example.org \
            -o informe-firmado.pdf
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("The PDF.", valueName: "file"))
    var file: String

    @Option(
        name: .long,
        help: ArgumentHelp("The certificate with its key: PKCS #12 (.p12, .pfx) or PEM.", valueName: "file"))
    var certificate: String

    @Option(name: .long, help: ArgumentHelp("The key, where it is in a PEM file of its own.", valueName: "file"))
    var key: String?

    @Option(name: .long, help: ArgumentHelp("A file whose first line is the key's password.", valueName: "file"))
    var passwordFile: String?

    @Option(name: .long, help: ArgumentHelp("A server of time stamps (RFC 3161).", valueName: "url"))
    var timestamp: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Certificates of which one must vouch for the server of time stamps (PEM).", valueName: "file"))
    var timestampTrust: String?

    @Option(name: .long, help: ArgumentHelp("Why it is signed.", valueName: "text"))
    var reason: String?

    @Option(name: .long, help: ArgumentHelp("Where it is signed.", valueName: "text"))
    var place: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show the signature on this signature line of the last sheet that has any, counted from the left.",
            valueName: "number"))
    var line: Int?

    @Flag(name: .long, help: "Sign also a document whose pages are stamped as drafts.")
    var allowDraft = false

    @Option(
        name: [.short, .customLong("output")], help: ArgumentHelp("Write the signed document here.", valueName: "file"))
    var output: String?

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func validate() throws {
        if let timestamp, !["http://", "https://"].contains(where: timestamp.hasPrefix) {
            throw ValidationError(
                "--timestamp takes an address that begins with http:// or https://: not \(timestamp).")
        }
        if timestamp == nil, timestampTrust != nil { throw ValidationError("--timestamp-trust needs --timestamp.") }
        if let line, line < 1 { throw ValidationError("--line counts from 1: not \(line).") }
        for text in [reason, place].compactMap({ $0 }) where text.utf8.count > 1000 {
            throw ValidationError("--reason and --place take 1000 bytes at most.")
        }
    }

    func run() throws {
        let (session, hasReplica) = try WorkSession.ofFiles(options)
        let path = URL(fileURLWithPath: FileName.real(file)).standardizedFileURL.path
        let document = try SigningFiles.read(path)
        let identity = try SigningIdentity(
            SigningFiles.store(certificate), keyFile: key.map(SigningFiles.store), at: session.asOf,
            password: SigningFiles.password(passwordFile, of: key ?? certificate, session))
        let note = session.text("cli.sign.stamp", ["time": time(in: session)])
        let stamp = line.map { SignatureStamp(line: $0, name: identity.name, note: note) }
        let signing = DocumentSigning(
            identity,
            .init(time: session.asOf, reason: reason, place: place, stamp: stamp, allowsDrafts: allowDraft),
            timestamps: try timestamps())
        var unjudged: [DocumentSignature] = [], otherSignatory: String?
        let signer = DocumentSigner(session, document, path, output: output) {
            let update = try signing.update(of: document, path: path)
            (unjudged, otherSignatory) = (update.unjudged, update.otherSignatory)
            return update.bytes
        }
        let asked = [reason, place, line.map(String.init), timestamp.map { _ in "B-T" }].map { $0 ?? "" }
        let notes = ["signer": identity.name, "certificate": identity.fingerprint, "request": Fingerprint.of(asked)]
        let written = try hasReplica
            ? signer.registered(notes: notes, allowsDrafts: allowDraft, wait: wait) ?? signer.plain() : signer.plain()
        let outcome = SignOutcome(
            path: written.file.finalPath, bytes: written.file.bytes, sha256: written.file.sha256, signer: identity.name,
            certificate: identity.fingerprint,
            level: timestamp == nil ? "B-B" : "B-T", time: Timestamp.format(session.asOf), exportID: written.export?.id,
            version: written.export?.version, isThere: written.isThere, unjudged: unjudged,
            otherSignatory: otherSignatory)
        if !options.json {
            SignatureText(session).warnings(of: outcome).forEach {
                StandardError.write((options.quiet ? "fichero sign: " : "") + $0 + "\n")
            }
        }
        options.output.show(outcome, text: SignatureText(session).text(outcome))
    }

    /// The time of the signature in the form of the reader's language, by the office's clock, with
    /// its offset from UTC: `01/12/2025 09:00 (UTC-5)`.
    private func time(in session: WorkSession) -> String {
        let shown = OfficeDay.time(of: session.asOf, in: session.timeZone)
        let offset = OfficeDay.offset(of: session.asOf, in: session.timeZone)
        return "\(session.language.day(shown) ?? "")\(shown.dropFirst(10)) (\(offset))"
    }

    private func timestamps() throws -> TimestampServer? {
        var patience = WebTimeouts()
        (patience.attempts, patience.silence, patience.whole) = (3, 20, 60)
        return try timestamp.map {
            TimestampServer(
                $0, over: WebConnection(patience: patience), trust: try timestampTrust.map(SigningFiles.trust))
        }
    }
}

/// The result of a signing.
struct SignOutcome: Encodable {
    var path: String
    var bytes: Int64
    var sha256: String
    var signer: String
    /// The SHA-256 of the signer's certificate.
    var certificate: String
    var level: String
    var time: String
    /// The registration; nil when the document is not registered.
    var exportID: String?
    var version: Int?
    /// Whether an earlier run had signed and registered it.
    var isThere: Bool
    /// Earlier signatures whose validity cannot be determined.
    var unjudged: [DocumentSignature]
    /// The name of the other person who is to sign on the line; nil if there is none.
    var otherSignatory: String?
}

/// Signatures, formatted for display.
struct SignatureText {
    private let session: WorkSession

    init(_ session: WorkSession) { self.session = session }

    func text(_ outcome: SignOutcome) -> String {
        var table = TextTable(
            ["cli.columns.path", "cli.columns.bytes", "cli.columns.sha256"].map { session.text($0) },
            [.left, .right, .left])
        table.add([outcome.path, String(outcome.bytes), outcome.sha256])
        let said = session.text("cli.sign.done", ["signer": outcome.signer, "level": outcome.level])
        if outcome.isThere { return [table.text, said, session.text("cli.sign.there")].joined(separator: "\n") }
        return [
            table.text, said, session.text(outcome.exportID == nil ? "cli.sign.unregistered" : "cli.sign.registered"),
        ].joined(separator: "\n")
    }

    /// A line if the signature stands on somebody else's line, and one for each earlier signature
    /// whose validity cannot be determined.
    func warnings(of outcome: SignOutcome) -> [String] {
        var lines = outcome.unjudged.map { signature in
            session.text(
                "cli.sign.unjudged", ["signer": signature.signer ?? signature.field, "reason": reason(signature)])
        }
        if let other = outcome.otherSignatory {
            lines.insert(session.text("cli.sign.other", ["signer": outcome.signer, "other": other]), at: 0)
        }
        return lines
    }

    /// The documents that could be read.
    func text(_ documents: [VerifiedDocument]) -> String {
        documents.filter { $0.error == nil }.map(text).joined(separator: "\n\n")
    }

    private func text(_ document: VerifiedDocument) -> String {
        var parts = ["\(document.path): \(session.text("cli.signatures.none"))"]
        if !document.signatures.isEmpty {
            parts = [document.path]
            for (index, signature) in document.signatures.enumerated() {
                parts.append("\(index + 1). " + head(signature))
                parts += details(of: signature).map { "   " + $0 }
            }
        }
        if !document.findings.isEmpty {
            parts.append(FindingLines(session).text(document.findings, limit: 5).trimmingCharacters(in: .newlines))
        }
        return parts.joined(separator: "\n")
    }

    private func head(_ signature: DocumentSignature) -> String {
        guard signature.isJudged else {
            return session.text("cli.signatures.unjudged", ["signer": signature.signer ?? signature.field])
        }
        let signer = signature.signer ?? session.text("cli.signatures.nobody")
        return session.text(
            signature.holds
                ? "cli.signatures.holds" : signature.isUnchanged ? "cli.signatures.unproven" : "cli.signatures.fails",
            ["signer": signer])
    }

    private func details(of signature: DocumentSignature) -> [String] {
        var lines = [
            session.text(
                "cli.signatures.kind",
                [
                    "kind": signature.level.map { "PAdES " + $0 } ?? (signature.kind.isEmpty ? "—" : signature.kind),
                    "field": signature.field,
                ])
        ]
        if let time = signature.claimedTime { lines.append(session.text("cli.signatures.claimed", ["time": time])) }
        if let stamp = signature.timestamp {
            lines.append(session.text("cli.signatures.stamped", ["time": stamp.time, "authority": stamp.authority]))
            if !stamp.isWhole { lines.append(session.text("cli.signatures.stamp_wrong")) }
            if stamp.isWhole, stamp.trust != .trusted {
                lines.append(session.text("cli.signatures.stamp." + stamp.trust.rawValue))
            }
        }
        for (key, value) in [("reason", signature.reason), ("place", signature.place)] {
            if let value, !value.isEmpty { lines.append(session.text("cli.signatures." + key, ["text": value])) }
        }
        guard signature.isJudged else {
            lines.append(session.text("cli.signatures.unreadable", ["reason": reason(signature)]))
            return signature.later == .changes ? lines + [session.text("cli.signatures.later.changes")] : lines
        }
        guard signature.isWhole else {
            return lines + [session.text("cli.signatures.broken", ["reason": signature.objection ?? "—"])]
        }
        lines.append(session.text("cli.signatures.later." + signature.later.rawValue))
        lines.append(
            session.text("cli.signatures.trust." + signature.trust.rawValue, ["issuer": signature.issuer ?? "—"]))
        return lines
    }

    /// The reason why a signature could not be verified: the unsupported kind of signature, or else
    /// the reader's error.
    private func reason(_ signature: DocumentSignature) -> String {
        signature.objection == "/SubFilter" && !signature.kind.isEmpty ? signature.kind : signature.objection ?? "—"
    }
}
